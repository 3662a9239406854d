import CommandKit
import CryptoPrimitives
import Keyring
import SophaxCore
import SophaxFiles
import SystemIO

/// `sxkey identity verify`
struct IdentityVerify: Command {
    static let specification = CommandSpecification(
        noun: "identity", verb: "verify",
        summary: "verify the signature of a file, and say who made it",
        discussion: [
            "Good is a signature that fits the file and was made with the current key of a contact, or by one of one's own identities. "
                + "Whether that key was verified is said too. A signature that fits by somebody whom the keyring does not know is not "
                + "good: anybody can make one.",
            "With --signer the keyring is not needed: good is then a signature with exactly this fingerprint.",
        ],
        operands: [OperandSpecification("FILE", .file, .one, "the file that was signed")],
        options: [
            .value(
                "signature", "FILE", .file,
                "the signature (default: the file's name with \(IdentitySign.suffix) at the end)"),
            .value(
                "signer", "FINGERPRINT", .text,
                "the 64 hex digits of whoever must have signed; the keyring is not opened"),
        ] + KeyringOptions.specifications,
        examples: [
            Example(
                "sxkey identity verify letter.txt --keyring-key-file keyring.key", "verify a file with letter.txt.sxsig"
            )
        ],
        exitStatuses: [
            StatusNote(.success, "a good signature"), StatusNote(.unreadable, "not a signature"),
            StatusNote(.wrongSecret), StatusNote(.newerVersion),
            StatusNote(.finding, "it does not fit the file, or nobody known or wanted made it"),
            StatusNote(.notFound, "no such file"),
        ],
        seeAlso: ["sxkey-formats(5)"]
    )

    private let path: FilePath
    private let signaturePath: FilePath
    private let signer: [UInt8]?
    private let options: KeyringOptions

    init(_ arguments: ParsedArguments) throws(UsageError) {
        path = arguments.operandPath("FILE")
        let named = arguments.path("signature")
        if path == "-", named == nil { throw .other("name the signature of standard input with --signature FILE") }
        signaturePath = named ?? path.appendingSuffix(IdentitySign.suffix)
        if path == "-", signaturePath == "-" {
            throw .other("standard input cannot be both the file and its signature")
        }
        signer = try arguments.value("signer").map { (text) throws(UsageError) in
            let digits = try IdentityNameArgument.readPrefix(text)
            guard digits.count == Fingerprint.length * 2 else {
                throw .other("\(quoted: text) is no whole fingerprint", hint: "all 64 hex digits are needed here")
            }
            return digits
        }
        options = try KeyringOptions(arguments)
        if path == "-" || signaturePath == "-", options.readsStandardInput {
            throw .other("standard input cannot give the keyring's passphrase as well")
        }
    }

    func run(_ context: Context) throws(CommandError) -> ExitStatus {
        let signature = try readSignature()
        // Whoever made it is looked up before a large file is read.
        let signerFound = try signer == nil ? lookUp(signature, context) : nil
        let digest = try IdentitySign.digest(of: path, context)
        let verdict = SignatureVerdict(
            path: path, signature: signature, fits: signature.fits(digest), isAuthentic: signature.isAuthentic,
            wanted: signer, signer: signerFound, zone: context.zone)
        context.console.present(verdict)
        return verdict.status
    }

    private func readSignature() throws(CommandError) -> FileSignature {
        var input = try InputFile.forCommand(signaturePath)
        let text: [UInt8]
        do throws(FileError) {
            text = try input.read(upTo: FileSignature.sizeCeiling + 1)
        } catch {
            throw .file(error)
        }
        do throws(FileSignatureError) {
            return try FileSignature(parsing: text)
        } catch {
            throw .identity(.signature(error, signaturePath))
        }
    }

    private func lookUp(_ signature: FileSignature, _ context: Context) throws(CommandError) -> Signer {
        // Without a keyring nobody is known, which is a verdict and no failure.
        let place = try options.place(context)
        if options.named == nil, (try? fileStatus(at: place.path)) == nil { return .noKeyring }
        let opened = try context.openKeyring(options, .readOnly)
        return try opened.doing { (keyring) throws(KeyringError) in
            if let own = try keyring.identity(signature.keys.fingerprint) { return .own(own) }
            for contact in try keyring.contacts() {
                if let key = contact.keys.first(where: { $0.keys == signature.keys }) { return .contact(contact, key) }
            }
            return .unknown
        }
    }
}

