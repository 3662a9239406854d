import CryptoPrimitives
import JSONCoding

/// Keys of the related apps that are at hand, from any number of files.
package struct RelatedKeys: Sendable {
    /// A key of 32 bytes for one thing.
    package struct Key: Sendable {
        package let kind: RelatedKeyKind
        package let secret: RelatedSecret
        /// Of the key of a group.
        package var group: ByteText?
    }

    package private(set) var identities: [BTMessageIdentity] = []
    package private(set) var keys: [Key] = []
    private var known: Set<KeyName> = []
    /// How many of each group.
    private var groupKeys: [ByteText: Int] = [:]
    /// Groups of btmessage, from its preferences.
    package private(set) var groups: [BTMessageGroup] = []

    package init() {}

    package var isEmpty: Bool { identities.isEmpty && keys.isEmpty && groups.isEmpty }

    /// The peer ids in btmessage that are one's own.
    package var ownPeerIDs: Set<ByteText> { Set(identities.compactMap(\.peerID)) }

    /// Keys for something: those of the kind first, then those that do not say what they are for.
    func secrets(of kind: RelatedKeyKind) -> [RelatedSecret] {
        let own: [RelatedSecret] =
            switch kind {
            case .xwing: identities.compactMap(\.xwing)
            case .x25519: identities.compactMap(\.x25519)
            default: []
            }
        guard kind != .xwing else { return own }
        let fitting = keys.filter { $0.kind == kind }.map(\.secret)
        return own + fitting + keys.filter { $0.kind == .any }.map(\.secret)
    }

    /// Keys for a group: its own ones first, then those that name no group.
    func secrets(ofGroup id: [UInt8]) -> [RelatedSecret] {
        let own = keys.filter { $0.kind == .groupKey && $0.group?.bytes == id }
        let others = keys.filter { $0.kind == .groupKey && $0.group == nil || $0.kind == .any }
        return (own + others).map(\.secret)
    }

    // MARK: - Taking in

    package mutating func add(_ identity: BTMessageIdentity) { identities.append(identity) }

    package mutating func add(
        _ secret: RelatedSecret, _ kind: RelatedKeyKind, group: ByteText? = nil
    ) throws(RelatedKeyError) {
        guard keys.count < RelatedLimits.keys else { throw .tooMany(limit: RelatedLimits.keys) }
        let name = KeyName(kind: kind, group: group, id: secret.id)
        guard known.insert(name).inserted else { return }
        if let group {
            guard groupKeys[group, default: 0] < RelatedLimits.groupKeys else {
                known.remove(name)
                throw .tooMany(limit: RelatedLimits.groupKeys)
            }
            groupKeys[group, default: 0] += 1
        }
        keys.append(Key(kind: kind, secret: secret, group: group))
    }

    /// A key as it is known already.
    private struct KeyName: Hashable {
        let kind: RelatedKeyKind
        let group: ByteText?
        /// `RelatedSecret.id`: 64 bits of a hash, which nobody can aim at without knowing the keys.
        let id: String
    }

    private mutating func remove(where isMeant: (Key) -> Bool) {
        let kept = keys.filter { !isMeant($0) }
        keys = []
        known = []
        groupKeys = [:]
        for key in kept {
            known.insert(KeyName(kind: key.kind, group: key.group, id: key.secret.id))
            if let group = key.group { groupKeys[group, default: 0] += 1 }
            keys.append(key)
        }
    }

    /// Says what the keys are for that do not say it themselves. A key of X25519 becomes an identity without a peer id; with
    /// `group`, keys of groups that name none are of that one.
    package mutating func take(anyAs kind: RelatedKeyKind, group: ByteText? = nil) throws(RelatedKeyError) {
        if kind == .groupKey {
            let nameless = keys.filter { $0.kind == .any || $0.kind == .groupKey && $0.group == nil }.map(\.secret)
            remove { $0.kind == .any || $0.kind == .groupKey && $0.group == nil }
            for secret in nameless { try add(secret, .groupKey, group: group) }
            return
        }
        let secrets = keys.filter { $0.kind == .any }.map(\.secret)
        remove { $0.kind == .any }
        for secret in secrets {
            if kind == .x25519 {
                let key: SecretBytes
                do { key = try secret.bytes.copy() } catch { throw .memory }
                add(try BTMessageIdentity(peerID: nil, xwing: nil, x25519: key))
                continue
            }
            if kind == .privateKey {
                do throws(P256Error) { _ = try P256.publicKey(of: secret.bytes) } catch { throw RelatedKeyError(error) }
            }
            try add(secret, kind)
        }
    }

    mutating func add(_ group: BTMessageGroup) throws(RelatedKeyError) {
        guard groups.count < RelatedLimits.keys else { throw .tooMany(limit: RelatedLimits.keys) }
        groups.append(group)
    }

    /// Reads a file with keys, whatever it turns out to be: JSON with items, preferences, vectors or a JWK; PKCS#8 in PEM or DER;
    /// or 32 bytes, raw, in hexadecimal digits or in base64.
    package mutating func add(file: borrowing SecretBytes) throws(RelatedKeyError) {
        guard file.count > 0 else { throw .empty }
        guard file.count <= RelatedLimits.keyFileBytes else { throw .tooLarge(limit: RelatedLimits.keyFileBytes) }
        let isPlain = file.count == RelatedBox.keyLength
        if !isPlain, Self.isPropertyList(file) { throw .propertyList }
        let first = file.withSpan { text in text.indices.first { !CaptureReader.isBlank(text[$0]) }.map { text[$0] } }
        switch first {
        case UInt8(ascii: "{") where !isPlain:
            var reader = RelatedKeyFile(self)
            try reader.read(file)
            self = reader.keys
        case UInt8(ascii: "-") where !isPlain:
            let key = try file.withSpan { (text) throws(RelatedKeyError) in try LChatPrivateKey.pem(text) }
            try add(RelatedSecret(key), .privateKey)
        default: try addPlain(file)
        }
    }

    /// Told by the first bytes, as preferences are kept.
    private static func isPropertyList(_ file: borrowing SecretBytes) -> Bool {
        let beginning = file.withSpan { text in (0..<min(256, text.count)).map { text[$0] } }
        let text = beginning.drop { CaptureReader.isBlank($0) || [0xEF, 0xBB, 0xBF].contains($0) }
        if text.starts(with: "bplist00".utf8) { return true }
        guard text.starts(with: "<?xml".utf8) || text.starts(with: "<!DOCTYPE plist".utf8) else { return false }
        let word = Array("plist".utf8)
        return text.indices.contains { text[$0...].starts(with: word) }
    }

    /// 32 bytes in one of the forms of a key file, or DER.
    private mutating func addPlain(_ file: borrowing SecretBytes) throws(RelatedKeyError) {
        do throws(StoreKeyError) {
            let key = try StoreKey.read(file, allowsKeychain: false)
            try addAny(RelatedSecret(key))
        } catch {
            guard case .wrongLength = error, file.withSpan({ $0[0] == 0x30 }) else {
                if case .outOfMemory = error { throw .memory }
                throw .unknownForm
            }
            let key: SecretBytes
            do throws(P256Error) { key = try P256.privateKey(pkcs8: file) } catch { throw RelatedKeyError(error) }
            try add(RelatedSecret(key), .privateKey)
        }
    }

    private mutating func addAny(_ secret: RelatedSecret) throws(StoreKeyError) {
        do throws(RelatedKeyError) { try add(secret, .any) } catch { throw .tooLarge(found: 0, ceiling: 0) }
    }
}

