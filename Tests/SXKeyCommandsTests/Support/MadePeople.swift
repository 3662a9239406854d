import CryptoPrimitives
import Foundation
import Keyring
import SQLiteDatabase
import SophaxCore
import SophaxFiles
import SystemIO
import TestSupport

@testable import SXKeyCommands

/// A keyring with one's own identity in it, which a key file opens, and what other people send.
///
/// One's own identity is the second of the check values, the first one is Alice (format SophaxChat 12).
struct MadePeople {
    let folder = TemporaryFolder()

    init() throws {
        let key = [UInt8](repeating: 0x6b, count: 32)
        let keyring = try Keyring.make(
            at: FilePath(folder.file("k")), slots: [NewSlot(.key(SecretBytes(copying: key.span)))])
        guard let name = IdentityName(trimming: "me") else { fatalError("no name") }
        _ = try keyring.addIdentity(Self.identity(0x40), name: name, origin: "new", at: 1_700_000_000)
        folder.write(key, to: "key")
    }

    /// Runs `sxkey NOUN VERB …` with the keyring.
    func run(_ arguments: String...) -> CommandRun {
        CommandRun.run(arguments + ["--keyring", folder.file("k"), "--keyring-key-file", folder.file("key")])
    }

    func json(_ arguments: String...) -> [String: Any] {
        let run = CommandRun.run(
            arguments + ["--json", "--keyring", folder.file("k"), "--keyring-key-file", folder.file("key")])
        let text = run.outputBytes.isEmpty ? Array(run.errors.utf8) : run.outputBytes
        return (try? JSONSerialization.jsonObject(with: Data(text)) as? [String: Any]) ?? [:]
    }

    /// A file in the folder; the whole path.
    @discardableResult
    func write(_ text: String, to name: String) -> String {
        folder.write(text, to: name)
        return folder.file(name)
    }

    /// A bundle of prekeys as the newest app writes it.
    @discardableResult
    func writeBundle(_ first: UInt8, name: String, to file: String, damaged: Bool = false) throws -> String {
        let identity = try Self.identity(first, name: name)
        let key = try PublicPreKey(id: 7, key: [UInt8](repeating: 9, count: 32))
        let bundle = try PreKeyBundle(
            signedBy: identity, signedPreKey: key, oneTimePreKey: nil, timestamp: CommandRun.now - 978_307_200 - 60)
        var text = PreKeyBundleText.json(bundle)
        if damaged {
            // Another signed prekey than the one that was signed.
            let signed = "CQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQk="
            let other = signed.replacing("CQkJCQ", with: "CAkJCQ", maxReplacements: 1)
            text = Array(String(decoding: text, as: UTF8.self).replacing(signed, with: other).utf8)
        }
        folder.write(text, to: file)
        return folder.file(file)
    }

    /// The identity whose seed begins with `first` and counts up.
    static func identity(_ first: UInt8, name: String = "me") throws -> Identity {
        let seed = (0..<32).map { first &+ $0 } as [UInt8]
        let dh = (0..<32).map { first &+ 32 &+ $0 } as [UInt8]
        return try Identity(
            signingSeed: SecretBytes(copying: seed.span), dhPrivate: SecretBytes(copying: dh.span), username: name)
    }

    static let aliceID = "3619e750a2dd52ba978807b2a00df56d"
    static let aliceFingerprint = "3619e750a2dd52ba978807b2a00df56d9ae3354382899ca7fafa482ca86a3528"
    static let aliceOnion = "aoqqpp7tzyil4hlq3umoos6atft6jvrqtosq2xy53sdgiesvgg4bqead.onion"
    static let aliceCard = "sophaxchat://add?id=\(aliceID)&onion=\(aliceOnion)&port=25519"
    static let aliceInvite =
        "sophaxchat://meet?pid=\(aliceID)&name=QWxpY2U%3D"
        + "&sk=A6EHv/POEL4dcN0Y50vAmWfk1jCbpQ1fHdyGZBJVMbg%3D&dk=NYBy1jZYgNGu6jKa35EhODhR7SGijjt16WXQ0s0WYlQ%3D"
    static let aliceNumber = "12559 02102 68762 54115 93340 48812"
}
