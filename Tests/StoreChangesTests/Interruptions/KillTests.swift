import TestSupport
import Testing

/// `store rekey` is killed instead of each change that it would make to the disk.
@Suite("a rekey that is killed")
struct KillTests {
    @Test(
        "at any change of the disk: a key at hand opens everything under the name, and a second run completes",
        arguments: RekeyScene.KeyPlace.allCases, [true, false])
    func atEachOperation(place: RekeyScene.KeyPlace, keeps: Bool) throws {
        let scene = try RekeyScene(place, keeps: keeps)
        let whole = TemporaryFolder()
        TreeNames.copy(scene.path, to: whole.file("a"))
        let first = scene.probe(whole.file("a"))
        #expect(first.status == scene.usualStatus, "\(first.errorText)")
        try scene.checkDone(whole.file("a"))
        let total = try #require(first.operations, "\(first.errorText)")
        #expect(total > 50)
        let step = LongTests.areWanted ? 1 : 29
        // A number that divides nothing: each of the six arguments tries other places.
        let begin =
            LongTests.areWanted
            ? 1 : 1 + (RekeyScene.KeyPlace.allCases.firstIndex(of: place) ?? 0) * 5 + (keeps ? 0 : 2)
        var kills = 0
        for operation in stride(from: begin, through: total, by: step) {
            let folder = TemporaryFolder()
            let root = folder.file("a")
            TreeNames.copy(scene.path, to: root)
            let run = scene.probe(root, ["die=\(operation)"])
            #expect(run.status == 137, "\(operation): \(run.errorText)")
            kills += 1
            do {
                try scene.checkNothingLost(root)
                let second = scene.probe(root)
                guard [0, scene.usualStatus].contains(second.status) else { throw Failure(text: second.errorText) }
                try scene.checkDone(root, interrupted: true)
            } catch {
                Issue.record("killed at \(operation) of \(total): \(error)")
            }
        }
        report("kills of rekey (\(place), \(keeps ? "keeping" : "not keeping")): \(kills) of \(total) operations")
    }

    @Test(
        "by a signal that asks: it ends with nothing lost and nothing left, or goes through",
        arguments: [(2, 130), (15, 143)])
    func signal(number: Int, status: Int32) throws {
        let scene = try RekeyScene(.out, keeps: true)
        let before = FolderListing(scene.path)
        let whole = TemporaryFolder()
        TreeNames.copy(scene.path, to: whole.file("a"))
        let total = try #require(scene.probe(whole.file("a")).operations)
        var interrupted = 0
        for operation in stride(from: 1, through: total, by: LongTests.areWanted ? 1 : 15) {
            let folder = TemporaryFolder()
            let root = folder.file("a")
            TreeNames.copy(scene.path, to: root)
            let run = scene.probe(root, ["signal=\(operation):\(number)"])
            if run.status == scene.usualStatus {
                try scene.checkDone(root)
                continue
            }
            interrupted += 1
            #expect(run.status == status, "\(operation): \(run.errorText)")
            #expect(
                run.errorText.hasPrefix(
                    "sxkey: error: interrupted; nothing was lost: the store still opens with the old key\n"
                        + "sxkey: hint: run the same command again to finish\n"), "\(run.errorText)")
            #expect(FolderListing(root) == before, "\(operation)")
            #expect(scene.probe(root).status == scene.usualStatus)
            try scene.checkDone(root, interrupted: true)
        }
        #expect(interrupted > 1)
    }

    @Test("twice, the second time while it cleans up behind the first: the third run completes")
    func twice() throws {
        var random = SeededNumbers(3)
        for round in 0..<(LongTests.areWanted ? 400 : 4) {
            let place = RekeyScene.KeyPlace.allCases[round % 3]
            let scene = try RekeyScene(place, keeps: round % 2 == 0)
            let folder = TemporaryFolder()
            let root = folder.file("a")
            TreeNames.copy(scene.path, to: root)
            _ = scene.probe(root, ["die=\(Int.random(in: 20..<130, using: &random))"])
            _ = scene.probe(root, ["die=\(Int.random(in: 1..<40, using: &random))"])
            do {
                try scene.checkNothingLost(root)
                let third = scene.probe(root)
                guard [0, scene.usualStatus].contains(third.status) else { throw Failure(text: third.errorText) }
                try scene.checkDone(root, interrupted: true)
            } catch {
                Issue.record("round \(round), \(place): \(error)")
            }
        }
    }
}

extension ChildProcess {
    /// What the probe counted.
    var operations: Int? {
        errorText.split(separator: "\n").last { $0.hasPrefix("operations ") }.flatMap { Int($0.dropFirst(11)) }
    }
}

/// Says a number that is worth knowing.
func report(_ text: String) {
    print("  " + text)
}
