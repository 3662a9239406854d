import Glibc
import SystemIO
import TestSupport
import Testing

@testable import StoreChanges

@Suite("What an interrupted change left")
struct RecoveryTests {
    private let mark = "0123456789abcdef"

    private func beginning(_ verb: ChangeVerb = .rekey, exchanges: Bool = true, keeps: Bool = true)
        -> ChangeJournal.Beginning
    {
        .init(verb: verb, mark: mark, exchanges: exchanges, keeps: keeps, date: ChangedStore.date)
    }

    /// Writes a journal as a run would have left it.
    private func leave(
        _ store: ChangedStore, _ beginning: ChangeJournal.Beginning, _ states: [ChangeJournal.State] = [],
        at name: String = ".phone.sxkey-change"
    ) {
        var bytes = ChangeJournal.text(beginning)
        for state in states { bytes += ChangeJournal.text(state, after: bytes) }
        store.folder.write(bytes, to: name)
    }

    private func draft(_ store: ChangedStore, marked: Bool) {
        _ = store.folder.makeFolder("phone.sxkey-new-\(mark)")
        store.folder.write("half", to: "phone.sxkey-new-\(mark)/a")
        if marked { store.folder.write("", to: "phone.sxkey-new-\(mark)/.sxkey-new-\(mark)") }
    }

    private func recover(_ store: ChangedStore) throws -> [Recovery] {
        var turn = try ChangeTurn(for: store.unit())
        return try turn.recover()
    }

    @Test("a half-made folder goes, whether it has its marker or not", arguments: [true, false])
    func building(marked: Bool) throws {
        let store = try ChangedStore()
        let before = FolderListing(store.folder.path)
        leave(store, beginning())
        draft(store, marked: marked)
        #expect(InterruptedChange.look(around: store.path).map(\.verb) == [.rekey])
        #expect(InterruptedChange.look(around: store.path.appending("sophax_messages")).map(\.isRunning) == [false])
        #expect(try recover(store) == [.undone(.rekey)])
        #expect(FolderListing(store.folder.path) == before)
        #expect(InterruptedChange.look(around: store.path).isEmpty)
    }

    @Test("a whole folder that was not exchanged goes")
    func ready() throws {
        let store = try ChangedStore()
        let before = FolderListing(store.folder.path)
        leave(store, beginning(), [.ready])
        draft(store, marked: true)
        #expect(try recover(store) == [.undone(.rekey)])
        #expect(FolderListing(store.folder.path) == before)
    }

