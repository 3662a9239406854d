import CommandKit
import Keyring
import QRCodes
import SQLiteDatabase
import SophaxCore
import SystemIO

/// `sxkey contact card`
struct ContactCardCommand: Command {
    enum Format: String, CaseIterable, Sendable {
        case link, meet, terminal, svg, png

        var code: CodeOutput.Format? { CodeOutput.Format(rawValue: rawValue) }
    }

    static let specification = CommandSpecification(
        noun: "contact", verb: "card",
        summary: "show your own contact card, as a link or as a QR code",
        discussion: [
            "link is sophaxchat://add with your peer id and onion address, as iOS writes it: it carries no keys. meet is the invite "
                + "link with your name and both public keys, which iOS reads. terminal, svg and png are the QR code of the one that "
                + "--code names.",
            "The onion address is the one that your signing key has; somebody reaches you there only while the app is running.",
        ],
        options: [
            .value("format", "FORMAT", .choice(Format.allCases.map(\.rawValue)), "how to show it (default: link)"),
            .value("code", "LINK", .choice(["add", "meet"]), "the link in a QR code (default: add)"),
            .value("port", "N", .number(1024...65_535), "the port in the card (default: 25519)"),
            .value(
                "digits", "N", .choice(["16", "32", "64"]),
                "digits of the peer id: 16 for Android and some iOS versions (default: 32)"),
            IdentityOption.specification,
        ] + CodeOutput.options + KeyringOptions.specifications,
        examples: [
            Example("sxkey contact card --keyring-key-file keyring.key", "print the link of the card"),
            Example("sxkey contact card --format terminal --keyring-key-file keyring.key", "show the QR code to scan"),
            Example(
                "sxkey contact card --format svg --code meet --out card.svg --keyring-key-file keyring.key",
                "draw the QR code of the invite link"),
        ],
        exitStatuses: [
            StatusNote(.success), StatusNote(.wrongSecret), StatusNote(.locked), StatusNote(.wouldOverwrite),
            StatusNote(.notFound, "no keyring, or no such identity in it"),
        ]
    )

    private let format: Format
    private let isMeet: Bool
    private let port: UInt16
    private let form: PeerID.Form
    private let identity: [UInt8]?
    private let code: CodeOutput
    private let options: KeyringOptions

    init(_ arguments: ParsedArguments) throws(UsageError) {
        format = arguments.choice("format").flatMap(Format.init) ?? .link
        isMeet = format == .meet || arguments.choice("code") == "meet"
        port = arguments.number("port").flatMap { UInt16(exactly: $0) } ?? ContactCard.defaultPort
        form =
            switch arguments.choice("digits") {
            case "16": .hex16
            case "64": .hex64
            default: .hex32
            }
        identity = arguments.value("identity")
        code = CodeOutput(arguments)
        options = try KeyringOptions(arguments)
        try code.check(format.code, isJSON: arguments.globals.json)
        if format.code == nil, arguments.choice("code") != nil {
            throw .other(
                "--code chooses the link of a QR code; --format link and --format meet are the links themselves")
        }
    }

    func run(_ context: Context) throws(CommandError) -> ExitStatus {
        let helper = try CodeOutput.helper(for: format.code)
        let opened = try context.openKeyring(options, .readOnly)
        let identity = try opened.identity(identity)
        let card = ContactCard(of: identity.keys, form: form, port: port)
        let text =
            isMeet
            ? InviteLink(of: identity.keys, name: identity.name.text, form: form).text : card.text ?? ""
        if let format = format.code {
            try code.write(
                text, .medium, as: format, title: "Contact card of \(identity.name.text)", helper: helper,
                inputs: options.inputs(context), context)
        }
        let report = CardReport(text: text, format: format.rawValue, card: card, isMeet: isMeet, out: code.out)
        if format.code == nil || format == .terminal || context.console.options.json
            || code.out.map({ $0 != "-" }) == true
        {
            context.console.present(report)
        }
        return .success
    }
}

/// The link of a card, and where its picture went.
private struct CardReport: Report {
    let text: String
    let format: String
    let card: ContactCard
    let isMeet: Bool
    let out: FilePath?

    func writeText(to stream: TextStream) {
        if let out { stream.line("Wrote the QR code to \(out)") }
        stream.line("\(text)")
    }

    func writeJSON(to json: inout JSONWriter) {
        json.object { json in
            json.member("link", text)
            json.member("format", format)
            json.member("peerID", card.peerID.text)
            json.member("onion", isMeet ? nil : card.onion)
            json.member("port", isMeet ? nil : Int(card.port))
            json.member("path", out?.bytes)
        }
    }
}
