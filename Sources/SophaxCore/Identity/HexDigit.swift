/// Lower-case hex digits, the only ones that peer ids and fingerprints are written with.
enum HexDigit {
    /// The value 0–15 of an ASCII digit, nil for every other byte (upper case too).
    static func value(_ character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
        default: nil
        }
    }

    /// The ASCII digit of a value 0–15.
    static func character(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + (value & 15) - 10
    }
}
