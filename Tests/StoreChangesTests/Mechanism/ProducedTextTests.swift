import CryptoPrimitives
import SophaxFiles
import SystemIO
import TestSupport
import Testing

@testable import StoreChanges

@Suite("Texts that a verb makes")
struct ProducedTextTests {
    private let target: FilePath = "sophax_messages/08c4cab788bd5f90.enc"

    private func change(_ store: ChangedStore, _ files: [PlannedFile], newKey: Bool = false) throws -> ChangeOutcome {
        let plan = try ChangePlan(.migrate, store.unit(), files)
        return try StoreChange(
            plan, oldKey: store.oldKey, newKey: newKey ? store.newKey : nil, keeps: true, workers: 2,
            date: ChangedStore.date
        ).run(ChangeTurn(for: store.unit()))
    }

    @Test("are written encrypted; files that they replace go, and all others keep their bytes")
    func written() throws {
        let store = try ChangedStore()
        let unit = try store.unit()
        let old = try #require(unit.store.conversations.first { unit.place(of: $0) == target })
        let other: FilePath = "sophax_messages/08c4cab788bd5f91.enc"
        let text = ProducedText(
            produce: { (reader) throws(ChangeStepFailure) in
                do throws(StoreFileFailure) {
                    return try reader.bytes(of: old) + Array(" ".utf8)
                } catch {
                    throw .source(old, error)
                }
            })
        let outcome = try change(store, [PlannedFile(target, .write(text, replacing: [target, other]))])
        let root = store.folder.file("phone")
        let opened = try ChangedStore.opened(root, store.texts.keys, store.oldKey)
        #expect(opened[target.text] == (store.texts[target.text] ?? []) + [0x20])
        #expect(opened[other.text] == nil)
        #expect(outcome.written == 1)
        #expect(outcome.leftOut == 1)
        #expect(outcome.read == 7)
        for name in store.texts.keys where name != target.text && name != other.text {
            #expect(
                fileBytes(root + "/" + name)
                    == fileBytes(store.folder.file("phone.before-migrate-\(ChangedStore.date)/" + name)))
        }
    }

    @Test("that turn out not to hold what they should are not let in", arguments: [true, false])
    func refused(whenMaking: Bool) throws {
        let store = try ChangedStore()
        let before = FolderListing(store.folder.path)
        let text = ProducedText(
            produce: { (_) throws(ChangeStepFailure) in if whenMaking { throw .other("no") } else { [1] } },
            check: { (_, _) throws(ChangeStepFailure) in throw .differs("a message is gone") })
        #expect(throws: ChangeError.step(target, whenMaking ? .other("no") : .differs("a message is gone"))) {
            _ = try change(store, [PlannedFile(target, .write(text, replacing: [target]))])
        }
        #expect(FolderListing(store.folder.path) == before)
    }

    @Test("what is left out is not there, and counted")
    func leftOut() throws {
        let store = try ChangedStore()
        let outcome = try change(store, [PlannedFile(target, .leaveOut(reason: "by date"))])
        #expect(outcome.leftOut == 1)
        #expect(
            try ChangedStore.opened(store.folder.file("phone"), store.texts.keys, store.oldKey).count == store.texts
                .count - 1)
    }

    @Test("a new store is built beside its name; texts can be pushed into it one after the other")
    func newStore() throws {
        let store = try ChangedStore()
        let place = try ChangePlace(new: FilePath(store.folder.file("new")))
        let unit = try store.unit()
        let files = unit.store.conversations.map {
            PlannedFile(unit.place(of: $0), .reseal(from: $0, key: store.oldKey))
        }
        let new = try NewStore(
            .merge, at: place, files, oldKey: store.newKey, newKey: store.newKey, workers: 2, date: ChangedStore.date)
        let large = [UInt8](repeating: 7, count: 600_001)
        let outcome = try new.run(
            ChangeTurn(for: place),
            adding: { (addition) throws(ChangeError) in
                try addition.begin("sophax_attachments/AB")
                for start in stride(from: 0, to: large.count, by: 100_000) {
                    let piece = Array(large[start..<min(large.count, start + 100_000)])
                    try addition.add(piece.span)
                }
                try addition.end()
            })
        #expect(store.folder.names == ["new", "phone"])
        let root = store.folder.file("new")
        let opened = try ChangedStore.opened(
            root,
            TreeNames.names(root + "/sophax_messages").map { "sophax_messages/" + $0 } + ["sophax_attachments/AB"],
            store.newKey)
        #expect(opened["sophax_attachments/AB"] == large)
        #expect(opened.count == 4)
        #expect(outcome.resealed.conversations == 3)
        #expect(outcome.written == 1)
        #expect(throws: ChangeError.exists(FilePath(root))) { try ChangePlace(new: FilePath(root)) }
    }

    @Test("a new store that fails leaves nothing")
    func newStoreFails() throws {
        let store = try ChangedStore()
        let place = try ChangePlace(new: FilePath(store.folder.file("new")))
        let new = try NewStore(
            .merge, at: place, [], oldKey: store.newKey, newKey: store.newKey, workers: 1, date: ChangedStore.date)
        #expect(throws: ChangeError.badTarget("../a")) {
            _ = try new.run(
                ChangeTurn(for: place),
                adding: { (addition) throws(ChangeError) in
                    try addition.begin("sophax_attachments/AB")
                    let bytes: [UInt8] = [1]
                    try addition.add(bytes.span)
                    try addition.end()
                    try addition.begin("../a")
                })
        }
        #expect(store.folder.names == ["phone"])
    }
}
