import CommandKit
import Keyring
import SophaxCore
import SophaxFiles
import SystemIO

/// `sxkey prekey publish`
struct PreKeyPublish: Command {
    static let specification = CommandSpecification(
        noun: "prekey", verb: "publish",
        summary: "write a bundle of prekeys for somebody who wants to write first",
        discussion: [
            "The bundle is written as the newest iOS app reads it, signed over signing key, signed prekey and time. Before that "
                + "prekeys are made and replaced as far as it is due, as the app does at each launch.",
            "Each bundle gets a one-time prekey that no other bundle has. So make one for each person, and make it when it is "
                + "needed: earlier iOS versions refuse a bundle after 24 hours, later ones after one hour.",
            "An identity with post-quantum keys offers its ML-KEM prekey in it and signs with its ML-DSA key as well, which makes it some "
                + "8 kilobytes larger; --classical leaves that out.",
        ],
        options: [
            .flag("without-one-time", "leave the one-time prekey out, for a bundle that several people get"),
            .value(
                "form", "FORM", .choice(PreKeySignatureForm.allCases.map(\.name)),
                "what the signature is over: v2 (default), or v0 for earlier iOS versions: the signed prekey alone"),
            .flag("classical", "without post-quantum keys and signature"),
            .value("tcp-address", "HOST:PORT", .text, "where you can be reached, put into the bundle as it is"),
            PreKeyArguments.dryRun,
        ] + ExportTarget.options + PreKeyArguments.options,
        examples: [
            Example("sxkey prekey publish --keyring-key-file keyring.key --out ana.json", "make a bundle"),
            Example(
                "sxkey prekey publish --keyring-key-file keyring.key --without-one-time --out all.json",
                "one for many people"),
        ],
        exitStatuses: [
            StatusNote(.success), StatusNote(.unreadable, "an ML-KEM prekey in the keyring is damaged"),
            StatusNote(.wrongSecret), StatusNote(.newerVersion), StatusNote(.locked), StatusNote(.wouldOverwrite),
            StatusNote(.notFound, "no keyring, or no such identity"),
        ],
        seeAlso: ["sxkey-formats(5)"]
    )

    /// The most bytes of an address: a host name of 253 and a port.
    private static let longestAddress = 260

    private let arguments: PreKeyArguments
    private let withOneTime: Bool
    private let withPostQuantum: Bool
    private let form: PreKeySignatureForm
    private let address: [UInt8]?
    private let out: FilePath
    private let force: Bool

    init(_ arguments: ParsedArguments) throws(UsageError) {
        self.arguments = try PreKeyArguments(arguments)
        withOneTime = !arguments.flag("without-one-time")
        withPostQuantum = !arguments.flag("classical")
        let name = arguments.choice("form")
        form = PreKeySignatureForm.allCases.first { $0.name == name } ?? .keysAndTime
        address = arguments.value("tcp-address")
        if let address, address.isEmpty || address.count > Self.longestAddress || !address.allSatisfy(Self.isPlain) {
            throw .other("--tcp-address is not a host and a port")
        }
        out = arguments.requiredPath("out")
        force = arguments.flag("force")
    }

    private static func isPlain(_ byte: UInt8) -> Bool { byte > 0x20 && byte < 0x7F }

