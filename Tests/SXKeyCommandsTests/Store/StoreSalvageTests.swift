import CommandKit
import Foundation
import TestSupport
import Testing

@testable import SXKeyCommands

/// What is left of damaged files comes out, with its mark, and is never called proven.
@Suite("store salvage")
struct StoreSalvageTests {
    private let store = MadeStore()
    private let whole: [UInt8]
    private let texts: [String]
    /// Behind the last byte of each message, in the text.
    private let ends: [Int]

    init() throws {
        texts = (1...3).map { MadeStore.message("A\($0)", peer: MadeStore.alice, body: "number \($0) is here") }
        whole = try store.conversation(MadeStore.alice, texts)
        try store.conversation(MadeStore.bob, [MadeStore.message("B1", peer: MadeStore.bob, body: "untouched")])
        var end = 0
        ends = texts.map { text in
            end += 1 + text.utf8.count
            return end
        }
    }

    private var textCount: Int { whole.count - 28 }
    private var out: String { store.folder.file("rescued") }
    private var linesFile: String { out + "/messages/\(MadeStore.alice).jsonl" }

    private func damage(_ bytes: [UInt8]) {
        store.folder.write(bytes, to: "phone/sophax_messages/\(MadeStore.alice).enc")
    }

    private func salvage(_ options: [String] = []) throws -> (run: CommandRun, json: [String: Any]) {
        try? FileManager.default.removeItem(atPath: out)
        let run = store.run("salvage", ["--unauthenticated", "--json", "--out", out] + options)
        let json = try JSONSerialization.jsonObject(with: Data(run.outputBytes)) as? [String: Any]
        return (run, json ?? [:])
    }

