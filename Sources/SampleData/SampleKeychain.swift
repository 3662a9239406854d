import CryptoPrimitives
import SophaxCore
import SophaxFiles

/// The keychain of Ana's phone, as a dump of it looks: account → base64. Format: SophaxChat 5.
///
/// Keys of a sample are no secret, see `SampleRandomness`.
struct SampleKeychain {
    let owner: Fingerprint
    /// Bob and Carla.
    let people: [Fingerprint]
    let groupID: String
    private var items: [KeychainItem] = []
    private var randomness: SampleRandomness

    init(owner: Fingerprint, people: [Fingerprint], groupID: String, _ randomness: SampleRandomness) {
        self.owner = owner
        self.people = people
        self.groupID = groupID
        self.randomness = randomness
    }

    mutating func add(_ account: String, _ value: borrowing SecretBytes) throws(SampleError) {
        do {
            items.append(KeychainItem(ByteText(Array(account.utf8)), try value.copy()))
        } catch {
            throw .failed
        }
    }

    mutating func add(_ account: String, _ bytes: [UInt8]) throws(SampleError) {
        do {
            items.append(KeychainItem(ByteText(Array(account.utf8)), try SecretBytes(copying: bytes.span)))
        } catch {
            throw .failed
        }
    }

    /// The file, with everything that was added.
    func file() throws(SampleError) -> [UInt8] {
        do {
            return try KeychainFile.text(of: items).withSpan { text in text.indices.map { text[$0] } }
        } catch {
            throw .failed
        }
    }

    /// Two sessions: Ana began the one with Bob and wrote three messages; Carla began the other, and one of her three
    /// messages has not come.
    mutating func addSessions() throws(SampleError) {
        do {
            let macKey = try randomness.secret(32)
            let bobsPreKey = try X25519.publicKey(of: randomness.secret(32))
            var toBob = try RatchetSession(
                initiatorSecret: randomness.secret(32), signedPreKey: bobsPreKey, random: fixedSource())
            let ad = AssociatedData.candidates(owner, people[0])
            for text in ["one", "two", "three"] {
                let plaintext = Array(text.utf8)
                _ = try toBob.encrypt(plaintext.span, ad: ad[0])
            }
            let secret = try randomness.secret(32)
            let own = try PreKeyPair(id: 1_738_933_701, privateKey: randomness.secret(32))
            var carla = try RatchetSession(
                initiatorSecret: secret, signedPreKey: own.publicPreKey.key, random: fixedSource())
            var fromCarla = try RatchetSession(responderSecret: secret, signedPreKey: own)
            let between = AssociatedData.candidates(owner, people[1])
            for index in 0..<3 {
                let plaintext = Array("\(index)".utf8)
                let message = try carla.encrypt(plaintext.span, ad: between[0])
                if index != 1 { _ = try fromCarla.decrypt(message, ad: between, random: fixedSource()) }
            }
            try add("session.mac_key", macKey)
            try add("session.\(id(0))", try SessionBlob.seal(toBob.state(), macKey: macKey))
            try add("session.\(id(1))", try SessionBlob.seal(fromCarla.state(), macKey: macKey))
        } catch {
            throw .failed
        }
    }

    /// Ana's sender key of the group, and those of Bob and Carla.
    mutating func addGroup(createdAt: Double) throws(SampleError) {
        let keys = (0..<3).map { _ in Base64.encode(randomness.bytes(32).span) }
        func state(_ index: Int, _ iteration: Int, _ date: String) -> SampleJSON {
            .object([
                ("chainKey", .text(keys[index])), ("iteration", .number("\(iteration)")),
                ("messageCount", .number("\(iteration)")), (date, .number("\(Int(createdAt))")),
            ])
        }
        try add("skd.mine.\(groupID)", state(0, 4, "createdAt").bytes)
        let peers = SampleJSON.object([(id(0), state(1, 7, "receivedAt")), (id(1), state(2, 2, "receivedAt"))])
        try add("skd.peers.\(groupID)", peers.bytes)
        try add("skd.skipped.all", SampleJSON.object([]).bytes)
    }

    /// Bob was verified, and Carla has another name.
    mutating func addPeople(bob: IdentityPublicKeys) throws(SampleError) {
        try add("verified.peers", SampleJSON.object([(id(0), .text(SafetyNumber.iosV0(of: bob).text))]).bytes)
        try add("peer.aliases", SampleJSON.object([(id(1), .text("Carla from climbing"))]).bytes)
    }

    private func id(_ index: Int) -> String { PeerID(people[index], form: .hex32).text }

    /// Gives the same key each time it is asked, which a ratchet step does once.
    private mutating func fixedSource() -> RandomSource {
        let bytes = randomness.bytes(32)
        return RandomSource(
            secret: { (_) throws(SecretMemoryError) in try SecretBytes(copying: bytes.span) }, bytes: { _ in bytes })
    }
}
