import CryptoPrimitives
import JSONCoding

/// Reads the state of a session as the apps write it, keys straight into the session's block. Format: SophaxChat 4.6.
struct RatchetStateReader: ~Copyable {
    /// A state with 1,000 skipped keys has about 80,000 bytes in v1 and 130,000 in v0; members may be added.
    static let ceiling = 1 << 20

    private let object: JSONObject
    let version: RatchetVersion
    private(set) var keys: KeySlots
    private(set) var skipped: SkippedKeys
    private(set) var numbers = RatchetNumbers(ownKey: [], remoteKey: nil, keys: RatchetKeySet([]))
    private(set) var unknown: SecretBytes?

    private init(_ object: JSONObject, _ keys: consuming KeySlots) {
        self.object = object
        // The one member that each version requires and the other does not have.
        let isFirst = object.has("skippedMessageKeys") && !object.has("skippedKeyBundles")
        version = isFirst ? .plainHeaders : .encryptedHeaders
        skipped = SkippedKeys(slotCount: keys.count)
        self.keys = keys
    }

    static func read(_ state: borrowing SecretBytes) throws(RatchetStateError) -> RatchetStateReader {
        let object: JSONObject
        do throws(FormatError) {
            object = try JSONObject(secret: state, ceiling: ceiling)
        } catch {
            throw .format(error)
        }
        let keys: KeySlots
        do throws(SecretMemoryError) { keys = try KeySlots(count: KeySlots.onePage) } catch { throw .memory(error) }
        var reader = RatchetStateReader(object, keys)
        try reader.format { reader throws(FormatError) in reader.numbers = try reader.readNumbers() }
        try reader.check()
        switch reader.version {
        case .encryptedHeaders: try reader.readBundles()
        case .plainHeaders: try reader.readFlat()
        }
        reader.unknown = try reader.unknownMembers()
        return reader
    }

    /// What the apps check of the counters, and that the ratchet pair is one.
    private func check() throws(RatchetStateError) {
        for (count, field) in [
            (numbers.sending, "sendMessageCount"), (numbers.receiving, "receiveMessageCount"),
            (numbers.previousSending, "previousSendingChainLength"),
        ] where count == RatchetNumbers.counterEnd {
            throw .counterExhausted(field: field)
        }
        let publicKey: [UInt8]
        do throws(KeyAgreementError) {
            publicKey = try keys.publicKey(of: RatchetKey.ratchetPrivate.rawValue)
        } catch {
            throw .keyPairMismatch
        }
        guard publicKey == numbers.ownKey else { throw .keyPairMismatch }
    }
}

// MARK: - Members

extension RatchetStateReader {
    private mutating func readNumbers() throws(FormatError) -> RatchetNumbers {
        let own = try object.required("sendingRatchetPublicKey", object.data("sendingRatchetPublicKey", length: 32))
        let remote = try object.data("receivingRatchetPublicKey", length: 32)
        let sending = try object.required("sendMessageCount", object.uint32("sendMessageCount"))
        let receiving = try object.required("receiveMessageCount", object.uint32("receiveMessageCount"))
        let previous = try object.required(
            "previousSendingChainLength", object.uint32("previousSendingChainLength"))
        let privateKey = try object.required(
            "sendingRatchetPrivateKey", object.value("sendingRatchetPrivateKey", .string))
        try setKey(RatchetKey.ratchetPrivate.rawValue, privateKey.value, "sendingRatchetPrivateKey")
        var present = RatchetKeySet([.ratchetPrivate])
        for (name, key) in RatchetStateFields.wrapped.prefix(version == .plainHeaders ? 3 : 7) {
            guard let member = try object.value(name, .object) else { continue }
            try setWrapped(key.rawValue, member.value, name.description)
            present.insert(key)
        }
        guard present.contains(.root) else { throw object.problem("rootKey", .missing) }
        return RatchetNumbers(
            ownKey: own, remoteKey: remote, keys: present, sending: sending, receiving: receiving,
            previousSending: previous)
    }

