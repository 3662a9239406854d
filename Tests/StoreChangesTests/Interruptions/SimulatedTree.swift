import Glibc

/// Folders on a disk that may lose its power: what is synced stays; of the rest any part may be there.
///
/// A file's content is lasting after a sync of the file, a name after a sync of its folder, everything after a sync of the
/// file system. Of what is not synced, writes are kept, dropped, reordered and torn at a grain of 512 bytes, a size may be
/// there without its bytes, and of the names in a folder any may have changed, whatever happened in other folders.
struct SimulatedTree {
    static let grain = 512

    private enum Change {
        case write(place: Int, bytes: [UInt8])
        case size(Int)
    }

    private enum NameChange {
        case add(String, Int)
        case remove(String)
        case move(String, String)
        case exchange(String, String)
    }

    private enum Node {
        case file(durable: [UInt8], pending: [Change])
        case folder(durable: [String: Int], pending: [NameChange])
        case link(String)
    }

    /// The first one is the folder itself.
    private var nodes: [Node] = []
    private var nodeOfInode: [UInt64: Int] = [:]
    private let ignoredSyncs: Set<TreeLog.Kind>

    /// - Parameters:
    ///   - path: a folder, all of it lasting.
    ///   - ignoredSyncs: syncs that do nothing, to show what they are good for.
    init(_ path: String, ignoring ignoredSyncs: Set<TreeLog.Kind> = []) {
        self.ignoredSyncs = ignoredSyncs
        _ = add(path)
    }

    private mutating func add(_ path: String) -> Int {
        var status = stat()
        precondition(lstat(path, &status) == 0, "cannot look at \(path)")
        let place = nodes.count
        nodeOfInode[UInt64(status.st_ino)] = place
        switch status.st_mode & S_IFMT {
        case S_IFDIR:
            nodes.append(.folder(durable: [:], pending: []))
            var names: [String: Int] = [:]
            for name in TreeNames.names(path) { names[name] = add(path + "/" + name) }
            nodes[place] = .folder(durable: names, pending: [])
        case S_IFLNK: nodes.append(.link(TreeNames.linkText(path)))
        default: nodes.append(.file(durable: TreeNames.bytes(path), pending: []))
        }
        return place
    }

    mutating func apply(_ operation: TreeLog.Operation) {
        switch operation.kind {
        case .create, .unnamed:
            nodeOfInode[operation.inode] = nodes.count
            if operation.kind == .create { name(.add(operation.text, nodes.count), operation.folder) }
            nodes.append(.file(durable: [], pending: []))
        case .folder:
            nodeOfInode[operation.inode] = nodes.count
            name(.add(operation.text, nodes.count), operation.folder)
            nodes.append(.folder(durable: [:], pending: []))
        case .symlink:
            name(.add(operation.texts[0], nodes.count), operation.folder)
            nodes.append(.link(operation.texts[1]))
        case .write: content(.write(place: operation.place, bytes: operation.bytes), operation.inode)
        case .truncate: content(.size(operation.place), operation.inode)
        case .sync, .syncFolder:
            guard !ignoredSyncs.contains(operation.kind), let node = nodeOfInode[operation.inode] else { return }
            settle(node)
        case .syncAll:
            guard !ignoredSyncs.contains(.syncAll) else { return }
            for node in nodes.indices { settle(node) }
        case .link:
            guard let node = nodeOfInode[operation.inode] else { return }
            name(.add(operation.text, node), operation.folder)
        case .remove: name(.remove(operation.text), operation.folder)
        case .rename:
            precondition(operation.folder == operation.other, "a rename from one folder into another")
            name(.move(operation.texts[0], operation.texts[1]), operation.folder)
        case .exchange:
            precondition(operation.folder == operation.other, "an exchange of two folders' names")
            name(.exchange(operation.texts[0], operation.texts[1]), operation.folder)
        case .status, .mark: break
        }
    }

    private mutating func name(_ change: NameChange, _ inode: UInt64) {
        guard let place = nodeOfInode[inode], case .folder(let durable, var pending) = nodes[place] else { return }
        pending.append(change)
        nodes[place] = .folder(durable: durable, pending: pending)
    }

    private mutating func content(_ change: Change, _ inode: UInt64) {
        guard let place = nodeOfInode[inode], case .file(let durable, var pending) = nodes[place] else { return }
        pending.append(change)
        nodes[place] = .file(durable: durable, pending: pending)
    }

    /// Brings a file's content, or a folder's names, to the disk, as somebody else does who syncs what he writes.
    mutating func settle(inode: UInt64) {
        if let node = nodeOfInode[inode] { settle(node) }
    }

    private mutating func settle(_ place: Int) {
        switch nodes[place] {
        case .file(var durable, let pending):
            for change in pending { Self.apply(change, to: &durable) }
            nodes[place] = .file(durable: durable, pending: [])
        case .folder(var durable, let pending):
            for change in pending { Self.apply(change, to: &durable) }
            nodes[place] = .folder(durable: durable, pending: [])
        case .link: break
        }
    }

