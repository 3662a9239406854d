import CryptoPrimitives
import JSONCoding

/// Writes the state of a session: everything but the keys in plain memory, with a gap of 44 letters for each key, then the
/// keys into a copy in guarded memory. So a state of any size takes one guarded block.
struct RatchetStateText {
    private var text: [UInt8] = [UInt8(ascii: "{")]
    private var gaps: [(place: Int, slot: Int)] = []
    /// Where members that were not known go, and which part of their text.
    private var unknownGaps: [(place: Int, part: Range<Int>)] = []
    private let unknownParts: [RatchetSession.UnknownPlace: Range<Int>]
    private var isBehindValue = false

    init(unknownParts: [RatchetSession.UnknownPlace: Range<Int>]) {
        self.unknownParts = unknownParts
    }

    /// The object, keys and members that were not known filled in.
    consuming func finish(
        _ keys: borrowing KeySlots, unknown: borrowing SecretBytes?
    ) throws(SecretMemoryError) -> SecretBytes {
        addUnknown(.state)
        text.append(UInt8(ascii: "}"))
        var state = try SecretBytes(copying: text.span)
        for gap in gaps { keys.writeBase64(gap.slot, into: &state, at: gap.place) }
        switch unknown {
        case .some(let unknown):
            state.withMutableSpan { target in
                unknown.withSpan { source in
                    for gap in unknownGaps {
                        for (offset, index) in gap.part.enumerated() { target[gap.place + offset] = source[index] }
                    }
                }
            }
        case .none: break
        }
        return state
    }

    /// Leaves room for the members of an object that were not known, at its end.
    private mutating func addUnknown(_ place: RatchetSession.UnknownPlace) {
        guard let part = unknownParts[place] else { return }
        unknownGaps.append((text.count, part))
        text += [UInt8](repeating: UInt8(ascii: " "), count: part.count)
    }

    mutating func add(_ key: StaticString, number: UInt32) {
        begin(key)
        text += Array(String(number).utf8)
    }

    mutating func add(_ key: StaticString, publicKey: [UInt8]?) {
        guard let publicKey else { return }
        begin(key)
        addQuoted(Array(Base64.encode(publicKey.span).utf8))
    }

    /// A key as a string.
    mutating func add(_ key: StaticString, slot: Int) {
        begin(key)
        addGap(slot)
    }

    /// A key in its wrapping object.
    mutating func add(_ name: StaticString, wrapped key: RatchetKey, slot: Int) {
        begin(name)
        addWrapped(slot, .key(key))
    }

    /// The skipped keys of v1: object of objects, the header keys as names.
    mutating func addBundles(_ bundles: [SkippedKeys.Bundle]) {
        begin("skippedKeyBundles")
        text.append(UInt8(ascii: "{"))
        for (index, bundle) in bundles.enumerated() {
            if index > 0 { text.append(UInt8(ascii: ",")) }
            if case .headerKey(let slot) = bundle.label { addGap(slot) } else { addQuoted([]) }
            text += Array(":{".utf8)
            for (index, entry) in bundle.entries.enumerated() {
                if index > 0 { text.append(UInt8(ascii: ",")) }
                addQuoted(Array(String(entry.number).utf8))
                text.append(UInt8(ascii: ":"))
                addWrapped(entry.slot, .skipped(slot: entry.slot))
            }
            text.append(UInt8(ascii: "}"))
        }
        text.append(UInt8(ascii: "}"))
    }

    /// The skipped keys of v0: an array in which an object with ratchet key and number comes before each key.
    mutating func addFlat(_ bundles: [SkippedKeys.Bundle]) {
        begin("skippedMessageKeys")
        text.append(UInt8(ascii: "["))
        var isFirst = true
        for bundle in bundles {
            guard case .ratchetKey(let ratchetKey) = bundle.label else { continue }
            for entry in bundle.entries {
                if !isFirst { text.append(UInt8(ascii: ",")) }
                isFirst = false
                var name = JSONObjectText()
                name.add("ratchetKeyData", data: ratchetKey)
                name.add("messageNumber", integer: entry.number)
                text += name.finished
                text.append(UInt8(ascii: ","))
                addWrapped(entry.slot, .skipped(slot: entry.slot))
            }
        }
        text.append(UInt8(ascii: "]"))
    }

    private mutating func begin(_ key: StaticString) {
        if isBehindValue { text.append(UInt8(ascii: ",")) }
        isBehindValue = true
        addQuoted(key.bytes)
        text.append(UInt8(ascii: ":"))
    }

    private mutating func addWrapped(_ slot: Int, _ place: RatchetSession.UnknownPlace) {
        text += Self.wrapping
        addGap(slot)
        addUnknown(place)
        text.append(UInt8(ascii: "}"))
    }

    private static let wrapping = Array("{\"rawData\":".utf8)
    private static let gap = [UInt8](repeating: UInt8(ascii: "A"), count: KeyEncoding.textLength)

    private mutating func addGap(_ slot: Int) {
        gaps.append((text.count + 1, slot))
        addQuoted(Self.gap)
    }

    /// Letters that need no escape.
    private mutating func addQuoted(_ letters: [UInt8]) {
        text.append(UInt8(ascii: "\""))
        text += letters
        text.append(UInt8(ascii: "\""))
    }
}

extension RatchetSession {
    /// The state as the app's JSON, for `SessionBlob.seal` and a keychain item; the same session always gives the same
    /// text. Members that were not known when it was read are in it, those of the objects around keys too.
    ///
    /// A v0 session is written in its own form, which no app since reads.
    /// - Throws: only where there is no guarded memory.
    public func state() throws(SecretMemoryError) -> SecretBytes {
        var text = RatchetStateText(unknownParts: unknownParts)
        text.add("sendingRatchetPrivateKey", slot: slot(.ratchetPrivate))
        text.add("sendingRatchetPublicKey", publicKey: numbers.ownKey)
        text.add("receivingRatchetPublicKey", publicKey: numbers.remoteKey)
        for (name, key) in RatchetStateFields.wrapped where numbers.keys.contains(key) {
            text.add(name, wrapped: key, slot: slot(key))
        }
        text.add("sendMessageCount", number: numbers.sending)
        text.add("receiveMessageCount", number: numbers.receiving)
        text.add("previousSendingChainLength", number: numbers.previousSending)
        switch version {
        case .encryptedHeaders: text.addBundles(skipped.bundles)
        case .plainHeaders: text.addFlat(skipped.bundles)
        }
        return try text.finish(keys, unknown: unknown)
    }
}

/// The names of a state's members.
enum RatchetStateFields {
    static let wrapped: [(StaticString, RatchetKey)] = [
        ("rootKey", .root), ("sendingChainKey", .sendingChain), ("receivingChainKey", .receivingChain),
        ("sendingHeaderKey", .sendingHeader), ("receivingHeaderKey", .receivingHeader),
        ("nextSendingHeaderKey", .nextSendingHeader), ("nextReceivingHeaderKey", .nextReceivingHeader),
    ]

    /// All names of a version.
    static func known(_ version: RatchetVersion) -> [StaticString] {
        let common: [StaticString] = [
            "sendingRatchetPrivateKey", "sendingRatchetPublicKey", "receivingRatchetPublicKey", "sendMessageCount",
            "receiveMessageCount", "previousSendingChainLength",
        ]
        return switch version {
        case .plainHeaders: common + wrapped.prefix(3).map(\.0) + ["skippedMessageKeys"]
        case .encryptedHeaders: common + wrapped.map(\.0) + ["skippedKeyBundles"]
        }
    }
}
