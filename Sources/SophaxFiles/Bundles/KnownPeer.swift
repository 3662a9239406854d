import JSONCoding
import SophaxCore

/// A contact as a backup has it.
///
/// Six shapes were written, each with more keys; a key that a file does not have is nil here. What the app does not check
/// on reading (that the id belongs to the keys, the lengths of the keys) is checked here. Format: SophaxChat 4.2.
package struct KnownPeer: Sendable {
    package let id: PeerID
    package let username: String
    /// nil when a key is missing or of a wrong length.
    package let publicKeys: IdentityPublicKeys?
    /// The number that the phone stored: of form v0 on iOS, the peer id for some peers on Android.
    package let safetyNumber: String?
    package let lastSeen: AppTime?
    package let isOnline: Bool?
    package let isDirectlyConnected: Bool?
    /// `host:port`.
    package let tcpAddress: String?
    /// JPEG bytes.
    package let avatar: [UInt8]?
    package let trustLevel: String?
    package let tlsCertificateFingerprint: [UInt8]?
    /// The peer's own object, byte for byte as the app wrote it.
    package let sourceJSON: [UInt8]

    /// Accepted unless the peer is marked otherwise: the key came late.
    package var isAccepted: Bool {
        trustLevel == nil || trustLevel == "accepted"
    }
}

extension KnownPeer {
    private static let id = BundleObject.Key.required("id")
    private static let username = BundleObject.Key.required("username")
    private static let signingKeyPublic = BundleObject.Key.required("signingKeyPublic")
    private static let dhKeyPublic = BundleObject.Key.required("dhKeyPublic")
    private static let safetyNumber = BundleObject.Key.required("safetyNumber")
    private static let lastSeen = BundleObject.Key.optional("lastSeen")
    private static let isOnline = BundleObject.Key.optional("isOnline")
    private static let isDirectlyConnected = BundleObject.Key.optional("isDirectlyConnected")
    private static let tcpAddress = BundleObject.Key.optional("tcpAddress")
    private static let avatarData = BundleObject.Key.optional("avatarData")
    private static let trustLevel = BundleObject.Key.optional("trustLevel")
    private static let tlsCertFingerprint = BundleObject.Key.optional("tlsCertFingerprint")

    private static let keys = [
        id, username, signingKeyPublic, dhKeyPublic, safetyNumber, lastSeen, isOnline, isDirectlyConnected, tcpAddress,
        avatarData, trustLevel, tlsCertFingerprint,
    ]

    /// Reads the object in `range`; `path` names it in findings, such as `peers[3].`.
    init(
        _ buffer: PlaintextBuffer, _ range: Range<Int>, path: String, findings: inout BundleFindings
    ) throws(JSONMembers.Failure) {
        var object = try BundleObject(buffer, range, path: path, keys: Self.keys)
        id = PeerID(bytes: object.text(Self.id) ?? [])
        username = object.text(Self.username).map(Self.string) ?? ""
        let signing = object.data(Self.signingKeyPublic)
        let dh = object.data(Self.dhKeyPublic)
        publicKeys = Self.publicKeys(signing: signing, dh: dh)
        safetyNumber = object.text(Self.safetyNumber).map(Self.string)
        lastSeen = object.date(Self.lastSeen)
        isOnline = object.flag(Self.isOnline)
        isDirectlyConnected = object.flag(Self.isDirectlyConnected)
        tcpAddress = object.text(Self.tcpAddress).map(Self.string)
        avatar = object.data(Self.avatarData)
        trustLevel = object.text(Self.trustLevel).map(Self.string)
        if let trustLevel, trustLevel != "pending", trustLevel != "accepted" { object.reject(Self.trustLevel) }
        tlsCertificateFingerprint = object.data(Self.tlsCertFingerprint)
        sourceJSON = buffer.bytes(in: range)
        findings.take(object)
        if let signing, let dh, publicKeys == nil {
            let lengths = "keys of \(signing.count) and \(dh.count) bytes in place of 32"
            findings.list.add(Finding(.peerKeyInvalid, item: ByteText(id.bytes), detail: lengths))
        }
        judge(&findings.list)
    }

    /// Says what does not fit together inside one peer: id, keys and safety number.
    private func judge(_ findings: inout FindingList) {
        guard let publicKeys else { return }
        let item = ByteText(id.bytes)
        if !id.matches(publicKeys.fingerprint) {
            let right = "its keys have the fingerprint \(publicKeys.fingerprint.hex)"
            findings.add(Finding(.peerIDMismatch, item: item, detail: right))
        }
        guard let safetyNumber else { return }
        let numbers = [SafetyNumber.iosV0(of: publicKeys).text, SafetyNumber.iosV1(of: publicKeys).text]
        if !numbers.contains(safetyNumber) {
            findings.add(Finding(.safetyNumberMismatch, item: item, detail: "its keys give \(numbers[0])"))
        }
    }