    func run(_ context: Context) throws(CommandError) -> ExitStatus {
        let target = try ExportTarget((out, force), inputs: arguments.keyring.inputs(context), context.console)
        let (opened, identity) = try arguments.open(context, changing: true)
        let now = context.now
        if arguments.isDryRun {
            let report = try opened.doing { (keyring) throws(KeyringError) in
                let inventory = try keyring.preKeys(of: identity)
                return PreKeyChangeReport(
                    identity: identity, plan: inventory.upkeep(.standard, at: now), inventory: inventory, isDryRun: true
                )
            }
            context.console.present(report)
            return .success
        }
        var extras = PreKeyBundle.Extras()
        extras.tcpAddress = address
        // First the keyring, then the file: a one-time prekey may be lost when the file fails, but is never given out twice.
        let (published, inventory) = try opened.doing { (keyring) throws(KeyringError) in
            let published = try keyring.publishBundle(
                of: identity, at: now, extras: extras, withOneTime: withOneTime, withPostQuantum: withPostQuantum,
                form: form)
            return (published, try keyring.preKeys(of: identity))
        }
        try write(published.bundle, to: target)
        if withPostQuantum, inventory.hasPostQuantumSigningKey, published.bundle.extras.mldsaSignature == nil {
            context.console.note("sxkey: warning: the bundle is not signed with ML-DSA: \(PublishReport.noSignature)")
        }
        if out != "-" {
            context.console.present(
                PublishReport(identity: identity, path: out, published: published, inventory: inventory))
        }
        return .success
    }

    /// Writes the bundle, once it was read again from its own text and found to be the same and signed.
    private func write(_ bundle: PreKeyBundle, to target: consuming ExportTarget) throws(CommandError) {
        let text = PreKeyBundleText.json(bundle)
        do throws(PreKeyFileError) {
            let read = try PreKeyBundleFile.read(text).bundle
            let isWhole = [.none, .valid].contains(read.postQuantumSignature)
            guard read == bundle, read.signatureForm == form, isWhole else { throw .notRecognised }
        } catch {
            throw .preKeyFile(error, out)
        }
        try target.write(text + [UInt8(ascii: "\n")])
        try target.commit()
    }
}

/// What was handed out.
private struct PublishReport: Report {
    let identity: KeyringIdentity
    let path: FilePath
    let published: PublishedBundle
    let inventory: PreKeyInventory

    static let noSignature: TerminalText =
        "identity.mldsa is damaged, or of a layout that is not known; \"sxkey identity import --own-bundle\" can tell"

    private var bundle: PreKeyBundle { published.bundle }

    func writeText(to stream: TextStream) {
        PreKeyChangeReport.write(published.upkeep, inventory, isDryRun: false, to: stream)
        stream.line("Wrote a bundle of prekeys of \(identity.title) to \(path)")
        stream.line("  Signed prekey    id \(bundle.signedPreKey.id)")
        let oneTime: TerminalText =
            bundle.oneTimePreKey.map { "id \($0.id), in no other bundle; \(count: published.available) left" } ?? "none"
        stream.line("  One-time prekey  \(oneTime)")
        stream.line("  Post-quantum     \(postQuantum)")
        stream.line("  Good for         24 hours with earlier iOS versions, 1 hour with later ones")
    }

    private var postQuantum: TerminalText {
        let extras = bundle.extras
        guard extras.hasPostQuantum else { return "none" }
        let key: TerminalText =
            extras.postQuantumPreKey == nil
            ? "no ML-KEM key" : extras.postQuantumPreKeyID.map { "ML-KEM prekey id \(Int($0))" } ?? "the ML-KEM key"
        let signature: TerminalText =
            extras.mldsaSignature != nil
            ? ", signed with ML-DSA"
            : inventory.hasPostQuantumSigningKey ? ", not signed: identity.mldsa cannot be used" : ""
        return key + signature
    }

    func writeJSON(to json: inout JSONWriter) {
        json.object { json in
            json.member("path", path.bytes)
            json.member("identity", identity.fingerprint.hex)
            PreKeyChangeReport.writeMembers(published.upkeep, inventory, isDryRun: false, to: &json)
            json.member("oneTimePreKeyID") { json in
                if let oneTime = bundle.oneTimePreKey { json.value(oneTime.id) } else { json.null() }
            }
            json.member("signatureForm", bundle.signatureForm?.name)
            json.member("offersPostQuantum", bundle.extras.postQuantumPreKey != nil)
            json.member("postQuantumSigned", bundle.extras.mldsaSignature != nil)
            json.member("made", RFC3339.format(unixSeconds: bundle.unixTime))
            json.member("timestamp", bundle.timestamp)
            json.member("available", published.available)
            json.member("exit", 0)
        }
    }
}