    /// Reads the base64 in `content`, between the quotes.
    private mutating func setKey(_ slot: Int, _ content: Range<Int>, _ name: String) throws(FormatError) {
        let result = object.buffer.withSpan { text in keys.set(slot, toBase64: text.extracting(content)) }
        switch result {
        case .key: return
        case .notBase64: throw .field(name, .notBase64)
        case .wrongLength(let found): throw .field(name, .wrongLength(expected: KeySlots.keyLength, found: found))
        }
    }

    /// Reads `{"rawData": base64}`; what else stands in it is passed over, as the apps do it.
    private mutating func setWrapped(_ slot: Int, _ value: Range<Int>, _ name: String) throws(FormatError) {
        var found: [Range<Int>] = []
        object.buffer.withSpan { text in
            _ = KeyObject.forEach(in: text, value) { key, value in
                if KeyObject.isEqual(text, key, Self.rawData) { found.append(value) }
            }
        }
        guard let first = found.first else { throw .field(name + ".rawData", .missing) }
        guard found.count == 1 else { throw .field(name + ".rawData", .repeated) }
        guard let content = object.buffer.withSpan({ text in KeyObject.content(text, first) }) else {
            throw .field(name + ".rawData", .wrongType)
        }
        try setKey(slot, content, name + ".rawData")
    }

    private static let rawData = Array("rawData".utf8)

    /// Everything else in the text, with a comma before each member; nil when there is nothing.
    private func unknownMembers() throws(RatchetStateError) -> SecretBytes? {
        let known = RatchetStateFields.known(version).map(\.bytes)
        let members: [JSONMember]
        do throws(FormatError) {
            members = try object.entries(limit: JSONMembers.maximumMembers)
        } catch {
            throw .format(error)
        }
        var names: [[UInt8]] = []
        var values: [Range<Int>] = []
        for member in members where !known.contains(member.key) {
            var name: [UInt8] = [UInt8(ascii: ",")]
            JSONText.appendQuoted(member.key, to: &name)
            name.append(UInt8(ascii: ":"))
            names.append(name)
            let quotes = member.kind == .string ? 1 : 0
            values.append(member.value.lowerBound - quotes..<member.value.upperBound + quotes)
        }
        guard !names.isEmpty else { return nil }
        do throws(SecretMemoryError) {
            let length = names.reduce(0) { $0 + $1.count } + values.reduce(0) { $0 + $1.count }
            var kept = try SecretBytes(count: length)
            kept.withMutableSpan { target in
                object.buffer.withSpan { text in
                    var place = 0
                    for (name, value) in zip(names, values) {
                        for byte in name {
                            target[place] = byte
                            place += 1
                        }
                        for index in value {
                            target[place] = text[index]
                            place += 1
                        }
                    }
                }
            }
            return kept
        } catch {
            throw .memory(error)
        }
    }
}

// MARK: - Skipped keys

extension RatchetStateReader {
    private mutating func takeSlot() throws(RatchetStateError) -> Int {
        if let slot = skipped.take() { return slot }
        let old = keys.count
        do throws(SecretMemoryError) { try keys.grow(to: 2 * old) } catch { throw .memory(error) }
        skipped.addFree(old..<keys.count)
        return skipped.take() ?? old
    }

