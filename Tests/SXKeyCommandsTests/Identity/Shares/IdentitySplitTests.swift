import CryptoPrimitives
import Foundation
import Keyring
import SQLiteDatabase
import SophaxCore
import SystemIO
import TestSupport
import Testing

@testable import SXKeyCommands

@Suite("identity split and combine")
struct IdentitySplitTests {
    private let specimen: KeyringSpecimen
    private var folder: TemporaryFolder { specimen.folder }

    init() throws {
        specimen = try KeyringSpecimen()
        try specimen.addAlice()
    }

    /// Runs a command with the keyring; `@name` is a file of the folder.
    private func run(_ words: [String], keyring: String? = nil) -> CommandRun {
        let arguments = words.map { $0.hasPrefix("@") ? folder.file(String($0.dropFirst())) : $0 }
        return CommandRun.run(
            arguments + ["--keyring", keyring ?? specimen.path, "--keyring-key-file", folder.file("key")])
    }

    private func split(_ threshold: Int = 3, _ total: Int = 5, _ words: String..., out: String = "@out") -> CommandRun {
        run(["identity", "split", "-m", "\(threshold)", "-n", "\(total)", "--out", out] + words)
    }

    private func json(_ run: CommandRun) -> [String: Any] {
        let text = run.outputBytes.isEmpty ? Array(run.errors.utf8) : run.outputBytes
        return (try? JSONSerialization.jsonObject(with: Data(text)) as? [String: Any]) ?? [:]
    }

    /// A second keyring, without an identity.
    private func emptyKeyring(_ name: String = "new.sxdb") throws -> String {
        let key = [UInt8](repeating: 0x2a, count: 32)
        _ = try Keyring.make(at: FilePath(folder.file(name)), slots: [NewSlot(.key(SecretBytes(copying: key.span)))])
        return folder.file(name)
    }

    private func fingerprint(in keyring: String) throws -> String? {
        let key = [UInt8](repeating: 0x2a, count: 32)
        let opened = try Keyring(opening: FilePath(keyring), .readOnly, unlocking: .key(SecretBytes(copying: key.span)))
        return try opened.currentIdentity()?.fingerprint.hex
    }

    private func share(_ index: Int, _ suffix: String = "json", of total: Int = 5) -> String {
        "@out/share-\(index)-of-\(total).\(suffix)"
    }

    // MARK: - There and back

    @Test("an identity that is split comes back in a keyring that never had it", arguments: ["sxkey", "app"])
    func thereAndBack(format: String) throws {
        let made = split(3, 5, "--format", format)
        #expect(made.status == .success, "\(made.errors)")
        #expect(made.output.contains("any 3 of them give the identity back"))
        let keyring = try emptyKeyring()
        let combined = run(["identity", "combine", share(5), share(1), share(3)], keyring: keyring)
        #expect(combined.status == .success, "\(combined.errors)")
        #expect(combined.output.contains("the shares themselves"))
        #expect(try fingerprint(in: keyring) == KeyringSpecimen.alice)
        #expect(combined.output.contains(format == "sxkey" ? "alice" : "--name gives one"))
    }

    @Test("words come back with the peer id that is on their page, and with nothing else")
    func words() throws {
        #expect(split(2, 3, "--format", "words").status == .success)
        let keyring = try emptyKeyring()
        let shares = [share(3, "words", of: 3), share(1, "txt", of: 3)]
        let unproven = run(["identity", "combine"] + shares, keyring: keyring)
        #expect(unproven.status == .finding && unproven.errors.contains(KeyringSpecimen.alice), "\(unproven.errors)")
        #expect(try fingerprint(in: keyring) == nil)
        let other = run(["identity", "combine", "--expect", "00000000"] + shares, keyring: keyring)
        #expect(other.status == .finding && other.errors.contains("another identity than the expected one"))
        let right = run(
            ["identity", "combine", "--expect", "3619E750A2DD52BA", "--name", "Ana"] + shares, keyring: keyring)
        #expect(right.status == .success, "\(right.errors)")
        #expect(right.output.contains("it is the identity that --expect names"))
        #expect(try fingerprint(in: keyring) == KeyringSpecimen.alice)
    }

