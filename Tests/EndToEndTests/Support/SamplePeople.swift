import Keyring
import SophaxCore
import SophaxFiles
import TestSupport

/// The contacts of the sample's keyring, and what they send, for the examples of help.
enum SamplePeople {
    /// What somebody sends who has set up the app again: the keys of the first check values (format SophaxChat 12).
    static let invite =
        "sophaxchat://meet?pid=3619e750a2dd52ba978807b2a00df56d&name=Q2FybGE%3D"
        + "&sk=A6EHv/POEL4dcN0Y50vAmWfk1jCbpQ1fHdyGZBJVMbg%3D&dk=NYBy1jZYgNGu6jKa35EhODhR7SGijjt16WXQ0s0WYlQ%3D\n"
    static let inviteFileName = "carla-new.txt"
    static let pictureFileName = "bob.png"

    /// A picture of the QR code of Bob's number, made by the built program.
    static let picture: [UInt8] = {
        let folder = TemporaryFolder()
        folder.write(SampleKeyring.made.bytes, to: SampleKeyring.fileName)
        folder.write(SampleKeyring.key, to: SampleKeyring.keyFileName)
        let run = ChildProcess.run(
            [
                SamplePhone.sxkey, "safety", "show", "Bob", "--png", "--out", pictureFileName, "--keyring",
                SampleKeyring.fileName, "--keyring-key-file", SampleKeyring.keyFileName,
            ], in: folder.path)
        return fileBytes(folder.file(pictureFileName)) ?? run.errorOutput
    }()

    /// Bob and Carla of the backup; Carla is verified.
    static func add(_ peers: [KnownPeer], to keyring: Keyring) throws {
        for peer in peers {
            guard let keys = peer.publicKeys, let name = IdentityName(trimming: peer.username) else { continue }
            let person = NewContact(origin: .backup, name: name, keys: keys, claimedPeerIDs: [peer.id])
            let contact = try keyring.add(person, name: name, at: 1_780_000_000)
            guard peer.username == "Carla", let contact else { continue }
            let number = SafetyNumber.iosV0(of: keys).text
            let mark = VerifiedMark(form: .iosStored, number: number, markedAt: 1_780_000_000, byIdentity: nil)
            try keyring.mark(contact, mark)
        }
    }
}
