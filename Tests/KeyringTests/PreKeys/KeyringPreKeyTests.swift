import CryptoPrimitives
import SQLiteDatabase
import SophaxCore
import Testing

@testable import Keyring

@Suite("prekeys of the keyring")
struct KeyringPreKeyTests {
    private let made: MadeKeyring
    private let identity: KeyringIdentity
    private var keyring: Keyring { made.keyring }

    private static let day: Double = 86_400
    /// 2026-05-28.
    private static let now: Double = 1_780_000_000

    init() throws {
        made = try MadeKeyring()
        identity = try made.add(0, "alice")
    }

    private func accounts(_ prefix: String) throws -> [String] {
        try keyring.items(of: identity).map(\.account.text).filter { $0.hasPrefix(prefix) }
    }

    private func put(_ name: String, _ bytes: [UInt8]) throws {
        try keyring.setItem(account(name), of: identity, to: secretBytes(bytes), at: Self.now)
    }

    private func publicPreKey(_ kind: PreKeyRecord.Kind, _ id: UInt32) throws -> PublicPreKey? {
        guard let pair = try keyring.preKeyPair(kind, id, of: identity) else { return nil }
        return pair.publicPreKey
    }

    private func latticeKey(_ id: UInt32?) throws -> [UInt8]? {
        guard let pair = try keyring.postQuantumPair(id, of: identity) else { return nil }
        return pair.publicKey
    }

