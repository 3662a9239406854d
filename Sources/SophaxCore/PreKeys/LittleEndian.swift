/// Numbers as the apps dump them from memory: little-endian on every device that they run on. Format: SophaxChat 2.3.
public enum LittleEndian {
    /// The 4 bytes of an id.
    public static func bytes(of number: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }

    /// The 8 bytes of a double.
    public static func bytes(of number: Double) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: number.bitPattern >> (8 * UInt64($0))) }
    }

    /// An id from its 4 bytes; nil for another length.
    public static func uint32(_ bytes: Span<UInt8>) -> UInt32? {
        guard bytes.count == 4 else { return nil }
        return (0..<4).reduce(0) { $0 | UInt32(bytes[$1]) << (8 * UInt32($1)) }
    }

    /// A double from its 8 bytes; nil for another length.
    public static func double(_ bytes: Span<UInt8>) -> Double? {
        guard bytes.count == 8 else { return nil }
        return Double(bitPattern: (0..<8).reduce(0) { $0 | UInt64(bytes[$1]) << (8 * UInt64($1)) })
    }
}
