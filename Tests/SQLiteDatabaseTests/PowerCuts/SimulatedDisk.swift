/// A folder on a disk that may lose its power: what is synced stays; of the rest any part may be there.
///
/// A file's content is lasting after a sync of the file, its name after a sync of the folder. Writes that are not synced
/// are kept, dropped, reordered and torn at a grain of 512 bytes; a size may be there without its bytes; changes of names
/// that are not synced are there up to some point, as file systems keep them in order.
struct SimulatedDisk {
    static let grain = 512

    private enum Change {
        case write(place: Int, bytes: [UInt8])
        case size(Int)
    }

    private struct File {
        var durable: [UInt8] = []
        var pending: [Change] = []
    }

    private enum NameChange {
        case add(String, file: Int)
        case remove(String)
        case move(String, String)
    }

    private var files: [File] = []
    private var fileOfInode: [UInt64: Int] = [:]
    private var names: [String: Int] = [:]
    private var pendingNames: [NameChange] = []
    private let ignoredSyncs: Set<DiskLog.Kind>

    /// - Parameters:
    ///   - start: what was in the folder, all of it lasting: name, inode, content.
    ///   - ignoredSyncs: syncs that do nothing, to show what they are good for.
    init(_ start: [(name: String, inode: UInt64, bytes: [UInt8])], ignoring ignoredSyncs: Set<DiskLog.Kind> = []) {
        self.ignoredSyncs = ignoredSyncs
        for file in start {
            names[file.name] = files.count
            fileOfInode[file.inode] = files.count
            files.append(File(durable: file.bytes))
        }
    }

    mutating func apply(_ operation: DiskLog.Operation) {
        switch operation.kind {
        case .create, .unnamed:
            fileOfInode[operation.inode] = files.count
            if operation.kind == .create { pendingNames.append(.add(operation.text, file: files.count)) }
            files.append(File())
        case .write:
            guard let file = fileOfInode[operation.inode] else { return }
            files[file].pending.append(.write(place: operation.place, bytes: operation.bytes))
        case .truncate:
            guard let file = fileOfInode[operation.inode] else { return }
            files[file].pending.append(.size(operation.place))
        case .sync where !ignoredSyncs.contains(.sync):
            guard let file = fileOfInode[operation.inode] else { return }
            for change in files[file].pending { Self.apply(change, to: &files[file].durable) }
            files[file].pending = []
        case .syncFolder where !ignoredSyncs.contains(.syncFolder):
            for change in pendingNames { Self.apply(change, to: &names) }
            pendingNames = []
        case .link:
            guard let file = fileOfInode[operation.inode] else { return }
            pendingNames.append(.add(operation.text, file: file))
        case .unlink:
            pendingNames.append(.remove(operation.text))
        case .rename:
            let parts = operation.bytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
            pendingNames.append(.move(parts[0], parts[1]))
        case .mark, .sync, .syncFolder: break
        }
    }

    /// Number of changes that a power cut now could touch.
    var atRisk: Int { pendingNames.count + files.reduce(0) { $0 + $1.pending.count } }

    // MARK: - The cut

    /// What a cut may do with the changes that are not synced.
    enum Manner: CaseIterable {
        case nothingWasThere, allWasThere, inOrderUpToOneTorn, someWhole, someSectors
    }

    /// The files after a cut, by name.
    func afterCut(_ manner: Manner, _ random: inout some RandomNumberGenerator) -> [String: [UInt8]] {
        var names = names
        let namesKept =
            switch manner {
            case .nothingWasThere: 0
            case .allWasThere: pendingNames.count
            default: Int.random(in: 0...pendingNames.count, using: &random)
            }
        for change in pendingNames.prefix(namesKept) { Self.apply(change, to: &names) }
        let filler: UInt8? = Int.random(in: 0..<4, using: &random) == 0 ? 0xA5 : nil
        return names.mapValues { Self.content(files[$0], manner, filler, &random) }
    }

    private static func content(
        _ file: File, _ manner: Manner, _ filler: UInt8?, _ random: inout some RandomNumberGenerator
    ) -> [UInt8] {
        var bytes = file.durable
        switch manner {
        case .nothingWasThere: break
        case .allWasThere:
            for change in file.pending { apply(change, to: &bytes) }
        case .inOrderUpToOneTorn:
            let kept = Int.random(in: 0...file.pending.count, using: &random)
            for change in file.pending.prefix(kept) { apply(change, to: &bytes) }
            if kept < file.pending.count { tear(file.pending[kept], &bytes, filler, &random) }
        case .someWhole:
            for change in file.pending where Bool.random(using: &random) {
                apply(change, to: &bytes, filler: filler ?? 0)
            }
        case .someSectors:
            for change in file.pending { tear(change, &bytes, filler, &random) }
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
        case .add(let name, let file): names[name] = file
        case .remove(let name): names[name] = nil
        case .move(let old, let new): names[new] = names.removeValue(forKey: old)
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
