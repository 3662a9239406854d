import Glibc
import TestSupport
import Testing

/// What the disk refuses while `store rekey` runs.
@Suite("a rekey that the disk refuses")
struct FullDiskTests {
    /// Runs it with a failure at one operation after another, and looks at each folder.
    private func eachOperation(
        _ scene: RekeyScene, samples: Int, option: (Int) -> String,
        _ look: (ChildProcess, String, Int) throws -> Void
    ) throws -> Int {
        let whole = TemporaryFolder()
        TreeNames.copy(scene.path, to: whole.file("a"))
        let total = try #require(scene.probe(whole.file("a")).operations)
        let step = LongTests.areWanted ? 1 : max(1, total / samples)
        var times = 0
        for operation in stride(from: 1, through: total, by: step) {
            let folder = TemporaryFolder()
            let root = folder.file("a")
            TreeNames.copy(scene.path, to: root)
            let run = scene.probe(root, [option(operation)])
            times += 1
            do {
                try scene.checkNothingLost(root)
                try look(run, root, operation)
            } catch {
                Issue.record("\(option(operation)): \(error) \(run.errorText)")
            }
        }
        return times
    }

    @Test("full from some moment on: it says so, the store is as it was, and nothing stays beside it")
    func full() throws {
        for place in RekeyScene.KeyPlace.allCases {
            let scene = try RekeyScene(place, keeps: true)
            let before = FolderListing(scene.path + "/phone")
            var failures = 0
            let times = try eachOperation(scene, samples: 6, option: { "fail=\($0):\(ENOSPC)" }) { run, root, _ in
                // Renames and removals need no room: from the exchange on it goes through.
                if run.status == scene.usualStatus { return try scene.checkDone(root) }
                failures += 1
                // The keyring is the last thing that is written: it fails when the store has its new key already.
                let isLate = run.errorText.contains("the store has its new key")
                // Where it cannot make a journal, SQLite tries the file for reading and then says that there is none.
                let words = ["no space", "full", "cannot use the keyring"]
                guard run.status == 1, isLate || words.contains(where: run.errorText.contains)
                else { throw Failure(text: "status \(run.status)") }
                if !isLate {
                    guard FolderListing(root + "/phone") == before else { throw Failure(text: "the store changed") }
                    let names = TreeNames.names(root).filter { $0.contains("sxkey") || $0.contains("before") }
                    guard names.isEmpty else { throw Failure(text: "\(names) is left") }
                }
                let second = scene.probe(root)
                guard [0, scene.usualStatus].contains(second.status) else { throw Failure(text: second.errorText) }
                try scene.checkDone(root, interrupted: true)
            }
            #expect(failures > 2)
            report("full disk (\(place)): \(times) operations, \(failures) failures")
        }
    }

    @Test(
        "one operation that fails, whichever: nothing is lost, and a second run completes",
        arguments: [EIO, EROFS, EACCES])
    func onceEach(code: Int32) throws {
        let scene = try RekeyScene(.given, keeps: false)
        let times = try eachOperation(scene, samples: 4, option: { "once=\($0):\(code)" }) { run, root, _ in
            guard [0, 1].contains(run.status) else { throw Failure(text: "status \(run.status)") }
            let second = scene.probe(root)
            // The first may have done all of it in spite of the failure; then this is the next rekey, and finds the key used.
            guard second.status == 0 || run.status == 0 else { throw Failure(text: second.errorText) }
            try scene.checkDone(root, interrupted: true)
        }
        report("one failing operation (\(code)): \(times)")
    }

    @Test(
        "one rename or removal that is done and fails all the same: the key of what stands under the name is never lost"
    )
    func doneAndFailed() throws {
        for place in RekeyScene.KeyPlace.allCases {
            let scene = try RekeyScene(place, keeps: true)
            // All of them are at the end, and few: the exchange is the one that matters.
            let whole = TemporaryFolder()
            TreeNames.copy(scene.path, to: whole.file("a"))
            let log = TemporaryFolder()
            let run = scene.probe(whole.file("a"), ["log=" + log.file("log")])
            let operations = try TreeLog(try #require(fileBytes(log.file("log")))).operations
                .filter { $0.kind != .mark }
            let total = try #require(run.operations)
            let exchange = try #require(
                operations.lastIndex { $0.kind == .exchange }.map { total - (operations.count - 1 - $0) })
            for operation in max(1, exchange - 3)...min(total, exchange + 8) {
                let folder = TemporaryFolder()
                let root = folder.file("a")
                TreeNames.copy(scene.path, to: root)
                let run = scene.probe(root, ["late=\(operation):\(EIO)"])
                do {
                    try scene.checkNothingLost(root)
                    let second = scene.probe(root)
                    guard [0, scene.usualStatus].contains(second.status) else { throw Failure(text: second.errorText) }
                    try scene.checkDone(root, interrupted: true)
                } catch {
                    Issue.record("\(place), late=\(operation): \(error) \(run.errorText)")
                }
            }
        }
    }

    @Test("a file system that cannot exchange names: a clear error before anything of the store is written")
    func cannotExchange() throws {
        let scene = try RekeyScene(.given, keeps: true)
        let before = FolderListing(scene.path)
        let run = scene.probe(scene.path, ["no-exchange"])
        #expect(run.status == 1)
        #expect(run.errorText.contains("cannot exchange two names in one step; nothing was changed"))
        #expect(FolderListing(scene.path) == before)
    }

    @Test("a small file system that is full: an error that says how much is needed, before anything is written")
    func smallFileSystem() throws {
        let shared = "/dev/shm"
        guard access(shared, W_OK) == 0, ChildProcess.has("unshare") else { return }
        let scene = try RekeyScene(.given, keeps: true)
        let mounted = TemporaryFolder()
        let script = """
            set -e
            mount -t tmpfs -o size=160k none \(mounted.path)
            cp -r \(scene.path) \(mounted.path)/a
            dd if=/dev/zero of=\(mounted.path)/filler bs=1k count=200 2>/dev/null || true
            set +e
            \(ChildProcess.builtProducts)/sxkey store rekey \(mounted.path)/a/phone --key-file \(mounted.path)/a/old.key \
            --new-key-file \(mounted.path)/a/given.key
            echo "status $?"
            ls -A \(mounted.path)/a
            """
        let run = ChildProcess.run(["unshare", "-rm", "sh", "-c", script])
        // Containers may forbid mounts.
        guard run.outputText.contains("status ") else { return }
        #expect(run.outputText.contains("status 1\n"))
        #expect(run.errorText.contains("sxkey: error: no room beside "), "\(run.errorText)")
        #expect(run.outputText.hasSuffix("given.key\nold.key\nphone\n"), "\(run.outputText)")
    }
}
