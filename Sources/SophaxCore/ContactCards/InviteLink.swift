import CryptoPrimitives

/// `sophaxchat://meet`: a person's name and both public keys; iOS only. Format: SophaxChat 7.6.
public struct InviteLink: Equatable, Sendable {
    /// The most characters (grapheme clusters) of a name that the app takes.
    public static let longestName = 64

    /// As the link says it; not always the hash of the keys, see `defects`.
    public let peerID: PeerID
    /// UTF-8 as the link has it, at most 64 characters, perhaps none.
    public let name: String
    public let keys: IdentityPublicKeys
    public let defects: [ContactLink.Defect]
    public let readers: [ContactLink.Reader]

    /// A link to be written; `name` has at most 64 characters, else the app refuses it.
    public init(of keys: IdentityPublicKeys, name: String, form: PeerID.Form) {
        peerID = PeerID(keys.fingerprint, form: form)
        self.name = name
        self.keys = keys
        defects = []
        readers = [.ios, .iosNFC]
    }

    /// The link, exactly as iOS writes it.
    public var text: String {
        let members: [(String, [UInt8])] = [("name", Array(name.utf8)), ("sk", keys.signing), ("dk", keys.dh)]
        return members.reduce("\(ContactLink.scheme)://meet?pid=\(peerID.text)") { text, member in
            text + "&\(member.0)=\(LinkQuery.escaped(base64: Base64.encode(member.1.span)))"
        }
    }

    init(query: ArraySlice<UInt8>, _ spelling: ContactLink.Spelling) throws(ContactLinkError) {
        let query = try LinkQuery(query, known: [.pid, .name, .sk, .dk])
        var defects: [ContactLink.Defect] = []
        peerID = try ContactLink.peerID(query.required(.pid), &defects)
        // An empty name is a value all the same: its base64 is empty.
        guard let encodedName = query[.name] else { throw .missing(.name) }
        let nameBytes = try Self.decode(encodedName, .name, &defects)
        guard let name = String(validating: nameBytes, as: UTF8.self) else { throw .nameNotUTF8 }
        guard name.count <= Self.longestName else { throw .nameTooLong(characters: name.count) }
        self.name = name
        if name.unicodeScalars.contains(where: Self.isHidden) { defects.append(.hiddenCharacters) }
        let signing = try Self.key(query.required(.sk), .sk, &defects)
        let dh = try Self.key(query.required(.dk), .dk, &defects)
        guard Ed25519.isPublicKey(signing.span) else { throw .invalidKey(.sk) }
        guard X25519.isPublicKey(dh.span) else { throw .invalidKey(.dk) }
        do throws(IdentityError) {
            keys = try IdentityPublicKeys(signing: signing, dh: dh)
        } catch {
            throw .keyLength(.sk, found: signing.count)
        }
        if !peerID.matches(keys.fingerprint) { defects.append(.idMismatch) }
        self.defects = defects
        let isRead = !defects.contains(.padding)
        readers = isRead ? [.ios] + (spelling.isSchemeExact ? [.iosNFC] : []) : []
    }

    private static func key(
        _ text: [UInt8], _ member: ContactLinkError.Member, _ defects: inout [ContactLink.Defect]
    ) throws(ContactLinkError) -> [UInt8] {
        let key = try decode(text, member, &defects)
        guard key.count == IdentityPublicKeys.keyLength else { throw .keyLength(member, found: key.count) }
        return key
    }

    private static func decode(
        _ text: [UInt8], _ member: ContactLinkError.Member, _ defects: inout [ContactLink.Defect]
    ) throws(ContactLinkError) -> [UInt8] {
        if let bytes = Base64.decode(text.span) { return bytes }
        let padded = text + Array(repeating: UInt8(ascii: "="), count: (4 - text.count % 4) % 4)
        guard padded.count > text.count, let bytes = Base64.decode(padded.span) else { throw .notBase64(member) }
        if !defects.contains(.padding) { defects.append(.padding) }
        return bytes
    }

    /// Characters that nobody sees or that turn the line round. Joiners are in many honest names.
    private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.value == 0x200c || scalar.value == 0x200d { return false }
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: return true
        default: return false
        }
    }
}
