import CommandKit
import Foundation
import SophaxFiles
import TestSupport
import Testing

@testable import SXKeyCommands

/// A file that is damaged in one conversation never stops the others.
@Suite("damaged files of a store")
struct StoreDamageTests {
    private let store = MadeStore()
    private let whole: [UInt8]

    init() throws {
        whole = try store.conversation(MadeStore.alice, [MadeStore.message("A1", peer: MadeStore.alice, body: "lost?")])
        try store.conversation(MadeStore.bob, [MadeStore.message("B1", peer: MadeStore.bob, body: "still here")])
    }

    private func damage(_ bytes: [UInt8]) {
        store.folder.write(bytes, to: "phone/sophax_messages/\(MadeStore.alice).enc")
    }

    private func expectDamage(_ reason: String, _ what: String) throws {
        let run = store.run("verify", ["--json"])
        #expect(run.status == .someDamaged, "\(what)")
        let json = try #require(
            try JSONSerialization.jsonObject(with: Data(run.outputBytes)) as? [String: Any], "\(what)")
        let counts = json["counts"] as? [String: Int] ?? [:]
        #expect(counts["read"] == 1 && counts["ok"] == 1 && counts["damaged"] == 1, "\(what): \(counts)")
        let findings = json["findings"] as? [[String: Any]] ?? []
        let damaged = findings.first { $0["code"] as? String == "damaged-file" }
        let example = (damaged?["examples"] as? [[String: Any]])?.first
        #expect(example?["item"] as? String == MadeStore.alice, "\(what)")
        #expect(example?["detail"] as? String == reason, "\(what)")
    }

    @Test("every truncation of a conversation is found")
    func truncations() throws {
        for length in whole.indices {
            damage(Array(whole[..<length]))
            try expectDamage(
                length < 28 ? "\(length) bytes are too few for any text" : "authentication failed", "\(length) bytes")
        }
    }

    @Test("every changed bit of a conversation is found")
    func bitFlips() throws {
        for place in whole.indices {
            for bit in LongTests.areWanted ? Array(0..<8) : [place % 8] {
                var changed = whole
                changed[place] ^= 1 << bit
                damage(changed)
                try expectDamage("authentication failed", "bit \(bit) of byte \(place)")
            }
        }
    }

    @Test("bytes after the end are found", arguments: [1, 16, 4096, 1_000_000])
    func trailingBytes(count: Int) throws {
        damage(whole + [UInt8](repeating: 0, count: count))
        try expectDamage("authentication failed", "\(count) bytes more")
    }

    @Test("the other conversation is shown and exported, and the damaged one is named")
    func othersGoOn() throws {
        damage(Array(whole.dropLast()))
        let show = store.run("show")
        #expect(show.status == .someDamaged)
        #expect(show.output.contains("still here") && !show.output.contains("lost?"))
        #expect(
            show.errors
                == "sxkey: \"\(MadeStore.alice).enc\": authentication failed: it is damaged, or was encrypted under another key\n"
        )
        for format in ["jsonl", "text"] {
            let out = store.folder.file("out.\(format)")
            let export = store.run("export", ["--format", format, "--out", out])
            #expect(export.status == .someDamaged)
            #expect(export.output.contains("read 1 · written 1 · not selected 0 · failed 1"))
            let text = String(decoding: fileBytes(out) ?? [], as: UTF8.self)
            #expect(text.contains("still here") && !text.contains("lost?"))
        }
        let info = store.run("info")
        #expect(info.status == .someDamaged)
        #expect(info.output.contains("damaged or another key"))
    }

    @Test("a damaged conversation alone is damaged, not a wrong key, when the key opens others")
    func damagedAlone() throws {
        damage(Array(whole.dropLast()))
        for arguments in [["show"], ["export"]] {
            let out = arguments[0] == "export" ? ["--out", store.folder.file("x")] : []
            let run = CommandRun.run(
                ["store", arguments[0], store.path, MadeStore.alice, "-k", store.keyFile] + out)
            #expect(run.status == .unreadable)
            #expect(
                run.error(in: store.folder.path)
                    == "cannot read \"\(MadeStore.alice).enc\" in \"phone\": damaged, for the key opens other files of this store"
            )
        }
        #expect(!store.folder.names.contains("x"))
    }

    @Test("a key that opens nothing is a wrong key, whatever is asked for")
    func wrongKey() throws {
        store.folder.write([UInt8](repeating: 9, count: 32), to: "wrong.key")
        try store.attachment("21B97766-CBA6-4F5B-876C-FE69A757CFAD", "picture")
        let before = FolderListing(store.folder.path)
        let out = ["--out", store.folder.file("x")]
        for arguments in [
            ["info"], ["verify"], ["show"], ["show", MadeStore.alice], ["export"] + out,
            ["export", MadeStore.bob] + out, ["attachment", "21B97766-CBA6-4F5B-876C-FE69A757CFAD"] + out,
            ["attachment", "--all"] + out,
        ] {
            let run = CommandRun.run(
                ["store", arguments[0], store.path] + arguments.dropFirst() + ["-k", store.folder.file("wrong.key")])
            #expect(run.status == .wrongSecret, "\(arguments)")
            #expect(
                run.error(in: store.folder.path) == "cannot open \"phone\": this key opens not one of its files",
                "\(arguments)")
            #expect(run.output.isEmpty, "\(arguments)")
            #expect(FolderListing(store.folder.path) == before, "\(arguments)")
        }
    }

    @Test(
        "what is authentic but no list of messages is found",
        arguments: ["", "{}", "null", "[", "[1,2]", "\u{0}", "[\"a\"]", String(repeating: "[", count: 3000)])
    func otherText(text: String) throws {
        try store.write(text, MadeStore.alice)
        let run = store.run("verify")
        #expect(run.status == .someDamaged, "\(run.output)")
        #expect(run.output.contains("read "))
        let show = store.run("show")
        #expect(show.status == .someDamaged)
        #expect(show.output.contains("still here"))
    }

    @Test("an empty list is an empty conversation")
    func emptyList() throws {
        try store.write("[]", MadeStore.alice)
        #expect(store.run("verify").status == .success)
        let show = CommandRun.run(["store", "show", store.path, MadeStore.alice, "-k", store.keyFile])
        #expect(show.status == .success)
        #expect(show.output == "\(MadeStore.alice)   direct, 0 messages\n")
    }

    @Test("one message that cannot be read costs no other")
    func brokenMessage() throws {
        let good = MadeStore.message("A1", peer: MadeStore.alice, body: "first")
        let last = MadeStore.message("A3", peer: MadeStore.alice, body: "last")
        try store.conversation(MadeStore.alice, [good, "{\"id\":\"A2\",\"body\":", last])
        let run = store.run("show")
        #expect(run.status == .someDamaged)
        #expect(run.output.contains("first") && run.output.contains("still here"))
        let verify = store.run("verify")
        #expect(verify.status == .someDamaged)
    }
}