/// Reads JSON with keys: everything in it that is known by its name.
private struct RelatedKeyFile {
    var keys: RelatedKeys
    private var found = false

    init(_ keys: RelatedKeys) {
        self.keys = keys
    }

    mutating func read(_ file: borrowing SecretBytes) throws(RelatedKeyError) {
        let object: JSONObject
        do throws(FormatError) {
            object = try JSONObject(secret: file, ceiling: RelatedLimits.keyFileBytes)
        } catch {
            throw RelatedKeyError(error)
        }
        if object.has("kty") {
            try keys.add(RelatedSecret(try LChatPrivateKey.jwk(object)), .privateKey)
            return
        }
        try readIdentity(object)
        try readGroups(object)
        try readPrivateKey(object)
        try readThreads(object)
        try readAccounts(object)
        try readPlain(object, "streamKey", .streamKey)
        try readPlain(object, "groupKey", .groupKey)
        guard found else { throw .noKeys }
    }

    private func format<R: ~Copyable>(_ body: () throws(FormatError) -> R) throws(RelatedKeyError) -> R {
        do throws(FormatError) { return try body() } catch { throw RelatedKeyError(error) }
    }

    /// The items of btmessage's keychain. `x25519PrivateKey` is another name for the key of the earlier form.
    private mutating func readIdentity(_ object: JSONObject) throws(RelatedKeyError) {
        let peerID = try format { () throws(FormatError) in try object.data("btmessage.identity.peerID") }
        let xwing = try format { () throws(FormatError) in try object.secret("btmessage.identity.xwing") }
        var earlier = try format { () throws(FormatError) in try object.secret("btmessage.identity.x25519") }
        if earlier == nil { earlier = try format { () throws(FormatError) in try object.secret("x25519PrivateKey") } }
        let hasEarlier = object.has("btmessage.identity.x25519") || object.has("x25519PrivateKey")
        guard peerID != nil || object.has("btmessage.identity.xwing") || hasEarlier else { return }
        let identity = try BTMessageIdentity(peerID: peerID, xwing: xwing, x25519: earlier)
        if object.has("btmessage.identity.xwing") || hasEarlier {
            let stated = try format { () throws(FormatError) in try object.data("publicKey") }
            guard stated == nil || stated == identity.xwingPublic || stated == identity.x25519Public else {
                throw .publicKeyDiffers
            }
        }
        keys.add(identity)
        found = true
    }

