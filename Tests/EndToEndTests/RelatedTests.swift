import Foundation
import TestSupport
import Testing

@Suite("related apps, end to end")
struct RelatedTests {
    private let phone: SamplePhone

    init() throws {
        phone = try SamplePhone()
        try phone.addKeyring()
        try phone.addArchive()
    }

    private func run(_ line: String) -> ChildProcess {
        phone.shell(
            line.replacingOccurrences(of: "FIXTURES", with: SharedFolder.file("fixtures")),
            environment: [
                "SXKEY_KEYRING": SampleKeyring.fileName, "SXKEY_ARCHIVE": SampleArchive.fileName,
            ])
    }

    private func bodies(_ run: ChildProcess) -> [String] {
        run.outputText.split(separator: "\n").compactMap { line in
            let plaintext = json(Array(line.utf8))?["plaintext"] as? [String: Any]
            return plaintext?["body"] as? String
        }
    }

    @Test(
        "the fixtures of all three apps open exactly",
        .enabled(if: SharedFolder.isThere, "needs ../shared"))
    func fixtures() {
        let expected = json(fileBytes(SharedFolder.file("fixtures/btmessage/expected.json")) ?? []) ?? [:]
        let text = expected["plaintext"] as? String ?? "?"
        let group = expected["groupPlaintext"] as? String ?? "?"
        let btmessage = run(
            "cd FIXTURES/btmessage && sxkey wire open chat-xwing.json chat-x25519-v1.json group-key.json group-chat.json "
                + "--related-key identity.json --related-key expected.json --json")
        #expect(btmessage.status == 0, "\(btmessage.errorText)")
        #expect(bodies(btmessage) == [text, text, group])
        let vectors = json(fileBytes(SharedFolder.file("fixtures/lchat/vectors.json")) ?? []) ?? [:]
        let threads = vectors["threads"] as? [[String: Any]] ?? []
        let lchat = run("sxkey wire open FIXTURES/lchat/vectors.json --related-key FIXTURES/lchat/vectors.json --json")
        #expect(lchat.status == 0)
        #expect(bodies(lchat) == threads.map { $0["plaintext"] as? String })
        #expect(threads.count == 3)
        let frames = json(fileBytes(SharedFolder.file("fixtures/conet/sealed-frames.json")) ?? []) ?? [:]
        let file = "FIXTURES/conet/sealed-frames.json"
        let conet = run("sxkey wire open \(file) --related-key \(file) --json")
        #expect(conet.status == 0)
        #expect(bodies(conet) == (frames["frames"] as? [[String: Any]])?.map { $0["plaintext"] as? String })
        for name in [
            "btmessage/chat-xwing.json", "btmessage/group-chat.json", "lchat/vectors.json", "conet/sealed-frames.json",
        ] {
            #expect(run("sxkey wire inspect FIXTURES/\(name)").status == 0, "\(name)")
        }
    }

