import CommandKit
import CryptoPrimitives
import Keyring
import SophaxCore
import SophaxFiles
import SystemIO

/// `sxkey identity sign`
struct IdentitySign: Command {
    static let suffix = ".sxsig"

    static let specification = CommandSpecification(
        noun: "identity", verb: "sign",
        summary: "sign a file with an identity",
        discussion: [
            "Writes a detached signature beside the file, under its name with \(suffix) at the end: a small text with the signer's public "
                + "keys, the size and SHA-512 of the file, the time, and an Ed25519 signature over all of these. Anybody can read who "
                + "signed. The file is read piece by piece and may be of any size."
        ],
        operands: [OperandSpecification("FILE", .file, .one, "the file to sign")],
        options: [
            .value("out", short: "o", "FILE", .file, "where to write the signature (default: FILE\(suffix))"),
            .flag("force", "overwrite a signature that is there"), IdentityOption.specification,
        ] + KeyringOptions.specifications,
        examples: [
            Example(
                "sxkey identity sign storage.key --out storage.sxsig --keyring-key-file keyring.key",
                "sign a file with the current identity")
        ],
        exitStatuses: [
            StatusNote(.success), StatusNote(.wrongSecret), StatusNote(.wouldOverwrite),
            StatusNote(.notFound, "no such file or identity, or no keyring"),
        ],
        seeAlso: ["sxkey-formats(5)"]
    )

    private let path: FilePath
    private let out: FilePath
    private let force: Bool
    private let word: [UInt8]?
    private let options: KeyringOptions

    init(_ arguments: ParsedArguments) throws(UsageError) {
        path = arguments.operandPath("FILE")
        let named = arguments.path("out")
        if path == "-", named == nil { throw .other("the signature of standard input needs a name: --out FILE") }
        if named == "-" {
            throw .other("a signature is not written to standard output", hint: "name a file with --out")
        }
        out = named ?? path.appendingSuffix(Self.suffix)
        force = arguments.flag("force")
        word = arguments.value("identity")
        options = try KeyringOptions(arguments)
        if path == "-", options.readsStandardInput {
            throw .other("standard input cannot be both the file and the keyring's passphrase")
        }
    }

    func run(_ context: Context) throws(CommandError) -> ExitStatus {
        let inputs = options.inputs(context) + [try? InputFile.identity(ofOperand: path)].compactMap { $0 }
        do throws(FileError) {
            try OutputFile.check(out, replacing: force, notSameAs: inputs)
        } catch {
            throw .output(error)
        }
        let opened = try context.openKeyring(options, .readOnly)
        let identity = try opened.identity(word)
        let keys = try opened.doing { (keyring) throws(KeyringError) in try keyring.privateKeys(of: identity) }
        let digest = try Self.digest(of: path, context)
        let signature: FileSignature
        do throws(SigningError) {
            signature = try FileSignature.make(of: digest, madeAt: Int64(context.now), by: keys)
        } catch {
            throw .keyring(.libraryFailure, opened.path)
        }
        guard signature.fits(digest) else { throw .keyring(.libraryFailure, opened.path) }
        do throws(FileError) {
            var output = try OutputFile(creatingAt: out, replacing: force, notSameAs: inputs)
            try output.write(signature.text)
            try output.commit()
        } catch {
            throw .output(error)
        }
        context.console.present(SignedFile(path: path, out: out, identity: identity, digest: digest))
        return .success
    }

    /// Reads a file to its end.
    static func digest(of path: FilePath, _ context: Context) throws(CommandError) -> FileDigest {
        var input = try InputFile.forCommand(path)
        context.progress.begin("Reading", total: input.size ?? 0, unit: .bytes)
        defer { context.progress.finish() }
        do throws(FileError) {
            return try FileDigest(reading: &input) { context.progress.advance(by: $0) }
        } catch {
            throw .file(error)
        }
    }
}

private struct SignedFile: Report {
    let path: FilePath
    let out: FilePath
    let identity: KeyringIdentity
    let digest: FileDigest

    func writeText(to stream: TextStream) {
        stream.line("Signed \(quoted: path) as \(identity.shortText): \(quoted: out)")
        stream.line("  Fingerprint  \(trusted: identity.fingerprint.hex)")
        stream.line("  SHA-512      \(trusted: Hex.encode(digest.sha512.span))")
    }

    func writeJSON(to json: inout JSONWriter) {
        json.object { json in
            json.member("path", path.bytes)
            json.member("signature", out.bytes)
            json.member("name", identity.name.bytes)
            json.member("fingerprint", identity.fingerprint.hex)
            json.member("size", digest.size)
            json.member("sha512", Hex.encode(digest.sha512.span))
        }
    }
}
