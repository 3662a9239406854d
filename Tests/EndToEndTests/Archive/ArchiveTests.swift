import SampleData
import SystemIO
import TestSupport
import Testing

/// Several sources become one archive, with the built program.
@Suite("making one archive of several sources")
struct ArchiveTests {
    private let phone: SamplePhone
    private static let peer = "3619e750a2dd52ba978807b2a00df56d"

    init() throws {
        phone = try SamplePhone()
        try phone.write(SampleArchive.key, to: "k")
    }

    /// Messages with these numbers, which say the same whenever they are written.
    private func list(_ numbers: Range<Int>) -> String {
        let messages = numbers.map { number in
            let body = number == 77 ? "a red bicycle at the station" : "message number \(number)"
            return #"{"id":"M\#(number)","peerID":"\#(Self.peer)","direction":"sent","body":"\#(body)","#
                + #""timestamp":\#(600_000_000 + number * 3_600),"status":"read","isEdited":false}"#
        }
        return "[" + messages.joined(separator: ",") + "]"
    }

    /// Runs `sxkey archive` with the key file, and what the shell is to do then.
    private func archive(_ line: String, then rest: String = "") -> ChildProcess {
        let key = line.hasPrefix("init") ? " --new-archive-key-file k" : " --archive-key-file k"
        return phone.shell(
            "sxkey archive " + line + key + rest,
            environment: ["SXKEY_ARCHIVE": "own.sxdb", "HOME": phone.sample, "XDG_DATA_HOME": nil])
    }

    /// So many conversations of 400 messages.
    private func conversations(_ count: Int) -> [(key: String, list: String)] {
        (0..<count).map { number in
            let peer = (number < 10 ? "0\(number)" : "\(number)") + "112233445566778899aabbccddeeff"
            return (key: peer, list: list(0..<400).replacing(Self.peer, with: peer))
        }
    }

    private func counts(_ run: ChildProcess) -> [[String: Int]] {
        let sources = json(run.output)?["sources"] as? [[String: Any]] ?? []
        return sources.map { $0["counts"] as? [String: Int] ?? [:] }
    }

    @Test("two overlapping exports and a store become one archive that is searched, read in a browser, and verified")
    func onePlace() throws {
        try phone.write(SamplePhone.backup(messages: [(Self.peer, list(0..<100))]), to: "a.sophaxbackup")
        try phone.write(SamplePhone.backup(messages: [(Self.peer, list(50..<150))]), to: "b.sophaxbackup")
        #expect(archive("init").status == 0)
        let first = archive(
            "import a.sophaxbackup b.sophaxbackup phone --key-file storage.key -p passphrase.txt -p passphrase.txt --json"
        )
        #expect(first.status == 0, "\(first.errorText)")
        let found = counts(first)
        #expect(found.count == 3)
        #expect(found[0]["new"] == 100 && found[0]["read"] == 100)
        #expect(found[1]["new"] == 50 && found[1]["alreadyThere"] == 50 && found[1]["read"] == 100)
        #expect((found[2]["new"] ?? 0) > 10 && found[2]["failed"] == 0)
        for one in found {
            #expect(one["read"] == one.filter { $0.key != "read" }.values.reduce(0, +))
        }

        let again = counts(archive("import phone b.sophaxbackup --key-file storage.key -p passphrase.txt --json"))
        #expect(again.map { $0["new"] } == [0, 0])
        #expect(again.map { $0["changed"] } == [0, 0])
        #expect(again[0]["alreadyThere"] == found[2]["read"])

        let listed = json(archive("list --json").output)?["conversations"] as? [[String: Any]] ?? []
        let bob = listed.first { $0["id"] as? String == Self.peer }
        #expect(bob?["messages"] as? Int == 150)
        let hit = archive("search 'red bicycle' --until 2020-12")
        #expect(hit.status == 0 && hit.outputText.contains("1 message"), "\(hit.outputText)")
        #expect(archive("search rot13").status == 10)
        let pages = archive("export --format html --out pages")
        #expect(pages.status == 0, "\(pages.errorText)")
        #expect(phone.text("pages/index.html").contains("Content-Security-Policy"))
        let shown = archive("show \(Self.peer) --grep bicycle")
        #expect(shown.outputText.contains("a red bicycle at the station"))
        let source = archive("show --id M77 --source --json")
        let versions = (json(source.output)?["messages"] as? [[String: Any]])?.first?["sources"] as? [[String: Any]]
        #expect(versions?.count == 1)
        #expect(versions?.first?["json"] as? String == String(list(77..<78).dropFirst().dropLast()))
        let verified = archive("verify --full")
        #expect(verified.status == 0, "\(verified.outputText)")
        let info = json(archive("info --json").output)
        #expect(info?["messages"] as? Int == (found[2]["new"] ?? 0) + 150)
        #expect((info?["imports"] as? [Any])?.count == 5)
    }

