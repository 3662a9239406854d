/// A value as SQLite stores it.
///
/// Text is UTF-8 bytes, which may hold NUL bytes and are never compared as `String`: SQLite compares bytes.
package enum SQLiteValue: Hashable, Sendable {
    case null
    case integer(Int64)
    case real(Double)
    case text([UInt8])
    case blob([UInt8])
}

extension SQLiteValue {
    package static func integer(_ number: Int) -> SQLiteValue { .integer(Int64(number)) }

    package static func text(_ text: String) -> SQLiteValue { .text(Array(text.utf8)) }

    /// SQL has no booleans: 1 and 0.
    package static func flag(_ flag: Bool) -> SQLiteValue { .integer(flag ? 1 as Int64 : 0 as Int64) }

    /// The number, NULL for nil.
    package static func integer(orNull number: Int64?) -> SQLiteValue { number.map { .integer($0) } ?? .null }

    /// The number, NULL for nil.
    package static func real(orNull number: Double?) -> SQLiteValue { number.map { .real($0) } ?? .null }

    /// The text, NULL for nil.
    package static func text(orNull bytes: [UInt8]?) -> SQLiteValue { bytes.map { .text($0) } ?? .null }

    /// The bytes, NULL for nil.
    package static func blob(orNull bytes: [UInt8]?) -> SQLiteValue { bytes.map { .blob($0) } ?? .null }
}

extension SQLiteValue: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByStringLiteral,
    ExpressibleByNilLiteral
{
    package init(integerLiteral value: Int64) { self = .integer(value) }
    package init(floatLiteral value: Double) { self = .real(value) }
    package init(stringLiteral value: String) { self = .text(value) }
    package init(nilLiteral: ()) { self = .null }
}
