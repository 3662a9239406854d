import CryptoPrimitives
import JSONCoding

// MARK: - Reading

extension IdentityShare {
    /// The most shares in one list, and the longest text of one.
    package static let maximumShares = 10_000
    package static let maximumListText = 8 << 20

    /// Reads the JSON of one share, an app's or sxkey's.
    package static func read(_ text: borrowing SecretBytes) throws(IdentityShareError) -> IdentityShare {
        let object: JSONObject
        do throws(FormatError) { object = try JSONObject(secret: text, ceiling: maximumText) } catch {
            throw .format(error)
        }
        return try read(object)
    }

    /// What an array of shares has.
    package struct List: Sendable {
        package var shares: [IdentityShare] = []
        /// Elements that are no shares: place, counted from 0, and why.
        package var faults: [(place: Int, error: IdentityShareError)] = []
    }

    /// Reads an array of shares, such as the item `sss.shares` holds. They are shares of several people, so one that cannot be
    /// read is no reason to lose the others; when none can, the error is that of the first.
    package static func readList(_ text: borrowing SecretBytes) throws(IdentityShareError) -> List {
        guard text.count <= maximumListText else {
            throw .format(.tooLarge(found: text.count, ceiling: maximumListText))
        }
        let buffer: PlaintextBuffer
        do throws(SecretMemoryError) { buffer = try PlaintextBuffer(secretCopyOf: text) } catch { throw .memory(error) }
        let elements: [JSONMember]
        do throws(JSONMembers.Failure) {
            elements = try JSONMembers(strictArray: buffer, 0..<buffer.count, limit: maximumShares).members
        } catch {
            throw .format(FormatError(error))
        }
        var list = List()
        for (place, element) in elements.enumerated() {
            do throws(IdentityShareError) {
                list.shares.append(try read(element, at: place, in: buffer))
            } catch {
                if case .memory = error { throw error }
                list.faults.append((place, error))
            }
        }
        if list.shares.isEmpty, let first = list.faults.first { throw first.error }
        return list
    }

    private static func read(
        _ element: JSONMember, at place: Int, in buffer: PlaintextBuffer
    ) throws(IdentityShareError) -> IdentityShare {
        guard element.kind == .object else { throw .format(.field("[\(place)]", .wrongType)) }
        let object: JSONObject
        do throws(FormatError) { object = try JSONObject(buffer, element.value, path: "[\(place)].") } catch {
            throw .format(error)
        }
        return try read(object)
    }

    static func read(_ object: JSONObject) throws(IdentityShareError) -> IdentityShare {
        let share: IdentityShare
        var (newer, check): (UInt64?, [UInt8]?)
        do throws(FormatError) {
            let note = try object.object("sxkey")
            var owner: Owner?
            if let note {
                let version = try Self.version(of: note)
                if version > Self.version { newer = version } else { (owner, check) = try Self.owner(in: note) }
            }
            try Self.checkNoDamagedNote(in: object)
            share = try parts(of: object, owner)
        } catch {
            throw .format(error)
        }
        if let newer { throw .newerVersion(found: newer) }
        guard share.threshold >= 2, share.threshold <= share.total, (1...share.total).contains(share.index) else {
            throw .numbers(threshold: share.threshold, total: share.total, index: share.index)
        }
        if let check {
            guard share.check == check else { throw .changed }
        }
        return share
    }

    /// Refuses a member that has what sxkey adds under another name: its own name was damaged, and without it nothing would be
    /// checked. Other members are an app's, which may add some in time.
    static func checkNoDamagedNote(in object: JSONObject) throws(FormatError) {
        if let key = object.objectKeys(besides: ["sxkey"], with: ["version", "check"]).first {
            throw .field(String(decoding: key, as: UTF8.self), .unknownWord)
        }
    }

    /// The version of what sxkey added, 1 at the least.
    static func version(of note: JSONObject) throws(FormatError) -> UInt64 {
        let version = try note.required("version", note.integer("version", highest: UInt64(UInt32.max)))
        guard version > 0 else { throw note.problem("version", .outOfRange) }
        return version
    }

