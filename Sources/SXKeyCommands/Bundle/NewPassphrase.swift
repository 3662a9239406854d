import CommandKit
import CryptoPrimitives
import SystemIO

/// A passphrase that shall open a bundle from now on.
enum NewPassphrase {
    /// Below that every guess succeeds sooner or later, whatever Argon2id costs.
    static let shortest = 8
    /// Fewer are taken with a warning.
    static let advised = 12

    /// Reads it, or asks twice. One for an app has as many characters as that app asks for.
    static func read(
        _ option: PassphraseOption, what: TerminalText, minimum: Int = shortest, forApp: Bool = false,
        _ context: Context
    ) throws(CommandError) -> SecretBytes {
        let typed = try option.readNew(what: what, context)
        let characters = GraphemeCount.count(in: typed)
        guard characters >= minimum else {
            throw .bundleFailure(.shortPassphrase(found: characters, minimum: minimum, forApp: forApp))
        }
        if characters < advised {
            context.console.note(
                "sxkey: warning: a passphrase of \(characters) characters can be guessed; four random words are better")
        }
        return typed
    }
}

/// What deriving a key from a new passphrase shall cost whoever guesses.
struct ArgonCost: Sendable {
    static let specifications: [OptionSpecification] = [
        .value(
            "argon2-memory", "MIB", .number(19...2048),
            "memory that each guess at a new passphrase costs, in MiB (default: 256)"),
        .value("argon2-passes", "N", .number(1...16), "passes over that memory (default: 3)"),
        .value("argon2-lanes", "N", .number(1...16), "lanes of that memory (default: 4)"),
    ]

    let parameters: Argon2id.Parameters
    /// One of the options was given.
    let isGiven: Bool

    init(_ arguments: ParsedArguments) throws(UsageError) {
        let standard = Argon2id.Parameters.standard
        let memory = arguments.number("argon2-memory").flatMap { UInt32(exactly: $0) }
        let passes = arguments.number("argon2-passes").flatMap { UInt32(exactly: $0) }
        let lanes = arguments.number("argon2-lanes").flatMap { UInt32(exactly: $0) }
        isGiven = memory != nil || passes != nil || lanes != nil
        do throws(Argon2Error) {
            parameters = try Argon2id.Parameters(
                memoryKiB: memory.map { $0 << 10 } ?? standard.memoryKiB, passes: passes ?? standard.passes,
                lanes: lanes ?? standard.lanes)
        } catch {
            throw .other("--argon2-memory times --argon2-passes is more than 16 GiB")
        }
    }
}
