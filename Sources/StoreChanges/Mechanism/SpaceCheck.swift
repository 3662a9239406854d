import SystemIO

/// Whether there is room for the new folder beside the old one.
struct SpaceCheck {
    let plan: ChangePlan
    let space: @Sendable (FilePath) throws(FileError) -> FreeSpace

    /// Room that is left to others, and to what the file system itself needs for names.
    private static let reserve = 1 << 20

    /// Errors: `.tooLittleSpace`, `.tooFewFiles`, `.file`.
    func check() throws(ChangeError) {
        let place = plan.unit.place
        let free: FreeSpace
        do throws(FileError) { free = try space(place.parent) } catch { throw .file(error) }
        let count = plan.files.count + plan.folders.count + 1
        var needed = Self.reserve
        for size in plan.sizes.values {
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