    @Test("without the marker nothing that is said to be whole is touched")
    func unclear() throws {
        let store = try ChangedStore()
        leave(store, beginning(), [.ready])
        draft(store, marked: false)
        let before = FolderListing(store.folder.path)
        #expect(
            throws: ChangeError.unclearLeftover(
                store.path, folders: [FilePath(store.folder.file("phone.sxkey-new-\(mark)"))])
        ) { try recover(store) }
        #expect(FolderListing(store.folder.path) == before)
    }

    @Test("with a journal that says nothing, a folder that should not be there is not touched")
    func damagedJournal() throws {
        let store = try ChangedStore()
        store.folder.write("sxkey-change 1\nstate buil", to: ".phone.sxkey-change")
        draft(store, marked: true)
        let before = FolderListing(store.folder.path)
        #expect {
            try recover(store)
        } throws: { error in
            if case ChangeError.unclearLeftover = error { true } else { false }
        }
        #expect(FolderListing(store.folder.path) == before)
    }

    @Test("a journal that says nothing, and nothing beside it, goes")
    func emptyJournal() throws {
        let store = try ChangedStore()
        for text in ["", "sxkey-change 1\nstate buil"] {
            store.folder.write(text, to: ".phone.sxkey-change")
            #expect(InterruptedChange.look(around: store.path).isEmpty)
            #expect(try recover(store) == [])
            #expect(store.folder.names == ["phone"])
        }
    }

    @Test("after the exchange the old folder is kept, or goes, as it was asked for", arguments: [true, false])
    func exchanged(keeps: Bool) throws {
        let store = try ChangedStore()
        leave(store, beginning(keeps: keeps), keeps ? [.ready] : [.ready, .exchanged])
        draft(store, marked: false)
        store.folder.write("", to: "phone/.sxkey-new-\(mark)")
        let kept = FilePath(store.folder.file(store.keptName))
        #expect(try recover(store) == [.finished(.rekey, kept: keeps ? kept : nil)])
        #expect(store.folder.names == ["phone"] + (keeps ? [store.keptName] : []))
        #expect(!TreeNames.names(store.folder.file("phone")).contains { $0.hasPrefix(".sxkey") })
    }

    @Test(
        "right after the exchange nobody has looked for late writes yet: the old folder is kept, whatever was asked for"
    )
    func readyAfterExchange() throws {
        let store = try ChangedStore()
        leave(store, beginning(keeps: false), [.ready])
        draft(store, marked: false)
        store.folder.write("", to: "phone/.sxkey-new-\(mark)")
        #expect(try recover(store) == [.finished(.rekey, kept: FilePath(store.folder.file(store.keptName)))])
        #expect(fileBytes(store.folder.file(store.keptName + "/a")) == Array("half".utf8))
    }

    @Test("an exchange that was to be taken back keeps both folders, whatever was asked for")
    func undoingAfterExchange() throws {
        let store = try ChangedStore()
        leave(store, beginning(keeps: false), [.ready, .undoing])
        draft(store, marked: false)
        store.folder.write("", to: "phone/.sxkey-new-\(mark)")
        #expect(try recover(store) == [.finished(.rekey, kept: FilePath(store.folder.file(store.keptName)))])
        #expect(store.folder.names == ["phone", store.keptName])
    }

    @Test("where the name itself is gone, nothing is touched")
    func nameGone() throws {
        let store = try ChangedStore()
        leave(store, beginning(), [.ready])
        let unit = try store.unit()
        rename(store.folder.file("phone"), store.folder.file("moved"))
        draft(store, marked: true)
        let before = FolderListing(store.folder.path)
        var turn = try ChangeTurn(for: unit)
        #expect {
            try turn.recover()
        } throws: { error in
            if case ChangeError.unclearLeftover = error { true } else { false }
        }
        _ = consume turn
        #expect(FolderListing(store.folder.path) == before)
    }

    @Test(
        "what a change of the messages alone left is settled before all of the store is changed, and the other way round"
    )
    func related() throws {
        let store = try ChangedStore()
        leave(store, beginning(.migrate), at: "phone/.sophax_messages.sxkey-change")
        _ = store.folder.makeFolder("phone/sophax_messages.sxkey-new-\(mark)")
        #expect(InterruptedChange.look(around: store.path).map(\.verb) == [.migrate])
        #expect(try store.rekey().recovered == [.undone(.migrate)])
        #expect(try store.opens("phone", with: store.newKey))
        #expect(TreeNames.names(store.folder.file("phone")) == ["sophax_attachments", "sophax_messages"])

        leave(store, beginning(.rekey))
        draft(store, marked: true)
        var turn = try ChangeTurn(for: store.unit(.messages))
        #expect(try turn.recover() == [.undone(.rekey)])
        _ = consume turn
        #expect(store.folder.names == ["phone", store.keptName])
    }

    @Test("a journal of a newer version is left to it")
    func newer() throws {
        let store = try ChangedStore()
        store.folder.write("sxkey-change 2\nanything\n", to: ".phone.sxkey-change")
        let journal = FilePath(store.folder.file(".phone.sxkey-change"))
        #expect(throws: ChangeError.newerJournal(journal)) { try recover(store) }
        #expect(store.folder.names == [".phone.sxkey-change", "phone"])
    }
}
