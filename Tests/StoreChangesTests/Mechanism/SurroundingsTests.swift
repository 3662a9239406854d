import CryptoPrimitives
import Glibc
import SophaxFiles
import SystemIO
import TestSupport
import Testing

@testable import StoreChanges

@Suite("Changing a store among other files, programs and people")
struct SurroundingsTests {
    /// A rekey with something happening between the last file and the exchange.
    private func disturbed(
        _ store: ChangedStore, after: Bool = false, _ body: @escaping @Sendable () -> Void
    ) throws {
        var hooks = StoreChange.Hooks()
        if after { hooks.afterExchange = body } else { hooks.beforeComparing = body }
        _ = try store.rekey(hooks: hooks)
    }

    @Test(
        "a file that changes, comes or goes meanwhile is found, and the store stays as the app has it now",
        arguments: ["change", "same size", "add", "remove", "rename", "touch", "folder"], [false, true])
    func changing(what: String, late: Bool) throws {
        let store = try ChangedStore()
        let root = store.folder.file("phone")
        let first = root + "/sophax_messages/08c4cab788bd5f90.enc"
        let bytes = try #require(fileBytes(first))
        // After the exchange the old folder has the other name.
        @Sendable func path(_ name: String) -> String {
            let parent = store.folder.path
            let folder = TreeNames.names(parent).first { $0.contains(".sxkey-new-") }
            return (late ? parent + "/" + (folder ?? "") : root) + "/sophax_messages/" + name
        }
        #expect {
            try disturbed(store, after: late) {
                switch what {
                case "change": TreeNames.write(bytes + [0], to: path("08c4cab788bd5f90.enc"))
                case "same size": TreeNames.write(bytes.reversed(), to: path("08c4cab788bd5f90.enc"))
                case "add": TreeNames.write(bytes, to: path("new.enc"))
                case "remove": unlink(path("08c4cab788bd5f90.enc"))
                case "rename": rename(path("08c4cab788bd5f90.enc"), path("b.enc"))
                case "folder": mkdir(path("folder"), 0o700)
                default: utimensat(AT_FDCWD, path("08c4cab788bd5f90.enc"), nil, 0)
                }
            }
        } throws: { error in
            if case ChangeError.changing = error { true } else { false }
        }
        #expect(store.folder.names == ["phone"])
        // What the app did is there, and the old key opens the rest.
        #expect(try ChangedStore.opened(root, store.texts.keys, store.oldKey).count >= store.texts.count - 1)
        #expect(try ChangedStore.opened(root, store.texts.keys, store.newKey).isEmpty)
        if what == "add" { #expect(fileBytes(root + "/sophax_messages/new.enc") == bytes) }
    }

    @Test(
        "what changes after a verb looked at the store and before its plan is whole is found too",
        arguments: [true, false])
    func changingWhilePlanning(keeps: Bool) throws {
        let store = try ChangedStore()
        let turn = try ChangeTurn(for: store.unit())
        let unit = try store.unit()
        // A verb reads the store here, and decides; then the app writes.
        let name = "sophax_messages/08c4cab788bd5f90.enc"
        let late = try ChangedStore.seal(Array("[]".utf8))
        store.folder.write(late, to: "phone/" + name)
        let gone = PlannedFile("sophax_messages/08c4cab788bd5f91.enc", .leaveOut(reason: "pruned"))
        let change = StoreChange(
            try ChangePlan(.prune, unit, [gone]), oldKey: store.oldKey, keeps: keeps, workers: 1,
            date: ChangedStore.date)
        do {
            _ = try change.run(turn)
            Issue.record("the late file was not noticed")
        } catch {
            #expect(error == .changing(store.path.appending(FilePath(name))))
        }
        #expect(fileBytes(store.folder.file("phone/" + name)) == late)
        #expect(store.folder.names == ["phone"])
    }

