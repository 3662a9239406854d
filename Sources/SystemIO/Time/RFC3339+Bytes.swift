extension RFC3339 {
    /// Appends what `format` gives, without a string in between; false, with nothing appended, where that gives nil.
    @discardableResult
    package static func append(unixSeconds: Double, to output: inout [UInt8]) -> Bool {
        guard let date = CivilDate(unixSeconds: unixSeconds) else { return false }
        func digits(_ number: Int, _ width: Int) {
            var divisor = 1
            for _ in 1..<width { divisor *= 10 }
            while divisor > 0 {
                output.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / divisor % 10))
                divisor /= 10
            }
        }
        digits(date.year, 4)
        output.append(UInt8(ascii: "-"))
        digits(date.month, 2)
        output.append(UInt8(ascii: "-"))
        digits(date.day, 2)
        output.append(UInt8(ascii: "T"))
        digits(date.hour, 2)
        output.append(UInt8(ascii: ":"))
        digits(date.minute, 2)
        output.append(UInt8(ascii: ":"))
        digits(date.second, 2)
        if date.microsecond > 0 {
            output.append(UInt8(ascii: "."))
            digits(date.microsecond, 6)
            while output.last == UInt8(ascii: "0") { output.removeLast() }
        }
        output.append(UInt8(ascii: "Z"))
        return true
    }
}
