import JSONCoding

/// Reads the members of one object of a wire message, each within its limit, and knows at the end which were not asked for.
///
/// A value above its limit is `.tooLong` or `.tooMany`; all other errors are those of `JSONObject`.
struct WireFields {
    private let source: JSONObject
    private var known: [StaticString] = []

    init(_ object: JSONObject) throws(FormatError) {
        // Every member is looked through for every key, so their number is bounded first; a caller that reads a text of its
        // own has the reader stop there.
        guard object.keys.count <= WireLimits.members else { throw .field("", .tooMany(limit: WireLimits.members)) }
        source = object
    }

    /// The members that nobody asked for, as they stand.
    func rest() -> [JSONField] { source.unknown(besides: known) }

    func has(_ key: StaticString) -> Bool { source.has(key) }

    private func bounded(_ bytes: [UInt8]?, _ key: StaticString, _ limit: Int) throws(FormatError) -> [UInt8]? {
        if let bytes, bytes.count > limit { throw source.problem(key, .tooLong(limit: limit, found: bytes.count)) }
        return bytes
    }

    // MARK: - Texts

    mutating func textIfPresent(_ key: StaticString, _ limit: Int) throws(FormatError) -> [UInt8]? {
        known.append(key)
        return try bounded(source.text(key), key, limit)
    }

    mutating func text(_ key: StaticString, _ limit: Int) throws(FormatError) -> [UInt8] {
        try source.required(key, textIfPresent(key, limit))
    }

    mutating func peerIDIfPresent(_ key: StaticString) throws(FormatError) -> PeerID? {
        try textIfPresent(key, WireLimits.peerIDBytes).map { PeerID(bytes: $0) }
    }

    mutating func peerID(_ key: StaticString) throws(FormatError) -> PeerID {
        try source.required(key, peerIDIfPresent(key))
    }

    /// One of the words that the apps know; their decoder refuses every other one as well.
    mutating func wordIfPresent<Word: RawRepresentable<String>>(_ key: StaticString) throws(FormatError) -> Word? {
        guard let text = try textIfPresent(key, WireLimits.wordBytes) else { return nil }
        guard let word = Word(rawValue: String(decoding: text, as: UTF8.self)), word.rawValue.utf8.elementsEqual(text)
        else { throw source.problem(key, .unknownWord) }
        return word
    }

    mutating func word<Word: RawRepresentable<String>>(_ key: StaticString) throws(FormatError) -> Word {
        try source.required(key, wordIfPresent(key))
    }

    mutating func texts(_ key: StaticString, _ limit: Int, each bytes: Int) throws(FormatError) -> [[UInt8]] {
        known.append(key)
        let texts = try source.required(key, source.texts(key, limit: limit))
        for text in texts where text.count > bytes {
            throw source.problem(key, .tooLong(limit: bytes, found: text.count))
        }
        return texts
    }

    /// Peer ids of the members of a group.
    mutating func members(_ key: StaticString) throws(FormatError) -> [PeerID] {
        try texts(key, WireLimits.groupMembers, each: WireLimits.peerIDBytes).map { PeerID(bytes: $0) }
    }

    // MARK: - Bytes in base64

    mutating func dataIfPresent(_ key: StaticString, _ limit: Int) throws(FormatError) -> [UInt8]? {
        known.append(key)
        return try bounded(source.data(key), key, limit)
    }

    mutating func data(_ key: StaticString, _ limit: Int) throws(FormatError) -> [UInt8] {
        try source.required(key, dataIfPresent(key, limit))
    }

    /// JSON with secrets in it, which stays in guarded memory.
    mutating func handedOutKeyIfPresent(_ key: StaticString, _ limit: Int) throws(FormatError) -> HandedOutKey? {
        known.append(key)
        guard let json = try source.secret(key) else { return nil }
        guard json.count <= limit else { throw source.problem(key, .tooLong(limit: limit, found: json.count)) }
        return HandedOutKey(json)
    }

    /// A public key of 32 bytes.
    mutating func key(_ key: StaticString) throws(FormatError) -> [UInt8] {
        known.append(key)
        return try source.required(key, source.data(key, length: 32))
    }

    // MARK: - Numbers, flags and times

    mutating func integerIfPresent<Number: FixedWidthInteger & UnsignedInteger>(
        _ key: StaticString, highest: Number = .max
    ) throws(FormatError) -> Number? {
        known.append(key)
        return try source.integer(key, highest: UInt64(highest)).map { Number(truncatingIfNeeded: $0) }
    }

    mutating func integer<Number: FixedWidthInteger & UnsignedInteger>(
        _ key: StaticString, highest: Number = .max
    ) throws(FormatError) -> Number {
        try source.required(key, integerIfPresent(key, highest: highest))
    }

    mutating func numberIfPresent(_ key: StaticString) throws(FormatError) -> Double? {
        known.append(key)
        return try source.double(key)
    }

    mutating func flagIfPresent(_ key: StaticString) throws(FormatError) -> Bool? {
        known.append(key)
        return try source.flag(key)
    }

    mutating func flag(_ key: StaticString) throws(FormatError) -> Bool {
        try source.required(key, flagIfPresent(key))
    }

    mutating func dateIfPresent(_ key: StaticString) throws(FormatError) -> WireDate? {
        known.append(key)
        return try source.date(key)
    }

    mutating func date(_ key: StaticString) throws(FormatError) -> WireDate {
        try source.required(key, dateIfPresent(key))
    }

    // MARK: - Objects

    mutating func objectIfPresent<Value>(
        _ key: StaticString, _ read: (JSONObject) throws(FormatError) -> Value
    ) throws(FormatError) -> Value? {
        known.append(key)
        guard let inner = try source.object(key) else { return nil }
        return try read(inner)
    }

    mutating func object<Value>(
        _ key: StaticString, _ read: (JSONObject) throws(FormatError) -> Value
    ) throws(FormatError) -> Value {
        try source.required(key, objectIfPresent(key, read))
    }

    mutating func objects<Value>(
        _ key: StaticString, _ limit: Int, _ read: (JSONObject) throws(FormatError) -> Value
    ) throws(FormatError) -> [Value] {
        known.append(key)
        var values: [Value] = []
        for object in try source.required(key, source.objects(key, limit: limit)) { values.append(try read(object)) }
        return values
    }
}
