/// `sophaxchat://add`: where a peer id can be reached. **The card carries no keys**; whoever answers there has to prove them.
///
/// Format: SophaxChat 7.5.
public struct ContactCard: Equatable, Sendable {
    /// The port that is meant when none is named.
    public static let defaultPort: UInt16 = 25_519
    /// iOS refuses ports below.
    public static let lowestPort: UInt16 = 1024

    public let peerID: PeerID
    /// `<56 letters>.onion` in lower case; nil when the card's address is none.
    public let onion: String?
    public let port: UInt16
    public let defects: [ContactLink.Defect]
    public let readers: [ContactLink.Reader]

    /// A card to be written. The onion address is the one that the keys have.
    public init(of keys: IdentityPublicKeys, form: PeerID.Form, port: UInt16 = defaultPort) {
        peerID = PeerID(keys.fingerprint, form: form)
        onion = OnionAddress(of: keys).text
        self.port = port
        defects = []
        readers = ContactLink.Reader.allCases
    }

    /// The link, exactly as iOS writes it; nil for a card that was read without an onion address.
    public var text: String? {
        onion.map { "\(ContactLink.scheme)://add?id=\(peerID.text)&onion=\($0)&port=\(port)" }
    }

    init(query: ArraySlice<UInt8>, _ spelling: ContactLink.Spelling) throws(ContactLinkError) {
        let query = try LinkQuery(query, known: [.id, .onion, .port])
        var defects: [ContactLink.Defect] = []
        peerID = try ContactLink.peerID(query.required(.id), &defects)
        let written = try query.required(.onion)
        let lowered = written.map(ContactLink.lowered)
        let host = lowered.prefix { $0 != UInt8(ascii: ":") }
        if host.count < lowered.count { defects.append(.portInsideOnion) }
        let isOnion = host.count > 6 && host.suffix(6).elementsEqual(".onion".utf8)
        let judgement = OnionAddress.Judgement(of: host)
        switch judgement {
        case _ where !isOnion: defects.append(.notAnOnion)
        case .good: break
        case .checksum: defects.append(.onionChecksum)
        case .notVersion3: defects.append(.notVersion3)
        }
        // Only what has the right letters is an address that can be kept; anything else is a text from somewhere.
        onion = isOnion && judgement != .notVersion3 ? String(decoding: host, as: UTF8.self) : nil
        let number = query[.port].map(Self.port)
        port = (number ?? Self.defaultPort) ?? Self.defaultPort
        let isPortGood = number != .some(.none)
        if !isPortGood { defects.append(.port) }
        self.defects = defects

        let iosReads = isOnion && host.count == lowered.count && isPortGood
        let androidReads =
            spelling.isSchemeExact && spelling.isHostExact && host.count == lowered.count && written == lowered
            && OnionAddress.hasVersion3Letters(lowered[...])
        var readers: [ContactLink.Reader] = []
        if iosReads { readers.append(.ios) }
        if iosReads, spelling.isSchemeExact { readers.append(.iosNFC) }
        if androidReads { readers.append(.android) }
        self.readers = readers
    }

    /// A port that iOS takes, nil for any other text.
    private static func port(_ text: [UInt8]) -> UInt16? {
        guard !text.isEmpty, text.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
            return nil
        }
        return UInt16(String(decoding: text, as: UTF8.self)).flatMap { $0 >= lowestPort ? $0 : nil }
    }
}
