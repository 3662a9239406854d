import Glibc
import SophaxFiles
import SystemIO
import TestSupport
import Testing

@testable import StoreChanges

@Suite("The folder that is changed")
struct ChangeUnitTests {
    private func rekeyed(_ path: String, _ store: ChangedStore) throws -> ChangeOutcome {
        let path = FilePath(path)
        var turn = try ChangeTurn(for: ChangeUnit(of: path, .messagesAndAttachments))
        _ = try turn.recover()
        let plan = try ChangePlan(.rekey, ChangeUnit(of: path, .messagesAndAttachments))
        return try StoreChange(
            plan, oldKey: store.oldKey, newKey: store.newKey, keeps: true, workers: 1, date: ChangedStore.date
        ).run(turn)
    }

    @Test(
        "is found by any name of it",
        arguments: ["phone/", "phone/.", "phone/sophax_messages", "phone/sophax_messages/", "link", "phone/../phone"])
    func names(name: String) throws {
        let store = try ChangedStore()
        symlink("phone", store.folder.file("link"))
        let outcome = try rekeyed(store.folder.file(name), store)
        #expect(outcome.folder == FilePath(store.folder.file("phone")))
        #expect(try store.opens("phone", with: store.newKey))
        #expect(try store.opens(store.keptName, with: store.oldKey))
        #expect(TreeNames.linkText(store.folder.file("link")) == "phone")
    }

    @Test("is the message folder alone where attachments stay as they are")
    func messagesOnly() throws {
        let store = try ChangedStore()
        let unit = try store.unit(.messages)
        #expect(unit.place.name == "sophax_messages")
        #expect(unit.messages == "")
        #expect(unit.attachments == nil)
        let change = StoreChange(
            try ChangePlan(.rekey, unit), oldKey: store.oldKey, newKey: store.newKey, keeps: true, workers: 1,
            date: ChangedStore.date)
        let outcome = try change.run(ChangeTurn(for: unit))
        #expect(outcome.resealed.conversations == 3)
        #expect(outcome.resealed.attachments == 0)
        let attachments = store.texts.keys.filter { $0.hasPrefix("sophax_attachments") }
        #expect(try ChangedStore.opened(store.folder.file("phone"), attachments, store.oldKey).count == 3)
    }

    @Test("is a folder of loose files itself, and the folder that holds it where attachments stand beside")
    func loose() throws {
        let store = try ChangedStore()
        rename(store.folder.file("phone/sophax_messages"), store.folder.file("phone/copy"))
        let beside = try ChangeUnit(of: FilePath(store.folder.file("phone/copy")), .messagesAndAttachments)
        #expect(beside.path == store.path)
        #expect(beside.messages == "copy")
        #expect(beside.store.attachments.count == 3)
        rename(store.folder.file("phone/sophax_attachments"), store.folder.file("elsewhere"))
        let alone = try ChangeUnit(of: FilePath(store.folder.file("phone/copy")), .messagesAndAttachments)
        #expect(alone.place.name == "copy")
        #expect(alone.attachments == nil)
    }

    @Test("is refused when messages or attachments are links to somewhere else")
    func links() throws {
        let store = try ChangedStore()
        rename(store.folder.file("phone/sophax_attachments"), store.folder.file("elsewhere"))
        symlink("../elsewhere", store.folder.file("phone/sophax_attachments"))
        #expect(throws: ChangeError.link(store.path.appending("sophax_attachments"))) { try store.unit() }
        rename(store.folder.file("phone/sophax_messages"), store.folder.file("messages"))
        symlink("../messages", store.folder.file("phone/sophax_messages"))
        #expect(throws: ChangeError.link(store.path.appending("sophax_messages"))) { try store.unit(.messages) }
    }

    @Test("may not have a name so long that there is none for the old folder")
    func longName() throws {
        let store = try ChangedStore()
        let name = String(repeating: "a", count: 216)
        rename(store.folder.file("phone"), store.folder.file(name))
        #expect(throws: ChangeError.nameTooLong(FilePath(store.folder.file(name)), limit: 215)) {
            try ChangeUnit(of: FilePath(store.folder.file(name)), .messagesAndAttachments)
        }
        rename(store.folder.file(name), store.folder.file(String(name.dropLast())))
        _ = try rekeyed(store.folder.file(String(name.dropLast())), store)
    }

    @Test("plans refuse names that leave the folder, or that two files would have")
    func targets() throws {
        let store = try ChangedStore()
        let unit = try store.unit()
        let text = ProducedText(produce: { _ in [] })
        for name in ["../a", "/a", "a/../b", "", "a//b", "./a", "sophax_messages/pending_queue.enc"] {
            #expect(throws: ChangeError.badTarget(FilePath(name))) {
                _ = try ChangePlan(.merge, unit, [PlannedFile(FilePath(name), .write(text))])
            }
        }
        #expect(throws: ChangeError.badTarget("a")) {
            _ = try ChangePlan(.merge, unit, [PlannedFile("a", .write(text)), PlannedFile("a", .write(text))])
        }
    }
}
