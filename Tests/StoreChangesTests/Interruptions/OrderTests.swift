import Glibc
import SystemIO
import TestSupport
import Testing

/// What is on the disk before the next thing is done, read from the record of a run.
@Suite("the order of a rekey's steps")
struct OrderTests {
    private func record(_ scene: RekeyScene) throws -> [TreeLog.Operation] {
        let folder = TemporaryFolder()
        let disturbing = scene.late.map { ["disturb=" + $0] } ?? []
        let run = scene.probe(scene.path, ["log=" + folder.file("log"), "kind=\(0x7777)"] + disturbing)
        #expect(run.status == (scene.late == nil ? scene.usualStatus : 1), "\(run.errorText)")
        return try TreeLog(try #require(fileBytes(folder.file("log")))).operations
    }

    private func exchange(_ operations: [TreeLog.Operation]) throws -> Int {
        try #require(operations.firstIndex { $0.kind == .exchange && !$0.text.hasPrefix(".") })
    }

    private func record(_ state: String, _ operations: [TreeLog.Operation]) -> Int? {
        operations.firstIndex { $0.kind == .write && $0.text.hasPrefix("state \(state)\n") }
    }

    @Test("a new key that somebody else has just written is on the disk before the exchange")
    func givenKey() throws {
        let scene = try RekeyScene(.given, keeps: false)
        let key = try #require(try? fileStatus(at: FilePath(scene.path + "/given.key"))).identity.inode
        let folder = try #require(try? fileStatus(at: FilePath(scene.path))).identity.inode
        let operations = try record(scene)
        let exchange = try exchange(operations)
        let sync = try #require(operations[..<exchange].firstIndex { $0.kind == .sync && $0.inode == key })
        #expect(operations[sync..<exchange].contains { $0.kind == .syncFolder && $0.inode == folder })
    }

    @Test("the journal's name is on the disk before a file with a new key is made, whose next reader is told by it")
    func outKey() throws {
        let operations = try record(try RekeyScene(.out, keeps: false))
        let journal = try #require(operations.firstIndex { $0.kind == .create && $0.text.hasSuffix(".sxkey-change") })
        // It is made without a name, or under another one.
        let key = try #require(operations[journal...].firstIndex { $0.kind == .unnamed || $0.text.contains("new.key") })
        let folder = operations[journal].folder
        #expect(operations[journal..<key].contains { $0.kind == .syncFolder && $0.inode == folder })
    }

    @Test("that the new folder is whole is recorded, and on the disk, between its last file and the exchange")
    func ready() throws {
        let operations = try record(try RekeyScene(.given, keeps: true))
        let exchange = try exchange(operations)
        let ready = try #require(record("ready", operations))
        let journal = operations[ready].inode
        #expect(ready < exchange)
        #expect(operations[ready..<exchange].contains { $0.kind == .sync && $0.inode == journal })
        let lastWrite = try #require(
            operations[..<exchange].lastIndex { $0.kind == .write && $0.inode != journal })
        #expect(lastWrite < ready)
        // The name of the new folder is on the disk before it is exchanged.
        let folder = operations[exchange].folder
        let made = try #require(operations.firstIndex { $0.kind == .folder && $0.text.contains(".sxkey-new-") })
        #expect(operations[made..<ready].contains { $0.kind == .syncFolder && $0.inode == folder })
    }

