import CommandKit
import Foundation
import TestSupport
import Testing

@testable import SXKeyCommands

/// What is mended is proven, and what cannot be proven stays as it is.
@Suite("store repair")
struct StoreRepairTests {
    private let store = MadeStore()
    private let alice: [UInt8]
    private let aliceText: String

    init() throws {
        aliceText =
            "[" + (1...3).map { MadeStore.message("A\($0)", peer: MadeStore.alice) }.joined(separator: ",") + "]"
        alice = try store.write(aliceText, MadeStore.alice)
        try store.conversation(MadeStore.bob, [MadeStore.message("B1", peer: MadeStore.bob)])
    }

    private func place(_ stem: String) -> String { store.path + "/sophax_messages/\(stem).enc" }

    private func damage(_ bytes: [UInt8]) {
        store.folder.write(bytes, to: "phone/sophax_messages/\(MadeStore.alice).enc")
    }

    private func text(_ stem: String) throws -> String? {
        guard let box = fileBytes(place(stem)), let text = try? MadeStore.open(box) else { return nil }
        return String(decoding: text, as: UTF8.self)
    }

    private func restart() {
        for name in store.folder.names where name.contains(".before-") {
            try? FileManager.default.removeItem(atPath: store.folder.file(name))
        }
    }

    private func repair(_ options: [String] = []) -> CommandRun { store.run("repair", options) }

    @Test("one changed byte anywhere is undone, and the tag proves it")
    func changedByte() throws {
        let step = LongTests.areWanted ? 1 : 59
        for offset in Array(stride(from: 12, to: alice.count, by: step)) + [12, alice.count - 1] {
            var changed = alice
            changed[offset] ^= 0x21
            damage(changed)
            let run = repair()
            #expect(run.status == .success, "byte \(offset): \(run.output)")
            #expect(try text(MadeStore.alice) == aliceText, "byte \(offset)")
            #expect(store.run("verify").status == .success, "byte \(offset)")
            #expect(run.output.contains("byte \(offset)"))
            restart()
        }
    }

    @Test("a flipped bit of the nonce is undone")
    func nonceBit() throws {
        var changed = alice
        changed[5] ^= 0x08
        damage(changed)
        #expect(repair().status == .success)
        #expect(try text(MadeStore.alice) == aliceText)
    }

    @Test("bytes behind the end are taken off", arguments: [1, 16, 4096])
    func appended(count: Int) throws {
        damage(alice + [UInt8](repeating: 0x55, count: count))
        let run = repair()
        #expect(run.status == .success)
        #expect(try text(MadeStore.alice) == aliceText)
    }

    @Test("up to four missing bytes of the tag are made up for, more are not", arguments: 1...8)
    func tagCut(count: Int) throws {
        damage(Array(alice.dropLast(count)))
        let run = repair()
        #expect(run.status == (count <= 4 ? .success : .someDamaged))
        #expect(try text(MadeStore.alice) == (count <= 4 ? aliceText : nil))
    }

    @Test("two changed bytes stay, byte for byte, and salvage is named")
    func beyondRemedy() throws {
        var changed = alice
        changed[40] ^= 1
        changed[300] ^= 1
        damage(changed)
        let run = repair()
        #expect(run.status == .someDamaged)
        #expect(fileBytes(place(MadeStore.alice)) == changed)
        #expect(run.output.contains("sxkey store salvage"))
    }

    @Test("an attachment with one changed byte is mended as well")
    func attachment() throws {
        var box = try MadeStore.seal([UInt8](repeating: 7, count: 5_000))
        box[2_500] ^= 0x80
        store.folder.write(box, to: "phone/sophax_attachments/AB")
        #expect(repair().status == .success)
        let mended = try #require(fileBytes(store.path + "/sophax_attachments/AB"))
        #expect(try MadeStore.open(mended) == [UInt8](repeating: 7, count: 5_000))
    }

