import Glibc
import TestSupport

/// Power cuts of one scene, in one run or in two after each other.
struct CutCampaign {
    let scene: any InterruptedScene
    /// What fstatfs(2) says: 0xEF53 is ext4, where the whole file system is synced at once.
    var fileSystem = 0xEF53
    /// Syncs that do nothing, to show what they are good for.
    var ignoring: Set<TreeLog.Kind> = []
    /// A file that an app writes, and brings to the disk, right before the exchange, which is then taken back.
    var disturbing: String?
    private var random: SeededNumbers

    private(set) var cuts = 0
    /// Cuts that could touch something.
    private(set) var atRisk = 0
    private(set) var failures: [String] = []

    init(_ scene: any InterruptedScene, seed: UInt64) {
        self.scene = scene
        random = SeededNumbers(seed)
    }

    /// What a run did to the disk.
    private struct Record {
        let operations: [TreeLog.Operation]
        let run: ChildProcess

        /// Index of the step that gives the new folder the name; the end where there is none.
        var publishing: Int {
            operations.firstIndex {
                [.exchange, .rename].contains($0.kind) && $0.text.contains(".sxkey-new-") && !$0.text.hasPrefix(".")
            } ?? operations.count
        }

        /// Index of the first operation behind the tidying up after an earlier run: a change of its own begins.
        var recoveryEnd: Int {
            operations.firstIndex { $0.kind == .write && $0.text.contains("\nstate building\n") } ?? operations.count
        }
    }

    private func record(_ root: String, _ options: [String] = [], disturbed: Bool = false) throws -> Record {
        let folder = TemporaryFolder()
        var words = ["log=" + folder.file("log"), "kind=\(fileSystem)"] + options
        if disturbed, let disturbing { words.append("disturb=" + disturbing) }
        let run = scene.probe(root, words)
        let log = try TreeLog(
            try fileBytes(folder.file("log")) ?? { throw Failure(text: "no log: \(run.errorText)") }())
        return Record(operations: log.operations, run: run)
    }

    /// The disk, and whether the app has written.
    private struct Disk {
        var tree: SimulatedTree
        var hasLate = false
    }

    private func apply(_ operation: TreeLog.Operation, to disk: inout Disk) {
        disk.tree.apply(operation)
        guard operation.kind == .create, let disturbing, disturbing.hasSuffix("/" + operation.text) else { return }
        // It is on the disk, so that only the change could lose it.
        disk.tree.settle(inode: operation.inode)
        disk.tree.settle(inode: operation.folder)
        disk.hasLate = true
    }

    /// What the app wrote is under one of the names that begin with the store's.
    private func checkLate(_ root: String) throws {
        guard let parts = disturbing?.split(separator: "/", maxSplits: 1), parts.count == 2 else { return }
        let found = TreeNames.names(root).contains { name in
            name.hasPrefix(String(parts[0])) && access("\(root)/\(name)/\(parts[1])", F_OK) == 0
        }
        if !found { throw Failure(text: "what the app wrote is lost") }
    }

    // MARK: - One cut

    /// Cuts spread over a run, or over its end only.
    mutating func cutOnce(_ count: Int, onlyEnd: Bool = false) throws {
        try cutOnce { operations, publishing, random in
            let first = onlyEnd ? max(0, publishing - 4) : 0
            return (0..<count).map { _ in Int.random(in: first...operations, using: &random) }
        }
    }

    /// Cuts at every operation from shortly before the step that gives the new folder the name, in every manner.
    mutating func cutEnd() throws {
        try cutOnce { operations, publishing, _ in
            (max(0, publishing - 4)...operations)
                .flatMap { [Int](repeating: $0, count: SimulatedTree.Manner.allCases.count) }
        }
    }

    private mutating func cutOnce(_ choose: (Int, Int, inout SeededNumbers) -> [Int]) throws {
        let folder = TemporaryFolder()
        let root = folder.file("a")
        TreeNames.copy(scene.path, to: root)
        // The inodes of the log are those of this copy.
        var disk = Disk(tree: SimulatedTree(root, ignoring: ignoring))
        let first = try record(root, disturbed: true)
        guard disturbing != nil || scene.goodStatuses.contains(first.run.status) else {
            throw Failure(text: "the first run: \(first.run.errorText)")
        }
        let total = first.operations.count
        var done = 0
        for (number, place) in choose(total, first.publishing, &random).sorted().enumerated() {
            while done < place {
                apply(first.operations[done], to: &disk)
                done += 1
            }
            cut(disk, number) { "cut before operation \(place) of \(total), \($0)" }
        }
    }

    /// Makes the folder as a cut leaves it, and looks at it.
    private mutating func cut(_ disk: Disk, _ number: Int, _ text: (SimulatedTree.Manner) -> String) {
        let manner = SimulatedTree.Manner.allCases[number % SimulatedTree.Manner.allCases.count]
        let folder = TemporaryFolder()
        let root = folder.file("a")
        disk.tree.write(to: root, after: manner, &random)
        cuts += 1
        if disk.tree.atRisk > 0 { atRisk += 1 }
        do {
            if disk.hasLate { try checkLate(root) }
            try scene.checkNextRun(root)
            if disk.hasLate { try checkLate(root) }
        } catch {
            failures.append("\(text(manner)): \(error)")
        }
    }

