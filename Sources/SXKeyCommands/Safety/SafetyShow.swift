import CommandKit
import Keyring
import QRCodes
import SQLiteDatabase
import SophaxCore
import SystemIO

/// `sxkey safety show`
struct SafetyShow: Command {
    static let specification = CommandSpecification(
        noun: "safety", verb: "show",
        summary: "show the safety numbers of a contact and of yourself, as each app shows them",
        discussion: [
            "The apps show different numbers for the same keys, so each is labelled with the app and the place. On iOS a number is of "
                + "one identity; on Android the number beside a contact is of both, and each side sees another one. Without a contact, "
                + "your own numbers are shown.",
            "--qr shows the QR code of one number, as the app makes it: the digits with their spaces.",
        ],
        operands: [ContactOperand.optional],
        options: [
            .flag("qr", "show the QR code in the terminal"),
            .flag("svg", "draw the QR code as SVG"),
            .flag("png", "draw the QR code as PNG"),
            .value(
                "form", "FORM", .choice(SafetyNumberPair.Proof.allCases.map(\.rawValue)),
                "the number in the QR code (default: ios-v0)"),
        ] + CodeOutput.options + SafetyArguments.options,
        examples: [
            Example("sxkey safety show Bob --keyring-key-file keyring.key", "show all numbers to compare with Bob"),
            Example("sxkey safety show --keyring-key-file keyring.key", "show your own numbers"),
            Example("sxkey safety show Bob --qr --keyring-key-file keyring.key", "show the QR code of Bob's number"),
        ],
        exitStatuses: [StatusNote(.success), StatusNote(.wouldOverwrite)] + SafetyArguments.statuses
    )

    private let arguments: SafetyArguments
    private let format: CodeOutput.Format?
    private let form: String?
    private let code: CodeOutput

    init(_ arguments: ParsedArguments) throws(UsageError) {
        self.arguments = try SafetyArguments(arguments)
        let chosen: [(String, CodeOutput.Format)] = [("qr", .terminal), ("svg", .svg), ("png", .png)].filter {
            arguments.flag($0.0)
        }
        if chosen.count > 1 { throw .conflict(chosen[0].0, chosen[1].0) }
        format = chosen.first?.1
        form = arguments.choice("form")
        code = CodeOutput(arguments)
        try code.check(format, isJSON: arguments.globals.json)
        if format == nil, form != nil {
            throw .other("--form chooses the number of a QR code: say --qr, --svg or --png")
        }
    }

    func run(_ context: Context) throws(CommandError) -> ExitStatus {
        let helper = try CodeOutput.helper(for: format)
        let opened = try context.openKeyring(arguments.options, .readOnly)
        let numbers: SafetyNumbers
        if arguments.word != nil {
            let (contact, pair) = try arguments.pair(opened)
            numbers = SafetyNumbers(contact: contact, pair: pair, zone: context.zone)
        } else {
            let mine = try opened.identity(arguments.identity)
            numbers = SafetyNumbers(
                contact: nil, pair: SafetyNumberPair(mine: mine.keys, theirs: mine.keys), zone: context.zone)
        }
        guard let format else {
            context.console.present(numbers)
            return .success
        }
        let form = form ?? SafetyNumberPair.Proof.iosStored.rawValue
        guard let number = numbers.number(form) else { throw .contact(.wrongForm(form)) }
        try code.write(
            number, .high, as: format, title: "Safety number \(number)", helper: helper,
            inputs: arguments.options.inputs(context), context)
        if format == .terminal || context.console.options.json || code.out.map({ $0 != "-" }) == true {
            context.console.present(SafetyCode(number: number, form: form, out: code.out))
        }
        return .success
    }
}

/// The number of a QR code, and where its picture went.
private struct SafetyCode: Report {
    let number: String
    let form: String
    let out: FilePath?

    func writeText(to stream: TextStream) {
        if let out { stream.line("Wrote the QR code to \(out)") }
        stream.line("\(trusted: number) (\(trusted: form))")
    }