    @Test("keys go into the keyring, open messages from there, and come out again as they were")
    func keyring() throws {
        try phone.write(RelatedVectors.envelopes.joined(separator: "\n"), to: "chats.jsonl")
        try phone.write(RelatedVectors.x25519, to: "earlier.key")
        let key = "--keyring-key-file \(SampleKeyring.keyFileName)"
        let dry = run("sxkey related import btmessage.json --dry-run \(key) --json")
        #expect(dry.status == 0, "\(dry.errorText)")
        #expect((json(dry.output)?["added"] as? [String])?.count == 2)
        let unsaid = run("sxkey related import btmessage.json earlier.key \(key) --json")
        #expect(unsaid.status == 3)
        #expect(json(unsaid.output)?["leftOut"] as? Int == 1)
        let said = run("sxkey related import earlier.key --as btmessage-x25519 \(key) --json")
        #expect(said.status == 0)
        #expect(json(said.output)?["added"] as? [String] == ["btmessage.identity.x25519"])
        let again = run("sxkey related import btmessage.json earlier.key --as btmessage-x25519 \(key) --json")
        #expect(again.status == 0)
        #expect((json(again.output)?["unchanged"] as? [String])?.count == 3)
        let open = run("sxkey wire open chats.jsonl \(key) --json")
        #expect(open.status == 0, "\(open.errorText)")
        #expect(bodies(open) == ["Gruß aus X-Wing 🛩", "an alle"])
        #expect(run("sxkey keyring verify \(key)").status == 0)
        let out = run("sxkey related export --reveal --out out.json \(key)")
        #expect(out.status == 0)
        let items = json(Array(phone.text("out.json").utf8)) as? [String: String]
        let given = json(Array(RelatedVectors.items.utf8)) as? [String: String]
        for (account, value) in given ?? [:] { #expect(items?[account] == value) }
        #expect(items?["btmessage.identity.x25519"] == RelatedVectors.x25519)
        #expect(items?.count == 3)
        // Another identity does not take its place.
        try phone.write(RelatedVectors.otherItems, to: "other.json")
        let other = run("sxkey related import other.json \(key) --json")
        #expect(other.status == 3)
        #expect(json(other.output)?["different"] as? [String] == ["btmessage.identity.xwing"])
    }

    @Test("the archive takes records and opened messages once, and gives them back as they were")
    func archive() throws {
        let record =
            #"{"id":"r1","conversationID":"\#(RelatedVectors.peerID)","senderID":"\#(RelatedVectors.peerID)","#
            + #""text":"red bicycle","timestamp":1776000000.25,"delivered":true}"#
        try phone.write("[\(record)]", to: "records.json")
        try phone.write(RelatedVectors.envelopes.joined(separator: "\n"), to: "chats.jsonl")
        try phone.write(RelatedVectors.x25519, to: "earlier.key")
        let options =
            "--related-key btmessage.json --related-key earlier.key --archive-key-file \(SampleArchive.keyFileName) --json"
        for pass in 0..<2 {
            let run = run("sxkey archive import records.json chats.jsonl \(options)")
            #expect(run.status == 0, "\(run.errorText)\(run.outputText)")
            let sources = json(run.output)?["sources"] as? [[String: Any]] ?? []
            #expect(sources.map { $0["kind"] as? String } == ["btmessage", "btmessage"])
            let counts = sources.map { $0["counts"] as? [String: Int] ?? [:] }
            #expect(counts.map { $0["read"] } == [1, 3])
            #expect(counts.map { $0[pass == 0 ? "new" : "alreadyThere"] } == [1, 3])
        }
        let found = run(
            "sxkey archive show --id r1 --source --archive-key-file \(SampleArchive.keyFileName)")
        #expect(found.status == 0, "\(found.errorText)")
        #expect(found.outputText.contains(record))
        let lost = run(
            "sxkey archive import chats.jsonl --related-key btmessage.json --archive-key-file \(SampleArchive.keyFileName) --json"
        )
        #expect(lost.status == 3)
        #expect(lost.outputText.contains("1 message of it not opened: it needs a private key of X25519 of btmessage"))
        let none = run("sxkey archive import chat.json --archive-key-file \(SampleArchive.keyFileName)")
        #expect(none.status == 5)
        #expect(none.errorText.contains("it needs a private key of X-Wing of btmessage"))
        let export = run(
            "sxkey archive export btmessage.\(RelatedVectors.peerID) --format jsonl --out back.jsonl --archive-key-file \(SampleArchive.keyFileName)"
        )
        #expect(export.status == 0, "\(export.errorText)")
        #expect(phone.text("back.jsonl").contains(record))
    }

    @Test("two identities, or two keys of one group, are refused before anything is written")
    func disagreeing() throws {
        let key = "--keyring-key-file \(SampleKeyring.keyFileName)"
        try phone.write(RelatedVectors.otherItems, to: "other.json")
        let two = run("sxkey related import btmessage.json other.json \(key)")
        #expect(two.status == 8, "\(two.outputText)\(two.errorText)")
        #expect(two.errorText.contains("btmessage.json") && two.errorText.contains("other.json"))
        #expect(run("sxkey related show \(key)").outputText.contains("No keys"))
        for (name, byte) in [("old.json", "AAAA"), ("new.json", "BBBB")] {
            let value = byte + String(repeating: "A", count: 39) + "="
            try phone.write(
                #"{"btmessage.groupKeys":{"g":"\#(value)"},"btmessage.groups":{"\#(name)":{"id":"\#(name)","name":"n","memberIDs":[]}}}"#,
                to: name)
        }
        #expect(run("sxkey related import old.json new.json \(key)").errorText.contains("btmessage.groupKey.g"))
        #expect(run("sxkey related import old.json old.json \(key)").status == 0)
        try phone.write(RelatedVectors.groupKey, to: "group.key")
        let named = run("sxkey related import group.key --as btmessage-group-key --group other \(key) --json")
        #expect(json(named.output)?["added"] as? [String] == ["btmessage.groupKey.other"], "\(named.errorText)")
        #expect(run("sxkey related import group.key --as btmessage-group-key \(key)").status == 2)
    }

    @Test("a thread key that is wrapped for somebody unwraps for him, and for nobody else")
    func threadKeys() throws {
        let wrap = run("sxkey related wrap thread.key --public-key \(RelatedVectors.publicKey) --out w.txt")
        #expect(wrap.status == 0, "\(wrap.errorText)")
        let shut = run("sxkey related unwrap w.txt --related-key lchat.pem --out t.json")
        #expect(shut.status == 2 && shut.errorText.contains("--reveal"))
        let unwrap = run("sxkey related unwrap w.txt --related-key lchat.pem --reveal --out t.json")
        #expect(unwrap.status == 0, "\(unwrap.errorText)")
        #expect(phone.text("t.json") == #"{"threads":[{"threadKey":"\#(RelatedVectors.threadKey)"}]}"#)
        let foreign = run("sxkey related unwrap threads.json --related-key t.json --reveal --out u.json")
        #expect(foreign.status == 5 && !phone.listing.names.contains("u.json"))
        #expect(run("sxkey related unwrap threads.json --related-key lchat.pem --reveal --out u.json").status == 0)
        #expect(phone.text("u.json") == phone.text("t.json"))
        #expect(run("sxkey related wrap thread.key --public-key AAAA --out x.txt").status == 2)
    }

    @Test("an identity of btmessage goes through a bundle into another keyring byte for byte")
    func bundle() throws {
        let key = "--keyring-key-file \(SampleKeyring.keyFileName)"
        try phone.write(RelatedVectors.x25519, to: "earlier.key")
        #expect(run("sxkey related import btmessage.json earlier.key --as btmessage-x25519 \(key)").status == 0)
        try phone.write(RelatedVectors.groupKey, to: "group.key")
        #expect(run("sxkey related import group.key --as btmessage-group-key --group g \(key)").status == 0)
        let made = run(
            "sxkey bundle create --out b.sxb --new-passphrase-file passphrase.txt --argon2-memory 19 --argon2-passes 1 \(key)"
        )
        #expect(made.status == 0, "\(made.errorText)")
        #expect(run("sxkey related export --reveal --out before.json \(key)").status == 0)
        let other = "SXKEY_KEYRING=second.sxdb sxkey"
        #expect(run("\(other) keyring init --new-keyring-key-file \(SampleKeyring.keyFileName)").status == 0)
        let restored = run("\(other) bundle restore b.sxb -p passphrase.txt \(key)")
        #expect([0, 8].contains(restored.status), "\(restored.errorText)")
        let out = run("\(other) related export --reveal --out after.json \(key)")
        #expect(out.status == 0, "\(out.errorText)")
        let after = json(Array(phone.text("after.json").utf8)) as? [String: String] ?? [:]
        #expect(after.count == 4)
        #expect(after == json(Array(phone.text("before.json").utf8)) as? [String: String])
        #expect(run("\(other) keyring verify \(key)").status == 0)
        let again = run("\(other) bundle restore b.sxb -p passphrase.txt \(key)")
        #expect([0, 8].contains(again.status), "\(again.errorText)")
    }

    @Test("a copy in another form is no second message, and what was removed stays out in every form")
    func copies() throws {
        let archive = "--archive-key-file \(SampleArchive.keyFileName)"
        let record =
            #"{"id":"r1","conversationID":"\#(RelatedVectors.peerID)","senderID":"\#(RelatedVectors.peerID)","#
            + #""text":"red bicycle","timestamp":1776000000.25,"delivered":true}"#
        try phone.write(record, to: "one.json")
        try phone.write(record.replacingOccurrences(of: "true", with: "false"), to: "two.json")
        let runs = [
            "sxkey archive import one.json \(archive) --json",
            "sxkey archive import two.json --related-key btmessage.json \(archive) --json",
            "sxkey archive import one.json --related-key btmessage.json \(archive) --json",
        ].map(run)
        let counts = runs.map {
            ((json($0.output)?["sources"] as? [[String: Any]])?.first?["counts"]) as? [String: Int] ?? [:]
        }
        #expect(counts.map { $0["new"] } == [1, 0, 0])
        #expect(counts.map { $0["conflicting"] } == [0, 0, 0])
        let shown = run("sxkey archive show btmessage.\(RelatedVectors.peerID) \(archive)")
        #expect(shown.outputText.contains("red bicycle") && shown.outputText.contains("[btmessage]"))
        #expect(run("sxkey archive verify \(archive)").status == 0)
        #expect(run("sxkey archive remove --id r1 --yes \(archive)").status == 0)
        for again in ["one.json", "two.json", "one.json --related-key btmessage.json"] {
            let run = run("sxkey archive import \(again) \(archive) --json")
            let counts = (json(run.output)?["sources"] as? [[String: Any]])?.first?["counts"] as? [String: Int]
            #expect(counts?["new"] == 0 && counts?["removedBefore"] == 1, "\(run.outputText)\(run.errorText)")
        }
    }

    // MARK: OpenPGP

    private static let gpg = "/usr/bin/gpg"

    @Test(
        "an OpenPGP message opens through gpg, and says what gpg lacks",
        .enabled(if: FileManager.default.isExecutableFile(atPath: gpg), "needs gpg"))
    func openPGP() throws {
        let setup = run(
            """
            mkdir -m 700 gnupg; export GNUPGHOME="$PWD/gnupg"; gpg --batch --quiet --pinentry-mode loopback --passphrase '' \
            --quick-gen-key t@example.org rsa2048 encr never 2>/dev/null; printf 'grüße\\nzwei' | gpg --batch --quiet \
            --trust-model always --armor -r t@example.org -e > mail.asc; cat mail.asc mail.asc > two.asc
            """)
        #expect(setup.status == 0, "\(setup.errorText)")
        let open = run("GNUPGHOME=$PWD/gnupg sxkey wire open two.asc --json")
        #expect(open.status == 0, "\(open.outputText)\(open.errorText)")
        #expect(bodies(open) == ["grüße\nzwei", "grüße\nzwei"])
        #expect(run("sxkey wire inspect mail.asc").outputText.contains("OpenPGP message"))
        let damaged = run(
            "sed '4s/^.\\{8\\}/AAAAAAAA/' mail.asc > bad.asc; GNUPGHOME=$PWD/gnupg sxkey wire open bad.asc")
        #expect(damaged.status == 5)
        #expect(damaged.outputText.contains("gpg has no private key for it, or it is damaged"))
        // Ignored by whoever starts the program; a text that is only packed; one that is only signed is the same.
        let ignored = run(
            "printf 'no secret' | gpg --batch --quiet --store -a > plain.asc; export GNUPGHOME=$PWD/gnupg; trap '' CHLD; sxkey wire open bad.asc"
        )
        #expect(ignored.status == 5, "\(ignored.outputText)")
        let plain = run("GNUPGHOME=$PWD/gnupg sxkey wire open plain.asc")
        #expect(plain.status == 3)
        #expect(plain.outputText.contains("nothing is encrypted"))
        #expect(open.outputText.contains(#""app":"openpgp""#) && !open.outputText.contains(#""app":"conet""#))
        let archived = run(
            "GNUPGHOME=$PWD/gnupg sxkey archive import two.asc --archive-key-file \(SampleArchive.keyFileName) --json")
        #expect(archived.status == 0, "\(archived.errorText)")
        _ = run("GNUPGHOME=$PWD/gnupg gpgconf --kill all")
    }
}
