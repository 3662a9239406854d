/// Where something is mounted, as this process sees it (proc_pid_mountinfo(5)).
package enum MountPoints {
    private static let sizeLimit = 4 << 20

    /// From the root; none where the kernel does not tell.
    package static func all() -> [FilePath] {
        guard var input = try? InputFile(opening: "/proc/self/mountinfo"),
            let bytes = try? input.readAll(limit: sizeLimit)
        else { return [] }
        return parse(bytes)
    }

    /// The fifth field of each line; space, tab, line feed and backslash stand there as three octal digits.
    static func parse(_ bytes: [UInt8]) -> [FilePath] {
        bytes.split(separator: UInt8(ascii: "\n")).compactMap { line in
            let fields = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
            return fields.count > 4 ? FilePath(bytes: unescaped(fields[4])) : nil
        }
    }

    private static func unescaped(_ field: ArraySlice<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        var rest = field
        while let byte = rest.popFirst() {
            let digits = rest.prefix(3).map { Int($0) - 0x30 }
            if byte == UInt8(ascii: "\\"), digits.count == 3, digits.allSatisfy({ (0...7).contains($0) }) {
                result.append(UInt8(truncatingIfNeeded: digits[0] << 6 | digits[1] << 3 | digits[2]))
                rest = rest.dropFirst(3)
            } else {
                result.append(byte)
            }
        }
        return result
    }
}
