import CryptoPrimitives
import JSONCoding
import SophaxCore

/// Writes a contact as every version of the iOS app reads it: all keys from `id` to `isDirectlyConnected`, no null.
///
/// Format: SophaxChat 4.2.
enum PeerText {
    static func make(
        id: PeerID, username: [UInt8], keys: IdentityPublicKeys, lastSeen: Double?, tcpAddress: String?,
        avatar: [UInt8]?, isAccepted: Bool
    ) -> [UInt8] {
        var object = ObjectWriter()
        object.add("id", text: id.bytes)
        object.add("username", text: username)
        object.add("signingKeyPublic", text: base64(keys.signing))
        object.add("dhKeyPublic", text: base64(keys.dh))
        object.add("safetyNumber", text: Array(SafetyNumber.iosV0(of: keys).text.utf8))
        if let lastSeen, lastSeen.isFinite { object.add("lastSeen", number: lastSeen) }
        object.add("isOnline", raw: Array("false".utf8))
        object.add("isDirectlyConnected", raw: Array("false".utf8))
        if let tcpAddress { object.add("tcpAddress", text: Array(tcpAddress.utf8)) }
        if let avatar { object.add("avatarData", text: base64(avatar)) }
        object.add("trustLevel", text: Array((isAccepted ? "accepted" : "pending").utf8))
        return object.finished()
    }

    /// The contact's own object where every version reads it, else the same with the faults taken out; nil without keys.
    static func rewritten(_ peer: KnownPeer) -> [UInt8]? {
        guard let keys = peer.publicKeys, let members = JSONPieces.of(peer.sourceJSON, at: 0, keyed: true) else {
            return nil
        }
        let source = peer.sourceJSON
        var object = ObjectWriter()
        var written: Set<[UInt8]> = []
        for (index, member) in members.enumerated() {
            let isLast = members.lastIndex { $0.key == member.key } == index
            guard isLast, member.value.kind != .null, isReadable(member, source) else { continue }
            var value = JSONCopy(.strict)
            value.append(member, of: source)
            guard value.invalidValues == 0 else { continue }
            object.add(key: member.key, raw: value.output)
            written.insert(member.key)
        }
        func fill(_ key: StaticString, _ value: [UInt8]) {
            let name = key.withUTF8Buffer { unsafe Array($0) }
            if !written.contains(name) { object.add(key: name, raw: value) }
        }
        func quoted(_ text: [UInt8]) -> [UInt8] {
            var output: [UInt8] = []
            JSONText.appendQuoted(text, to: &output)
            return output
        }
        fill("id", quoted(peer.id.bytes))
        fill("username", quoted(Array(peer.username.utf8)))
        fill("signingKeyPublic", quoted(base64(keys.signing)))
        fill("dhKeyPublic", quoted(base64(keys.dh)))
        fill("safetyNumber", quoted(Array(SafetyNumber.iosV0(of: keys).text.utf8)))
        fill("isOnline", Array("false".utf8))
        fill("isDirectlyConnected", Array("false".utf8))
        let result = object.finished()
        return StrictJSON.isObject(result) ? result : nil
    }

    /// Whether the decoder of the app takes the value; what it does not know it takes whatever it is.
    private static func isReadable(_ member: JSONPiece, _ source: [UInt8]) -> Bool {
        let name = String(decoding: member.key, as: UTF8.self)
        switch name {
        case "id", "username", "safetyNumber", "tcpAddress": return member.value.kind == .string
        case "signingKeyPublic", "dhKeyPublic", "avatarData", "tlsCertFingerprint":
            guard member.value.kind == .string else { return false }
            let text = Array(source[member.value.range])
            let plain = JSONText.unescape(text.span).bytes
            return Base64.decode(plain.span) != nil
        case "lastSeen": return member.value.kind == .number && member.value.number.isFinite
        case "isOnline", "isDirectlyConnected": return member.value.kind == .bool
        case "trustLevel":
            guard member.value.kind == .string else { return false }
            let text = Array(source[member.value.range])
            return ["pending", "accepted"].contains(String(decoding: JSONText.unescape(text.span).bytes, as: UTF8.self))
        default: return true
        }
    }

    private static func base64(_ bytes: [UInt8]) -> [UInt8] {
        Array(Base64.encode(bytes.span).utf8)
    }
}

/// Writes a JSON object member by member.
struct ObjectWriter {
    private var output: [UInt8] = [UInt8(ascii: "{")]

    mutating func add(key: [UInt8], raw value: [UInt8]) {
        if output.count > 1 { output.append(UInt8(ascii: ",")) }
        JSONText.appendQuoted(key, to: &output)
        output.append(UInt8(ascii: ":"))
        output += value
    }

    mutating func add(_ key: StaticString, raw value: [UInt8]) {
        add(key: key.withUTF8Buffer { unsafe Array($0) }, raw: value)
    }

    mutating func add(_ key: StaticString, text: [UInt8]) {
        var quoted: [UInt8] = []
        JSONText.appendQuoted(text, to: &quoted)
        add(key, raw: quoted)
    }

    /// The shortest number that gives the same double back.
    mutating func add(_ key: StaticString, number: Double) {
        var text: [UInt8] = []
        CanonicalNumber.append(number, to: &text)
        add(key, raw: text)
    }

    consuming func finished() -> [UInt8] {
        output.append(UInt8(ascii: "}"))
        return output
    }
}
