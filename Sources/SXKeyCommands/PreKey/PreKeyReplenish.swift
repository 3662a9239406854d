import CommandKit
import Keyring
import SophaxCore
import SystemIO

/// `sxkey prekey replenish`
struct PreKeyReplenish: Command {
    private static let policy = PreKeyPolicy.standard

    static let specification = CommandSpecification(
        noun: "prekey", verb: "replenish",
        summary: "refill the one-time prekeys of an identity",
        discussion: [
            "Makes them up to \(policy.oneTimeTarget) when fewer than \(policy.refillBelow) are left that no bundle has yet; "
                + "--all makes them up to \(policy.oneTimeTarget) in any case. One that was handed out stays until a session uses it, at "
                + "most \(Int(policy.gracePeriod / 86_400)) days.",
            "One-time prekeys that came with an app's keychain are counted apart and never handed out: the app may do so too.",
        ],
        options: [
            .flag("all", "also when there are \(policy.refillBelow) or more"), PreKeyArguments.dryRun,
        ] + PreKeyArguments.options,
        examples: [
            Example("sxkey prekey replenish --keyring-key-file keyring.key", "refill when few are left")
        ],
        exitStatuses: PreKeyRotate.specification.exitStatuses
    )

    private let arguments: PreKeyArguments
    private let always: Bool

    init(_ arguments: ParsedArguments) throws(UsageError) {
        self.arguments = try PreKeyArguments(arguments)
        always = arguments.flag("all")
    }

    func run(_ context: Context) throws(CommandError) -> ExitStatus {
        let (opened, identity) = try arguments.open(context, changing: true)
        let (always, isDryRun, now) = (always, arguments.isDryRun, context.now)
        let report = try opened.doing { (keyring) throws(KeyringError) in
            let plan =
                isDryRun
                ? try keyring.preKeys(of: identity).refilling(Self.policy, at: now, always: always)
                : try keyring.replenishPreKeys(of: identity, at: now, always: always)
            return PreKeyChangeReport(
                identity: identity, plan: plan, inventory: try keyring.preKeys(of: identity), isDryRun: isDryRun)
        }
        context.console.present(report)
        return .success
    }
}