    @Test("pages and what their QR codes say are read like the shares themselves")
    func pages() throws {
        #expect(split().status == .success)
        let lines = try SharePart.lines(
            of: IdentityShare.read(read(share(2))).text(.sxkey))
        folder.write(lines[0].text.withSpan { text in text.indices.map { text[$0] } }, to: "scanned")
        let mixed = run(["identity", "combine", share(1, "txt"), "@scanned", share(4), "--dry-run"])
        #expect(mixed.status == .success, "\(mixed.errors)")
        #expect(mixed.output.contains("3 shares give alice"))
        // All in one file as well.
        let all = [1, 2, 3].flatMap { fileBytes(folder.file("out/share-\($0)-of-5.txt")) ?? [] }
        folder.write(all, to: "all.txt")
        #expect(run(["identity", "combine", "@all.txt", "--dry-run"]).status == .success)
    }

    private func read(_ name: String) throws -> SecretBytes {
        let bytes = fileBytes(folder.file(String(name.dropFirst()))) ?? []
        return try SecretBytes(copying: bytes.span)
    }

    @Test("with --out the identity is an export that the app reads, and the keyring stays as it is")
    func out() throws {
        #expect(split().status == .success)
        let before = specimen.bytes
        let shares = [share(1), share(2), share(3)]
        let run = CommandRun.run(
            ["identity", "combine", "--out", folder.file("back.sophaxid"), "--new-passphrase-file", folder.file("pw")]
                + shares.map { folder.file(String($0.dropFirst())) })
        #expect(run.status == .success, "\(run.errors)")
        #expect(specimen.bytes == before)
        let keyring = try emptyKeyring()
        #expect(self.run(["identity", "import", "@back.sophaxid", "-p", "@pw"], keyring: keyring).status == .success)
        #expect(try fingerprint(in: keyring) == KeyringSpecimen.alice)
    }

    @Test("an identity that is there already stays as it is")
    func alreadyThere() throws {
        #expect(split().status == .success)
        let again = run(["identity", "combine", share(1), share(2), share(3)])
        #expect(again.status == .success && again.output.contains("in the keyring already"), "\(again.errors)")
        #expect(try specimen.open().identities().count == 1)
    }

    // MARK: - What is written

    @Test("every share has its file and two pages, as JSON says it, all for the owner's eyes alone")
    func files() throws {
        let report = json(split(2, 12, "--json"))
        #expect(report["threshold"] as? Int == 2 && report["total"] as? Int == 12)
        #expect(report["fingerprint"] as? String == KeyringSpecimen.alice)
        let shares = report["shares"] as? [[String: Any]] ?? []
        #expect(shares.count == 12)
        for (number, share) in shares.enumerated() {
            let path = share["path"] as? String ?? ""
            #expect(path == folder.file("out/share-\(number < 9 ? "0" : "")\(number + 1)-of-12.json"))
            for suffix in ["json", "txt", "html"] {
                let status = try fileStatus(at: FilePath(path.replacing(".json", with: "." + suffix)))
                #expect(status.permissions == 0o600)
            }
        }
        #expect(FileManager.default.subpaths(atPath: folder.file("out"))?.count == 36)
    }

