import CommandKit
import Keyring
import PortableBundle
import SophaxFiles
import SystemIO

/// `sxkey bundle convert`
struct BundleConvert: Command {
    static let specification = CommandSpecification(
        noun: "bundle", verb: "convert",
        summary: "make a bundle of another kind, or of the newest version, from a bundle",
        discussion: [
            "Any kind becomes any other: the exports of the iOS app, the Android backup, and sxkey's own .sxb, which holds all of them. "
                + "Messages go into the shape that the newest app reads; between iOS and Android they are converted. What the new kind "
                + "cannot hold is listed, and nothing is written unless --lossy is given.",
            "An old .sophaxbackup, which only the app version that wrote it can open, becomes one that the newest opens: convert it to "
                + ".sophaxbackup. The input is never changed.",
            "Of a .sxb for keys that was not signed by one of your own identities or a verified contact, verified marks, the history of "
                + "keys and sessions stay behind, with a warning: the new one is yours, and what it says of people would be trusted.",
        ],
        operands: [BundleInputs.operand],
        options: BundleOutput.specifications + BundleInputs.options + [IdentityOption.specification],
        examples: [
            Example(
                "sxkey bundle convert sample.sophaxbackup -p passphrase.txt --out newest.sophaxbackup --new-passphrase-file passphrase.txt",
                "bring a backup to the form that the newest app opens"),
            Example(
                "sxkey bundle convert sample.sxfe -p passphrase.txt --out converted.sxb "
                    + "--new-passphrase-file passphrase.txt", "put a full export into sxkey's own bundle"),
            Example(
                "sxkey bundle convert sample.sxfe -p passphrase.txt --out sophaxchat-backup.bin --lossy "
                    + "--new-passphrase-file passphrase.txt", "bring the messages of an iPhone to Android"),
        ],
        exitStatuses: [
            StatusNote(.success), StatusNote(.failure, "the new kind cannot hold all of it, and --lossy is not given"),
            StatusNote(.usage, "the passphrase is shorter than the reader takes"),
            StatusNote(.someDamaged, "some of the input could not be read; the rest is in the new bundle"),
            StatusNote(.unreadable, "cut off, damaged, or not a known bundle"), StatusNote(.wrongSecret),
            StatusNote(.newerVersion), StatusNote(.wouldOverwrite),
            StatusNote(.notFound, "no such bundle, recipient, or identity in it"),
        ],
        seeAlso: ["sxkey-formats(5)"]
    )

    private let output: BundleOutput
    private let bundle: BundleInputs
    private let identity: [UInt8]?

    init(_ arguments: ParsedArguments) throws(UsageError) {
        output = try BundleOutput(arguments)
        bundle = try BundleInputs(arguments)
        identity = arguments.value("identity")
        if output.recipients.readsStandardInput, bundle.secrets.readsStandardInput || bundle.paths.contains("-") {
            throw .other("standard input cannot give two things")
        }
    }

    func run(_ context: Context) throws(CommandError) -> ExitStatus {
        let inputs = bundle.inputs(context) + output.recipients.inputs
        try output.check(notSameAs: inputs)
        let opened = try bundle.open(context)[0]
        var keyring: OpenedKeyring?
        var signer: KeyringIdentity?
        // A bundle for keys is looked up in the keyring and signed by an identity of it.
        if output.recipients.needsKeyring || identity != nil {
            let found = try context.openKeyring(bundle.secrets.keyring, .readOnly)
            keyring = found
            signer = try found.identity(identity)
        }
        let source = try opened.trustedSource(context)
        let writing = BundleWriting(output: output, inputs: inputs)
        let written = try writing.write(source, keyring: keyring, signer: signer, context)
        let report = BundleWritten(written: written, input: opened.path)
        context.console.present(report)
        return report.status
    }
}
