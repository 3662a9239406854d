import TestSupport
import Testing

/// The power goes while `store rekey` runs.
@Suite("a rekey that loses its power")
struct PowerCutTests {
    /// ext4, where the whole file system is synced at once, and one that is not known, where each file is.
    private static let fileSystems = [0xEF53, 0x7777]

    private func record(_ scene: RekeyScene, fileSystem: Int) throws -> TreeLog {
        let folder = TemporaryFolder()
        let run = scene.probe(scene.path, ["log=" + folder.file("log"), "kind=\(fileSystem)"])
        #expect(run.status == scene.usualStatus, "\(run.errorText)")
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
        _ scene: RekeyScene, _ count: Int, fileSystem: Int = 0xEF53, ignoring: Set<TreeLog.Kind> = [], seed: UInt64
    ) throws -> Outcome {
        let start = TemporaryFolder()
        TreeNames.copy(scene.path, to: start.file("a"))
        // The inodes of the log are those of the scene, so the tree is read before the run changes it.
        var tree = SimulatedTree(scene.path, ignoring: ignoring)
        let log = try record(scene, fileSystem: fileSystem)
        var random = SeededNumbers(seed)
        let total = log.operations.count
        let places = (0..<count).map { _ in Int.random(in: 0...total, using: &random) }.sorted()
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
                try scene.checkDone(root)
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

    @Test(
        "with syncs that do nothing it loses the store, so the cuts would find it",
        arguments: [[TreeLog.Kind.syncAll, .sync, .syncFolder], [.syncFolder], [.syncAll]])
    func withoutSyncs(ignored: [TreeLog.Kind]) throws {
        let scene = try RekeyScene(.given, keeps: false)
        let outcome = try cut(scene, LongTests.areWanted ? 100 : 24, ignoring: Set(ignored), seed: 5)
        #expect(outcome.failures.count > 2, "only \(outcome.failures.count) of \(outcome.cuts) cuts did harm")
    }
}
