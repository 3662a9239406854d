import CryptoPrimitives
import Keyring
import SQLiteDatabase
import SystemIO
import TestSupport

/// A keyring in a temporary folder that opens with a key file, and commands on it.
struct KeyringSpecimen {
    let folder = TemporaryFolder()
    var path: String { folder.file("keyring.sxdb") }

    init() throws {
        let key = [UInt8](repeating: 0x2a, count: 32)
        folder.write(key, to: "key")
        folder.write(BundleSpecimen.passphrase, to: "pw")
        _ = try Keyring.make(at: FilePath(path), slots: [NewSlot(.key(SecretBytes(copying: key.span)))])
    }

    var bytes: [UInt8] { fileBytes(path) ?? [] }

    func open(_ mode: SealedDatabase.AccessMode = .readOnly) throws -> Keyring {
        let key = [UInt8](repeating: 0x2a, count: 32)
        return try Keyring(opening: FilePath(path), mode, unlocking: .key(SecretBytes(copying: key.span)))
    }

    /// Runs a command with this keyring; `@name` is a file of the folder.
    func run(_ words: String...) -> CommandRun {
        let arguments = words.map { $0.hasPrefix("@") ? folder.file(String($0.dropFirst())) : $0 }
        return CommandRun.run(arguments + ["--keyring", path, "--keyring-key-file", folder.file("key")])
    }

    /// The alice of the check values, as an identity export. Format: SophaxChat 12.
    func addAlice() throws {
        folder.write(try BundleSpecimen.identity.bytes(), to: "alice.sophaxid")
        let run = run("identity", "import", "@alice.sophaxid", "-p", "@pw")
        precondition(run.status == .success, run.errors)
    }

    static let alice = "3619e750a2dd52ba978807b2a00df56d9ae3354382899ca7fafa482ca86a3528"
}