    @Test("a journal that a killed run made has its name on the disk before the new folder is made")
    func oldJournal() throws {
        // A rekey syncs the folder anyway, for the sake of its keys.
        let scene = try VerbScene(.migrate)
        #expect(scene.probe(scene.path, ["die=2"]).status == 137)
        let left = FolderListing(scene.path).names.filter { $0.hasSuffix(".sxkey-change") }
        #expect(left.count == 1)
        let log = TemporaryFolder()
        #expect(scene.goodStatuses.contains(scene.probe(scene.path, ["log=" + log.file("log")]).status))
        let operations = try TreeLog(try #require(fileBytes(log.file("log")))).operations
        let made = try #require(operations.firstIndex { $0.kind == .folder && $0.text.contains(".sxkey-new-") })
        let folder = operations[made].folder
        #expect(operations[..<made].contains { $0.kind == .syncFolder && $0.inode == folder })
    }

    @Test("that the old folder may go is recorded when the exchange is on the disk, and before anything of it goes")
    func exchanged() throws {
        let operations = try record(try RekeyScene(.given, keeps: false))
        let exchange = try exchange(operations)
        let exchanged = try #require(record("exchanged", operations))
        let folder = operations[exchange].folder
        #expect(operations[exchange..<exchanged].contains { $0.kind == .syncFolder && $0.inode == folder })
        let journal = operations[exchanged].inode
        let removal = try #require(operations[exchange...].firstIndex { $0.kind == .remove })
        #expect(operations[exchanged..<removal].contains { $0.kind == .sync && $0.inode == journal })
    }

    @Test("a record that a killed run had written and not synced is on the disk before anything is removed by it")
    func oldRecord() throws {
        let scene = try RekeyScene(.given, keeps: false)
        let whole = TemporaryFolder()
        TreeNames.copy(scene.path, to: whole.file("a"))
        let log = TemporaryFolder()
        let first = scene.probe(whole.file("a"), ["log=" + log.file("log"), "kind=\(0x7777)"])
        let done = try TreeLog(try #require(fileBytes(log.file("log")))).operations.filter { $0.kind != .mark }
        let written = try #require(record("exchanged", done))
        let total = try #require(first.operations)
        // The operation after the write: its sync.
        let number = total - (done.count - 1 - (written + 1))
        #expect(scene.probe(scene.path, ["kind=\(0x7777)", "die=\(number)"]).status == 137)
        let path = FilePath(scene.path + "/.phone.sxkey-change")
        let journal = try #require(try? fileStatus(at: path)).identity.inode
        #expect(
            String(decoding: fileBytes(scene.path + "/.phone.sxkey-change") ?? [], as: UTF8.self).contains("exchanged"))
        let operations = try record(scene)
        let removal = try #require(operations.firstIndex { $0.kind == .remove })
        #expect(operations[..<removal].contains { $0.kind == .sync && $0.inode == journal })
    }

    @Test("a new key that a killed run had put into the keyring is on the disk before the exchange")
    func oldNextKey() throws {
        let scene = try RekeyScene(.keyring, keeps: true)
        // In a folder of its own, which nothing else syncs.
        _ = scene.store.folder.makeFolder("keys")
        #expect(rename(scene.path + "/keyring.sxdb", scene.path + "/keys/keyring.sxdb") == 0)
        func run(_ folder: String, _ options: [String]) throws -> [TreeLog.Operation] {
            let log = TemporaryFolder()
            let words = scene.command(folder).map { word in
                word == folder + "/keyring.sxdb" ? folder + "/keys/keyring.sxdb" : word
            }
            _ = ChildProcess.run(
                [ChildProcess.builtProducts + "/StoreProbe", folder, "log=" + log.file("log")] + options + ["--"]
                    + words,
                seconds: 120)
            return try TreeLog(try #require(fileBytes(log.file("log")))).operations
        }
        let whole = TemporaryFolder()
        TreeNames.copy(scene.path, to: whole.file("a"))
        let first = try run(whole.file("a"), []).filter { $0.kind != .mark }
        let removal = try #require(first.firstIndex { $0.kind == .remove && $0.text == "keyring.sxdb-journal" })
        // Its name is gone, and the folder is not synced.
        let killed = try run(scene.path, ["die=\(removal + 2)"])
        #expect(killed.last { $0.kind != .mark }?.kind == .remove)
        let keys = try #require(try? fileStatus(at: FilePath(scene.path + "/keys"))).identity.inode
        let operations = try run(scene.path, [])
        #expect(operations[..<(try exchange(operations))].contains { $0.kind == .syncFolder && $0.inode == keys })
    }

    @Test("it is never recorded where an app wrote into the old folder at the last moment", arguments: [true, false])
    func disturbed(keeps: Bool) throws {
        let operations = try record(try RekeyScene(.given, keeps: keeps, isDisturbed: true))
        #expect(record("ready", operations) != nil)
        #expect(record("exchanged", operations) == nil)
        #expect(record("undoing", operations) != nil)
    }

    @Test("the last thing is that the journal's name goes from the disk")
    func last() throws {
        for isDisturbed in [false, true] {
            let operations = try record(try RekeyScene(.given, keeps: true, isDisturbed: isDisturbed))
            let folder = operations[try exchange(operations)].folder
            let removal = try #require(
                operations.lastIndex { $0.kind == .remove && $0.text.hasSuffix(".sxkey-change") })
            #expect(operations[removal...].contains { $0.kind == .syncFolder && $0.inode == folder })
        }
    }
}