    private static func publicKeys(signing: [UInt8]?, dh: [UInt8]?) -> IdentityPublicKeys? {
        guard let signing, let dh else { return nil }
        return try? IdentityPublicKeys(signing: signing, dh: dh)
    }

    private static func string(_ bytes: [UInt8]) -> String {
        String(decoding: bytes, as: UTF8.self)
    }
}

// MARK: - Lists

extension KnownPeer {
    /// Reads an array of peers; what is no object, and an id that stands twice, becomes a finding.
    static func readList(
        _ buffer: PlaintextBuffer, _ range: Range<Int>, path: String, findings: inout BundleFindings
    ) throws(BundleContentError) -> [KnownPeer] {
        let elements: JSONMembers
        do {
            elements = try JSONMembers(array: buffer, range)
        } catch {
            throw BundleContentError(error)
        }
        var peers: [KnownPeer] = []
        var ids: Set<PeerID> = []
        for (index, element) in elements.members.enumerated() {
            let path = "\(path)[\(index)]"
            guard element.kind == .object, let peer = try read(buffer, element.value, path: path, findings: &findings)
            else {
                findings.list.add(Finding(.unreadableContent, item: ByteText(path), detail: "not a contact"))
                continue
            }
            if !ids.insert(peer.id).inserted {
                findings.list.add(Finding(.duplicateID, item: ByteText(peer.id.bytes), detail: "a contact"))
            }
            peers.append(peer)
        }
        return peers
    }

    /// A peer, or nil where its text cannot be understood: the other contacts are read all the same.
    private static func read(
        _ buffer: PlaintextBuffer, _ range: Range<Int>, path: String, findings: inout BundleFindings
    ) throws(BundleContentError) -> KnownPeer? {
        do throws(JSONMembers.Failure) {
            return try KnownPeer(buffer, range, path: path + ".", findings: &findings)
        } catch {
            guard case .unexpected = error else { throw BundleContentError(error) }
            return nil
        }
    }

    /// A peer out of its own object, as `sourceJSON` has it; nil where it cannot be understood. Android's has two keys only.
    package static func read(source: [UInt8]) -> KnownPeer? {
        guard let buffer = try? PlaintextBuffer(copying: source) else { return nil }
        var findings = BundleFindings()
        return try? KnownPeer(buffer, 0..<buffer.count, path: "", findings: &findings)
    }

    /// A peer of an Android backup, which has two keys only. Format: SophaxChat 3.5.
    init(androidID id: PeerID, username: String, sourceJSON: [UInt8]) {
        self.id = id
        self.username = username
        self.sourceJSON = sourceJSON
        publicKeys = nil
        safetyNumber = nil
        lastSeen = nil
        isOnline = nil
        isDirectlyConnected = nil
        tcpAddress = nil
        avatar = nil
        trustLevel = nil
        tlsCertificateFingerprint = nil
    }
}

// MARK: - One at a time

extension KnownPeer {
    /// Reads one object as an app wrote it, of iOS or of Android, which has id and name only (SophaxChat 3.5); nil where it
    /// cannot be read, which is among the findings then. `path` names it there, such as `peers[3]`.
    package static func read(_ source: [UInt8], path: String, findings: inout FindingList) -> KnownPeer? {
        var found = BundleFindings()
        defer { findings.add(contentsOf: found.list) }
        do {
            let buffer = try PlaintextBuffer(copying: source)
            let keys: Set<[UInt8]> = Set(try JSONMembers(object: buffer, 0..<buffer.count).members.map(\.key))
            if keys.isSubset(of: [Array("id".utf8), Array("username".utf8)]) {
                var object = try BundleObject(buffer, 0..<buffer.count, path: path + ".", keys: [id, username])
                let peer = PeerID(bytes: object.text(id) ?? [])
                let name = object.text(username).map { String(decoding: $0, as: UTF8.self) } ?? ""
                found.take(object)
                return KnownPeer(androidID: peer, username: name, sourceJSON: source)
            }
            return try KnownPeer(buffer, 0..<buffer.count, path: path + ".", findings: &found)
        } catch {
            found.list.add(Finding(.unreadableContent, item: ByteText(path), detail: "not a contact"))
            return nil
        }
    }
}
