import CryptoPrimitives
import Foundation
import Keyring
import SophaxCore
import SophaxFiles
import SystemIO
import TestSupport
import Testing

@testable import SXKeyCommands

@Suite("bundle restore")
struct BundleRestoreTests {
    /// What makes Argon2id as cheap as it may be.
    static let cheap = ["--argon2-memory", "19", "--argon2-passes", "1", "--argon2-lanes", "1"]

    private func json(_ run: CommandRun) -> [String: Any] {
        let bytes = run.outputBytes.isEmpty ? Array(run.errors.utf8) : run.outputBytes
        return (try? JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]) ?? [:]
    }

    // MARK: - A keyring with all that there is

    /// Items of an app's keychain, some of which this version knows nothing of.
    private static let items: [String: [UInt8]] = [
        "identity.signing": Array(0..<32), "identity.dh": Array(32..<64), "user.username": Array("alice".utf8),
        "storage.master": MadeStore.keyBytes, "identity.avatar": [0xFF, 0xD8, 0, 1], "identity.mldsa": [1, 2, 3],
        "spk.7": [UInt8](repeating: 7, count: 32), "spk.current_id": [7, 0, 0, 0],
        "spk.created_at": [0, 0, 0, 0, 0, 0, 0, 0],
        "otpk.9": [UInt8](repeating: 9, count: 32), "pqspk.3": preKey,
        "group.key.G": [UInt8](repeating: 4, count: 32), "skd.mine.G": Array("{}".utf8), "mls.state.G": [0, 0, 7],
        "session.08c4cab788bd5f92": Array("state".utf8), "session.mac_key": [UInt8](repeating: 5, count: 32),
        "verified.peers": Array("{\"a\":\"1\"}".utf8), "peer.aliases": Array("{}".utf8), "something.new": [],
    ]

    /// An ML-KEM key: seed and hash.
    private static let preKey: [UInt8] = {
        let seed = [UInt8](repeating: 3, count: 64)
        do {
            let stored = try PostQuantumPreKeyPair(id: 3, seed: SecretBytes(copying: seed.span)).stored()
            return stored.withSpan { bytes in bytes.indices.map { bytes[$0] } }
        } catch {
            Issue.record(error)
            return []
        }
    }()

    private func specimen(_ items: [String: [UInt8]] = items) throws -> KeyringSpecimen {
        let specimen = try KeyringSpecimen()
        let pairs = items.map { "\"\($0.key)\":\"\(Data($0.value).base64EncodedString())\"" }
        specimen.folder.write("{\(pairs.joined(separator: ","))}", to: "keychain.json")
        let run = specimen.run("identity", "import", "@keychain.json", "--use")
        // Some of the items have not the shape of their kind: they are kept as they are, and named.
        try #require(run.status == .finding, "\(run.errors)")
        return specimen
    }

    /// Two contacts: one with a mark and an earlier key, and one who is only a card.
    private func addPeople(_ specimen: KeyringSpecimen) throws {
        let keyring = try specimen.open(.readWrite)
        let (old, new) = (try MadePeople.identity(1).publicKeys, try MadePeople.identity(2).publicKeys)
        let name = try #require(IdentityName(trimming: "Bob"))
        func person(_ keys: IdentityPublicKeys) -> NewContact {
            NewContact(
                origin: .invite, name: name, keys: keys, claimedPeerIDs: [PeerID(keys.fingerprint, form: .hex16)],
                onion: OnionAddress(of: keys).text, port: 25519)
        }
        let bob = try #require(try keyring.add(person(old), name: name, at: 1000))
        guard case .done(let replaced) = try keyring.replaceKey(of: bob, by: person(new), at: 2000.5) else {
            Issue.record("no new key")
            return
        }
        try keyring.mark(
            replaced, VerifiedMark(form: .iosOwn, number: "12345 67890", markedAt: 3000, byIdentity: nil))
        _ = try keyring.setBlocked(replaced, true, at: 4000)
        let card = NewContact(
            origin: .card, name: nil, keys: nil, claimedPeerIDs: [PeerID(bytes: Array(MadeStore.bob.utf8))])
        _ = try keyring.add(card, name: try #require(IdentityName(trimming: "Card")), at: 5000)
    }

    private func values(_ specimen: KeyringSpecimen) throws -> [String: [UInt8]] {
        let keyring = try specimen.open()
        let identity = try #require(try keyring.identities().first)
        var values: [String: [UInt8]] = [:]
        for listing in try keyring.items(of: identity) {
            guard let value = try keyring.item(listing.account, of: identity) else { continue }
            values[listing.account.text] = value.withSpan { span in span.indices.map { span[$0] } }
        }
        return values
    }

    /// Contacts without the numbers of their rows, with their history.
    private func people(_ specimen: KeyringSpecimen) throws -> [String] {
        let keyring = try specimen.open()
        return try keyring.contacts().map { contact in
            let record = "\(ContactRecordText(contact, try keyring.history(of: contact)))"
            return record
        }
    }

    private struct ContactRecordText: CustomStringConvertible {
        let description: String

        init(_ contact: Contact, _ history: [ContactEvent]) {
            let keys = contact.keys.map {
                "\($0.fingerprint.hex) \($0.firstSeen) \($0.lastSeen) \($0.isCurrent) \(String(describing: $0.replacedAt)) \($0.origin) \($0.peerIDs) \(String(describing: $0.mark))"
            }
            description =
                "\(contact.name.text) \(contact.isBlocked) \(contact.addedAt) \(String(describing: contact.onion)) \(String(describing: contact.port)) \(String(describing: contact.cardPeerID)) \(keys) \(history)"
        }
    }

    private func create(_ specimen: KeyringSpecimen, _ options: String...) -> CommandRun {
        CommandRun.run(
            ["bundle", "create", "--out", specimen.folder.file("all.sxb"), "--keyring", specimen.path]
                + [
                    "--keyring-key-file", specimen.folder.file("key"), "--new-passphrase-file",
                    specimen.folder.file("pw"),
                ]
                + Self.cheap + options)
    }

    // MARK: - The keyring

    @Test("keyring to bundle to new keyring: every item byte for byte, every contact with marks and history")
    func keyring() throws {
        let old = try specimen()
        try addPeople(old)
        let made = create(old)
        #expect(made.status == .success, "\(made.errors)")
        let new = try KeyringSpecimen()
        new.folder.write(fileBytes(old.folder.file("all.sxb")) ?? [], to: "all.sxb")
        let plan = new.run("bundle", "restore", "@all.sxb", "-p", "@pw", "--dry-run", "--json")
        #expect(plan.status == .success, "\(plan.errors)")
        #expect(try new.open().identities().isEmpty)
        let run = new.run("bundle", "restore", "@all.sxb", "-p", "@pw", "--json")
        #expect(run.status == .success, "\(run.errors)")
        var expected = Self.items
        for session in ["session.08c4cab788bd5f92", "session.mac_key"] { expected[session] = nil }
        #expect(try values(new) == expected)
        #expect(try people(new) == people(old))
        let (before, after) = (try old.open().identities(), try new.open().identities())
        #expect(before.map(\.fingerprint) == after.map(\.fingerprint) && before.map(\.name) == after.map(\.name))
        #expect(before.map(\.createdAt) == after.map(\.createdAt) && before.map(\.origin) == after.map(\.origin))
        // The plan and what was done agree.
        for key in ["keyring", "parts", "counts"] {
            #expect(json(plan)[key] as? NSObject == json(run)[key] as? NSObject, "\(key)")
        }
        let parts = json(run)["parts"] as? [String: String]
        #expect(parts?["sessions"] == "not-in-bundle" && parts?["prekeys"] == "restored")
        // Once more changes nothing.
        let bytes = new.bytes
        let again = new.run("bundle", "restore", "@all.sxb", "-p", "@pw", "--json")
        #expect(again.status == .success && (json(again)["counts"] as? [String: Int])?["written"] == 0)
        #expect(try values(new) == expected && people(new) == people(old) && !bytes.isEmpty)
    }

    @Test("sessions come only when asked for, both ways, and are marked as stale")
    func sessions() throws {
        let old = try specimen()
        #expect(create(old, "--include-sessions").status == .success)
        let new = try KeyringSpecimen()
        new.folder.write(fileBytes(old.folder.file("all.sxb")) ?? [], to: "all.sxb")
        let without = new.run("bundle", "restore", "@all.sxb", "-p", "@pw", "--json")
        #expect((json(without)["parts"] as? [String: String])?["sessions"] == "left")
        #expect(try !values(new).keys.contains { $0.contains("session") })
        let with = new.run("bundle", "restore", "@all.sxb", "-p", "@pw", "--include-sessions", "--json")
        #expect((json(with)["parts"] as? [String: String])?["sessions"] == "restored")
        let found = try values(new)
        #expect(found["stale.session.08c4cab788bd5f92"] == Self.items["session.08c4cab788bd5f92"])
        #expect(found["session.08c4cab788bd5f92"] == nil)
        // A second journey does not mark them twice.
        #expect(create(new, "--include-sessions", "--force").status == .success)
        let third = try KeyringSpecimen()
        third.folder.write(fileBytes(new.folder.file("all.sxb")) ?? [], to: "all.sxb")
        #expect(third.run("bundle", "restore", "@all.sxb", "-p", "@pw", "--include-sessions").status == .success)
        #expect(
            try values(third).keys.filter { $0.contains("session") }.sorted() == [
                "stale.session.08c4cab788bd5f92", "stale.session.mac_key",
            ])
    }

    @Test("one-time prekeys that may have been given out since are kept and not given out again")
    func preKeys() throws {
        let old = try specimen()
        let keyring = try old.open(.readWrite)
        let identity = try #require(try keyring.currentIdentity())
        _ = try keyring.replenishPreKeys(of: identity, at: 1_779_000_000, always: true)
        let available = try keyring.preKeys(of: identity).available.count
        #expect(available > 0 && create(old).status == .success)
        let new = try KeyringSpecimen()
        new.folder.write(fileBytes(old.folder.file("all.sxb")) ?? [], to: "all.sxb")
        let run = new.run("bundle", "restore", "@all.sxb", "-p", "@pw", "--json")
        let items = (json(run)["keyring"] as? [String: Any])?["items"] as? [String: Any]
        #expect(items?["retiredPreKeys"] as? Int == available)
        let restored = try new.open()
        let same = try #require(try restored.currentIdentity())
        let inventory = try restored.preKeys(of: same)
        #expect(inventory.available.isEmpty && inventory.published.count == available)
        #expect(
            try values(new).filter { $0.key.hasPrefix("otpk.") } == values(old).filter { $0.key.hasPrefix("otpk.") })
    }

    @Test("another identity of the same name is refused with both fingerprints, and nothing is changed")
    func otherIdentity() throws {
        let old = try specimen()
        #expect(create(old).status == .success)
        var others = Self.items
        others["identity.signing"] = Array(64..<96)
        let new = try specimen(others)
        new.folder.write(fileBytes(old.folder.file("all.sxb")) ?? [], to: "all.sxb")
        let before = try values(new)
        let run = new.run("bundle", "restore", "@all.sxb", "-p", "@pw")
        let present = try #require(try new.open().identities().first).fingerprint.hex
        #expect(run.status == .finding)
        #expect(run.errors.contains(KeyringSpecimen.alice) && run.errors.contains(present))
        #expect(try new.open().identities().count == 1 && values(new) == before)
        let named = new.run("bundle", "restore", "@all.sxb", "-p", "@pw", "--name", "Alice of before")
        #expect(named.status == .success, "\(named.errors)")
        #expect(try new.open().identities().map(\.name.text) == ["alice", "Alice of before"])
        #expect(try new.open().currentIdentity()?.name.text == "alice")
    }

    @Test("a value that differs is kept, named, and makes exit 3")
    func different() throws {
        let old = try specimen()
        #expect(create(old).status == .success)
        var others = Self.items
        others["identity.avatar"] = [9]
        others["something.new"] = nil
        let new = try specimen(others)
        new.folder.write(fileBytes(old.folder.file("all.sxb")) ?? [], to: "all.sxb")
        let run = new.run("bundle", "restore", "@all.sxb", "-p", "@pw", "--json")
        #expect(run.status == .someDamaged)
        let items = (json(run)["keyring"] as? [String: Any])?["items"] as? [String: Any]
        #expect(items?["different"] as? [String] == ["identity.avatar"] && items?["added"] as? Int == 1)
        #expect(try values(new)["identity.avatar"] == [9] && values(new)["something.new"] == [])
    }

    @Test("a wrong passphrase, and a bundle that is cut off or changed, leave the keyring as it is", arguments: 0..<3)
    func damaged(way: Int) throws {
        let old = try specimen()
        #expect(create(old).status == .success)
        let new = try KeyringSpecimen()
        var bytes = fileBytes(old.folder.file("all.sxb")) ?? []
        if way == 0 { new.folder.write("another passphrase", to: "pw") }
        if way == 1 { bytes.removeLast(40) }
        if way == 2 { bytes[bytes.count - 200] ^= 1 }
        new.folder.write(bytes, to: "all.sxb")
        let before = new.bytes
        let run = new.run("bundle", "restore", "@all.sxb", "-p", "@pw", "--store", "@phone", "--key-out", "@phone.key")
        #expect(run.status == (way == 0 ? .wrongSecret : .unreadable), "\(run.errors)")
        #expect(new.bytes == before)
        #expect(new.folder.names == ["all.sxb", "key", "keyring.sxdb", "pw"])
    }

    // MARK: - Trust

    @Test("a bundle for a key is trusted for marks when oneself or a verified contact signed it")
    func trust() throws {
        let sender = try specimen()
        try addPeople(sender)
        func bundle(_ words: String...) -> CommandRun {
            CommandRun.run(
                ["bundle", "create", "--out", sender.folder.file("all.sxb"), "--force", "--keyring", sender.path]
                    + ["--keyring-key-file", sender.folder.file("key")] + words)
        }
        // For oneself: everything.
        #expect(bundle("--recipient", "alice").status == .success)
        let again = try KeyringSpecimen()
        try again.addAlice()
        again.folder.write(fileBytes(sender.folder.file("all.sxb")) ?? [], to: "all.sxb")
        let own = again.run("bundle", "restore", "@all.sxb", "--json")
        #expect(own.status == .success, "\(own.errors)")
        #expect((json(own)["keyring"] as? [String: Any])?["trust"] as? String == "own-signature")
        #expect(try people(again) == people(sender))
        #expect(try values(again)["verified.peers"] == Self.items["verified.peers"])
        // For somebody who does not know the signer: keys and names, and nothing that lends trust.
        let receiver = try KeyringSpecimen()
        let keys = try MadePeople.identity(0x70, name: "carl")
        let carl = try receiver.open(.readWrite).addIdentity(
            keys, name: try #require(IdentityName(trimming: "carl")), origin: "new", at: 1)
        #expect(bundle("--recipient", Data(carl.keys.dh).base64EncodedString()).status == .success)
        receiver.folder.write(fileBytes(sender.folder.file("all.sxb")) ?? [], to: "all.sxb")
        let unknown = receiver.run("bundle", "restore", "@all.sxb", "--include-sessions", "--json")
        #expect(
            (json(unknown)["keyring"] as? [String: Any])?["trust"] as? String == "unknown-signature",
            "\(unknown.errors)")
        #expect((json(unknown)["keyring"] as? [String: Any])?["signer"] as? String == KeyringSpecimen.alice)
        let bob = try #require(try receiver.open().contacts().first)
        #expect(bob.name.text == "Bob" && bob.keys.count == 1 && !bob.isVerified)
        #expect(try receiver.open().history(of: bob).map(\.kind) == [.added])
    }

    @Test("converting a bundle of somebody unknown does not make it trusted")
    func laundering() throws {
        let sender = try specimen()
        try addPeople(sender)
        let receiver = try KeyringSpecimen()
        let keys = try MadePeople.identity(0x70, name: "carl")
        let carl = try receiver.open(.readWrite).addIdentity(
            keys, name: try #require(IdentityName(trimming: "carl")), origin: "new", at: 1)
        let made = CommandRun.run(
            [
                "bundle", "create", "--out", sender.folder.file("all.sxb"), "--keyring", sender.path,
                "--include-sessions",
            ]
                + ["--keyring-key-file", sender.folder.file("key")]
                + ["--recipient", Data(carl.keys.dh).base64EncodedString()])
        #expect(made.status == .success, "\(made.errors)")
        receiver.folder.write(fileBytes(sender.folder.file("all.sxb")) ?? [], to: "all.sxb")
        let convert = CommandRun.run(
            ["bundle", "convert", receiver.folder.file("all.sxb"), "--out", receiver.folder.file("mine.sxb")]
                + ["--new-passphrase-file", receiver.folder.file("pw"), "--keyring", receiver.path]
                + ["--keyring-key-file", receiver.folder.file("key")] + Self.cheap)
        #expect(convert.status == .success, "\(convert.errors)")
        #expect(convert.errors.contains("verified marks, key history and sessions are not taken over"))
        let run = receiver.run("bundle", "restore", "@mine.sxb", "-p", "@pw", "--include-sessions", "--json")
        #expect(run.status == .success, "\(run.errors)")
        let bob = try #require(try receiver.open().contacts().first)
        #expect(bob.keys.count == 1 && !bob.isVerified)
        let alice = try #require(try receiver.open().identities().first { $0.name.text == "alice" })
        let accounts = try receiver.open().items(of: alice).map(\.account.text)
        #expect(accounts.contains("peer.aliases") && !accounts.contains("verified.peers"))
        #expect(!accounts.contains { $0.contains("session") })
    }

    // MARK: - Stores

    private func madeStore() throws -> MadeStore {
        let store = MadeStore()
        try store.conversation(
            MadeStore.bob,
            [
                MadeStore.message("a", peer: MadeStore.bob, body: "x \\/ é \\u0000"),
                MadeStore.message("b", peer: MadeStore.bob, extra: ",\"attachmentID\":\"AB-1\",\"new\":[1.50]"),
            ])
        try store.write(
            "[{\"id\":\"n\",\"peerID\":\"__note_to_self__\",\"direction\":\"sent\",\"body\":\"\",\"timestamp\":1.0,\"status\":\"read\"}]",
            "notetoself")
        try store.write("{}", "pending_queue")
        try store.attachment("AB-1", "picture bytes")
        return store
    }

    /// The decrypted text of each file of a store.
    private func texts(_ path: String, key: [UInt8] = MadeStore.keyBytes) throws -> [String: String] {
        var texts: [String: String] = [:]
        for folder in ["sophax_messages", "sophax_attachments"] {
            for entry in try listFolder(FilePath(path + "/" + folder)) {
                let bytes = fileBytes(path + "/\(folder)/" + String(decoding: entry.name.bytes, as: UTF8.self)) ?? []
                var cipher = try AESGCM(key: SecretBytes(copying: key.span))
                let text = try cipher.openCombined(bytes.span)
                texts["\(folder)/\(String(decoding: entry.name.bytes, as: UTF8.self))"] = text.withSpan { span in
                    String(decoding: span.indices.map { span[$0] }, as: UTF8.self)
                }
            }
        }
        return texts
    }

    @Test("store to bundle to new store: the JSON of every message and every attachment, byte for byte")
    func store() throws {
        let made = try madeStore()
        made.folder.write(BundleSpecimen.passphrase, to: "pw")
        let bundle = made.folder.file("s.sxb")
        let run = CommandRun.run(
            ["bundle", "create", "--store", made.path, "--key-file", made.keyFile, "--out", bundle]
                + ["--new-passphrase-file", made.folder.file("pw"), "--json"] + Self.cheap)
        #expect(run.status == .success, "\(run.errors)")
        #expect(json(run)["messages"] as? Int == 3 && json(run)["attachments"] as? Int == 1)
        let new = made.folder.file("new")
        let restored = CommandRun.run(
            ["bundle", "restore", bundle, "-p", made.folder.file("pw"), "--store", new]
                + ["--new-key-file", made.keyFile, "--json"])
        #expect(restored.status == .success, "\(restored.errors)")
        #expect(try texts(new) == texts(made.path))
        #expect((json(restored)["store"] as? [String: Any])?["atRisk"] as? Int == 1)
        // A store that is there is not taken for a new one.
        let twice = CommandRun.run(
            ["bundle", "restore", bundle, "-p", made.folder.file("pw"), "--store", new, "--new-key-file", made.keyFile])
        #expect(twice.status == .wouldOverwrite)
    }

    @Test("merging into a store adds what is missing, keeps both of what conflicts, and is the same the second time")
    func merging() throws {
        let made = try madeStore()
        made.folder.write(BundleSpecimen.passphrase, to: "pw")
        let bundle = made.folder.file("s.sxb")
        _ = CommandRun.run(
            ["bundle", "create", "--store", made.path, "--key-file", made.keyFile, "--out", bundle]
                + ["--new-passphrase-file", made.folder.file("pw")] + Self.cheap)
        let other = MadeStore()
        // One message is there, one has the id with another text, and one is its own.
        try other.conversation(
            MadeStore.bob,
            [
                MadeStore.message("a", peer: MadeStore.bob, body: "another text"),
                MadeStore.message("c", peer: MadeStore.bob, time: 796_000_001),
            ])
        try other.attachment("AB-1", "other bytes")
        func restore() -> CommandRun {
            CommandRun.run(
                ["bundle", "restore", bundle, "-p", made.folder.file("pw"), "--store", other.path]
                    + ["--key-file", other.keyFile, "--json"])
        }
        let run = restore()
        #expect(run.status == .someDamaged, "\(run.errors)")
        let store = json(run)["store"] as? [String: Any]
        #expect(store?["merge"] as? [String: Int] == ["new": 2, "alreadyThere": 0, "changed": 0, "conflicting": 1])
        #expect(store?["different"] as? [String] == ["AB-1"])
        let texts = try texts(other.path)
        let list = texts["sophax_messages/\(MadeStore.bob).enc"] ?? ""
        let ids = try #require(try JSONSerialization.jsonObject(with: Data(list.utf8)) as? [[String: Any]])
        #expect(ids.compactMap { $0["id"] as? String }.sorted() == ["a", "a", "b", "c"])
        #expect(texts["sophax_attachments/AB-1"] == "other bytes")
        #expect(texts["sophax_messages/pending_queue.enc"] == "{}")
        // The folder as it was stands beside it.
        #expect(other.folder.names.contains { $0.hasPrefix("phone.before-restore-") })
        let again = restore()
        let second = json(again)["store"] as? [String: Any]
        #expect(second?["merge"] as? [String: Int] == ["new": 0, "alreadyThere": 3, "changed": 0, "conflicting": 0])
        #expect(try self.texts(other.path) == texts)
    }

    @Test("a damaged conversation of a store is not written over")
    func blocked() throws {
        let made = try madeStore()
        made.folder.write(BundleSpecimen.passphrase, to: "pw")
        let bundle = made.folder.file("s.sxb")
        _ = CommandRun.run(
            ["bundle", "create", "--store", made.path, "--key-file", made.keyFile, "--out", bundle]
                + ["--new-passphrase-file", made.folder.file("pw")] + Self.cheap)
        let other = MadeStore()
        try other.write("[]", "aa")
        var damaged = try other.conversation(MadeStore.bob, [MadeStore.message("z", peer: MadeStore.bob)])
        damaged[20] ^= 1
        other.folder.write(damaged, to: "phone/sophax_messages/\(MadeStore.bob).enc")
        let run = CommandRun.run(
            ["bundle", "restore", bundle, "-p", made.folder.file("pw"), "--store", other.path]
                + ["--key-file", other.keyFile, "--json"])
        #expect(run.status == .someDamaged, "\(run.errors)")
        #expect((json(run)["store"] as? [String: Any])?["blocked"] as? [String] == [MadeStore.bob])
        #expect(fileBytes(other.path + "/sophax_messages/\(MadeStore.bob).enc") == damaged)
        #expect(fileBytes(other.path + "/sophax_messages/notetoself.enc") != nil)
    }

    @Test("keyring and store together: one bundle brings both back, and the store opens with the identity's key")
    func together() throws {
        let store = try madeStore()
        let old = try specimen()
        #expect(create(old, "--store", store.path).status == .success)
        let new = try KeyringSpecimen()
        new.folder.write(fileBytes(old.folder.file("all.sxb")) ?? [], to: "all.sxb")
        let run = new.run("bundle", "restore", "@all.sxb", "-p", "@pw", "--store", "@phone", "--json")
        #expect(run.status == .success, "\(run.errors)")
        #expect(try texts(new.folder.file("phone")) == texts(store.path))
        #expect(try values(new)["storage.master"] == MadeStore.keyBytes)
        let exports = try old.open().exports(of: try #require(try old.open().identities().first))
        #expect(exports.map(\.kind) == ["sxb-v2"])
        let bundle = fileBytes(old.folder.file("all.sxb")) ?? []
        let sum = SHA256.hash(bundle.span)
        #expect(exports.first?.sha256 == sum)
    }

    @Test("an attachment that does not authenticate is left out, named, and makes exit 3")
    func damagedAttachment() throws {
        let made = try madeStore()
        made.folder.write(BundleSpecimen.passphrase, to: "pw")
        var bytes = fileBytes(made.path + "/sophax_attachments/AB-1") ?? []
        bytes[15] ^= 1
        made.folder.write(bytes, to: "phone/sophax_attachments/AB-1")
        let run = CommandRun.run(
            ["bundle", "create", "--store", made.path, "--key-file", made.keyFile, "--out", made.folder.file("s.sxb")]
                + ["--new-passphrase-file", made.folder.file("pw"), "--json"] + Self.cheap)
        #expect(run.status == .someDamaged)
        #expect((json(run)["counts"] as? [String: Int])?["failed"] == 1)
        let omissions = (json(run)["notIncluded"] as? [[String: Any]]) ?? []
        #expect(omissions.contains { $0["item"] as? String == "AB-1" && $0["reason"] as? String == "unreadable" })
    }
}