    /// Items under the accounts that sxkey has for keys of which there may be several.
    private mutating func readAccounts(_ object: JSONObject) throws(RelatedKeyError) {
        let members = try format { () throws(FormatError) in
            try object.entries(limit: JSONMembers.maximumMembers)
        }
        for member in members {
            guard let account = RelatedAccount(member.key) else { continue }
            let key = try format { () throws(FormatError) in
                RelatedSecret(
                    try object.secret(
                        member, String(decoding: member.key, as: UTF8.self), length: RelatedBox.keyLength))
            }
            try keys.add(key, account)
            found = true
        }
    }

    /// The preferences of btmessage: keys by group, and the groups. Each may be JSON in base64, as preferences keep data.
    private mutating func readGroups(_ object: JSONObject) throws(RelatedKeyError) {
        if let list = try preference("btmessage.groupKeys", object) {
            let entries = try format { () throws(FormatError) in try list.entries(limit: RelatedLimits.keys) }
            for entry in entries {
                try format { () throws(FormatError) in try Self.checkGroupID(entry.key, "btmessage.groupKeys") }
                let key = try format { () throws(FormatError) in
                    try list.secret(
                        entry, String(decoding: entry.key, as: UTF8.self), length: RelatedBox.keyLength)
                }
                try keys.add(RelatedSecret(key), .groupKey, group: ByteText(entry.key))
            }
            found = true
        }
        if let list = try preference("btmessage.groups", object) {
            let groups = try format { () throws(FormatError) -> [BTMessageGroup] in
                var groups: [BTMessageGroup] = []
                for entry in try list.entries(limit: RelatedLimits.keys) {
                    try Self.checkGroupID(entry.key, "btmessage.groups")
                    let group = try BTMessageGroup(list.object(entry, "group"))
                    guard group.id == entry.key else { throw .field("btmessage.groups", .unknownWord) }
                    groups.append(group)
                }
                return groups
            }
            for group in groups { try keys.add(group) }
            found = true
        }
    }

