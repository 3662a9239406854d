import CryptoPrimitives
import SophaxCore
import SophaxFiles
import SystemIO

/// Seals the files of the sample.
struct SampleMaker: ~Copyable {
    private var randomness: SampleRandomness
    private let limits: BundleLimits
    private let ana: Identity
    private let bob: Identity
    private let peers: [(name: String, keys: IdentityPublicKeys)]
    private let conversations: SampleConversations
    private let storageKey: SecretBytes

    init(_ source: SampleRandomness, limits: BundleLimits) throws(SampleError) {
        var randomness = source
        let ana = try Self.identity("Ana", &randomness)
        let bob = try Self.identity("Bob", &randomness)
        let carla = try Self.identity("Carla", &randomness).publicKeys
        let peers = [(name: bob.username, keys: bob.publicKeys), (name: "Carla", keys: carla)]
        let ids = peers.map { PeerID($0.keys.fingerprint, form: .hex32) }
        let conversations = SampleConversations(bob: ids[0], carla: ids[1], &randomness)
        let storageKey = try Self.secret(&randomness)
        // A value that cannot be copied takes all its parts at once: nothing may throw from here on.
        self.ana = ana
        self.bob = bob
        self.conversations = conversations
        self.storageKey = storageKey
        self.peers = peers
        self.randomness = randomness
        self.limits = limits
    }

    mutating func files() throws(SampleError) -> [Sample.File] {
        let backup = backup()
        return try storeFiles() + [
            Sample.File(path: Sample.keyFile, bytes: keyText()),
            Sample.File(path: Sample.passphraseFile, bytes: Array((Sample.passphrase + "\n").utf8)),
            Sample.File(path: Sample.backupFile, bytes: seal(backup.span, .backup(limits))),
            Sample.File(path: Sample.fullExportFile, bytes: fullExport(backup)),
            Sample.File(path: Sample.bundleFile, bytes: preKeyBundle()),
            Sample.File(path: Sample.keychainFile, bytes: keychain()),
        ]
    }

    private static func identity(
        _ name: String, _ randomness: inout SampleRandomness
    ) throws(SampleError) -> Identity {
        let seed = try secret(&randomness)
        let dhPrivate = try secret(&randomness)
        do {
            return try Identity(signingSeed: seed, dhPrivate: dhPrivate, username: name)
        } catch {
            throw .failed
        }
    }

    private static func secret(_ randomness: inout SampleRandomness) throws(SampleError) -> SecretBytes {
        do {
            return try randomness.secret(32)
        } catch {
            throw .failed
        }
    }
}

// MARK: - The store

extension SampleMaker {
    private mutating func storeFiles() throws(SampleError) -> [Sample.File] {
        let group = "group." + conversations.groupID
        var files = try [
            messageFile(conversations.bob.text, Self.list(conversations.direct)),
            messageFile(conversations.carla.text, Self.list(conversations.old)),
            messageFile(group, Self.list(conversations.group)),
            messageFile(conversations.groupID, Self.list(conversations.olderGroup)),
            messageFile("notetoself", Self.list(conversations.notes)),
            messageFile("pending_queue", try pendingQueue()),
        ]
        let picture = Sample.storeFolder.appending(StoreFolder.attachmentsName)
            .appending(FilePath(conversations.pictureID))
        files.append(Sample.File(path: picture, bytes: try sealStoreFile(SamplePicture.png())))
        return files
    }

    private mutating func messageFile(_ stem: String, _ text: [UInt8]) throws(SampleError) -> Sample.File {
        let folder = Sample.storeFolder.appending(StoreFolder.messagesName)
        return Sample.File(path: folder.appending(FilePath(stem + ".enc")), bytes: try sealStoreFile(text))
    }

    /// nonce ‖ ciphertext ‖ tag, as every file of the store. Format: SophaxChat 6.1.
    private mutating func sealStoreFile(_ text: [UInt8]) throws(SampleError) -> [UInt8] {
        let nonce = randomness.bytes(AEADSize.nonce)
        do {
            var cipher = try AESGCM(key: storageKey)
            return try cipher.sealCombined(text.span, nonce: nonce.span)
        } catch {
            throw .failed
        }
    }

    private static func list(_ messages: [SampleMessage]) -> [UInt8] {
        SampleJSON.list(messages.map(\.json)).bytes
    }

    /// One message to Bob that waits, signed by Ana. What is encrypted in it is random: only Bob could open it.
    /// Format: SophaxChat 6.1.2.
    private mutating func pendingQueue() throws(SampleError) -> [UInt8] {
        let id = Array(randomness.uuid().utf8)
        let message = RatchetMessage(encryptedHeader: randomness.bytes(160), ciphertext: randomness.bytes(120))
        guard let time = WireDate(secondsSince2001: Double(SampleConversations.start) + 173_100) else { throw .failed }
        let wire: WireMessage
        do throws(WireSigningError) {
            wire = try WireMessage.sign(
                .message(ChatMessagePayload(ratchetMessage: message, messageID: id)),
                from: PeerID(ana.fingerprint, form: .hex32), at: time, by: ana)
        } catch {
            throw .failed
        }
        return SampleJSON.object([
            (conversations.bob.text, .list([.raw(PendingQueue.Item(wire: wire, messageID: id).json)]))
        ]).bytes
    }

