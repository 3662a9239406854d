import CommandKit
import CryptoPrimitives
import Foundation
import SophaxFiles
import TestSupport
import Testing

@testable import SXKeyCommands

@Suite("related apps")
struct RelatedCommandTests {
    private let folder = TemporaryFolder()

    init() {
        folder.write(Vectors.items, to: "btmessage.json")
        folder.write(Vectors.x25519, to: "earlier.key")
        folder.write(Vectors.pem, to: "lchat.pem")
        folder.write(Vectors.streamKey, to: "stream.key")
        folder.write(Vectors.envelopes.joined(separator: "\n"), to: "chats.jsonl")
        folder.write(Vectors.frames.joined(separator: "\n"), to: "frames.txt")
        folder.write(
            #"{"threads":[{"wrapped":"\#(Vectors.wrapped)","message":"\#(Vectors.threadMessage)"}]}"#,
            to: "threads.json")
    }

    private typealias Vectors = TestSupport.RelatedVectors

    private func run(_ words: String, _ files: String...) -> CommandRun {
        CommandRun.run(words.split(separator: " ").map(String.init) + files.map(folder.file))
    }

    private func lines(_ run: CommandRun) -> [[String: Any]] {
        run.output.split(separator: "\n").compactMap { line in
            (try? JSONSerialization.jsonObject(with: Data(line.utf8))) as? [String: Any]
        }
    }

    private func counts(_ run: CommandRun) -> [Int] {
        let summary = lines(run).last?["summary"] as? [String: Any]
        return ["read", "opened", "clear", "notOpened", "unreadable"].map { summary?[$0] as? Int ?? 0 }
    }

    // MARK: wire

