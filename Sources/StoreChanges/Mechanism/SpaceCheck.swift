import SystemIO

/// Whether there is room for a new folder beside its name.
struct SpaceCheck {
    let place: ChangePlace
    /// Bytes of each file of the new folder.
    let sizes: [Int]
    /// Folders in it.
    let folders: Int
    let space: @Sendable (FilePath) throws(FileError) -> FreeSpace

    init(plan: ChangePlan, space: @escaping @Sendable (FilePath) throws(FileError) -> FreeSpace) {
        place = plan.unit.place
        sizes = plan.files.map { plan.sizes[$0.target] ?? 0 }
        folders = plan.folders.count
        self.space = space
    }

    init(
        place: ChangePlace, sizes: [Int], space: @escaping @Sendable (FilePath) throws(FileError) -> FreeSpace
    ) {
        self.place = place
        self.sizes = sizes
        // Its own, and those of messages and attachments.
        folders = 3
        self.space = space
    }

    /// Room that is left to others, and to what the file system itself needs for names.
    private static let reserve = 1 << 20

    /// Errors: `.tooLittleSpace`, `.tooFewFiles`, `.file`.
    func check() throws(ChangeError) {
        let free: FreeSpace
        do throws(FileError) { free = try space(place.parent) } catch { throw .file(error) }
        let count = sizes.count + folders + 1
        var needed = Self.reserve
        for size in sizes {
            // A file takes up whole blocks.
            let (blocks, overflow) = size.addingReportingOverflow(free.blockSize - 1)
            let rounded = overflow ? size : blocks / free.blockSize * free.blockSize
            let (sum, full) = needed.addingReportingOverflow(rounded)
            needed = full ? .max : sum
        }
        if needed > free.bytes { throw .tooLittleSpace(place.path, needed: needed, available: free.bytes) }
        if let files = free.files, count > files { throw .tooFewFiles(place.path, needed: count, available: files) }
    }
}
