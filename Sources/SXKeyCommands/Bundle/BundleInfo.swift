import CommandKit
import SophaxFiles
import SystemIO

/// `sxkey bundle info`
struct BundleInfo: Command {
    static let specification = CommandSpecification(
        noun: "bundle", verb: "info",
        summary: "show what can be seen of a bundle without its passphrase",
        discussion: [
            "The kind and version of the file, how its key is made from the passphrase and what that costs, its sizes, and which "
                + "versions of the app can open it. Nothing of this is authenticated: \"sxkey bundle verify\" proves the content.",
            "Of a .sxb the checksum and the length are checked too, so that a file that was cut off or damaged on its way is told "
                + "from a wrong passphrase.",
        ],
        operands: [BundleInputs.operand],
        options: [BundleArguments.kindOption],
        examples: [
            Example("sxkey bundle info sample.sxfe", "look at a full export"),
            Example("sxkey bundle info sample.sophaxbackup --json", "the same for a script"),
            Example("sxkey bundle info sample.sxb", "look at a bundle of sxkey"),
        ],
        exitStatuses: [
            StatusNote(.success), StatusNote(.unreadable, "cut off, or not a known export"), StatusNote(.newerVersion),
            StatusNote(.notFound),
        ]
    )

    private let bundle: BundleArguments

    init(_ arguments: ParsedArguments) {
        bundle = BundleArguments(lookingAt: arguments)
    }

    func run(_ context: Context) throws(CommandError) -> ExitStatus {
        switch try LookedInput.look(bundle.path, kind: bundle.kind, context).outside {
        case .app(let file):
            context.console.present(
                BundleOutside(header: file.header, path: bundle.path, limits: context.bundleLimits))
        case .portable(let header): context.console.present(PortableOutside(header: header, path: bundle.path))
        }
        return .success
    }
}

/// The outside of a bundle.
private struct BundleOutside: Report {
    let header: BundleHeader
    let path: FilePath
    let limits: BundleLimits

    private var derivations: [BundleKeyDerivation] { header.derivations(limits) }

    private var holds: String {
        switch header.kind {
        case .identity: "the two private keys and the user name"
        case .backup: "messages and contacts, no keys, no attachments"
        case .fullExport: "the two private keys, messages and contacts, no attachments"
        case .android: "messages, no keys, no attachments"
        }
    }

    /// Formats sections 1 and 3: which importers take the file.
    private var readers: String {
        if header.isBelowIterationFloor, let floor = header.kind.iterationFloor {
            return "no app: fewer than \(Quantity.count(Int(floor))) iterations are refused; sxkey opens it"
        }
        return switch (header.kind, header.version) {
        case (.identity, 1): "early iOS versions only; later ones refuse version 1"
        case (.identity, _): "iOS versions that write identity exports of version 2"
        case (.backup, _):
            "the iOS version that wrote it; each knows one of three key derivations, which only a try can tell"
        case (.fullExport, _): "iOS versions that have full exports"
        case (.android, _): "the Android app only"
        }
    }

    func writeText(to stream: TextStream) {
        let version = header.version.map { ", version byte \($0)" } ?? ", a format without a version"
        stream.line("\(path)")
        stream.line("  Kind         \(trusted: header.kind.title)\(trusted: version)")
        stream.line("  Holds        \(trusted: holds)")
        for (index, derivation) in derivations.enumerated() {
            stream.line("  \(trusted: index == 0 ? "Key          " : "          or ")\(trusted: derivation.title)")
        }
        let parts: TerminalText =
            "header \(header.length), text \(header.payloadSize), tag \(BundleHeader.tagLength) bytes"
        stream.line("  Size         \(size: header.fileSize): \(parts)")
        stream.line("  Opened by    \(trusted: readers)")
        stream.line("  Not proven: without the passphrase nothing of this is authenticated")
    }

    func writeJSON(to json: inout JSONWriter) {
        json.object { json in
            json.member("path", path.bytes)
            json.member("kind", header.kind.rawValue)
            json.member("version", header.version.map { Int($0) })
            json.member("keyDerivations") { json in
                json.array(derivations) { json, derivation in
                    json.object { json in
                        switch derivation {
                        case .hkdf: json.member("algorithm", "HKDF-SHA256")
                        case .pbkdf2(let iterations):
                            json.member("algorithm", "PBKDF2-HMAC-SHA256")
                            json.member("iterations", Int(iterations))
                        }
                    }
                }
            }
            json.member("belowIterationFloor", header.isBelowIterationFloor)
            json.member("fileSize", header.fileSize)
            json.member("headerSize", header.length)
            json.member("textSize", header.payloadSize)
            json.member("openedBy", readers)
            json.member("authenticated", false)
        }
    }
}

extension BundleKeyDerivation {
    /// With the digits grouped, for people.
    var title: String {
        switch self {
        case .hkdf: "HKDF: next to no work for each guess, so the passphrase must be strong"
        case .pbkdf2(let iterations): "PBKDF2 with \(Quantity.count(Int(iterations))) iterations"
        }
    }
}