    @Test("swapped files get their names back")
    func swapped() throws {
        let bob = try #require(fileBytes(place(MadeStore.bob)))
        store.folder.write(bob, to: "phone/sophax_messages/\(MadeStore.alice).enc")
        store.folder.write(alice, to: "phone/sophax_messages/\(MadeStore.bob).enc")
        #expect(store.run("verify").status == .finding)
        let run = repair()
        #expect(run.status == .success, "\(run.errors)")
        // Only the names were wrong: the files are the same, byte for byte.
        #expect(fileBytes(place(MadeStore.alice)) == alice)
        #expect(fileBytes(place(MadeStore.bob)) == bob)
        #expect(store.run("verify").status == .success)
    }

    @Test("a copy under another name is merged, and adds nothing")
    func copy() throws {
        store.folder.write(alice, to: "phone/sophax_messages/\(MadeStore.alice) copy.enc")
        let run = repair()
        #expect(run.status == .success, "\(run.errors)")
        #expect(try text(MadeStore.alice) == aliceText)
        #expect(fileBytes(place(MadeStore.alice + " copy")) == nil)
        #expect(run.output.contains("3 messages stood twice"))
    }

    @Test("of two texts under one nonce one gets a fresh one")
    func nonceReuse() throws {
        let carla = "[" + MadeStore.message("C1", peer: "c0") + "]"
        let box = try MadeStore.seal(Array(carla.utf8), nonce: Array(alice[0..<12]))
        store.folder.write(box, to: "phone/sophax_messages/c0.enc")
        #expect(store.run("verify").status == .finding)
        let run = repair()
        #expect(run.status == .success)
        #expect(run.output.contains("New nonce"))
        #expect(try text(MadeStore.alice) == aliceText && text("c0") == carla)
        #expect(store.run("verify").status == .success)
    }

    @Test("authentic text that is no strict JSON is written as strict JSON; what is strict keeps its bytes")
    func tolerant() throws {
        let strict = MadeStore.message("A1", peer: MadeStore.alice).replacing(",\"isEdited\":false", with: "")
        let broken = MadeStore.message("A2", peer: MadeStore.alice, body: "tab\there")
        try store.write("[\(strict),\(broken),]", MadeStore.alice)
        let run = repair()
        #expect(run.status == .success, "\(run.output)")
        let text = try #require(try text(MadeStore.alice))
        #expect(text.hasPrefix("[\(strict),"))
        let list = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]]
        #expect(list?.last?["body"] as? String == "tab\there")
    }

    @Test("bytes that are no text are kept aside where a list cannot hold them")
    func invalidText() throws {
        var bytes = Array(("[" + MadeStore.message("A1", peer: MadeStore.alice, body: "x?y") + "]").utf8)
        bytes[bytes.firstIndex(of: UInt8(ascii: "?")) ?? 0] = 0xFF
        store.folder.write(try MadeStore.seal(bytes), to: "phone/sophax_messages/\(MadeStore.alice).enc")
        let run = repair()
        #expect(run.status == .someDamaged)
        #expect(try text(MadeStore.alice)?.contains("x\u{FFFD}y") == true)
        #expect(try text("refused_messages")?.contains("replaced-text") == true)
    }

    @Test("a missing attachment and a leftover of a crash are listed")
    func listed() throws {
        try store.conversation(
            MadeStore.alice, [MadeStore.message("A1", peer: MadeStore.alice, extra: ",\"attachmentID\":\"ABCD\"")])
        store.folder.write("x", to: "phone/sophax_messages/.dat.nosync1234.abc")
        let run = repair()
        #expect(run.status == .someDamaged)
        #expect(run.output.contains("Missing       attachment ABCD"))
        #expect(run.output.contains(".dat.nosync1234.abc: a crash left it"))
    }

    @Test("nothing to repair writes nothing")
    func nothing() {
        let before = FolderListing(store.folder.path)
        let run = repair()
        #expect(run.status == .success)
        #expect(run.output.contains("there is nothing to repair; nothing was written"))
        #expect(FolderListing(store.folder.path) == before)
    }
}