    // MARK: - Two cuts

    /// How the first of two runs ends.
    enum First {
        case powerCut
        /// Killed: the next run sees all that it did, and a cut then may take any of it that was not synced.
        case killed
    }

    /// The first run ends early, the next one, which tidies up behind it, is cut at several places, and a third one looks.
    ///
    /// - Parameters:
    ///   - rounds: first runs; every other one ends near the step that gives the new folder the name.
    ///   - each: cuts of each second run, most of them while it tidies up.
    ///   - onlyEnd: all first runs end near that step.
    mutating func cutTwice(_ first: First, rounds: Int, each: Int, onlyEnd: Bool = false) throws {
        let folder = TemporaryFolder()
        let whole = folder.file("a")
        TreeNames.copy(scene.path, to: whole)
        var disk = Disk(tree: SimulatedTree(whole))
        let run = try record(whole, disturbed: true)
        let total = run.operations.count
        // Operations that are counted and not in the log, as one that failed, are all before its last ones.
        let offset = (run.run.operations ?? total) - run.operations.count { $0.kind != .mark }
        let near = max(0, run.publishing - 2)...max(0, min(total - 1, run.publishing + 16))
        let places = (0..<rounds).map { round in
            onlyEnd || round % 2 == 0
                ? Int.random(in: near, using: &random) : Int.random(in: 0..<total, using: &random)
        }
        var done = 0
        for place in places.sorted() {
            let second = TemporaryFolder()
            let root = second.file("a")
            let name: String
            switch first {
            case .powerCut:
                while done < place {
                    apply(run.operations[done], to: &disk)
                    done += 1
                }
                let manner = SimulatedTree.Manner.allCases.randomElement(using: &random) ?? .allWasThere
                disk.tree.write(to: root, after: manner, &random)
                name = "cut before \(place) of \(total), \(manner)"
                cutSecond(root, Disk(tree: SimulatedTree(root), hasLate: disk.hasLate), each, name)
            case .killed:
                TreeNames.copy(scene.path, to: root)
                var own = Disk(tree: SimulatedTree(root))
                let killed = try record(root, ["die=\(place + 1 + offset)"], disturbed: true)
                for operation in killed.operations { apply(operation, to: &own) }
                name = "killed before \(place) of \(total)"
                cutSecond(root, own, each, name)
            }
        }
    }

    /// The first run is killed while it builds, and the second is cut at each of the last operations with which it tidies up, in
    /// every manner.
    mutating func cutEndOfTidying() throws {
        let folder = TemporaryFolder()
        let root = folder.file("a")
        TreeNames.copy(scene.path, to: root)
        var disk = Disk(tree: SimulatedTree(root))
        let total = try scene.probeCopy().operations ?? 0
        for operation in try record(root, ["die=\(total / 2)"]).operations { apply(operation, to: &disk) }
        let second = try record(root)
        let end = min(second.operations.count, second.recoveryEnd + 1)
        var done = 0
        for place in max(0, end - 9)...end {
            while done < place {
                disk.tree.apply(second.operations[done])
                done += 1
            }
            for number in SimulatedTree.Manner.allCases.indices {
                cut(disk, number) { "killed, then cut before \(place), tidied up at \(end), \($0)" }
            }
        }
    }

    /// - Parameter disk: that of `root`, with what is not synced yet.
    private mutating func cutSecond(_ root: String, _ disk: Disk, _ each: Int, _ first: String) {
        var disk = disk
        let second: Record
        do {
            if disk.hasLate { try checkLate(root) }
            // Of a copy: to look into a keyring undoes what was interrupted in it, and the record would not have that.
            let copy = TemporaryFolder()
            TreeNames.copy(root, to: copy.file("a"))
            try scene.checkNothingLost(copy.file("a"))
            second = try record(root)
            guard scene.goodStatuses.contains(second.run.status) else {
                throw Failure(text: "status \(second.run.status): \(second.run.errorText)")
            }
        } catch {
            failures.append("\(first): \(error)")
            return
        }
        let total = second.operations.count
        let tidied = min(total, second.recoveryEnd + 2)
        let places = (0..<each).map { number in
            Int.random(in: 0...(number % 4 == 3 ? total : tidied), using: &random)
        }
        var done = 0
        for (number, place) in places.sorted().enumerated() {
            while done < place {
                disk.tree.apply(second.operations[done])
                done += 1
            }
            // Not the same manner at the same place in each round.
            cut(disk, number + cuts / max(1, each)) { manner in
                "\(first), then cut before \(place) of \(total) (tidied up at \(tidied)), \(manner)"
            }
        }
    }
}