    @Test("what is not of the app comes along byte for byte with its time and permissions, and is listed")
    func foreign() throws {
        let store = try ChangedStore()
        let folder = store.folder
        _ = folder.makeFolder("phone/other")
        _ = folder.makeFolder("phone/other/deep")
        folder.write((0..<600_000).map { UInt8(truncatingIfNeeded: $0 * 7) }, to: "phone/other/deep/large")
        folder.write("", to: "phone/sophax_messages/empty")
        symlink("nowhere/at all", folder.file("phone/link"))
        chmod(folder.file("phone/other/deep/large"), 0o640)
        chmod(folder.file("phone/other"), 0o751)
        let times = [timespec(tv_sec: 1_000_000, tv_nsec: 5), timespec(tv_sec: 1_234_567, tv_nsec: 123_456_789)]
        utimensat(AT_FDCWD, folder.file("phone/other/deep/large"), times, 0)
        utimensat(AT_FDCWD, folder.file("phone/link"), times, AT_SYMLINK_NOFOLLOW)
        let before = try FolderTree.entries(of: store.path)
        let outcome = try store.rekey().outcome
        let after = try FolderTree.entries(of: store.path)
        for old in before where ["other", "link"].contains(where: { old.path.text.hasPrefix($0) }) {
            let new = try #require(after.first { $0.path == old.path })
            #expect(
                new.kind == old.kind && new.size == old.size && new.permissions == old.permissions, "\(old.path.text)")
            #expect(new.modified == old.modified, "\(old.path.text)")
        }
        #expect(
            fileBytes(folder.file("phone/other/deep/large"))
                == fileBytes(folder.file(store.keptName + "/other/deep/large")))
        #expect(TreeNames.linkText(folder.file("phone/link")) == "nowhere/at all")
        #expect(
            Set(outcome.carried) == [
                CarriedFile(path: "other/deep/large", reason: .unknown),
                CarriedFile(path: "sophax_messages/empty", reason: .unknown),
                CarriedFile(path: "link", reason: .link),
            ])
        #expect(!outcome.isWhole)
    }

    @Test("what does not authenticate comes along byte for byte, and is listed with the reason")
    func damaged() throws {
        let store = try ChangedStore()
        let name = "sophax_messages/08c4cab788bd5f90.enc"
        var bytes = try #require(fileBytes(store.folder.file("phone/" + name)))
        bytes[20] ^= 1
        store.folder.write(bytes, to: "phone/" + name)
        store.folder.write([1, 2, 3], to: "phone/sophax_attachments/AB")
        let outcome = try store.rekey().outcome
        #expect(fileBytes(store.folder.file("phone/" + name)) == bytes)
        #expect(fileBytes(store.folder.file("phone/sophax_attachments/AB")) == [1, 2, 3])
        #expect(
            Set(outcome.carried) == [
                CarriedFile(path: FilePath(name), reason: .notAuthentic(.notAuthentic)),
                CarriedFile(path: "sophax_attachments/AB", reason: .notAuthentic(.tooShort(found: 3))),
            ])
        #expect(outcome.resealed.all == store.texts.count - 1)
    }

    @Test(
        "with anything unproven the old folder is not removed, and nothing is written",
        arguments: ["damaged", "foreign", "link"])
    func notKeeping(what: String) throws {
        let store = try ChangedStore()
        switch what {
        case "damaged": store.folder.write([UInt8](repeating: 1, count: 40), to: "phone/sophax_messages/ab.enc")
        case "link": symlink("a", store.folder.file("phone/sophax_messages/ab.enc"))
        default: store.folder.write("a", to: "phone/a.txt")
        }
        let before = FolderListing(store.folder.path)
        #expect {
            _ = try store.rekey(keeps: false)
        } throws: { error in
            if case ChangeError.unprovenWithoutKeeping(let files) = error { files.count == 1 } else { false }
        }
        #expect(FolderListing(store.folder.path) == before)
    }

    @Test("sockets, pipes and devices stay behind, and are named")
    func notCarried() throws {
        let store = try ChangedStore()
        mkfifo(store.folder.file("phone/pipe"), 0o600)
        let outcome = try store.rekey().outcome
        #expect(outcome.notCarried == ["pipe"])
        #expect(!outcome.isWhole)
        #expect(TreeNames.names(store.folder.file("phone")) == ["sophax_attachments", "sophax_messages"])
        #expect(TreeNames.names(store.folder.file(store.keptName)).contains("pipe"))
    }

    @Test(
        "a second run at the same time is refused, also one that changes only the messages", arguments: [true, false])
    func twoRuns(outerFirst: Bool) throws {
        let store = try ChangedStore()
        let (whole, messages) = (try store.unit(), try store.unit(.messages))
        let first = try ChangeTurn(for: outerFirst ? whole : messages)
        for unit in [whole, messages] {
            #expect {
                _ = try ChangeTurn(for: unit)
            } throws: { error in
                if case ChangeError.locked = error { true } else { false }
            }
        }
        #expect(first.foundLeftover == false)
        _ = consume first
        // Nobody holds it any more, and nothing stays.
        _ = try ChangeTurn(for: whole)
        #expect(store.folder.names == ["phone"])
        #expect(TreeNames.names(store.folder.file("phone")) == ["sophax_attachments", "sophax_messages"])
    }

    @Test("a signal in the middle: the store is as it was, and nothing stays beside it")
    func interrupted() throws {
        let store = try ChangedStore()
        let before = FolderListing(store.folder.path)
        var hooks = StoreChange.Hooks()
        hooks.requested = { 2 }
        #expect(throws: ChangeError.interrupted(signal: 2)) { _ = try store.rekey(hooks: hooks) }
        #expect(FolderListing(store.folder.path) == before)
    }

    @Test("a folder that may not be written beside is an error, and nothing is changed")
    func readOnly() throws {
        guard geteuid() != 0 else { return }
        let store = try ChangedStore()
        chmod(store.folder.path, 0o500)
        defer { chmod(store.folder.path, 0o700) }
        #expect {
            _ = try store.rekey()
        } throws: { error in
            if case ChangeError.file(let file) = error { file.kind == .permissionDenied } else { false }
        }
    }

    @Test("folders without the right to write are changed and removed all the same, and keep their permissions")
    func readOnlyFolders() throws {
        let store = try ChangedStore()
        for name in ["other", "sophax_messages.before-migrate-2026-10-01"] {
            _ = store.folder.makeFolder("phone/" + name)
            store.folder.write("kept", to: "phone/\(name)/a")
        }
        store.folder.write(ChangedStore.oldBytes, to: "old.key")
        store.folder.write(ChangedStore.newBytes, to: "new.key")
        unlink(store.folder.file("phone/other/a"))
        let readOnly = ["phone/sophax_messages.before-migrate-2026-10-01", "phone/sophax_messages", "phone"]
        for name in readOnly { chmod(store.folder.file(name), 0o555) }
        defer { for name in readOnly.reversed() { chmod(store.folder.file(name), 0o755) } }
        var words = [
            ChildProcess.builtProducts + "/sxkey", "store", "rekey", store.folder.file("phone"), "--no-keep",
            "--key-file", store.folder.file("old.key"), "--new-key-file", store.folder.file("new.key"),
        ]
        if geteuid() == 0 {
            // Root may write everywhere; the same without that right.
            guard ChildProcess.has("setpriv") else { return }
            words = ["setpriv", "--bounding-set=-dac_override", "--inh-caps=-dac_override"] + words
        }
        let run = ChildProcess.run(words)
        #expect(run.status == 0, "\(run.errorText)")
        #expect(store.folder.names == ["new.key", "old.key", "phone"])
        #expect(try store.opens("phone", with: store.newKey))
        for name in readOnly {
            #expect(try fileStatus(at: FilePath(store.folder.file(name))).permissions == 0o555, "\(name)")
        }
        #expect(fileBytes(store.folder.file("phone/sophax_messages.before-migrate-2026-10-01/a")) != nil)
    }

    @Test("without enough room nothing is written")
    func noRoom() throws {
        let store = try ChangedStore()
        let before = FolderListing(store.folder.path)
        var hooks = StoreChange.Hooks()
        hooks.freeSpace = { _ in FreeSpace(bytes: 100_000, blockSize: 4096, files: nil) }
        #expect {
            _ = try store.rekey(hooks: hooks)
        } throws: { error in
            if case ChangeError.tooLittleSpace(_, let needed, 100_000) = error { needed > 7 * 4096 } else { false }
        }
        hooks.freeSpace = { _ in FreeSpace(bytes: 1 << 40, blockSize: 4096, files: 5) }
        #expect {
            _ = try store.rekey(hooks: hooks)
        } throws: { error in
            if case ChangeError.tooFewFiles(_, _, 5) = error { true } else { false }
        }
        #expect(FolderListing(store.folder.path) == before)
    }

    @Test("a subfolder that is kept by an earlier change is known, and does not stand in the way of --no-keep")
    func keptInside() throws {
        let store = try ChangedStore()
        _ = store.folder.makeFolder("phone/sophax_messages.before-migrate-2026-10-01")
        store.folder.write("old", to: "phone/sophax_messages.before-migrate-2026-10-01/a.enc")
        let outcome = try store.rekey(keeps: false).outcome
        #expect(outcome.carried.map(\.reason) == [.keptFolder])
        #expect(outcome.isWhole)
    }

    @Test("a store in which a key opens nothing is a wrong key also when the old folder shall go")
    func wrongKeyWithoutKeeping() throws {
        let store = try ChangedStore()
        let before = FolderListing(store.folder.path)
        let change = StoreChange(
            try ChangePlan(.rekey, store.unit()), oldKey: store.newKey, newKey: store.oldKey, keeps: false, workers: 2,
            date: ChangedStore.date)
        #expect(throws: ChangeError.wrongKey) { _ = try change.run(ChangeTurn(for: store.unit())) }
        #expect(FolderListing(store.folder.path) == before)
    }

    @Test("a file beside the attachments that no app names is of the store when the key opens it")
    func foreignName() throws {
        let store = try ChangedStore()
        let name = "sophax_attachments/holiday picture.jpg"
        store.folder.write(try ChangedStore.seal([1, 2, 3]), to: "phone/" + name)
        let outcome = try store.rekey(keeps: false).outcome
        #expect(outcome.isWhole)
        #expect(outcome.resealed.blobs == 2)
        #expect(try ChangedStore.opened(store.folder.file("phone"), [name], store.newKey) == [name: [1, 2, 3]])
    }

    @Test("folders that may not be written, the store's own among them, are no obstacle", arguments: [true, false])
    func readOnlyFolders(keeps: Bool) throws {
        let store = try ChangedStore()
        let folder = store.folder
        _ = folder.makeFolder("phone/sophax_messages.before-migrate-2026-10-01")
        folder.write("old", to: "phone/sophax_messages.before-migrate-2026-10-01/a.enc")
        let inside = folder.file("phone/sophax_messages.before-migrate-2026-10-01")
        for path in [inside, folder.file("phone/sophax_messages"), folder.file("phone")] { chmod(path, 0o500) }
        _ = try store.rekey(keeps: keeps)
        #expect(try store.opens("phone", with: store.newKey))
        for path in [inside, folder.file("phone/sophax_messages"), folder.file("phone")] {
            #expect(FolderListing.permissions(path) == 0o500)
            chmod(path, 0o700)
        }
        if keeps {
            for name in ["", "/sophax_messages", "/sophax_messages.before-migrate-2026-10-01"] {
                chmod(folder.file(store.keptName + name), 0o700)
            }
        }
        #expect(folder.names == ["phone"] + (keeps ? [store.keptName] : []))
    }
}