    /// v1: an object by header key of objects by number.
    private mutating func readBundles() throws(RatchetStateError) {
        let name = "skippedKeyBundles"
        let member: JSONMember
        do throws(FormatError) {
            member = try object.required("skippedKeyBundles", object.value("skippedKeyBundles", .object))
        } catch {
            throw .format(error)
        }
        for (key, value) in members(member.value) {
            guard skipped.bundles.count < SkippedKeys.maximumBundles else {
                throw .tooManyBundles(limit: SkippedKeys.maximumBundles)
            }
            var label = SkippedKeys.Label.none
            if !key.isEmpty {
                let slot = try takeSlot()
                try format { reader throws(FormatError) in try reader.setKey(slot, key, name) }
                label = .headerKey(slot: slot)
            }
            for bundle in skipped.bundles where isSame(bundle.label, label) {
                throw .format(.field(name, .repeated))
            }
            let bundle = skipped.addBundle(label)
            for (key, value) in members(value) {
                guard let number = object.buffer.withSpan({ text in KeyObject.number(text, key) }) else {
                    throw .format(.field(name, .outOfRange))
                }
                try add(number, value, to: bundle, name)
            }
        }
    }

    private func isSame(_ left: SkippedKeys.Label, _ right: SkippedKeys.Label) -> Bool {
        guard case .headerKey(let left) = left, case .headerKey(let right) = right else { return left == right }
        return keys.areEqual(left, right)
    }

    /// v0: an array in which names and keys take turns.
    private mutating func readFlat() throws(RatchetStateError) {
        let name = "skippedMessageKeys"
        let pairs: [JSONMember]
        do throws(FormatError) {
            pairs = try object.required(
                "skippedMessageKeys",
                object.elements("skippedMessageKeys", of: .object, limit: 2 * SkippedKeys.maximumKeys + 2))
        } catch {
            throw .format(error)
        }
        guard pairs.count <= 2 * SkippedKeys.maximumKeys else {
            throw .tooManySkippedKeys(limit: SkippedKeys.maximumKeys)
        }
        guard pairs.count.isMultiple(of: 2) else { throw .format(.field(name, .missing)) }
        for index in stride(from: 0, to: pairs.count, by: 2) {
            let ratchetKey: [UInt8]
            let number: UInt32
            do throws(FormatError) {
                let label = try object.object(pairs[index], name)
                ratchetKey = try label.required("ratchetKeyData", label.data("ratchetKeyData", length: 32))
                number = try label.required("messageNumber", label.uint32("messageNumber"))
            } catch {
                throw .format(error)
            }
            let label = SkippedKeys.Label.ratchetKey(ratchetKey)
            let bundle = skipped.bundles.firstIndex { $0.label == label } ?? skipped.addBundle(label)
            try add(number, pairs[index + 1].value, to: bundle, name)
        }
    }

    private mutating func add(
        _ number: UInt32, _ value: Range<Int>, to bundle: Int, _ name: String
    ) throws(RatchetStateError) {
        guard skipped.count < SkippedKeys.maximumKeys else {
            throw .tooManySkippedKeys(limit: SkippedKeys.maximumKeys)
        }
        let slot = try takeSlot()
        try format { reader throws(FormatError) in try reader.setWrapped(slot, value, name) }
        guard skipped.add(.init(number: number, slot: slot), to: bundle) else {
            throw .format(.field(name, .repeated))
        }
    }

    /// The members of an object within the text, as ranges.
    private func members(_ range: Range<Int>) -> [(key: Range<Int>, value: Range<Int>)] {
        var members: [(Range<Int>, Range<Int>)] = []
        object.buffer.withSpan { text in
            _ = KeyObject.forEach(in: text, range) { key, value in members.append((key, value)) }
        }
        return members
    }

    private mutating func format(
        _ body: (inout RatchetStateReader) throws(FormatError) -> Void
    ) throws(RatchetStateError) {
        do throws(FormatError) { try body(&self) } catch { throw .format(error) }
    }
}

extension RatchetSession {
    /// Reads the JSON of a session's state, v1 or v0.
    ///
    /// As strict as the apps: see `RatchetStateError`. Members that are not known are kept for `state()`.
    public init(state: borrowing SecretBytes) throws(RatchetStateError) {
        let reader = try RatchetStateReader.read(state)
        self.init(
            version: reader.version, keys: reader.keys, numbers: reader.numbers, skipped: reader.skipped,
            unknown: reader.unknown)
    }
}
