/// Numbers as people read them; ASCII digits whatever the locale.
package enum Quantity {
    /// `48,113`.
    package static func count(_ number: Int) -> String {
        let digits = Array(String(number.magnitude).utf8)
        var text: [UInt8] = number < 0 ? [UInt8(ascii: "-")] : []
        for (place, digit) in digits.enumerated() {
            if place > 0, (digits.count - place) % 3 == 0 { text.append(UInt8(ascii: ",")) }
            text.append(digit)
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// `1 message`, `48,113 messages`; `plural` where an added "s" is not it.
    package static func count(_ number: Int, _ singular: String, _ plural: String? = nil) -> String {
        "\(count(number)) \(number == 1 ? singular : plural ?? singular + "s")"
    }

    /// `209 B`, `41 KB`, `7.9 MB`, `2.1 GB`: powers of 1,000, one digit after the point below ten.
    package static func bytes(_ number: Int) -> String {
        guard number >= 1000 else { return "\(number) B" }
        var value = Double(number)
        for unit in ["KB", "MB", "GB", "TB", "PB"] {
            value /= 1000
            if value < 9.95 { return "\(decimal(value)) \(unit)" }
            if value < 999.5 { return "\(Int(value.rounded())) \(unit)" }
        }
        return "\(Int((value / 1000).rounded())) EB"
    }

    /// `61 %`; 100 % only when it is all.
    package static func percent(_ share: Double) -> String {
        guard share.isFinite else { return "0 %" }
        return "\(Int((min(max(share, 0), 1) * 100).rounded(.down))) %"
    }

    /// `0.3 s`, `42 s`, `3 min 5 s`, `2 h 7 min`, `11 d`.
    package static func duration(_ seconds: Double) -> String {
        guard seconds.isFinite, seconds >= 0, seconds < 1e12 else { return "?" }
        if seconds < 9.95 { return "\(decimal(seconds)) s" }
        let whole = Int(seconds.rounded())
        if whole < 60 { return "\(whole) s" }
        if whole < 3600 { return whole % 60 == 0 ? "\(whole / 60) min" : "\(whole / 60) min \(whole % 60) s" }
        if whole < 172_800 { return "\(whole / 3600) h \(whole / 60 % 60) min" }
        return "\(whole / 86_400) d"
    }

    /// One digit after the point, none of it when that is 0.
    private static func decimal(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
    }
}

extension TerminalText.StringInterpolation {
    /// A number with its digits grouped, with a noun or alone: `\(count: 3, "message")`.
    package mutating func appendInterpolation(count number: Int, _ singular: String? = nil, _ plural: String? = nil) {
        let text = singular.map { Quantity.count(number, $0, plural) } ?? Quantity.count(number)
        appendInterpolation(trusted: text)
    }

    /// A number of bytes.
    package mutating func appendInterpolation(size bytes: Int) {
        appendInterpolation(trusted: Quantity.bytes(bytes))
    }
}
