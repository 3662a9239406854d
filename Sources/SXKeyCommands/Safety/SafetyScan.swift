import CommandKit
import Keyring
import SQLiteDatabase
import SophaxCore
import SystemIO

/// `sxkey safety scan`
struct SafetyScan: Command {
    static let specification = CommandSpecification(
        noun: "safety", verb: "scan",
        summary: "read the QR code of a safety number from a picture, and compare it",
        discussion: [
            "Reads PNG and JPEG, in a process of its own that holds no keys. The QR code of a contact card is no safety number; it "
                + "says so."
        ],
        operands: [
            OperandSpecification("IMAGE", .file, .one, "a picture of the QR code on the other phone"),
            ContactOperand.specification,
        ],
        options: SafetyArguments.options,
        examples: [
            Example("sxkey safety scan bob.png Bob --keyring-key-file keyring.key", "compare what was photographed")
        ],
        exitStatuses: [
            StatusNote(.success, "the same"), StatusNote(.unreadable, "no picture, or no safety number in it"),
            StatusNote(.finding, "different"),
        ] + SafetyArguments.statuses
    )

    private let image: FilePath
    private let arguments: SafetyArguments

    init(_ arguments: ParsedArguments) throws(UsageError) {
        image = arguments.operandPath("IMAGE")
        self.arguments = try SafetyArguments(arguments)
    }

    func run(_ context: Context) throws(CommandError) -> ExitStatus {
        let codes = try ImageHelper.start().scan(image)
        guard let code = codes.first else { throw .contact(.noCode(image)) }
        guard codes.count == 1 else { throw .contact(.severalCodes(image, codes.count)) }
        let typed = try number(in: code)
        let opened = try context.openKeyring(arguments.options, .readOnly)
        let (contact, pair) = try arguments.pair(opened)
        let verdict = SafetyVerdict(typed, contact, pair, among: try opened.contacts())
        context.console.present(verdict)
        return verdict.status
    }

    private func number(in code: [UInt8]) throws(CommandError) -> TypedSafetyNumber {
        if ContactLink.isLikely(code) {
            throw .safety(.notANumber(image, Self.what(code)))
        }
        if code.first == UInt8(ascii: "{") { throw .safety(.notANumber(image, "the code that links a device")) }
        do throws(TypedSafetyNumber.Problem) {
            return try TypedSafetyNumber(cleaning: [code])
        } catch {
            throw .safety(.scanned(image, error))
        }
    }

    private static func what(_ code: [UInt8]) -> String {
        switch try? ContactLink(parsing: code) {
        case .card(let card): "the contact card of \(card.peerID.text)"
        case .invite(let invite): "an invite link to \(PeerID(invite.keys.fingerprint, form: .hex16).text)"
        case nil: "a link of the app that cannot be read"
        }
    }
}