/// Who has the keys of a signature.
private enum Signer {
    case own(KeyringIdentity)
    case contact(Contact, ContactKey)
    case unknown
    case noKeyring
}

private struct SignatureVerdict: Report {
    let path: FilePath
    let signature: FileSignature
    let fits: Bool
    let isAuthentic: Bool
    let wanted: [UInt8]?
    let signer: Signer?
    let zone: LocalZone

    private var isWanted: Bool { wanted == signature.keys.fingerprint.hexBytes }

    private var isGood: Bool {
        guard fits else { return false }
        return switch signer {
        case nil: isWanted
        case .own: true
        case .contact(let contact, let key): key.isCurrent && !contact.isBlocked
        case .unknown, .noKeyring: false
        }
    }

    var status: ExitStatus { isGood ? .success : .finding }

    private var signerText: TerminalText {
        switch signer {
        case nil: isWanted ? "the wanted signer" : TerminalText(trusted: "somebody else than the wanted signer", .red)
        case .own(let identity): "your own identity \(identity.shortText)"
        case .contact(let contact, let key):
            "\(contact.name.bytes, .bold), \(keyText(contact, key))"
        case .unknown:
            TerminalText(trusted: "UNKNOWN", .red)
                + ": nobody in the keyring has this key; anybody can make such a signature"
        case .noKeyring: TerminalText(trusted: "UNKNOWN", .red) + ": there is no keyring to look in"
        }
    }

    private func keyText(_ contact: Contact, _ key: ContactKey) -> TerminalText {
        if contact.isBlocked { return TerminalText(trusted: "whom you have blocked", .red) }
        if !key.isCurrent { return TerminalText(trusted: "with a key that has been replaced", .red) }
        return key.mark == nil
            ? TerminalText(trusted: "whose key is NOT VERIFIED", .yellow)
            : TerminalText(trusted: "whose key is verified", .green)
    }

    func writeText(to stream: TextStream) {
        stream.line("File         \(quoted: path)")
        stream.line("  Signer     \(signerText)")
        stream.line("             \(trusted: signature.keys.fingerprint.hex)")
        stream.line("  Signed     \(IdentityReport.moment(Double(signature.madeAt), zone)) by the signer's clock")
        let verdict: TerminalText =
            if isGood {
                TerminalText(trusted: "good", .green)
            } else if !isAuthentic {
                TerminalText(trusted: "BAD: the signature is forged or damaged", .red)
            } else if !fits {
                TerminalText(trusted: "BAD: it belongs to another file, or the file was changed", .red)
            } else {
                TerminalText(trusted: "it fits the file, and is no proof of anything: see the signer", .red)
            }
        stream.line("Verdict: \(verdict) (exit \(status.rawValue))")
    }

    func writeJSON(to json: inout JSONWriter) {
        json.object { json in
            json.member("path", path.bytes)
            json.member("good", isGood)
            json.member("fits", fits)
            json.member("fingerprint", signature.keys.fingerprint.hex)
            json.member("made", RFC3339.format(unixSeconds: Double(signature.madeAt)))
            json.member("signer", signerWord)
            switch signer {
            case .own(let identity): json.member("name", identity.name.bytes)
            case .contact(let contact, let key):
                json.member("name", contact.name.bytes)
                json.member("verified", key.mark != nil)
                json.member("replacedKey", !key.isCurrent)
                json.member("blocked", contact.isBlocked)
            case nil, .unknown, .noKeyring: break
            }
            json.member("exit", Int(status.rawValue))
        }
    }

    private var signerWord: String {
        switch signer {
        case nil: isWanted ? "wanted" : "other"
        case .own: "own"
        case .contact: "contact"
        case .unknown, .noKeyring: "unknown"
        }
    }
}

extension CommandError {
    static func signature(_ error: FileSignatureError, _ path: FilePath) -> ErrorMessage {
        let cannot: TerminalText = "cannot read the signature \(quoted: path): "
        switch error {
        case .tooLarge, .notASignature:
            return Self.error(
                .unreadable, "not-a-signature", cannot + "it is no signature of sxkey",
                ["\"sxkey identity sign\" writes them, with \(trusted: IdentitySign.suffix) at the end of the name"])
        case .newerVersion(let version):
            return Self.error(.newerVersion, nil, cannot + "it has version \(version), and this sxkey knows version 1")
        case .line(let line):
            return Self.error(.unreadable, "damaged", cannot + "line \(line) is not what it must be")
        }
    }
}
