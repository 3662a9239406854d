import CryptoPrimitives

/// The header of a bundle: what its content is called, and for whom it is wrapped.
struct HeaderContent: Equatable, Sendable {
    let kind: SXBKind
    let bundleID: [UInt8]
    let stanzas: [Stanza]

    private static let keys = ["bundle", "kind", "recipients"]

    init(kind: SXBKind, bundleID: [UInt8], stanzas: [Stanza]) throws(SXBError) {
        self.kind = kind
        self.bundleID = bundleID
        self.stanzas = stanzas
        let length = text.count
        guard length <= SXBFormat.headerCeiling else {
            throw .recipients(.headerLength(limit: SXBFormat.headerCeiling, found: length))
        }
    }

    /// Reads the JSON of a header. Nothing is derived. Errors: `.headerMalformed`, `.cost`, `.totalCost`.
    init(parsing text: [UInt8]) throws(SXBError) {
        let value: HeaderValue
        do throws(SXBHeaderFault) {
            value = try HeaderValue(parsing: text)
        } catch {
            throw .headerMalformed(error)
        }
        guard value.keys == Self.keys else { throw .headerMalformed(.key("header")) }
        guard case .text(let id) = value.member("bundle"), let bundleID = Base64.decode(id.span),
            bundleID.count == SXBFormat.bundleIDLength
        else { throw .headerMalformed(.key("bundle")) }
        guard let kind = value.member("kind")?.string.flatMap(SXBKind.init) else {
            throw .headerMalformed(.key("kind"))
        }
        guard case .list(let recipients) = value.member("recipients") else {
            throw .headerMalformed(.key("recipients"))
        }
        guard !recipients.isEmpty else { throw .headerMalformed(.noRecipients) }
        guard recipients.count <= SXBFormat.recipientLimit else {
            throw .headerMalformed(.tooManyRecipients(limit: SXBFormat.recipientLimit, found: recipients.count))
        }
        var stanzas: [Stanza] = []
        for (number, recipient) in recipients.enumerated() {
            let stanza = try Stanza(parsing: recipient, number: number)
            if let own = stanza.kind, own != kind { throw .headerMalformed(.mixedRecipients) }
            stanzas.append(stanza)
        }
        let passphrases = stanzas.count { $0.kind == .passphrase }
        guard passphrases <= SXBFormat.passphraseLimit else {
            throw .headerMalformed(.tooManyRecipients(limit: SXBFormat.passphraseLimit, found: passphrases))
        }
        try Self.checkWork(stanzas.map(\.form))
        self.kind = kind
        self.bundleID = bundleID
        self.stanzas = stanzas
    }

    var text: [UInt8] {
        HeaderValue.object([
            "bundle": .text(Array(Base64.encode(bundleID.span).utf8)),
            "kind": .text(Array(kind.rawValue.utf8)),
            "recipients": .list(stanzas.map(\.value)),
        ]).bytes
    }

    /// What never changes in a header; the payload and each wrapped key are bound to it.
    var context: [UInt8] { Self.context(kind: kind, bundleID: bundleID) }

    static func context(kind: SXBKind, bundleID: [UInt8]) -> [UInt8] {
        let part = SXBFormat.magic + [UInt8(SXBFormat.version)] + Array(kind.rawValue.utf8) + [0] + bundleID
        return SHA256.hash(part.span)
    }

    /// All of the file before the payload.
    func beginning(_ fileKey: borrowing FileKey) throws(SXBError) -> [UInt8] {
        let text = self.text
        var bytes = SXBFormat.magic + [UInt8(SXBFormat.version)] + BigEndian.bytes(UInt64(text.count), count: 4)
        bytes += text
        bytes += try fileKey.headerCode(of: bytes.span)
        return bytes + SHA256.hash(bytes.span)
    }

    /// Error: `.totalCost` when deriving from all passphrases would cost more than is allowed.
    static func checkWork(_ forms: [SXBRecipientForm]) throws(SXBError) {
        let work = forms.reduce(UInt64(0)) { sum, form in
            guard case .passphrase(let cost) = form else { return sum }
            return sum + cost.workKiB
        }
        guard work <= Argon2id.Parameters.maximumWorkKiB else {
            throw .totalCost(maximumKiB: Argon2id.Parameters.maximumWorkKiB, foundKiB: work)
        }
    }
}

/// Big-endian numbers.
enum BigEndian {
    static func bytes(_ value: UInt64, count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * (count - 1 - $0))) }
    }

    static func number(_ bytes: some Sequence<UInt8>) -> UInt64 {
        bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }
}
