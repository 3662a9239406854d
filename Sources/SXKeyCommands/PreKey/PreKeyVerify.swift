import CommandKit
import SophaxCore
import SophaxFiles
import SystemIO

/// `sxkey prekey verify`
struct PreKeyVerify: Command {
    static let specification = CommandSpecification(
        noun: "prekey", verb: "verify",
        summary: "judge the bundle of prekeys that somebody handed out",
        discussion: [
            "Takes the bundle of any app version, alone or inside a hello message, the message that begins a session, or the "
                + "text of a device link. Says which form the signature has, whether the peer id that came along belongs to the "
                + "keys, in 16, 32 or 64 digits, and how old the bundle is against the limits of the apps: 24 hours, and one "
                + "hour in later versions.",
            "An age is measured with this computer's clock, and clocks differ: it is told as a difference, and never keeps "
                + "anything from being read. With --any-age it does not change the exit status.",
            "Nothing here says whose keys these are. Compare the safety number for that.",
        ],
        operands: [
            OperandSpecification(
                "FILE", .file, .one, "a bundle, message or device link as JSON; \"-\" is standard input")
        ],
        options: [
            .value("at", "DATE", .date, "judge the age at this time (default: now)"),
            .flag("any-age", "the age does not change the exit status, for bundles that were stored"),
        ],
        examples: [
            Example("sxkey prekey verify bob.json --any-age", "judge a bundle that was stored some time ago"),
            Example(
                "sxkey prekey verify bob.json --at 2026-05-10T22:00Z --json", "as of the day it came, for a script"),
        ],
        exitStatuses: [
            StatusNote(.success), StatusNote(.unreadable, "not a bundle, or one that no app decodes"),
            StatusNote(.finding, "a signature or a peer id does not fit, a key is weak, or the bundle is too old"),
            StatusNote(.notFound),
        ],
        seeAlso: ["sxkey-formats(5)"]
    )

    private let path: FilePath
    private let time: Double?
    private let anyAge: Bool

    init(_ arguments: ParsedArguments) throws(UsageError) {
        path = arguments.operandPath("FILE")
        time = try arguments.date("at", zone: LocalZone())?.start
        anyAge = arguments.flag("any-age")
    }

    func run(_ context: Context) throws(CommandError) -> ExitStatus {
        let file = try PreKeyBundleFile.forCommand(path)
        let judgement = PreKeyJudgement(of: file, now: time ?? context.now)
        let verdict = PreKeyVerdict(
            path: path, file: file, judgement: judgement, givenTime: time, anyAge: anyAge, zone: context.zone)
        context.console.present(verdict)
        return verdict.status
    }
}