    func writeJSON(to json: inout JSONWriter) {
        json.object { json in
            json.member("number", number)
            json.member("form", form)
            json.member("path", out?.bytes)
        }
    }
}

/// All numbers of a pair, or one's own.
private struct SafetyNumbers: Report {
    /// Nil for one's own numbers.
    let contact: Contact?
    let pair: SafetyNumberPair
    let zone: LocalZone

    /// The text of a form; of one's own numbers there are fewer.
    func number(_ form: String) -> String? {
        contact == nil
            ? SafetyNumberPair.Own(rawValue: form).map { pair.number($0).text }
            : SafetyNumberPair.Proof(rawValue: form).map { pair.number($0).text }
    }

    func writeText(to stream: TextStream) {
        guard let contact, let key = contact.currentKey else {
            let id = PeerID(pair.mine.fingerprint, form: .hex16).text
            stream.line("Your own numbers — \(trusted: id)")
            stream.line()
            writeOwn(to: stream)
            return
        }
        let name: TerminalText = "\(contact.name.bytes)"
        let replaced = contact.keys.count > 1 ? "another key before" : "unchanged since"
        stream.line(
            "\(contact.name.bytes, .bold) — \(contact.shortID)   key first seen \(ContactText.day(key.firstSeen, zone)), \(trusted: replaced)   \(ContactText.standing(contact, zone))"
        )
        stream.line()
        stream.line("  Read this aloud; \(name) sees it on their own phone")
        row("iPhone, later app", .iosOwn, stream)
        row("iPhone, earlier app", .iosStored, stream)
        row("Android", .androidOwn, stream)
        stream.line()
        stream.line("  Your phone shows this beside \(name)")
        row("iPhone", .iosStored, stream)
        row("Android", .androidMine, stream)
        stream.line()
        stream.line("  The phone of \(name) shows this beside you")
        row("iPhone", pair.number(.iosStored as SafetyNumberPair.Own), "", stream)
        row("Android", .androidTheirs, stream)
        stream.line()
        stream.line("  Your phone shows this as your own")
        writeOwn(to: stream)
    }

    private func writeOwn(to stream: TextStream) {
        row("iPhone, later app", pair.number(.iosOwn as SafetyNumberPair.Own), "ios-v1", stream)
        row("iPhone, earlier app", pair.number(.iosStored as SafetyNumberPair.Own), "ios-v0", stream)
        row("Android", pair.number(.androidOwn as SafetyNumberPair.Own), "android-own", stream)
    }

    private func row(_ label: String, _ proof: SafetyNumberPair.Proof, _ stream: TextStream) {
        row(label, pair.number(proof), proof.rawValue, stream)
    }

    /// Six groups in a line, or three as Android has them in its rows.
    private func row(_ label: String, _ number: SafetyNumber, _ form: String, _ stream: TextStream) {
        let groups = number.text.split(separator: " ")
        let width = groups.count == 6 ? 6 : 3
        for start in stride(from: 0, to: groups.count, by: width) {
            let text = groups[start..<start + width].joined(separator: " ")
            let padded =
                (start == 0 ? label : "") + String(repeating: " ", count: start == 0 ? 21 - label.utf8.count : 21)
            let name = start == 0 && !form.isEmpty ? TerminalText(trusted: "   \(form)", .dim) : ""
            stream.line("    \(trusted: padded)\(trusted: text)\(name)")
        }
    }

    func writeJSON(to json: inout JSONWriter) {
        json.object { json in
            if let contact {
                ContactText.writeMembers(of: contact, to: &json)
                json.member("numbers") { json in
                    json.array(SafetyNumberPair.Proof.allCases) { json, proof in
                        write(proof.rawValue, pair.number(proof).text, to: &json)
                    }
                }
            }
            json.member("own") { json in
                json.array(SafetyNumberPair.Own.allCases) { json, own in
                    write(own.rawValue, pair.number(own).text, to: &json)
                }
            }
        }
    }

    private func write(_ form: String, _ number: String, to json: inout JSONWriter) {
        json.object { json in
            json.member("form", form)
            json.member("number", number)
        }
    }
}
