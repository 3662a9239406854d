import CommandKit
import CryptoPrimitives
import SQLiteDatabase
import SystemIO

/// A new secret for a sealed file: a passphrase or a key file, and what deriving from the passphrase shall cost.
struct NewSealedSecret<Noun: SealedNoun>: Sendable {
    static var specifications: [OptionSpecification] {
        PassphraseOption.specifications(Noun.kind.newSecretPrefix) + [
            .value(
                keyFileName, "FILE", .file,
                "a key file that opens the \(Noun.kind.name) from now on: 32 random bytes, which must be there already")
        ] + ArgonCost.specifications
    }

    private static var keyFileName: String { "new-\(Noun.kind.name)-key-file" }

    let keyFile: FilePath?
    let passphrase: PassphraseOption
    let cost: Argon2id.Parameters

    init(_ arguments: ParsedArguments) throws(UsageError) {
        let prefix = Noun.kind.newSecretPrefix
        keyFile = arguments.path(Self.keyFileName)
        passphrase = try PassphraseOption(arguments, prefix)
        if keyFile != nil, passphrase.isGiven {
            throw .conflict(Self.keyFileName, prefix.rawValue + "passphrase-file")
        }
        let cost = try ArgonCost(arguments)
        if keyFile != nil, cost.isGiven {
            throw .other("a key file needs no key derivation: --argon2-memory, -passes and -lanes are for a passphrase")
        }
        self.cost = cost.parameters
    }

    var readsStandardInput: Bool { keyFile == "-" || passphrase.readsStandardInput() }

    /// False when only the terminal is left.
    var isGiven: Bool { keyFile != nil || passphrase.isGiven }

    func checkStandardInput(beside options: SealedOptions<Noun>) throws(UsageError) {
        if readsStandardInput, options.readsStandardInput {
            throw .other("standard input cannot give both the present and the new secret")
        }
    }

    /// Reads the secret, or asks twice for a passphrase.
    func slot(for path: FilePath, _ context: Context) throws(CommandError) -> NewSlot {
        if let keyFile { return NewSlot(try SealedSecret.key(keyFile, Noun.kind, context)) }
        let typed = try passphrase.readNew(
            what: "passphrase for \(trusted: Noun.kind.name) \(quoted: path)", context)
        let characters = typed.withSpan { SealedPassphrase.characters(in: $0) }
        guard characters >= SealedPassphrase.shortest else {
            throw .sealedAccess(.shortPassphrase(found: characters, minimum: SealedPassphrase.shortest))
        }
        if characters < SealedPassphrase.advised {
            context.console.note(
                "sxkey: warning: a passphrase of \(characters) characters can be guessed; four random words are better")
        }
        return NewSlot(try SealedSecret.passphrase(typed, Noun.kind, path), cost: cost)
    }
}

/// How long a new passphrase of a sealed file must be.
enum SealedPassphrase {
    /// The fewest characters that are taken: as many as the apps ask for would be better, and fewer than these can be guessed
    /// whatever Argon2id costs.
    static let shortest = 8
    /// Fewer are taken with a warning.
    static let advised = 12

    /// Unicode scalars of UTF-8: bytes that do not continue one. Only the length is told, in time that depends on it alone.
    static func characters(in text: Span<UInt8>) -> Int {
        var count = 0
        for index in text.indices { count += (text[index] & 0xC0) == 0x80 ? 0 : 1 }
        return count
    }
}
