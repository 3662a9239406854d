import CryptoPrimitives
import Foundation
import JSONCoding
import Keyring
import SophaxCore
import SystemIO
import TestSupport

@testable import SXKeyCommands

/// A keyring with the identity of the check values, and a group in which the second check identity, Bob, writes.
struct GroupSpecimen {
    let keyring: KeyringSpecimen
    var folder: TemporaryFolder { keyring.folder }

    static let group = GroupID("E8EEABCD-D69B-4E6D-999A-612230CBB467")
    static let now = CommandRun.now - 978_307_200

    static func secret(_ bytes: [UInt8]) throws(SecretMemoryError) -> SecretBytes {
        try SecretBytes(copying: bytes.span)
    }

    static func bob() throws -> Identity {
        try Identity(
            signingSeed: secret(Array(0x40...0x5F)), dhPrivate: secret(Array(0x60...0x7F)), username: "Bob")
    }

    static func bobID() throws -> PeerID { PeerID(try bob().fingerprint, form: .hex32) }

    /// Whose keyring it is.
    enum Owner { case alice, bob }

    init(_ owner: Owner = .alice) throws {
        keyring = try KeyringSpecimen()
        try keyring.addAlice()
        guard owner == .bob else { return }
        let opened = try keyring.open(.readWrite)
        guard let name = IdentityName(typed: Array("Bob".utf8)) else { return }
        _ = try opened.addIdentity(Self.bob(), name: name, origin: "test", at: Self.now)
        _ = CommandRun.run([
            "identity", "use", "Bob", "--keyring", keyring.path, "--keyring-key-file", folder.file("key"),
        ])
    }

    /// Makes Bob a contact, so that his signatures prove something.
    func addBob() throws {
        let bundle = try PreKeyBundle(
            signedBy: Self.bob(), signedPreKey: PublicPreKey(id: 1, key: Self.bob().publicKeys.dh), oneTimePreKey: nil,
            timestamp: Self.now)
        folder.write(PreKeyBundleText.json(bundle), to: "bob-bundle.json")
        let added = CommandRun.run([
            "contact", "add", folder.file("bob-bundle.json"), "--keyring", keyring.path, "--keyring-key-file",
            folder.file("key"),
        ])
        precondition(added.status == .success, added.errors)
    }

    /// Runs `sxkey group …` with the keyring.
    func run(_ words: String...) -> CommandRun {
        let arguments = ["group"] + words.map { $0.hasPrefix("@") ? folder.file(String($0.dropFirst())) : $0 }
        return CommandRun.run(
            arguments + ["--keyring", keyring.path, "--keyring-key-file", folder.file("key")])
    }

    /// Bob's chain, at its beginning.
    static func author() throws -> GroupCipher {
        var cipher = try GroupCipher()
        let state = try SenderKeyState(
            chainKey: secret([UInt8](repeating: 7, count: 32)), position: SenderKeyPosition(iteration: 0))
        _ = try cipher.receiveOwn(state, of: group)
        return cipher
    }

    /// Bob's key as he hands it out where `author` stands.
    static func distribution(_ author: borrowing GroupCipher) throws -> [UInt8] {
        try author.distribution(of: group).json().withSpan { span in span.indices.map { span[$0] } }
    }

    /// A signed message of Bob in the group.
    static func message(
        _ author: inout GroupCipher, _ text: String, attachment: [UInt8]? = nil, form: GroupMessageForm = .bound,
        signer: PeerID? = nil
    ) throws -> WireMessage {
        let sender = GroupSender(group: group, peer: try bobID())
        let sealed = try author.seal(Array(text.utf8), attachment: attachment, as: sender, form: form)
        return try wire(sealed, signer: signer)
    }

    static func wire(_ sealed: GroupCiphertext, signer: PeerID? = nil) throws -> WireMessage {
        guard let time = WireDate(secondsSince2001: now) else { throw FileError(.read, "", code: 2) }
        let payload = GroupMessagePayload(
            groupID: group.bytes, messageID: Array("M\(sealed.iteration ?? 0)".utf8), senderPeerID: try bobID(),
            senderUsername: Array("Bob".utf8), timestamp: time, ciphertext: sealed.body,
            attachmentCiphertext: sealed.attachment, senderKeyIteration: sealed.iteration)
        return try WireMessage.sign(
            .groupMessage(payload), from: signer ?? bobID(), at: time, by: bob())
    }

    func write(_ messages: [WireMessage], to name: String) {
        folder.write(Array(messages.map(\.json).joined(separator: [0x0A])) + [0x0A], to: name)
    }

    static func json(_ run: CommandRun) -> [String: Any] {
        (try? JSONSerialization.jsonObject(with: Data(run.outputBytes))) as? [String: Any] ?? [:]
    }

    /// The objects of JSON lines, and the summary of the last.
    static func lines(_ run: CommandRun) -> (messages: [[String: Any]], summary: [String: Any]) {
        let objects = run.outputBytes.split(separator: 0x0A).compactMap { line in
            (try? JSONSerialization.jsonObject(with: Data(line))) as? [String: Any]
        }
        return (Array(objects.dropLast()), objects.last?["summary"] as? [String: Any] ?? [:])
    }
}
