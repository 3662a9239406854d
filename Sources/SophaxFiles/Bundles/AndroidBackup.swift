import JSONCoding
import SophaxCore

/// The text of an Android backup: an object whose values are all strings, three of which hold JSON themselves.
///
/// Format: SophaxChat 3.5. The values have no keys in them, so they are unescaped into ordinary memory.
enum AndroidBackup {
    private static let version = BundleObject.Key.required("version")
    private static let username = BundleObject.Key.required("username")
    private static let peers = BundleObject.Key.required("peers")
    private static let conversationIDs = BundleObject.Key.required("conversationIDs")
    private static let messages = BundleObject.Key.required("messages")

    private static let id = BundleObject.Key.required("id")

    static func read(
        _ bundle: OpenedBundle, now: Double, workers: Int, findings: inout BundleFindings
    ) throws(BundleContentError) -> BundleBackup {
        let keys = [version, username, peers, conversationIDs, messages]
        var object: BundleObject
        do {
            object = try BundleObject(bundle.text, 0..<bundle.text.count, path: "", keys: keys)
        } catch {
            throw BundleContentError(error)
        }
        var version: Int?
        if let text = object.text(Self.version) {
            version = Int(String(decoding: text, as: UTF8.self))
            if version == nil { object.reject(Self.version) }
        }
        let username = object.text(Self.username).map { String(decoding: $0, as: UTF8.self) } ?? ""
        var contacts: [KnownPeer] = []
        if let text = try json(peers, in: &object) {
            contacts = try readPeers(text, findings: &findings)
        }
        var lists = BundleMessages(none: bundle.text)
        if let text = try json(messages, in: &object) {
            do throws(BundleContentError) {
                lists = try BundleMessages(
                    text, 0..<text.count, platform: .android, now: now, workers: workers, findings: &findings.list)
            } catch {
                guard case .notJSON = error else { throw error }
                object.note(.unreadableContent, messages, detail: "not JSON")
            }
        }
        findings.take(object)
        return BundleBackup(
            version: version, createdAt: nil, username: username, fingerprint: nil, peers: contacts, messages: lists)
    }

    /// The JSON inside of a string value, as a text of its own.
    private static func json(
        _ key: BundleObject.Key, in object: inout BundleObject
    ) throws(BundleContentError) -> PlaintextBuffer? {
        guard let text = object.text(key) else { return nil }
        do {
            return try PlaintextBuffer(copying: text)
        } catch {
            throw .outOfMemory
        }
    }

    private static func readPeers(
        _ text: PlaintextBuffer, findings: inout BundleFindings
    ) throws(BundleContentError) -> [KnownPeer] {
        do throws(JSONMembers.Failure) {
            var peers: [KnownPeer] = []
            for (index, element) in try JSONMembers(array: text, 0..<text.count).members.enumerated() {
                let path = "peers[\(index)]"
                guard element.kind == .object else {
                    findings.list.add(Finding(.unreadableContent, item: ByteText(path), detail: "not a contact"))
                    continue
                }
                var object = try BundleObject(text, element.value, path: path + ".", keys: [id, username])
                let id = PeerID(bytes: object.text(id) ?? [])
                let name = object.text(username).map { String(decoding: $0, as: UTF8.self) } ?? ""
                findings.take(object)
                peers.append(KnownPeer(androidID: id, username: name, sourceJSON: text.bytes(in: element.value)))
            }
            return peers
        } catch {
            guard case .unexpected = error else { throw BundleContentError(error) }
            findings.list.add(Finding(.unreadableContent, item: ByteText("peers"), detail: "not a list of contacts"))
            return []
        }
    }
}