    @Test("a new identity gets a signed prekey and twenty one-time prekeys, as the apps keep them")
    func first() throws {
        let plan = try keyring.maintainPreKeys(of: identity, at: Self.now)
        #expect(plan.rotates && plan.oneTimeMade == 20 && plan.removed.isEmpty)
        let inventory = try keyring.preKeys(of: identity)
        let current = try #require(inventory.current)
        #expect(inventory.currentMadeAt == Self.now)
        #expect(inventory.available.count == 20 && Set(inventory.oneTime.map(\.id)).count == 20)
        #expect(!inventory.oneTime.map(\.id).contains(0) && current.id != 0)
        #expect(try accounts("otpk.").count == 20)
        #expect(try accounts("spk.").sorted() == ["spk.\(current.id)", "spk.created_at", "spk.current_id"].sorted())
        // Format: SophaxChat 5.1.
        #expect(try keyring.plainItem(.signedPreKeyID, of: identity) == LittleEndian.bytes(of: current.id))
        #expect(
            try keyring.plainItem(.signedPreKeyDate, of: identity)
                == LittleEndian.bytes(of: Self.now - PreKeyBundle.epoch2001))
        #expect(try keyring.plainItem(.signedPreKey(current.id), of: identity)?.count == 32)
        #expect(try keyring.maintainPreKeys(of: identity, at: Self.now + 6.9 * Self.day).isEmpty)
        #expect(try keyring.maintainPreKeys(of: identity, at: Self.now + 7 * Self.day).rotates)
    }

    @Test("rotating five times in one minute keeps every earlier one, and each still opens")
    func fiveRotations() throws {
        var ids: [UInt32] = []
        for minute in 0..<6 {
            try keyring.rotateSignedPreKey(of: identity, at: Self.now + Double(minute) * 10)
            ids.append(try #require(try keyring.preKeys(of: identity).current).id)
        }
        #expect(Set(ids).count == 6)
        let inventory = try keyring.preKeys(of: identity)
        #expect(Set(inventory.earlier.map(\.id)) == Set(ids.dropLast()))
        for id in ids {
            let privateKey = try #require(try keyring.plainItem(.signedPreKey(id), of: identity))
            let publicKey = try X25519.publicKey(of: secretBytes(privateKey))
            #expect(try publicPreKey(.signed, id)?.key == publicKey)
        }
        // Years later the last five stay, the one before them goes.
        let removed = try keyring.rotateSignedPreKey(of: identity, at: Self.now + 1000 * Self.day).removed
        #expect(removed.map(\.id) == [ids[0]])
        #expect(try publicPreKey(.signed, ids[0]) == nil)
        #expect(try keyring.preKeys(of: identity).earlier.count == 5)
    }

    @Test("an earlier signed prekey is kept for thirty days after its successor came")
    func grace() throws {
        for week in 0..<12 { try keyring.rotateSignedPreKey(of: identity, at: Self.now + Double(week) * 7 * Self.day) }
        let inventory = try keyring.preKeys(of: identity)
        // One a week: the last five cover 28 days, and nothing younger than 30 days goes.
        let end = Self.now + 77 * Self.day
        let times = inventory.earlier.compactMap(\.replacedAt).sorted()
        #expect(times == [end - 28 * Self.day, end - 21 * Self.day, end - 14 * Self.day, end - 7 * Self.day, end])
    }

    @Test("one-time prekeys are refilled below ten only, or when it is asked for")
    func refilling() throws {
        try keyring.maintainPreKeys(of: identity, at: Self.now)
        for left in stride(from: 19, through: 10, by: -1) {
            #expect(try keyring.publishBundle(of: identity, at: Self.now).available == left)
        }
        #expect(try keyring.replenishPreKeys(of: identity, at: Self.now).isEmpty)
        #expect(try keyring.publishBundle(of: identity, at: Self.now).available == 9)
        // Nine are left, so the next bundle refills before it takes one.
        let next = try keyring.publishBundle(of: identity, at: Self.now)
        #expect(next.upkeep.oneTimeMade == 11 && next.available == 19)
        #expect(try keyring.replenishPreKeys(of: identity, at: Self.now, always: true).oneTimeMade == 1)
        let inventory = try keyring.preKeys(of: identity)
        #expect(inventory.available.count == 20 && inventory.published.count == 12)
        #expect(inventory.lastPublishedAt == Self.now)
        // Those that were handed out go after the grace period, no sooner.
        #expect(try keyring.replenishPreKeys(of: identity, at: Self.now + 29 * Self.day).removed.isEmpty)
        #expect(try keyring.replenishPreKeys(of: identity, at: Self.now + 30 * Self.day).removed.count == 12)
        #expect(try keyring.preKeys(of: identity).published.isEmpty)
    }

    @Test("no one-time prekey goes into two bundles")
    func onceOnly() throws {
        var ids: [UInt64] = []
        for _ in 0..<60 {
            let published = try keyring.publishBundle(of: identity, at: Self.now)
            ids.append(try #require(published.bundle.oneTimePreKey).id)
        }
        #expect(Set(ids).count == 60)
    }

    @Test("a bundle is signed with its own time, and its prekeys are those of the keyring")
    func bundle() throws {
        let published = try keyring.publishBundle(of: identity, at: Self.now + 0.123)
        let bundle = published.bundle
        #expect(bundle.signatureForm == .keysAndTime)
        #expect(bundle.timestamp == Self.now + 0.123 - PreKeyBundle.epoch2001)
        #expect(bundle.identityKeys == identity.keys && bundle.username == identity.name.bytes)
        let inventory = try keyring.preKeys(of: identity)
        #expect(inventory.current.map { UInt64($0.id) } == bundle.signedPreKey.id)
        let id = try #require(bundle.oneTimePreKey).id
        #expect(try publicPreKey(.oneTime, UInt32(truncatingIfNeeded: id)) == bundle.oneTimePreKey)
        let without = try keyring.publishBundle(of: identity, at: Self.now, withOneTime: false, form: .keyOnly)
        #expect(without.bundle.oneTimePreKey == nil && without.bundle.signatureForm == .keyOnly)
        #expect(without.available == published.available)
    }

    @Test("a keychain of the app: its signed prekey is current, its one-time prekeys are never handed out")
    func imported() throws {
        let key = [UInt8](repeating: 9, count: 32)
        let made = 800_000_000.0
        try put("spk.1738933701", key)
        try put("spk.17", key)
        try put("spk.current_id", LittleEndian.bytes(of: UInt32(1_738_933_701)))
        try put("spk.created_at", LittleEndian.bytes(of: made))
        for id in 1...42 { try put("otpk.\(id)", key) }
        let lattice = try PostQuantumPreKeyPair.makeForIdentity().stored()
        let stored = lattice.withSpan { span in span.indices.map { span[$0] } }
        try put("pqspk.5", stored)
        try put("pqspk.6", stored)
        try put("pqspk.current_id", [5, 0, 0, 0])
        try put("pqspk.7", [1])
        var inventory = try keyring.preKeys(of: identity)
        #expect(inventory.current?.id == 1_738_933_701 && inventory.current?.isImported == true)
        #expect(inventory.currentMadeAt == made + PreKeyBundle.epoch2001)
        #expect(inventory.earlier.map(\.id) == [17])
        #expect(inventory.imported.count == 42 && inventory.deadAtLeast == 22 && inventory.available.isEmpty)
        #expect(inventory.currentPostQuantum?.id == 5 && inventory.earlierPostQuantum.map(\.id) == [6])
        #expect(inventory.usesPostQuantum && !inventory.hasPostQuantumKey)
        #expect(inventory.unusable.map(\.text) == ["pqspk.7"])
        let time = made + PreKeyBundle.epoch2001 + 60
        let published = try keyring.publishBundle(of: identity, at: time)
        #expect(!published.upkeep.rotates && published.upkeep.oneTimeMade == 20)
        let handedOut = try #require(published.bundle.oneTimePreKey).id
        #expect(handedOut > 42)
        // Rotating keeps both, however old they are: nothing says when they were replaced, or it was now.
        try keyring.rotateSignedPreKey(of: identity, at: time + 1000 * Self.day)
        inventory = try keyring.preKeys(of: identity)
        #expect(Set(inventory.earlier.map(\.id)) == [17, 1_738_933_701])
        #expect(inventory.imported.count == 42)
    }

    @Test("items that are called like prekeys and are none are named, and never used")
    func unusable() throws {
        let key = [UInt8](repeating: 9, count: 32)
        try put("spk.007", key)
        try put("spk.+7", key)
        try put("spk.4294967296", key)
        try put("otpk.-1", key)
        try put("otpk.", key)
        try put("otpk.8", [1])
        try put("spk.current_id", [7, 0, 0])
        try put("spk.created_at", LittleEndian.bytes(of: Double.nan))
        try put("otpk.0", key)
        try put("otpk.4294967295", key)
        let inventory = try keyring.preKeys(of: identity)
        #expect(inventory.current == nil && inventory.currentMadeAt == nil && inventory.earlier.isEmpty)
        #expect(inventory.imported.map(\.id).sorted() == [0, .max])
        #expect(inventory.unusable.count == 6)
        #expect(inventory.isRotationDue(.standard, at: Self.now))
        #expect(try keyring.maintainPreKeys(of: identity, at: Self.now).rotates)
        #expect(try keyring.preKeys(of: identity).current != nil)
    }

    @Test("a clock that was set back rotates nothing, and removes nothing")
    func clockSetBack() throws {
        try keyring.maintainPreKeys(of: identity, at: Self.now)
        for _ in 0..<8 { try keyring.rotateSignedPreKey(of: identity, at: Self.now) }
        #expect(try keyring.maintainPreKeys(of: identity, at: Self.now - 3650 * Self.day).isEmpty)
        let rotation = try keyring.rotateSignedPreKey(of: identity, at: Self.now - 3650 * Self.day)
        #expect(rotation.removed.isEmpty)
        #expect(try keyring.preKeys(of: identity).earlier.count == 9)
    }

    @Test("the prekeys of one identity are none of another's, and go with it")
    func identities() throws {
        let other = try made.add(64, "bob")
        try keyring.maintainPreKeys(of: identity, at: Self.now)
        #expect(try keyring.preKeys(of: other) == PreKeyInventory())
        try keyring.remove(identity)
        let rows = try keyring.database.first("SELECT count(*) FROM prekey") { row in row.integer(0) }
        #expect(rows == .some(.some(0)))
    }

    @Test("a bundle that cannot be made takes no one-time prekey")
    func failure() throws {
        try keyring.maintainPreKeys(of: identity, at: Self.now)
        try keyring.removeItem(.dh, of: identity)
        #expect(throws: KeyringError.noPrivateKeys) { try keyring.publishBundle(of: identity, at: Self.now) }
        #expect(try keyring.preKeys(of: identity).available.count == 20)
    }

    @Test("with post-quantum keys an ML-KEM prekey comes and goes with the signed one, and bundles offer it signed")
    func postQuantum() throws {
        try keyring.addPostQuantumKeys(to: identity, at: Self.now, random: .system)
        let key = try keyring.plainItem(.mlKEM, of: identity)
        #expect(key?.count == 96)
        #expect(try keyring.plainItem(.mlDSA, of: identity)?.count == 64)
        let plan = try keyring.maintainPreKeys(of: identity, at: Self.now)
        #expect(plan.rotates && plan.makesPostQuantum)
        let first = try #require(try keyring.preKeys(of: identity).currentPostQuantum)
        #expect(try keyring.plainItem(.postQuantumPreKeyID, of: identity) == LittleEndian.bytes(of: first.id))
        #expect(try keyring.plainItem(.postQuantumPreKey(first.id), of: identity)?.count == 96)
        // Keys that are there stay.
        try keyring.addPostQuantumKeys(to: identity, at: Self.now, random: .system)
        #expect(try keyring.plainItem(.mlKEM, of: identity) == key)

        let bundle = try keyring.publishBundle(of: identity, at: Self.now).bundle
        #expect(bundle.extras.postQuantumPreKeyID == first.id)
        #expect(bundle.postQuantumSignature == .valid)
        let offered = try #require(bundle.extras.postQuantumPreKey)
        #expect(try latticeKey(first.id) == offered)
        let classical = try keyring.publishBundle(of: identity, at: Self.now, withPostQuantum: false).bundle
        #expect(!classical.extras.hasPostQuantum)

        #expect(try keyring.rotateSignedPreKey(of: identity, at: Self.now + Self.day).makesPostQuantum)
        let after = try keyring.preKeys(of: identity)
        #expect(after.currentPostQuantum?.id != first.id && after.earlierPostQuantum.map(\.id) == [first.id])
        #expect(try keyring.plainItem(.postQuantumPreKey(first.id), of: identity)?.count == 96)
        for day in 2...9 { try keyring.rotateSignedPreKey(of: identity, at: Self.now + Double(day) * 31 * Self.day) }
        let late = try keyring.preKeys(of: identity)
        #expect(late.earlier.count == late.earlierPostQuantum.count)
        #expect(!late.earlierPostQuantum.map(\.id).contains(first.id))
        #expect(try keyring.plainItem(.postQuantumPreKey(first.id), of: identity) == nil)
    }

    @Test("an identity of an app that had only its own ML-KEM key offers that one, without a number")
    func identityKeyOnly() throws {
        try keyring.maintainPreKeys(of: identity, at: Self.now)
        let stored = try PostQuantumPreKeyPair.makeForIdentity().stored()
        try keyring.setItem(.mlKEM, of: identity, to: stored, at: Self.now)
        let bundle = try keyring.publishBundle(of: identity, at: Self.now + 60).bundle
        #expect(bundle.extras.postQuantumPreKeyID == nil)
        #expect(try bundle.extras.postQuantumPreKey == latticeKey(nil))
        #expect(bundle.postQuantumSignature == .none)
        // A key of another layout is kept and signs nothing; an ML-KEM key that does not fit its hash is damage.
        try put("identity.mldsa", [UInt8](repeating: 1, count: 4_032))
        #expect(try keyring.publishBundle(of: identity, at: Self.now + 60).bundle.postQuantumSignature == .none)
        try put("identity.pq", [UInt8](repeating: 1, count: 96))
        #expect(throws: KeyringError.unfitItem(account: ItemAccount.mlKEM.bytes)) {
            try keyring.publishBundle(of: identity, at: Self.now + 60)
        }
    }
}