    @Test("wire inspect shows what is in clear of every kind, and opens nothing")
    func inspect() {
        let run = run("wire inspect --json", "chats.jsonl", "frames.txt", "threads.json")
        #expect(run.status == .success, "\(run.errors)")
        let lines = lines(run)
        let types = lines.compactMap { $0["type"] as? String }
        #expect(
            types == [
                "chat", "keyExchange", "ack", "discovery", "groupKeyDistrib", "groupChat", "chat", "box", "box",
                "thread-key", "box",
            ])
        #expect(lines.allSatisfy { $0["outcome"] == nil && $0["plaintext"] == nil })
        #expect(lines[0]["senderID"] as? String == Vectors.peerID)
        #expect(lines[0]["form"] as? String == "xwing")
        #expect(lines[4]["groupName"] as? String == "Spaziergang")
        #expect(lines[7]["app"] is NSNull && lines[10]["app"] as? String == "lchat")
        let text = self.run("wire inspect", "chats.jsonl").output
        #expect(text.contains("messages of btmessage"))
        #expect(text.contains("sealed with X25519, the earlier form"))
    }

    @Test("wire open reads everything that the keys at hand open, without a keyring")
    func open() {
        let run = CommandRun.run(
            ["wire", "open", "--json"] + ["chats.jsonl", "frames.txt", "threads.json"].map(folder.file)
                + ["btmessage.json", "earlier.key", "lchat.pem", "stream.key"].flatMap {
                    ["--related-key", folder.file($0)]
                })
        #expect(run.status == .success, "\(run.output)\(run.errors)")
        #expect(counts(run) == [11, 8, 3, 0, 0])
        let opened = lines(run).compactMap { $0["plaintext"] as? [String: Any] }
        let bodies = opened.map { $0["body"] as? String ?? $0["binary"] as? String ?? "key" }
        #expect(
            bodies == [
                "Gruß aus X-Wing 🛩", "key", "an alle", "//4gbm90IHRleHQ=", #"{"kind":"mailbox"}"#,
                #"{"kind":"message","text":"你好"}"#, "key", "Nachricht ✉️",
            ])
        for secret in [Vectors.groupKey, Vectors.threadKey, Vectors.streamKey] {
            #expect(!run.output.contains(secret))
        }
    }

    @Test("a missing key is told from one that does not fit, and a history fragment is refused")
    func notOpened() {
        let missing = CommandRun.run(
            ["wire", "open", folder.file("threads.json"), "--related-key", folder.file("btmessage.json")])
        #expect(missing.status == .someDamaged)
        #expect(missing.output.contains("it needs a private key of lchat"))
        let wrong = CommandRun.run(
            ["wire", "open", folder.file("frames.txt"), "--related-key", folder.file("earlier.key")])
        #expect(wrong.status == .wrongSecret)
        #expect(wrong.output.contains("a wrong key, or it is damaged"))
        let history = run("wire inspect --related-kind conet-history", "frames.txt")
        #expect(history.status == .unreadable)
        #expect(history.errors.contains("how is not public"))
    }

    // MARK: related

    @Test("related show says what a file is for, and no private key")
    func show() throws {
        let run = run("related show --json", "btmessage.json", "lchat.pem", "earlier.key")
        #expect(run.status == .success, "\(run.errors)")
        let report = try #require(
            try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
        let identities = report["identities"] as? [[String: Any]]
        #expect(identities?.first?["peerID"] as? String == Vectors.ownID)
        #expect((identities?.first?["xwingPublicKey"] as? String)?.count == 1_624)
        let keys = report["keys"] as? [[String: Any]]
        #expect(keys?.map { $0["kind"] as? String } == ["lchat-private-key", "any"])
        #expect(keys?.first?["publicKey"] as? String == Vectors.publicKey)
        #expect(!run.output.contains(Vectors.raw))
        #expect(self.run("related show", "frames.txt").status == .unreadable)
    }

    @Test("vectors are made that wire open opens with the key in them, and no two files are alike")
    func vectors() {
        let made = CommandRun.run(["related", "vectors", "--out", folder.file("v.json"), "--text", "a", "--text", "é"])
        #expect(made.status == .success, "\(made.errors)")
        let open = CommandRun.run(
            ["wire", "open", folder.file("v.json"), "--related-key", folder.file("v.json"), "--json"])
        #expect(open.status == .success, "\(open.output)\(open.errors)")
        #expect(counts(open) == [4, 4, 0, 0, 0])
        #expect(CommandRun.run(["related", "vectors", "--out", folder.file("v.json")]).status == .wouldOverwrite)
        let own = CommandRun.run(
            [
                "related", "vectors", "--out", folder.file("w.json"), "--related-key", folder.file("lchat.pem"),
                "--reveal",
            ])
        #expect(own.status == .success, "\(own.errors)")
        let again = CommandRun.run(
            ["wire", "open", folder.file("w.json"), "--related-key", folder.file("lchat.pem"), "--json"])
        #expect(counts(again) == [6, 6, 0, 0, 0])
    }

    @Test("a real private key goes into vectors only with --reveal, and only one that is meant")
    func ownVectors() {
        func make(_ words: String...) -> CommandRun {
            CommandRun.run(["related", "vectors", "--out", folder.file("x.json")] + words)
        }
        let key = folder.file("lchat.pem")
        #expect(make("--related-key", key).status == .usage)
        #expect(make("--reveal").status == .usage)
        #expect(make("--related-key", folder.file("btmessage.json"), "--reveal").status == .unreadable)
        let two = make("--related-key", key, "--related-key", folder.file("earlier.key"), "--reveal")
        #expect(two.status == .unreadable)
        #expect(two.errors.contains("have 2 private keys of lchat in place of one"))
    }

    @Test("nothing says who sent a message of these apps, and every command counts it so")
    func unproven() throws {
        let run = CommandRun.run(
            ["wire", "open", folder.file("chats.jsonl")]
                + ["btmessage.json", "earlier.key"].flatMap { ["--related-key", folder.file($0)] })
        #expect(run.status == .success, "\(run.errors)")
        #expect(run.output.contains("senders: unknown 7"))
        #expect(run.output.contains("nothing says who sent 7 messages"))
        #expect(run.output.contains("no signature is around it"))
        #expect(!run.output.contains("all is well"))
    }

    @Test("a key that a later file brings opens what an earlier one has")
    func laterKey() throws {
        folder.write(Vectors.envelopes[5], to: "needs.json")
        folder.write(Vectors.envelopes[4], to: "brings.json")
        let run = CommandRun.run(
            [
                "wire", "open", "--json", folder.file("needs.json"), folder.file("brings.json"), "--related-key",
                folder.file("btmessage.json"),
            ])
        #expect(run.status == .success, "\(run.output)")
        #expect(counts(run) == [2, 2, 0, 0, 0])
        let bodies = lines(run).compactMap { ($0["plaintext"] as? [String: Any])?["body"] as? String }
        #expect(bodies == ["an alle"])
    }

    @Test("keys are written without encryption only when that is asked for")
    func reveal() {
        let run = CommandRun.run(["related", "export", "--out", folder.file("out.json")])
        #expect(run.status == .usage)
        #expect(run.errors.contains("--reveal"))
    }
}
