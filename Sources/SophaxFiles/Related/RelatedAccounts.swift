import CryptoPrimitives
import JSONCoding

/// The accounts of items under which sxkey keeps keys of which there may be several: a prefix, and the id of the group or of
/// the key itself. Each value is 32 raw bytes.
struct RelatedAccount: Hashable {
    let kind: RelatedKeyKind
    /// Behind the prefix.
    let id: [UInt8]

    private static let prefixes: [(RelatedKeyKind, StaticString)] = [
        (.groupKey, "btmessage.groupKey."), (.privateKey, "lchat.privateKey."), (.threadKey, "lchat.threadKey."),
        (.streamKey, "conet.streamKey."),
    ]

    /// Nil for another account.
    init?(_ account: [UInt8]) {
        guard let (kind, prefix) = Self.prefixes.first(where: { account.starts(with: $0.1.bytes) }) else { return nil }
        let id = Array(account.dropFirst(prefix.bytes.count))
        guard !id.isEmpty, id.count <= RelatedLimits.idBytes else { return nil }
        self.kind = kind
        self.id = id
    }

    /// The account for a key; nil for one that says not what it is for, or of which group it is.
    init?(_ key: RelatedKeys.Key) {
        switch key.kind {
        case .groupKey:
            guard let group = key.group else { return nil }
            id = group.bytes
        case .privateKey, .threadKey, .streamKey: id = Array(key.secret.id.utf8)
        case .xwing, .x25519, .any: return nil
        }
        kind = key.kind
    }

    var bytes: [UInt8] {
        (Self.prefixes.first { $0.0 == kind }?.1.bytes ?? []) + id
    }
}

extension RelatedSecret {
    /// 16 hex digits that tell a key from others and say nothing of it: the beginning of SHA-256 of a label and the key.
    package var id: String {
        var hash = SHA256()
        let label = Array("sxkey related key".utf8)
        hash.update(label.span)
        hash.update(bytes)
        let digest = hash.finish()
        return Hex.encode(digest.span.extracting(first: 8))
    }
}

extension RelatedKeys {
    mutating func add(_ key: RelatedSecret, _ account: RelatedAccount) throws(RelatedKeyError) {
        if account.kind == .privateKey {
            do throws(P256Error) { _ = try P256.publicKey(of: key.bytes) } catch { throw RelatedKeyError(error) }
        }
        try add(key, account.kind, group: account.kind == .groupKey ? ByteText(account.id) : nil)
    }

    /// All keys and groups as items, by account; what has no account is counted.
    package func items() throws(SecretMemoryError) -> (items: [KeychainItem], leftOut: Int) {
        var items: [KeychainItem] = []
        func add(_ account: StaticString, _ value: consuming SecretBytes) {
            items.append(KeychainItem(ByteText(account.bytes), value))
        }
        for identity in identities {
            if let peerID = identity.peerID {
                add(BTMessageIdentity.peerIDAccount, try SecretBytes(copying: peerID.bytes.span))
            }
            if let stored = try identity.xwingItem() {
                add(BTMessageIdentity.xwingAccount, try stored.bytes.copy())
            }
            if let key = identity.x25519 { add(BTMessageIdentity.x25519Account, try key.bytes.copy()) }
        }
        var leftOut = 0
        for key in keys {
            guard let account = RelatedAccount(key) else {
                leftOut += 1
                continue
            }
            items.append(KeychainItem(ByteText(account.bytes), try key.secret.bytes.copy()))
        }
        if !groups.isEmpty {
            let text = Self.text(of: groups)
            add("btmessage.groups", try SecretBytes(copying: text.span))
        }
        return (items, leftOut)
    }

    /// `btmessage.groups`: id → group.
    static func text(of groups: [BTMessageGroup]) -> [UInt8] {
        var text = JSONObjectText()
        var seen: Set<[UInt8]> = []
        for group in groups where seen.insert(group.id).inserted {
            text.add(JSONField(key: group.id, value: group.json))
        }
        return text.finished
    }

    /// Reads items of a keychain or keyring; those that are nothing of these apps are passed over.
    package mutating func add(items: [KeychainItem]) throws(RelatedKeyError) {
        let text: SecretBytes
        let own = items.filter { Self.isAccount($0.account.bytes) }
        guard !own.isEmpty else { return }
        do throws(EncodingError) { text = try KeychainFile.text(of: own) } catch { throw .memory }
        try add(file: text)
    }

    /// Whether an account is one of those that `items` writes.
    package static func isAccount(_ account: [UInt8]) -> Bool {
        let names: [StaticString] = [
            BTMessageIdentity.peerIDAccount, BTMessageIdentity.xwingAccount, BTMessageIdentity.x25519Account,
            "btmessage.groups",
        ]
        return names.contains { $0.bytes == account } || RelatedAccount(account) != nil
    }
}