    /// The key in base64 with a line ending: the file is meant to be read, so it leaves the wiped memory here.
    private func keyText() -> [UInt8] {
        Array((storageKey.withSpan { Base64.encode($0) } + "\n").utf8)
    }
}

// MARK: - The exports

extension SampleMaker {
    private static let exportedAt = SampleConversations.start + 200_000.5

    /// A backup as the newest app makes it: what it cannot read, and what is no conversation, stands there empty.
    private func backup() -> [UInt8] {
        let lists: [(String, SampleJSON)] = [
            (conversations.bob.text, .raw(Self.list(conversations.direct))),
            (conversations.carla.text, .list([])),
            ("group." + conversations.groupID, .raw(Self.list(conversations.group))),
            (conversations.groupID, .list([])),
            ("notetoself", .raw(Self.list(conversations.notes))),
            ("pending_queue", .list([])),
        ]
        return SampleJSON.object([
            ("version", .number("1")), ("createdAt", SampleMessage.number(Self.exportedAt)),
            ("username", .text(ana.username)), ("peers", .list(peers.map(Self.peer))), ("messages", .object(lists)),
            ("identityFingerprint", .text(ana.fingerprint.hex)),
        ]).bytes
    }

    /// A contact in the newest shape that every app reads. Format: SophaxChat 4.2.
    private static func peer(name: String, keys: IdentityPublicKeys) -> SampleJSON {
        .object([
            ("id", .text(PeerID(keys.fingerprint, form: .hex32).text)), ("username", .text(name)),
            ("signingKeyPublic", .text(Base64.encode(keys.signing.span))),
            ("dhKeyPublic", .text(Base64.encode(keys.dh.span))),
            ("safetyNumber", .text(SafetyNumber.iosV0(of: keys).text)),
            ("lastSeen", SampleMessage.number(exportedAt - 3600)), ("isOnline", .flag(false)),
            ("isDirectlyConnected", .flag(false)),
            ("tcpAddress", .text(OnionAddress(of: keys).text + ":25519")), ("trustLevel", .text("accepted")),
        ])
    }

    private mutating func fullExport(_ backup: [UInt8]) throws(SampleError) -> [UInt8] {
        let text: SecretBytes
        do {
            text = try IdentityText.make(ana, exportedAt: "\(Self.exportedAt)", backup: backup)
        } catch {
            throw .failed
        }
        let recipe = BundleRecipe.fullExport(limits)
        let randomness = bundleRandomness(recipe)
        return try text.withSpan { (text) throws(SampleError) in try Self.seal(text, recipe, randomness) }
    }

    /// What Bob's phone hands out, as JSON with a line ending.
    private mutating func preKeyBundle() throws(SampleError) -> [UInt8] {
        do {
            let keys = try (0..<2).map { _ in try X25519.publicKey(of: randomness.secret(32)) }
            var extras = PreKeyBundle.Extras()
            extras.tcpAddress = Array("\(OnionAddress(of: bob.publicKeys).text):25519".utf8)
            let bundle = try PreKeyBundle(
                signedBy: bob, signedPreKey: PublicPreKey(id: 3_241_306_249, key: keys[0]),
                oneTimePreKey: PublicPreKey(id: 2_117_419_924, key: keys[1]), timestamp: Self.exportedAt, extras: extras
            )
            return PreKeyBundleText.json(bundle) + [UInt8(ascii: "\n")]
        } catch {
            throw .failed
        }
    }

    /// What the keychain of the phone holds besides prekeys and settings.
    private mutating func keychain() throws(SampleError) -> [UInt8] {
        var keychain = SampleKeychain(
            owner: ana.fingerprint, people: peers.map(\.keys.fingerprint), groupID: conversations.groupID, randomness)
        try keychain.add("identity.signing", ana.signingSeed)
        try keychain.add("identity.dh", ana.dhPrivate)
        try keychain.add("user.username", Array(ana.username.utf8))
        try keychain.add("storage.master", storageKey)
        try keychain.addSessions()
        try keychain.addGroup(createdAt: SampleConversations.start)
        try keychain.addPeople(bob: bob.publicKeys)
        return try keychain.file()
    }

    private mutating func seal(_ text: Span<UInt8>, _ recipe: BundleRecipe) throws(SampleError) -> [UInt8] {
        try Self.seal(text, recipe, bundleRandomness(recipe))
    }

    private mutating func bundleRandomness(_ recipe: BundleRecipe) -> BundleWriter.Randomness {
        BundleWriter.Randomness(
            salt: randomness.bytes(recipe.saltLength), nonce: randomness.bytes(AEADSize.nonce))
    }

    private static func seal(
        _ text: Span<UInt8>, _ recipe: BundleRecipe, _ randomness: BundleWriter.Randomness
    ) throws(SampleError) -> [UInt8] {
        let passphrase = Array(Sample.passphrase.utf8)
        let secret: SecretBytes
        do {
            secret = try SecretBytes(copying: passphrase.span)
        } catch {
            throw .failed
        }
        do {
            return try BundleWriter.seal(text, as: recipe, passphrase: secret, randomness: randomness)
        } catch {
            throw .bundle(error)
        }
    }
}
