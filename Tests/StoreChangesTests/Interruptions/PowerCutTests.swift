import SystemIO
import TestSupport
import Testing

/// The power goes while `store rekey` runs.
@Suite("a rekey that loses its power")
struct PowerCutTests {
    /// ext4, where the whole file system is synced at once, and one that is not known, where each file is.
    private static let fileSystems = [0xEF53, 0x7777]

    /// - Parameter disturbed: an app writes into the store right before the exchange, which is taken back.
    private func record(_ scene: RekeyScene, fileSystem: Int, disturbed: Bool) throws -> TreeLog {
        let folder = TemporaryFolder()
        var options = ["log=" + folder.file("log"), "kind=\(fileSystem)"]
        if disturbed { options.append("disturb=phone/sophax_messages/late.tmp") }
        let run = scene.probe(scene.path, options)
        #expect(run.status == (disturbed ? 1 : scene.usualStatus), "\(run.errorText)")
        return try TreeLog(try #require(fileBytes(folder.file("log"))))
    }

    /// What happened in a campaign.
    private struct Outcome {
        var cuts = 0
        var atRisk = 0
        var failures: [String] = []
    }

    /// Cuts at operations spread over the run, and looks at each disk, before and after another run.
    private func cut(
        _ scene: RekeyScene, _ count: Int, fileSystem: Int = 0xEF53, ignoring: Set<TreeLog.Kind> = [],
        disturbed: Bool = false, seed: UInt64
    ) throws -> Outcome {
        let start = TemporaryFolder()
        TreeNames.copy(scene.path, to: start.file("a"))
        // The inodes of the log are those of the scene, so the tree is read before the run changes it.
        var tree = SimulatedTree(scene.path, ignoring: ignoring)
        let log = try record(scene, fileSystem: fileSystem, disturbed: disturbed)
        var random = SeededNumbers(seed)
        let total = log.operations.count
        // Taking an exchange back is all at the end.
        let first = disturbed ? (log.operations.firstIndex { $0.kind == .exchange && !$0.text.hasPrefix(".") } ?? 0) : 0
        let places = (0..<count).map { _ in Int.random(in: first...total, using: &random) }.sorted()
        var outcome = Outcome()
        var done = 0
        for (number, place) in places.enumerated() {
            while done < place {
                tree.apply(log.operations[done])
                done += 1
            }
            let manner = SimulatedTree.Manner.allCases[number % SimulatedTree.Manner.allCases.count]
            let folder = TemporaryFolder()
            let root = folder.file("a")
            tree.write(to: root, after: manner, &random)
            outcome.cuts += 1
            if tree.atRisk > 0 { outcome.atRisk += 1 }
            do {
                try scene.checkNothingLost(root)
                let second = scene.probe(root)
                guard [0, scene.usualStatus].contains(second.status) else { throw Failure(text: second.errorText) }
                try scene.checkDone(root, interrupted: true)
            } catch {
                outcome.failures.append("cut before operation \(place) of \(total), \(manner): \(error)")
            }
        }
        return outcome
    }

    @Test(
        "a key at hand opens everything under the name, and a second run completes",
        arguments: RekeyScene.KeyPlace.allCases, [true, false])
    func cuts(place: RekeyScene.KeyPlace, keeps: Bool) throws {
        for fileSystem in Self.fileSystems {
            let scene = try RekeyScene(place, keeps: keeps)
            let outcome = try cut(
                scene, LongTests.areWanted ? 300 : 4, fileSystem: fileSystem, seed: UInt64(fileSystem))
            #expect(outcome.failures == [])
            #expect(outcome.atRisk > 0)
            report(
                "power cuts of rekey (\(place), \(keeps ? "keeping" : "not keeping"), "
                    + "\(fileSystem == 0xEF53 ? "one sync" : "each file")): \(outcome.cuts), \(outcome.atRisk) with something to lose"
            )
        }
    }

    @Test("a new key that somebody else has just written is on the disk before the exchange")
    func givenKey() throws {
        let scene = try RekeyScene(.given, keeps: false)
        let key = try #require(try? fileStatus(at: FilePath(scene.path + "/given.key"))).identity.inode
        let folder = try #require(try? fileStatus(at: FilePath(scene.path))).identity.inode
        let operations = try record(scene, fileSystem: 0x7777, disturbed: false).operations
        let exchange = try #require(operations.firstIndex { $0.kind == .exchange && !$0.text.hasPrefix(".") })
        let sync = try #require(operations[..<exchange].firstIndex { $0.kind == .sync && $0.inode == key })
        #expect(operations[sync..<exchange].contains { $0.kind == .syncFolder && $0.inode == folder })
    }

    @Test("also while an exchange is taken back, because an app wrote into the store at the last moment")
    func takenBack() throws {
        for fileSystem in Self.fileSystems {
            let scene = try RekeyScene(.given, keeps: true)
            let outcome = try cut(
                scene, LongTests.areWanted ? 300 : 30, fileSystem: fileSystem, disturbed: true, seed: 11)
            #expect(outcome.failures == [])
            #expect(outcome.atRisk > 0)
        }
    }

    @Test(
        "with syncs that do nothing it loses the store, so the cuts would find it",
        arguments: [[TreeLog.Kind.syncAll, .sync, .syncFolder], [.syncFolder], [.syncAll]])
    func withoutSyncs(ignored: [TreeLog.Kind]) throws {
        let scene = try RekeyScene(.given, keeps: false)
        let outcome = try cut(scene, LongTests.areWanted ? 100 : 24, ignoring: Set(ignored), seed: 5)
        #expect(outcome.failures.count > 2, "only \(outcome.failures.count) of \(outcome.cuts) cuts did harm")
    }
}