    /// Number of changes that a power cut now could touch.
    var atRisk: Int {
        nodes.reduce(0) { sum, node in
            switch node {
            case .file(_, let pending): sum + pending.count
            case .folder(_, let pending): sum + pending.count
            case .link: sum
            }
        }
    }

    // MARK: - The cut

    /// What a cut may do with the changes that are not synced.
    enum Manner: CaseIterable {
        case nothingWasThere, allWasThere, inOrderUpToOneTorn, someWhole, someSectors
    }

    /// Makes the folder as it is after a cut. `path` must be an empty folder.
    func write(to path: String, after manner: Manner, _ random: inout some RandomNumberGenerator) {
        write(0, path, manner, &random)
    }

    private func write(
        _ place: Int, _ path: String, _ manner: Manner, _ random: inout some RandomNumberGenerator
    ) {
        switch nodes[place] {
        case .file(let durable, let pending):
            let filler: UInt8? = Int.random(in: 0..<4, using: &random) == 0 ? 0xA5 : nil
            TreeNames.write(Self.content(durable, pending, manner, filler, &random), to: path)
        case .link(let text): symlink(text, path)
        case .folder(let durable, let pending):
            mkdir(path, 0o700)
            for (name, node) in Self.names(durable, pending, manner, &random).sorted(by: { $0.key < $1.key }) {
                write(node, path + "/" + name, manner, &random)
            }
        }
    }

    private static func names(
        _ durable: [String: Int], _ pending: [NameChange], _ manner: Manner, _ random: inout some RandomNumberGenerator
    ) -> [String: Int] {
        var names = durable
        let kept: [NameChange]
        switch manner {
        case .nothingWasThere: kept = []
        case .allWasThere: kept = pending
        case .inOrderUpToOneTorn: kept = Array(pending.prefix(Int.random(in: 0...pending.count, using: &random)))
        case .someWhole, .someSectors: kept = pending.filter { _ in Bool.random(using: &random) }
        }
        for change in kept { apply(change, to: &names) }
        return names
    }

    private static func content(
        _ durable: [UInt8], _ pending: [Change], _ manner: Manner, _ filler: UInt8?,
        _ random: inout some RandomNumberGenerator
    ) -> [UInt8] {
        var bytes = durable
        switch manner {
        case .nothingWasThere: break
        case .allWasThere:
            for change in pending { apply(change, to: &bytes) }
        case .inOrderUpToOneTorn:
            let kept = Int.random(in: 0...pending.count, using: &random)
            for change in pending.prefix(kept) { apply(change, to: &bytes) }
            if kept < pending.count { tear(pending[kept], &bytes, filler, &random) }
        case .someWhole:
            for change in pending where Bool.random(using: &random) { apply(change, to: &bytes, filler: filler ?? 0) }
        case .someSectors:
            for change in pending { tear(change, &bytes, filler, &random) }
        }
        return bytes
    }

    /// Does a part of a change: of a write, each sector may be there or not, and the size may be without the bytes.
    private static func tear(
        _ change: Change, _ bytes: inout [UInt8], _ filler: UInt8?, _ random: inout some RandomNumberGenerator
    ) {
        switch change {
        case .size:
            if Bool.random(using: &random) { apply(change, to: &bytes, filler: filler ?? 0) }
        case .write(let place, let written):
            let end = place + written.count
            if end > bytes.count, Bool.random(using: &random) { apply(.size(end), to: &bytes, filler: filler ?? 0) }
            var start = place
            while start < end {
                let next = min(end, (start / grain + 1) * grain)
                if Bool.random(using: &random) {
                    let piece = Array(written[(start - place)..<(next - place)])
                    apply(.write(place: start, bytes: piece), to: &bytes, filler: filler ?? 0)
                }
                start = next
            }
        }
    }

    private static func apply(_ change: Change, to bytes: inout [UInt8], filler: UInt8 = 0) {
        switch change {
        case .size(let size):
            if size < bytes.count {
                bytes.removeLast(bytes.count - size)
            } else {
                bytes.append(contentsOf: repeatElement(filler, count: size - bytes.count))
            }
        case .write(let place, let written):
            let end = place + written.count
            if end > bytes.count { bytes.append(contentsOf: repeatElement(filler, count: end - bytes.count)) }
            bytes.replaceSubrange(place..<end, with: written)
        }
    }

    private static func apply(_ change: NameChange, to names: inout [String: Int]) {
        switch change {
        case .add(let name, let node): names[name] = node
        case .remove(let name): names[name] = nil
        case .move(let old, let new):
            // Without the change that made the old name there is nothing to move.
            if let node = names.removeValue(forKey: old) { names[new] = node }
        case .exchange(let first, let second):
            if let one = names[first], let other = names[second] {
                names[first] = other
                names[second] = one
            }
        }
    }
}

/// Random numbers that are the same for the same seed, so that a failure can be had again.
struct SeededNumbers: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
