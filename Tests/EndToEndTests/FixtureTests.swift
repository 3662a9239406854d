import Foundation
import TestSupport
import Testing

/// Files that the app's own code wrote, opened by the built program with the app's own work factors.
@Suite("files of the app", .enabled(if: SharedFolder.isThere, "needs the shared fixtures"))
struct FixtureTests {
    private let phone: SamplePhone
    private let expected: [String: Any]

    init() throws {
        phone = try SamplePhone()
        expected = json(fileBytes(SharedFolder.file("fixtures/export/expected.json")) ?? []) ?? [:]
        try phone.write((expected["passphrase"] as? String ?? "") + "\n", to: "pw")
    }

    private func run(_ line: String) -> ChildProcess {
        phone.shell(line.replacingOccurrences(of: "FIXTURES", with: SharedFolder.file("fixtures")))
    }

    @Test(
        "every export opens, and is whose it should be",
        arguments: [
            ("bob.sophaxid", Int32(0)), ("bob-600k.sophaxid", 0), ("weak-iterations.sophaxid", 8),
            ("bob.sophaxbackup", 0),
            ("bob.sxfe", 0),
        ])
    func exports(name: String, status: Int32) {
        let verify = run("sxkey bundle verify FIXTURES/export/\(name) -p pw --json")
        #expect(verify.status == status, "\(verify.errorText)")
        let result = json(verify.output)
        let fingerprint = expected["identityFingerprint"] as? String
        let owner = (result?["identity"] ?? result?["backup"]) as? [String: Any]
        #expect(owner?["fingerprint"] as? String == fingerprint)
        #expect(owner?["username"] as? String == "Bob")
    }

    @Test("the messages of an export are those that the app put in", arguments: ["bob.sophaxbackup", "bob.sxfe"])
    func messages(name: String) {
        let export = run("sxkey bundle export FIXTURES/export/\(name) -p pw -o -")
        #expect(export.status == 0)
        var found: [String: [String: Any]] = [:]
        for line in export.outputText.split(separator: "\n").dropFirst() {
            guard let message = json(Array(line.utf8)), let id = message["id"] as? String else { continue }
            found[id] = message["source"] as? [String: Any]
        }
        let backup = expected["backup"] as? [String: Any]
        let lists = backup?["messages"] as? [String: [[String: Any]]] ?? [:]
        let wanted = lists.values.joined()
        #expect(found.count == wanted.count && !found.isEmpty)
        for message in wanted {
            let id = message["id"] as? String ?? ""
            #expect(NSDictionary(dictionary: found[id] ?? [:]) == NSDictionary(dictionary: message), "\(id)")
        }
    }

    @Test("the store of the app is read with the dump of its keychain")
    func store() {
        let verify = run("sxkey store verify FIXTURES/march/appsupport -k FIXTURES/march/keychain-bob.json --json")
        #expect(verify.status == 8)
        let counts = json(verify.output)?["counts"] as? [String: Int]
        #expect(counts?["read"] == 10 && counts?["ok"] == 10 && counts?["atRisk"] == 10)
        #expect(counts?["attachmentsOK"] == 2 && counts?["damaged"] == 0 && counts?["missing"] == 0)
        let other = run("sxkey store verify FIXTURES/march/appsupport -k FIXTURES/march/keychain-alice.json")
        #expect(other.status == 5)
        let all = run(
            "sxkey store attachment FIXTURES/march/appsupport --all -o out -k FIXTURES/march/keychain-bob.json")
        #expect(all.status == 0)
        #expect(FolderListing(phone.file("out")).names.count == 2)
    }
}
