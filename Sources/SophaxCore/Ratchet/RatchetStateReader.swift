import CryptoPrimitives
import JSONCoding

/// Reads the state of a session as the apps write it, keys straight into the session's block. Format: SophaxChat 4.6.
///
/// Versions before the limits wrote states with more skipped keys, or of more chains, than later ones read. Such a state may
/// be all that there is to open what was captured, so it is read; the limits hold where keys are added.
struct RatchetStateReader: ~Copyable {
    /// A state with 1,000 skipped keys has about 80,000 bytes in v1 and 130,000 in v0; members may be added. So a state has
    /// 16,000 keys at most.
    static let ceiling = 1 << 20

    /// More elements than an array of v0 can have within `ceiling`, unless they are no keys.
    private static let maximumElements = 20_000

    private let object: JSONObject
    let version: RatchetVersion
    private(set) var keys: KeySlots
    private(set) var skipped: SkippedKeys
    private(set) var numbers = RatchetNumbers(ownKey: [], remoteKey: nil, keys: RatchetKeySet([]))
    private(set) var unknown: SecretBytes?
    private(set) var unknownParts: [RatchetSession.UnknownPlace: Range<Int>] = [:]
    /// Members that are not known, in the text of the state, by where they stand.
    private var unknownMembers: [(place: RatchetSession.UnknownPlace, key: Range<Int>, value: Range<Int>)] = []

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
        try reader.format { reader throws(FormatError) in try reader.findUnknownMembers() }
        do throws(SecretMemoryError) { try reader.keepUnknownMembers() } catch { throw .memory(error) }
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
            try setWrapped(key.rawValue, member.value, name.description, .key(key))
            present.insert(key)
        }
        guard present.contains(.root) else { throw object.problem("rootKey", .missing) }
        // In v0 the chain is told by this key, and its skipped keys are filed under it.
        if version == .plainHeaders, present.contains(.receivingChain), remote == nil {
            throw object.problem("receivingRatchetPublicKey", .missing)
        }
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

    /// Reads `{"rawData": base64}`; what else stands in it is kept for `place`.
    private mutating func setWrapped(
        _ slot: Int, _ value: Range<Int>, _ name: String, _ place: RatchetSession.UnknownPlace
    ) throws(FormatError) {
        var found: [Range<Int>] = []
        for (key, value) in try members(value, name) {
            if object.buffer.withSpan({ text in KeyObject.isEqual(text, key, Self.rawData) }) {
                found.append(value)
            } else {
                unknownMembers.append((place, key, value))
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

    /// Finds the members of the state itself that are not known.
    private mutating func findUnknownMembers() throws(FormatError) {
        let known = RatchetStateFields.known(version).map(\.bytes)
        let isKnown = try object.entries(limit: JSONMembers.maximumMembers).map { known.contains($0.key) }
        // The same members in the same order, as ranges of the text.
        for (index, member) in try members(object.range, "").enumerated() where index < isKnown.count {
            if !isKnown[index] { unknownMembers.append((.state, member.key, member.value)) }
        }
    }

    /// Copies what was not known, with a comma before each member.
    private mutating func keepUnknownMembers() throws(SecretMemoryError) {
        guard !unknownMembers.isEmpty else { return }
        // `,"key":value`
        let length = unknownMembers.reduce(0) { $0 + $1.key.count + $1.value.count + 4 }
        var kept = try SecretBytes(count: length)
        var parts: [RatchetSession.UnknownPlace: Range<Int>] = [:]
        var place = 0
        kept.withMutableSpan { target in
            object.buffer.withSpan { text in
                func put(_ byte: UInt8) {
                    target[place] = byte
                    place += 1
                }
                for member in unknownMembers {
                    let start = parts[member.place]?.lowerBound ?? place
                    put(UInt8(ascii: ","))
                    put(UInt8(ascii: "\""))
                    for index in member.key { put(text[index]) }
                    put(UInt8(ascii: "\""))
                    put(UInt8(ascii: ":"))
                    for index in member.value { put(text[index]) }
                    parts[member.place] = start..<place
                }
            }
        }
        unknown = .some(consume kept)
        unknownParts = parts
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
        for (key, value) in try chains(in: member.value, name) {
            guard skipped.bundles.count < SkippedKeys.maximumReadBundles else {
                throw .format(.field(name, .tooMany(limit: SkippedKeys.maximumReadBundles)))
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
            for (key, value) in try chains(in: value, name) {
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
                object.elements("skippedMessageKeys", of: .object, limit: Self.maximumElements))
        } catch {
            throw .format(error)
        }
        var places: [[UInt8]: Int] = [:]
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
            let bundle = places[ratchetKey] ?? skipped.addBundle(.ratchetKey(ratchetKey))
            places[ratchetKey] = bundle
            try add(number, pairs[index + 1].value, to: bundle, name)
        }
    }

    private mutating func add(
        _ number: UInt32, _ value: Range<Int>, to bundle: Int, _ name: String
    ) throws(RatchetStateError) {
        let slot = try takeSlot()
        try format { reader throws(FormatError) in
            try reader.setWrapped(slot, value, name, .skipped(slot: slot))
        }
        guard skipped.add(.init(number: number, slot: slot), to: bundle) else {
            throw .format(.field(name, .repeated))
        }
    }

    /// The members of an object within the text, as ranges: the content of each key, and the whole of its value.
    private func members(
        _ range: Range<Int>, _ name: String
    ) throws(FormatError) -> [(key: Range<Int>, value: Range<Int>)] {
        var members: [(Range<Int>, Range<Int>)] = []
        let isObject = object.buffer.withSpan { text in
            KeyObject.forEach(in: text, range) { key, value in members.append((key, value)) }
        }
        // Read as an empty one, it would be written back as one: what stands there would be lost.
        guard isObject else { throw .field(name, .wrongType) }
        return members
    }

    private func chains(
        in range: Range<Int>, _ name: String
    ) throws(RatchetStateError) -> [(key: Range<Int>, value: Range<Int>)] {
        do throws(FormatError) { return try members(range, name) } catch { throw .format(error) }
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
    /// As strict as the apps (see `RatchetStateError`) in all but the number of skipped keys: a state of an app before the
    /// limits of 1,000 keys and 50 chains is read, and its `summary` tells that. What is beyond the limits is given up, the
    /// oldest first, when the next key is put aside. Members that are not known are kept for `state()`.
    public init(state: borrowing SecretBytes) throws(RatchetStateError) {
        let reader = try RatchetStateReader.read(state)
        self.init(
            version: reader.version, keys: reader.keys, numbers: reader.numbers, skipped: reader.skipped,
            unknown: reader.unknown, unknownParts: reader.unknownParts)
    }
}
