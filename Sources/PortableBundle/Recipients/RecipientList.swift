import CryptoPrimitives

/// The recipients of a bundle that is made or changed, checked before anything is derived or written.
struct RecipientList: Sendable {
    let kind: SXBKind
    private let recipients: [SXBRecipient]

    /// `former` is the header of a bundle that is changed: its kind stays, and its recipients may be kept.
    /// Errors: `.recipients`, `.totalCost`, `.unusablePublicKey`.
    init(_ recipients: [SXBRecipient], former: HeaderContent? = nil) throws(SXBError) {
        guard !recipients.isEmpty else { throw .recipients(.none) }
        var kinds: Set<SXBKind> = []
        var forms: [SXBRecipientForm] = []
        var seen: Set<[UInt8]> = []
        var kept: Set<Int> = []
        for (index, recipient) in recipients.enumerated() {
            switch recipient {
            case .passphrase(let secret, let cost):
                guard secret.kind == .passphrase else { throw .recipients(.mixed) }
                kinds.insert(.passphrase)
                forms.append(.passphrase(cost))
            case .publicKey(let key):
                kinds.insert(.publicKey)
                forms.append(.x25519)
                guard X25519.isPublicKey(key.span) else { throw .unusablePublicKey(index: index) }
                guard seen.insert(key).inserted else { throw .recipients(.repeated(index)) }
            case .xWing(let key):
                kinds.insert(.publicKey)
                forms.append(.xWing)
                guard XWing.isPublicKey(key.span) else { throw .unusablePublicKey(index: index) }
                guard seen.insert(key).inserted else { throw .recipients(.repeated(index)) }
            case .kept(let number):
                guard let former, former.stanzas.indices.contains(number) else { throw .recipients(.notThere(number)) }
                guard kept.insert(number).inserted else { throw .recipients(.repeated(index)) }
                forms.append(former.stanzas[number].form)
            }
        }
        guard kinds.count <= 1 else { throw .recipients(.mixed) }
        guard let kind = former?.kind ?? kinds.first else { throw .recipients(.none) }
        if let other = kinds.first, other != kind { throw .recipients(.otherKind(kind)) }
        let limit = kind == .passphrase ? SXBFormat.passphraseLimit : SXBFormat.recipientLimit
        guard forms.count <= limit else { throw .recipients(.tooMany(limit: limit, found: forms.count)) }
        try HeaderContent.checkWork(forms)
        self.kind = kind
        self.recipients = recipients
    }

    /// The header of a new bundle.
    func header(bundleID: [UInt8], fileKey: borrowing FileKey) throws(SXBError) -> HeaderContent {
        try header(bundleID: bundleID, former: [], fileKey: fileKey)
    }

    /// The header that takes the place of `former`.
    func header(replacing former: HeaderContent, fileKey: borrowing FileKey) throws(SXBError) -> HeaderContent {
        try header(bundleID: former.bundleID, former: former.stanzas, fileKey: fileKey)
    }

    /// The public keys as a signature names them, in the order of those bytes.
    var sortedKeys: [[UInt8]] {
        recipients.compactMap { recipient in
            switch recipient {
            case .publicKey(let key): key
            case .xWing(let key): SXBSecret.signedName(ofXWing: key)
            case .passphrase, .kept: nil
            }
        }.sorted { $0.lexicographicallyPrecedes($1) }
    }

    private func header(
        bundleID: [UInt8], former: [Stanza], fileKey: borrowing FileKey
    ) throws(SXBError) -> HeaderContent {
        let context = HeaderContent.context(kind: kind, bundleID: bundleID)
        var stanzas: [Stanza] = []
        for (index, recipient) in recipients.enumerated() {
            switch recipient {
            case .passphrase(let secret, let cost):
                stanzas.append(
                    try Stanza.wrapping(fileKey, passphrase: secret, cost: cost, context: context))
            case .publicKey(let key):
                stanzas.append(try Stanza.wrapping(fileKey, publicKey: key, index: index, context: context))
            case .xWing(let key):
                stanzas.append(try Stanza.wrapping(fileKey, xWingKey: key, index: index, context: context))
            case .kept(let number): stanzas.append(former[number])
            }
        }
        return try HeaderContent(kind: kind, bundleID: bundleID, stanzas: stanzas)
    }
}