    private func lines() throws -> [[String: Any]] {
        let bytes = fileBytes(linesFile) ?? []
        return try bytes.split(separator: 0x0A).map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any])
        }
    }

    private func expectCounts(_ json: [String: Any], _ what: String) {
        let counts = json["counts"] as? [String: Int] ?? [:]
        let sum = ["authentic", "salvaged", "skipped", "failed"].reduce(0) { $0 + (counts[$1] ?? -1000) }
        #expect(counts["read"] == sum, "\(what): \(counts)")
    }

    @Test("of a file that was cut off, every message before the cut comes out whole, and the rest as text")
    func cuts() throws {
        let step = LongTests.areWanted ? 1 : 7
        for length in Array(stride(from: 0, to: whole.count, by: step)) + Array(whole.count - 20..<whole.count) {
            damage(Array(whole[..<length]))
            let (run, json) = try salvage()
            #expect(run.status == .someDamaged, "\(length) bytes")
            expectCounts(json, "\(length) bytes")
            let item = (json["items"] as? [[String: Any]])?.first
            let there = length - 12
            // One or two bytes of text cannot be told from noise.
            guard there >= 3 else {
                #expect(item?["reason"] as? String == (there > 0 ? "noise" : "nothing-left"), "\(length) bytes")
                #expect(fileBytes(linesFile) == nil)
                continue
            }
            #expect(item?["reason"] as? String == (there < textCount ? "cut-off" : "tag-cut-off"), "\(length) bytes")
            #expect(item?["damageOffset"] as? Int == min(there, textCount), "\(length) bytes")
            let lines = try lines()
            #expect(lines.allSatisfy { $0["authenticated"] as? Bool == false })
            #expect(lines.dropFirst().allSatisfy { $0["damageOffset"] as? Int == min(there, textCount) })
            let messages = lines.filter { $0["type"] as? String == "message" }
            let expected = zip(ends, 1...3).filter { $0.0 <= there }.map { "A\($0.1)" }
            #expect(messages.compactMap { $0["id"] as? String } == expected, "\(length) bytes")
            #expect(messages.map { $0["body"] as? String } == expected.map { "number \($0.dropFirst()) is here" })
            // Nothing of the text is missing: what is no message is there as it stands.
            let rest = lines.compactMap { $0["type"] as? String == "fragment" ? $0["text"] as? String : nil }
            let last = ends.last { $0 <= there } ?? 0
            let text = "[" + texts.joined(separator: ",") + "]"
            let tail = Array(text.utf8)[last..<min(there, textCount)].drop { [0x5B, 0x2C, 0x5D].contains($0) }
            #expect(rest.joined() == String(decoding: tail, as: UTF8.self), "\(length) bytes")
        }
    }

    @Test("every changed byte leaves its text readable, and no message is called as it was written")
    func changedBytes() throws {
        for place in stride(from: 12, to: whole.count, by: LongTests.areWanted ? 1 : 11) {
            var changed = whole
            changed[place] ^= 0x01
            damage(changed)
            let (run, json) = try salvage()
            #expect(run.status == .someDamaged, "byte \(place)")
            expectCounts(json, "byte \(place)")
            let item = (json["items"] as? [[String: Any]])?.first
            let reason = item?["reason"] as? String
            #expect(["altered", "bytes-appended"].contains(reason), "byte \(place): \(reason ?? "")")
            let lines = try lines()
            #expect(lines.allSatisfy { $0["authenticated"] as? Bool == false })
            // A changed key is one that no message has, such as "hd" in place of "id".
            let messages = lines.count { $0["type"] as? String == "message" }
            let fragments = lines.count { $0["type"] as? String == "fragment" }
            #expect(messages + fragments >= 3, "byte \(place): \(messages) messages and \(fragments) fragments")
        }
    }

    @Test("bytes after the end are found where the list ends")
    func appended() throws {
        damage(whole + [UInt8](repeating: 0, count: 4096))
        let (run, json) = try salvage()
        #expect(run.status == .someDamaged)
        let item = (json["items"] as? [[String: Any]])?.first
        #expect(item?["reason"] as? String == "bytes-appended")
        #expect(item?["damageOffset"] as? Int == textCount)
        #expect(item?["messages"] as? Int == 3)
        #expect(item?["fragments"] as? Int == 0)
    }

    @Test("without the word that it is not proven nothing is done")
    func needsTheWord() {
        damage(Array(whole.dropLast()))
        let run = store.run("salvage", ["--out", out])
        #expect(run.status == .usage)
        #expect(run.errors.contains("--unauthenticated"))
        #expect(fileBytes(linesFile) == nil)
    }

    @Test("a key of another store opens nothing, and nothing is made")
    func wrongKey() {
        store.folder.write([UInt8](repeating: 9, count: 32), to: "other.key")
        damage(Array(whole.dropLast(100)))
        let run = CommandRun.run([
            "store", "salvage", store.path, "--unauthenticated", "--out", out, "--key-file",
            store.folder.file("other.key"),
        ])
        #expect(run.status == .wrongSecret)
        #expect(!store.folder.names.contains { $0.hasPrefix("rescued") })
    }

    @Test("a file of another key among others is told from a damaged one")
    func foreignFile() throws {
        damage([UInt8](repeating: 0xA5, count: 700))
        let (run, json) = try salvage()
        #expect(run.status == .someDamaged)
        let item = (json["items"] as? [[String: Any]])?.first
        #expect(item?["reason"] as? String == "noise")
        #expect(json["out"] is NSNull)
    }

    @Test("a store in which all is authentic is left alone")
    func nothingToDo() throws {
        let (run, json) = try salvage()
        #expect(run.status == .success)
        #expect(json["out"] is NSNull)
        #expect(!store.folder.names.contains { $0.hasPrefix("rescued") })
    }

    @Test("nothing is written into a store or over anything")
    func outputs() {
        damage(Array(whole.dropLast()))
        for inside in ["phone/sophax_messages/x", "phone/sophax_attachments/x"] {
            let run = store.run("salvage", ["--unauthenticated", "--out", store.folder.file(inside)])
            #expect(run.status == .failure)
            #expect(run.errors.contains("it lies in a folder of the store"))
        }
        let run = store.run("salvage", ["--unauthenticated", "--out", store.folder.path])
        #expect(run.status == .wouldOverwrite)
    }

    @Test("the store is not touched")
    func untouched() throws {
        damage(Array(whole.dropLast(40)))
        let before = FolderListing(store.path)
        _ = try salvage()
        #expect(FolderListing(store.path) == before)
    }

    @Test("a damaged attachment is skipped unless it is asked for, and gets an ending that fits")
    func attachments() throws {
        let png = [UInt8]([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) + [UInt8](repeating: 3, count: 500)
        var box = try MadeStore.seal(png)
        box[300] ^= 1
        store.folder.write(box, to: "phone/sophax_attachments/AA")
        let (run, json) = try salvage()
        #expect(run.status == .someDamaged)
        #expect((json["counts"] as? [String: Int])?["skipped"] == 1)
        expectCounts(json, "skipped")
        let (second, secondJSON) = try salvage(["--attachments"])
        #expect(second.status == .someDamaged)
        expectCounts(secondJSON, "salvaged")
        let written = try #require(fileBytes(out + "/attachments/AA.png"))
        #expect(written.count == png.count + 16)
        #expect(zip(written, png).count { $0 != $1 } == 1)
        #expect(fileBytes(out + "/NOT-AUTHENTICATED.txt") != nil)
    }
}
