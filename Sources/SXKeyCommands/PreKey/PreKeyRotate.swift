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
            "An identity with post-quantum keys gets a new ML-KEM prekey with it, for sessions that are hybrid; earlier ones stay as long. "
                + "--post-quantum makes the keys of an identity that has none: an ML-KEM key, an ML-DSA key that signs bundles, and the "
                + "first ML-KEM prekey.",
            "Safety numbers and peer ids do not change: they come from the identity keys.",
        ],
        options: [
            .flag("if-due", "only when it is 7 days old, or there is none"),
            .flag("post-quantum", "make post-quantum keys first, as far as there are none"), PreKeyArguments.dryRun,
        ] + PreKeyArguments.options,
        examples: [
            Example("sxkey prekey rotate --keyring-key-file keyring.key", "make a new signed prekey"),
            Example(
                "sxkey prekey rotate --post-quantum --keyring-key-file keyring.key",
                "give the current identity post-quantum keys"),
            Example("sxkey prekey rotate --if-due --dry-run --keyring-key-file keyring.key --json", "is it time?"),
        ],
        exitStatuses: [
            StatusNote(.success), StatusNote(.wrongSecret), StatusNote(.newerVersion), StatusNote(.locked),
            StatusNote(.notFound, "no keyring, or no such identity"),
        ]
    )

    private let arguments: PreKeyArguments
    private let ifDue: Bool
    private let postQuantum: Bool

    init(_ arguments: ParsedArguments) throws(UsageError) {
        self.arguments = try PreKeyArguments(arguments)
        ifDue = arguments.flag("if-due")
        postQuantum = arguments.flag("post-quantum")
        if ifDue, postQuantum { throw .other("--if-due and --post-quantum exclude each other") }
    }

    func run(_ context: Context) throws(CommandError) -> ExitStatus {
        let (opened, identity) = try arguments.open(context, changing: true)
        let (ifDue, postQuantum, isDryRun, now) = (ifDue, postQuantum, arguments.isDryRun, context.now)
        let random = context.randomness
        let report = try opened.doing { (keyring) throws(KeyringError) in
            try keyring.changing { () throws(KeyringError) in
                if postQuantum, !isDryRun { try keyring.addPostQuantumKeys(to: identity, at: now, random: random) }
                let before = try keyring.preKeys(of: identity)
                var plan = PreKeyPlan()
                if !ifDue || before.isRotationDue(Self.policy, at: now) {
                    plan =
                        isDryRun
                        ? before.rotation(Self.policy, at: now) : try keyring.rotateSignedPreKey(of: identity, at: now)
                }
                if isDryRun, postQuantum { plan.makesPostQuantum = true }
                return PreKeyChangeReport(
                    identity: identity, plan: plan, inventory: try keyring.preKeys(of: identity), isDryRun: isDryRun)
            }
        }
        context.console.present(report)
        return .success
    }
}
