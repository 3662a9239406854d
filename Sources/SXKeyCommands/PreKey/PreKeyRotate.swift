import CommandKit
import Keyring
import SophaxCore
import SystemIO

/// `sxkey prekey rotate`
struct PreKeyRotate: Command {
    private static let policy = PreKeyPolicy.standard

    static let specification = CommandSpecification(
        noun: "prekey", verb: "rotate",
        summary: "replace the signed prekey of an identity",
        discussion: [
            "The apps replace it when it is 7 days old; --if-due does nothing before that. Bundles that are out already name the "
                + "earlier one, so it stays: for \(Int(policy.gracePeriod / 86_400)) days after its successor came, and the last "
                + "\(policy.earlierKept) whatever their age. Of an imported one nothing is known, and it stays for good.",
            "Safety numbers and peer ids do not change: they come from the identity keys.",
        ],
        options: [
            .flag("if-due", "only when it is 7 days old, or there is none"), PreKeyArguments.dryRun,
        ] + PreKeyArguments.options,
        examples: [
            Example("sxkey prekey rotate --keyring-key-file keyring.key", "make a new signed prekey"),
            Example("sxkey prekey rotate --if-due --dry-run --keyring-key-file keyring.key --json", "is it time?"),
        ],
        exitStatuses: [
            StatusNote(.success), StatusNote(.wrongSecret), StatusNote(.newerVersion), StatusNote(.locked),
            StatusNote(.notFound, "no keyring, or no such identity"),
        ]
    )

    private let arguments: PreKeyArguments
    private let ifDue: Bool

    init(_ arguments: ParsedArguments) throws(UsageError) {
        self.arguments = try PreKeyArguments(arguments)
        ifDue = arguments.flag("if-due")
    }

    func run(_ context: Context) throws(CommandError) -> ExitStatus {
        let (opened, identity) = try arguments.open(context, changing: true)
        let (ifDue, isDryRun, now) = (ifDue, arguments.isDryRun, context.now)
        let report = try opened.doing { (keyring) throws(KeyringError) in
            let before = try keyring.preKeys(of: identity)
            var plan = PreKeyPlan()
            if !ifDue || before.isRotationDue(Self.policy, at: now) {
                plan =
                    isDryRun
                    ? before.rotation(Self.policy, at: now) : try keyring.rotateSignedPreKey(of: identity, at: now)
            }
            return PreKeyChangeReport(
                identity: identity, plan: plan, inventory: try keyring.preKeys(of: identity), isDryRun: isDryRun)
        }
        context.console.present(report)
        return .success
    }
}
