import CommandKit
import CryptoPrimitives
import SQLiteDatabase
import SystemIO

/// A new secret for the keyring: a passphrase or a key file, and what deriving from the passphrase shall cost.
struct NewKeyringSecret: Sendable {
    static let specifications =
        PassphraseOption.specifications(.newKeyring) + [
            .value(
                "new-keyring-key-file", "FILE", .file,
                "a key file that opens the keyring from now on: 32 random bytes, which must be there already"),
            .value(
                "argon2-memory", "MIB", .number(19...2048),
                "memory that each guess at the new passphrase costs, in MiB (default: 256)"),
            .value("argon2-passes", "N", .number(1...16), "passes over that memory (default: 3)"),
            .value("argon2-lanes", "N", .number(1...16), "lanes of that memory (default: 4)"),
        ]

    /// The fewest characters of a new passphrase that the keyring takes: as many as the apps ask for would be better, and
    /// fewer than these can be guessed whatever Argon2id costs.
    static let shortestPassphrase = 8

    let keyFile: FilePath?
    let passphrase: PassphraseOption
    let cost: Argon2id.Parameters

    init(_ arguments: ParsedArguments) throws(UsageError) {
        keyFile = arguments.path("new-keyring-key-file")
        passphrase = try PassphraseOption(arguments, .newKeyring)
        if keyFile != nil, passphrase.isGiven { throw .conflict("new-keyring-key-file", "new-keyring-passphrase-file") }
        let standard = Argon2id.Parameters.standard
        let memory = arguments.number("argon2-memory").flatMap { UInt32(exactly: $0) }
        let passes = arguments.number("argon2-passes").flatMap { UInt32(exactly: $0) }
        let lanes = arguments.number("argon2-lanes").flatMap { UInt32(exactly: $0) }
        if keyFile != nil, memory != nil || passes != nil || lanes != nil {
            throw .other("a key file needs no key derivation: --argon2-memory, -passes and -lanes are for a passphrase")
        }
        do throws(Argon2Error) {
            cost = try Argon2id.Parameters(
                memoryKiB: memory.map { $0 << 10 } ?? standard.memoryKiB, passes: passes ?? standard.passes,
                lanes: lanes ?? standard.lanes)
        } catch {
            throw .other("--argon2-memory times --argon2-passes is more than 16 GiB")
        }
    }

    var readsStandardInput: Bool { keyFile == "-" || passphrase.readsStandardInput() }

    /// False when only the terminal is left.
    var isGiven: Bool { keyFile != nil || passphrase.isGiven }

    func checkStandardInput(beside options: KeyringOptions) throws(UsageError) {
        if readsStandardInput, options.readsStandardInput {
            throw .other("standard input cannot give both the present and the new secret")
        }
    }

    /// Reads the secret, or asks twice for a passphrase.
    func slot(for path: FilePath, _ context: Context) throws(CommandError) -> NewSlot {
        if let keyFile { return NewSlot(try KeyringOptions.key(keyFile, context)) }
        let typed = try passphrase.readNew(what: "passphrase for keyring \(quoted: path)", context)
        let characters = typed.withSpan { Self.characters(in: $0) }
        guard characters >= Self.shortestPassphrase else {
            throw .keyringAccess(.shortPassphrase(found: characters, minimum: Self.shortestPassphrase))
        }
        if characters < Self.advisedPassphrase {
            context.console.note(
                "sxkey: warning: a passphrase of \(characters) characters can be guessed; four random words are better")
        }
        return NewSlot(try KeyringOptions.passphrase(typed, path), cost: cost)
    }

    /// Fewer are taken with a warning.
    static let advisedPassphrase = 12

    /// Unicode scalars of UTF-8: bytes that do not continue one. Only the length is told, in time that depends on it alone.
    private static func characters(in text: Span<UInt8>) -> Int {
        var count = 0
        for index in text.indices { count += (text[index] & 0xC0) == 0x80 ? 0 : 1 }
        return count
    }
}