    @Test("nothing is overwritten, and nothing is left when it does not work")
    func refusals() throws {
        folder.write("precious", to: "there")
        #expect(split(out: "@there").status == .wouldOverwrite)
        let names = folder.names.sorted()
        #expect(split(1, 5).status == .usage)
        #expect(split(6, 5).status == .usage)
        #expect(split(2, 256).status == .usage)
        #expect(split(2, 17, "--format", "words").status == .usage)
        #expect(split(2, 5, "--for", "Bob").errors.contains("1 contact named with --for, and 5 shares"))
        #expect(run(["identity", "split", "-m", "2", "--for", "Nobody", "--out", "@out"]).status != .success)
        #expect(run(["identity", "split", "-m", "2", "--out", "@out"]).status == .usage)
        #expect(split(2, 2, "--for", "A", "--for", "B", "--format", "words").status == .usage)
        #expect(run(["identity", "split", "Nobody", "-m", "2", "-n", "3", "--out", "@out"]).status == .notFound)
        #expect(split(out: "@missing/out").status == .notFound)
        #expect(folder.names.sorted() == names)
    }

    // MARK: - Faults

    @Test("too few shares say how many are missing, doubled and mixed ones are named")
    func faults() throws {
        #expect(split().status == .success)
        #expect(split(out: "@other").status == .success)
        let few = run(["identity", "combine", share(1), share(2), "--dry-run"])
        #expect(few.status == .failure)
        #expect(few.error(in: folder.file("")) == "2 of 3 shares given: one more needed")
        #expect(run(["identity", "combine", share(1), "--dry-run"]).errors.contains("two more needed"))
        let twice = run(["identity", "combine", share(1), share(2), share(2), "--dry-run"])
        #expect(twice.status == .usage && twice.errors.contains("share 2 was given twice"))
        let mixed = run(["identity", "combine", share(1), share(2), "@other/share-3-of-5.json", "--dry-run"])
        #expect(mixed.status == .failure && mixed.errors.contains("2 different sets"), "\(mixed.errors)")
        #expect(mixed.errors.contains("other/share-3-of-5.json"), "\(mixed.errors)")
        #expect(split(2, 3, "--format", "words", out: "@words").status == .success)
        let forms = run(["identity", "combine", share(1), "@words/share-1-of-3.words", "--dry-run"])
        #expect(forms.status == .usage && forms.errors.contains("do not mix"))
        #expect(run(["identity", "combine", "--dry-run"]).errors.contains("no terminal"))
    }

