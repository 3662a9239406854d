import CryptoPrimitives
import JSONCoding

/// A time in a wire message, in the form in which its app writes it, so that it is written again as it was read.
///
/// iOS writes a number, seconds since 2001-01-01T00:00:00Z; Android writes text. Format: SophaxChat 2.1 and 8.8.
public struct WireDate: Hashable, Sendable {
    /// Seconds since 2001-01-01T00:00:00Z, finite.
    public let secondsSince2001: Double

    /// The text that Android wrote; nil for the number of iOS.
    public let text: [UInt8]?

    /// A time as iOS writes it; nil unless the number is finite.
    public init?(secondsSince2001: Double) {
        guard secondsSince2001.isFinite else { return nil }
        self.init(secondsSince2001: secondsSince2001, text: nil)
    }

    /// A time as Android writes it, `2026-11-30T01:33:41+0000`: whole seconds, the fraction cut off. Nil outside the years
    /// 1…9999.
    public init?(androidSecondsSince2001 seconds: Double) {
        guard let time = WireTime.text(secondsSince2001: seconds) else { return nil }
        self.init(
            secondsSince2001: seconds.rounded(.down), text: time + Array(WireMessage.TimeSuffix.android.rawValue.utf8))
    }

    init(secondsSince2001: Double, text: [UInt8]?) {
        self.secondsSince2001 = secondsSince2001
        self.text = text
    }

    /// Which app writes times so.
    public var platform: PreKeyBundle.Platform { text == nil ? .ios : .android }

    /// Seconds since 1970, for people and for comparing with a clock.
    public var unixSeconds: Double { secondsSince2001 + PreKeyBundle.epoch2001 }
}

extension JSONObject {
    /// A time in the form of either platform.
    package func date(_ key: StaticString) throws(FormatError) -> WireDate? {
        guard let seconds = try time(key) else { return nil }
        return WireDate(secondsSince2001: seconds, text: kind(of: key) == .string ? try text(key) : nil)
    }
}

extension JSONObjectText {
    package mutating func add(_ key: StaticString, date: WireDate?) {
        guard let date else { return }
        if let text = date.text { add(key, text: text) } else { add(key, number: date.secondsSince2001) }
    }
}

extension SecretObjectText {
    mutating func add(_ key: StaticString, date: WireDate?) throws(SecretMemoryError) {
        guard let date else { return }
        if let text = date.text {
            try add(key, text: text)
        } else {
            try add(key, number: date.secondsSince2001)
        }
    }
}