    /// An account of an item can name it.
    private static func checkGroupID(_ id: [UInt8], _ name: String) throws(FormatError) {
        guard !id.isEmpty, id.count <= RelatedLimits.idBytes else {
            throw .field(name, .tooLong(limit: RelatedLimits.idBytes, found: id.count))
        }
    }

    private func preference(_ key: StaticString, _ object: JSONObject) throws(RelatedKeyError) -> JSONObject? {
        guard object.kind(of: key) == .string else {
            return try format { () throws(FormatError) in try object.object(key) }
        }
        guard let text = try format({ () throws(FormatError) in try object.secret(key) }) else { return nil }
        return try format { () throws(FormatError) in
            try JSONObject(secret: text, ceiling: RelatedLimits.keyFileBytes)
        }
    }

    /// The forms of the private key in lchat's vectors, which must be one key.
    private mutating func readPrivateKey(_ object: JSONObject) throws(RelatedKeyError) {
        let names: [StaticString] = ["privateKeyPKCS8PEM", "privateKeyRaw"]
        var read: [RelatedSecret] = []
        for name in names where object.has(name) { read.append(try privateKey(name, object)) }
        guard let key = read.first else { return }
        guard read.allSatisfy({ $0.bytes.isEqual(to: key.bytes) }) else { throw .publicKeyDiffers }
        if let stated = try format({ () throws(FormatError) in try object.data("publicKeyX963") }) {
            let own: [UInt8]
            do throws(P256Error) { own = try P256.publicKey(of: key.bytes) } catch { throw RelatedKeyError(error) }
            guard own == stated else { throw .publicKeyDiffers }
        }
        try keys.add(key, .privateKey)
        found = true
    }

    private func privateKey(_ name: StaticString, _ object: JSONObject) throws(RelatedKeyError) -> RelatedSecret {
        if name.bytes == StaticString("privateKeyRaw").bytes {
            let number = try format { () throws(FormatError) -> RelatedSecret? in
                guard let number = try object.secret(name, length: P256.privateKeyLength) else { return nil }
                return RelatedSecret(number)
            }
            guard let number else { throw .noKeys }
            do throws(P256Error) { _ = try P256.publicKey(of: number.bytes) } catch { throw RelatedKeyError(error) }
            return number
        }
        let member = try format { () throws(FormatError) in try object.value(name, .string) }
        guard let member else { throw .noKeys }
        return RelatedSecret(
            try object.buffer.withSpan { (text) throws(RelatedKeyError) in
                try LChatPrivateKey.pem(text.extracting(member.value), isEscaped: true)
            })
    }

    /// Thread keys in clear: `threadKey` of each of `threads`, or alone.
    private mutating func readThreads(_ object: JSONObject) throws(RelatedKeyError) {
        try readPlain(object, "threadKey", .threadKey)
        guard object.kind(of: "threads") == .array else { return }
        let threads = try format { () throws(FormatError) in
            try object.objects("threads", limit: RelatedLimits.keys) ?? []
        }
        for thread in threads { try readPlain(thread, "threadKey", .threadKey) }
    }

    private mutating func readPlain(
        _ object: JSONObject, _ name: StaticString, _ kind: RelatedKeyKind
    ) throws(RelatedKeyError) {
        let key = try format { () throws(FormatError) -> RelatedSecret? in
            guard let key = try object.secret(name, length: RelatedBox.keyLength) else { return nil }
            return RelatedSecret(key)
        }
        guard let key else { return }
        try keys.add(key, kind)
        found = true
    }
}

extension RelatedKeyError {
    init(_ error: FormatError) {
        if case .outOfMemory = error { self = .memory } else { self = .format(error) }
    }
}