    @Test("what was removed does not come back, the file gets smaller, and every secret still opens it")
    func removal() throws {
        try phone.write(SamplePhone.backup(messages: [(Self.peer, list(0..<2_000))]), to: "a.sophaxbackup")
        #expect(archive("init").status == 0)
        #expect(archive("import a.sophaxbackup -p passphrase.txt").status == 0)
        #expect(archive("remove \(Self.peer)").status == 2)
        let plan = archive("remove \(Self.peer) --dry-run")
        #expect(plan.status == 0 && plan.outputText.contains("2,000"))
        #expect(archive("remove \(Self.peer) --yes").status == 0)
        let again = counts(archive("import a.sophaxbackup -p passphrase.txt --json"))
        #expect(again[0]["removedBefore"] == 2_000 && again[0]["new"] == 0)
        let before = fileBytes(phone.file("own.sxdb"))?.count ?? 0
        let compacted = archive("compact --json")
        #expect(compacted.status == 0, "\(compacted.errorText)")
        let after = fileBytes(phone.file("own.sxdb"))?.count ?? 0
        #expect(after < before && json(compacted.output)?["bytes"] as? Int == after)
        #expect(archive("verify --full").status == 0)
    }

    @Test("an import that is killed at any moment has lost nothing, and the same command goes on")
    func killed() throws {
        try phone.write(SamplePhone.backup(messages: conversations(20)), to: "a.sophaxbackup")
        #expect(archive("init").status == 0)
        for hundredths in [3, 6, 9, 12, 16, 20, 26, 34] {
            let time = "0.\(hundredths < 10 ? "0" : "")\(hundredths)"
            _ = archive("import a.sophaxbackup -p passphrase.txt", then: " & sleep \(time); kill -9 $!; wait $!; true")
            let verified = archive("verify")
            #expect(verified.status == 0, "\(time): \(verified.outputText) \(verified.errorText)")
        }
        let last = counts(archive("import a.sophaxbackup -p passphrase.txt --json"))
        #expect(last[0]["read"] == 8_000)
        #expect((last[0]["new"] ?? 0) + (last[0]["alreadyThere"] ?? 0) == 8_000)
        #expect(json(archive("info --json").output)?["messages"] as? Int == 8_000)
        #expect(archive("verify --full").status == 0)
    }

    @Test("an import that is interrupted says how to go on")
    func interrupted() throws {
        try phone.write(SamplePhone.backup(messages: conversations(30)), to: "a.sophaxbackup")
        #expect(archive("init").status == 0)
        var texts: [String] = []
        for tenths in 1...5 {
            // The shell lets what it starts in the background ignore SIGINT.
            let run = archive(
                "import a.sophaxbackup -p passphrase.txt",
                then: " & sleep 0.\(tenths); kill -TERM $!; wait $!; echo status $?; true")
            if run.outputText.contains("status 143") { texts.append(run.errorText) }
        }
        // On a quick machine it may be done before the first signal.
        for text in texts where !text.isEmpty {
            #expect(text.contains("nothing is lost") && text.contains("run the same command again"))
        }
        #expect(archive("import a.sophaxbackup -p passphrase.txt").status == 0)
        #expect(json(archive("info --json").output)?["messages"] as? Int == 12_000)
    }

    @Test("JSON lines that a store gave are the same messages")
    func lines() throws {
        #expect(phone.run("store", "export", "phone", "--key-file", "storage.key", "--out", "all.jsonl").status == 0)
        #expect(archive("init").status == 0)
        let first = archive("import all.jsonl --json")
        #expect(first.status == 0, "\(first.errorText)")
        let second = archive("import phone --key-file storage.key --json")
        #expect(counts(second)[0]["new"] == 0)
        #expect(counts(second)[0]["alreadyThere"] == counts(first)[0]["new"])
    }

    @Test("names come from the keyring, and from the contacts of a bundle")
    func names() throws {
        try phone.addKeyring()
        #expect(archive("init").status == 0)
        #expect(archive("import phone --keyring sample.sxdb --keyring-key-file keyring.key").status == 0)
        let listed = archive("list")
        #expect(listed.outputText.contains("Bob ("))
        #expect(archive("show Bob").status == 0)
        #expect(archive("show Nobody").status == 10)
    }
}