    @Test("a damaged share is named by its file; with one more than is needed the others are enough")
    func damage() throws {
        #expect(split(2, 3, "--format", "app").status == .success)
        let path = folder.file("out/share-2-of-3.json")
        let text = String(decoding: fileBytes(path) ?? [], as: UTF8.self)
        let data = text.split(separator: "\"").first { $0.utf8.count == 88 } ?? ""
        let changed = data.replacing(
            data.prefix(4), with: data.prefix(4) == "AAAA" ? "BBBB" : "AAAA", maxReplacements: 1)
        folder.write(text.replacing(data, with: changed), to: "out/share-2-of-3.json")
        let wrong = run(["identity", "combine", share(1, of: 3), share(2, of: 3), "--dry-run"])
        // Nothing tells an app's damaged share from a whole one, but what comes out is not proven.
        #expect(wrong.status == .finding && wrong.errors.contains("nothing proves"), "\(wrong.errors)")
        let more = run(["identity", "combine", share(1, of: 3), share(2, of: 3), share(3, of: 3), "--dry-run"])
        #expect(more.status == .someDamaged && more.output.contains("2 of 3 shares give alice"), "\(more.errors)")
        #expect(more.output.contains("share 2 in") && more.output.contains("does not belong to the others"))
        // Where nobody knows these keys, one holder could have made the others: the fingerprint has to be compared.
        let shares = [share(2, of: 3), share(1, of: 3), share(3, of: 3)]
        let keyring = try emptyKeyring()
        let disputed = run(["identity", "combine"] + shares, keyring: keyring)
        #expect(disputed.status == .finding && disputed.errors.contains("share-2-of-3.json"), "\(disputed.errors)")
        #expect(disputed.errors.contains("--expect") && disputed.errors.contains(KeyringSpecimen.alice))
        #expect(try fingerprint(in: keyring) == nil)
        let named = run(
            ["identity", "combine", "--expect", KeyringSpecimen.alice, "--json"] + shares, keyring: keyring)
        #expect(named.status == .someDamaged && json(named)["exit"] as? Int == 3, "\(named.errors)")
        let strays = json(named)["strays"] as? [[String: Any]]
        #expect(strays?.count == 1 && (strays?[0]["path"] as? String)?.hasSuffix("share-2-of-3.json") == true)
        #expect(try fingerprint(in: keyring) == KeyringSpecimen.alice)
        #expect(split(2, 3, out: "@own").status == .success)
        let own = String(decoding: fileBytes(folder.file("own/share-1-of-3.json")) ?? [], as: UTF8.self)
        folder.write(own.replacing(#""index":1"#, with: #""index":3"#), to: "own/share-1-of-3.json")
        let checked = run(["identity", "combine", "@own/share-1-of-3.json", "@own/share-2-of-3.json", "--dry-run"])
        #expect(checked.status == .unreadable && checked.errors.contains("share-1-of-3.json"))
        #expect(checked.errors.contains("its check value does not fit"))
    }

    @Test("what is not in a share is named, and the name of an identity that is there stays")
    func lacks() throws {
        #expect(run(["prekey", "rotate", "--post-quantum"]).status == .success)
        let made = split(2, 3)
        for name in ["identity.pq", "identity.mldsa", "identity.xwing", "other item"] {
            #expect(made.output.contains(name), "\(made.output)")
        }
        let lacks = json(split(2, 3, "--json", out: "@json"))["lacks"] as? [String] ?? []
        #expect(lacks.contains("identity.xwing") && !lacks.contains("identity.dh"))
        let again = run(["identity", "combine", share(1, of: 3), share(2, of: 3), "--name", "Zed"])
        #expect(again.status == .success && again.errors.contains("stays so") && !again.output.contains("Zed"))
        // A dry run needs no keyring.
        let missing = run(
            ["identity", "combine", share(1, of: 3), share(2, of: 3), "--dry-run"], keyring: folder.file("none.sxdb"))
        #expect(missing.status == .notFound)
        let page = String(decoding: fileBytes(folder.file("out/share-1-of-3.txt")) ?? [], as: UTF8.self)
        #expect(page.contains("sxkey keyring init") && page.contains("messages, contacts and other keys"))
    }

    @Test("a part of a QR code is looked for in the file that it is in")
    func partFile() throws {
        #expect(split(2, 3).status == .success)
        folder.write("SXKEY-SHARE 1/2 0badf00d {\"x\":", to: "part")
        let run = run(["identity", "combine", share(1, of: 3), "@part", "--dry-run"])
        #expect(run.status == .failure && run.errors.contains("/part\"") && run.errors.contains("missing: 2"))
    }

    @Test("a wrong word is named by its place")
    func wrongWord() throws {
        #expect(split(2, 3, "--format", "words").status == .success)
        let text = String(decoding: fileBytes(folder.file("out/share-1-of-3.words")) ?? [], as: UTF8.self)
        var words = text.split(whereSeparator: \.isWhitespace).map(String.init)
        #expect(words.count == 59)
        words[16] = "sxkey"
        folder.write(words.joined(separator: "\n"), to: "wrong.txt")
        let unknown = run(["identity", "combine", "@wrong.txt", "--dry-run"])
        #expect(unknown.status == .unreadable)
        #expect(unknown.errors.contains("word 17 is not in the list of words"), "\(unknown.errors)")
        words[16] = words[17] == "academic" ? "acid" : "academic"
        folder.write(words.joined(separator: " "), to: "wrong.txt")
        let checksum = run(["identity", "combine", "@wrong.txt", "--dry-run"])
        #expect(checksum.errors.contains("the checksum of the words does not fit"))
        #expect(checksum.errors.contains("if a single word is wrong it is word 17"))
    }
}
