import CommandKit
import CryptoPrimitives
import SophaxFiles
import SystemIO

/// Where one passphrase comes from: a file, a descriptor, or the terminal.
struct PassphraseOption: Sendable {
    static let specifications = specifications(.input)

    /// Which passphrase: it stands before `passphrase-file` and `passphrase-fd`.
    enum Prefix: String, Sendable {
        /// Of an input file.
        case input = ""
        /// Of the keyring.
        case keyring = "keyring-"
        /// Of the archive.
        case archive = "archive-"
        /// A new one for an output file.
        case new = "new-"
        /// A new one for the keyring.
        case newKeyring = "new-keyring-"
        /// A new one for the archive.
        case newArchive = "new-archive-"

        var words: String {
            switch self {
            case .input: "the passphrase"
            case .keyring: "the keyring's passphrase"
            case .archive: "the archive's passphrase"
            case .new: "the new passphrase"
            case .newKeyring: "the keyring's new passphrase"
            case .newArchive: "the archive's new passphrase"
            }
        }
    }

    /// `several`: the options come once for each secret, and `order` says in which order.
    static func specifications(
        _ prefix: Prefix, several: Bool = false, order: String = ""
    ) -> [OptionSpecification] {
        [
            .value(
                prefix.rawValue + "passphrase-file", short: prefix == .input ? "p" : nil, "FILE", .file,
                "read \(prefix.words) from a file; one line ending is taken off\(order)", isRepeatable: several),
            .value(
                prefix.rawValue + "passphrase-fd", "N", .number(0...65_535),
                "read \(prefix.words) from this open descriptor\(order)", isRepeatable: several),
        ]
    }

    /// The passphrases of the command line where the options may be repeated, in its order; none where only the terminal is
    /// left.
    static func list(_ arguments: ParsedArguments, _ prefix: Prefix) -> [PassphraseOption] {
        let names = ["passphrase-file", "passphrase-fd"].map { prefix.rawValue + $0 }
        return arguments.occurrences(of: names).compactMap { occurrence in
            guard let value = occurrence.value else { return nil }
            guard occurrence.name == names[1] else { return PassphraseOption(file: FilePath(bytes: value), prefix) }
            return ParsedArguments.number(value).map { PassphraseOption(descriptor: $0, prefix) }
        }
    }

    let file: FilePath?
    private let descriptor: Int?
    private let prefix: Prefix

    init(_ arguments: ParsedArguments, _ prefix: Prefix = .input) throws(UsageError) {
        let names = ["passphrase-file", "passphrase-fd"].map { prefix.rawValue + $0 }
        file = arguments.path(names[0])
        descriptor = arguments.number(names[1])
        self.prefix = prefix
        if file != nil, descriptor != nil { throw .conflict(names[0], names[1]) }
    }

    /// A passphrase in a file.
    init(file: FilePath, _ prefix: Prefix) {
        self.file = file
        descriptor = nil
        self.prefix = prefix
    }

    /// A passphrase that an open descriptor gives.
    init(descriptor: Int, _ prefix: Prefix) {
        file = nil
        self.descriptor = descriptor
        self.prefix = prefix
    }

    /// Only the terminal is left.
    init(asking prefix: Prefix) {
        file = nil
        descriptor = nil
        self.prefix = prefix
    }

    /// False when only the terminal is left.
    var isGiven: Bool { file != nil || descriptor != nil }

    /// Standard input is asked for twice when it is the input as well.
    func readsStandardInput() -> Bool { file == "-" || descriptor == 0 }

    /// Reads the passphrase that opens `input`, or asks for it.
    func read(for input: FilePath, _ context: Context) throws(CommandError) -> SecretBytes {
        try read(
            what: "passphrase for \(quoted: input)", prompt: "Passphrase for \(input): ", context)
    }

    /// Reads the passphrase; `what` says which one in an error, `prompt` asks for it.
    func read(
        what: TerminalText, prompt: TerminalText, _ context: Context
    ) throws(CommandError) -> SecretBytes {
        do throws(SecretInputError) {
            if let descriptor, let number = Int32(exactly: descriptor) {
                var stream = try Self.open(descriptor: number)
                context.warnOfExposure(stream)
                return try SecretInput.passphrase(from: &stream)
            }
            if let file {
                var stream = try Self.open(file)
                context.warnOfExposure(stream)
                return try SecretInput.passphrase(from: &stream)
            }
            guard context.mayAsk else { throw .noTerminal }
            return try SecretInput.ask(prompt.plain)
        } catch {
            throw .secret(error, what: what.plain, option: prefix.rawValue + "passphrase")
        }
    }

    /// Reads a passphrase that is new: asked for, it is asked for twice.
    func readNew(what: TerminalText, _ context: Context) throws(CommandError) -> SecretBytes {
        let first = try read(what: "new \(what)", prompt: "New \(what): ", context)
        guard !isGiven else { return first }
        let second = try read(what: "new \(what)", prompt: "Again, new \(what): ", context)
        guard first.isEqual(to: second) else { throw .passphrasesDiffer(what: what.plain) }
        return first
    }

    private static func open(descriptor: Int32) throws(SecretInputError) -> InputFile {
        do throws(FileError) {
            return try InputFile(descriptor: descriptor, path: FilePath("descriptor \(descriptor)"))
        } catch {
            if error.kind == .notOpen { throw .notOpen(descriptor) }
            throw .file(error)
        }
    }

    private static func open(_ path: FilePath) throws(SecretInputError) -> InputFile {
        do throws(FileError) {
            return path == "-" ? try InputFile(standardInput: path) : try InputFile(opening: path)
        } catch {
            throw .file(error)
        }
    }
}