    private static func parts(of object: JSONObject, _ owner: Owner?) throws(FormatError) -> IdentityShare {
        let id = try object.required("id", object.text("id"))
        guard id.count <= maximumID else {
            throw object.problem("id", .tooLong(limit: maximumID, found: id.count))
        }
        let data = try object.required("data", object.secret("data"))
        guard (1...maximumData).contains(data.count) else {
            throw object.problem("data", .tooLong(limit: maximumData, found: data.count))
        }
        return IdentityShare(
            id: id, index: try object.required("index", object.uint8("index")),
            threshold: try object.required("threshold", object.uint8("threshold")),
            total: try object.required("total", object.uint8("total")), data: data,
            createdAt: try object.required("createdAt", object.double("createdAt")), owner: owner)
    }

    private static func owner(in note: JSONObject) throws(FormatError) -> (Owner, check: [UInt8]) {
        (try Owner(note), try note.required("check", note.data("check", length: checkLength)))
    }
}

// MARK: - Writing

extension IdentityShare {
    /// Who the text is for.
    package enum Form: Sendable {
        /// The six fields that the apps have.
        case app
        /// These, and what sxkey adds; the apps read it as well.
        case sxkey
    }

    /// The JSON of the share, all ASCII, without a line end.
    package func text(_ form: Form) throws(SecretMemoryError) -> SecretBytes {
        var text = try SecretObjectText(capacity: 512)
        try text.add("id", json: ASCIIText.quoted(id))
        try text.add("index", integer: index)
        try text.add("threshold", integer: threshold)
        try text.add("total", integer: total)
        try text.add("data", secret: data)
        try text.add("createdAt", number: createdAt)
        if form == .sxkey, let owner {
            try text.beginObject(Array("sxkey".utf8))
            try text.add("version", integer: Self.version)
            try text.add("name", json: ASCIIText.quoted(owner.name))
            try text.add("fingerprint", text: owner.fingerprint.hexBytes)
            try text.add("check", data: check)
            try text.endObject()
        }
        return try text.finish()
    }

    /// 16 bytes of SHA-256 over all that the share says: whoever holds the share can compute it, nobody else.
    var check: [UInt8] {
        var text = CheckedText("sxkey identity share 1")
        text.add(id)
        text.add([index, threshold, total])
        text.add(createdAt)
        text.add(owner?.name ?? [])
        text.add(owner?.fingerprint.bytes ?? [])
        data.withSpan { data in text.add(data) }
        return Array(text.finish().prefix(Self.checkLength))
    }
}

/// SHA-256 over a context and fields, each with its length before it.
struct CheckedText: ~Copyable {
    private var hash = SHA256()

    init(_ context: String) { add(Array(context.utf8)) }

    mutating func add(_ bytes: [UInt8]) { add(bytes.span) }

    mutating func add(_ bytes: Span<UInt8>) {
        let length = bigEndian(UInt32(truncatingIfNeeded: bytes.count))
        hash.update(length.span)
        hash.update(bytes)
    }

    mutating func add(_ number: Double) { add(bigEndian(number.bitPattern)) }

    consuming func finish() -> [UInt8] { hash.finish() }

    private func bigEndian(_ number: some FixedWidthInteger) -> [UInt8] {
        stride(from: number.bitWidth - 8, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> $0) }
    }
}

/// JSON strings without a byte above 7F, which every reader of QR codes hands on as they are.
enum ASCIIText {
    static func quoted(_ text: [UInt8]) -> [UInt8] {
        var plain: [UInt8] = []
        JSONText.appendQuoted(text, to: &plain)
        var quoted: [UInt8] = []
        for scalar in String(decoding: plain, as: UTF8.self).unicodeScalars {
            guard !scalar.isASCII else {
                quoted.append(UInt8(truncatingIfNeeded: scalar.value))
                continue
            }
            for unit in String(scalar).utf16 {
                let digits = String(unit, radix: 16)
                quoted += Array("\\u".utf8) + Array(repeating: UInt8(ascii: "0"), count: 4 - digits.utf8.count)
                quoted += Array(digits.utf8)
            }
        }
        return quoted
    }
}
