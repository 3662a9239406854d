import CommandKit
import Keyring
import SophaxCore
import SystemIO

/// `sxkey prekey info`
struct PreKeyInfo: Command {
    static let specification = CommandSpecification(
        noun: "prekey", verb: "info",
        summary: "show the prekeys of an identity, and how old they are",
        discussion: [
            "The signed prekey and when it is due for replacement, the earlier ones that are kept, one-time prekeys that are left "
                + "and that were handed out, and what came with an app's keychain. An app makes 20 one-time prekeys at each launch, "
                + "uses only these, and never clears up, so of many imported ones most are dead.",
            "Private halves stay sealed.",
        ],
        options: PreKeyArguments.options,
        examples: [
            Example("sxkey prekey info --keyring-key-file keyring.key", "look at the prekeys of the current identity"),
            Example("sxkey prekey info --keyring-key-file keyring.key --json", "the same for a script"),
        ],
        exitStatuses: [
            StatusNote(.success), StatusNote(.wrongSecret), StatusNote(.newerVersion),
            StatusNote(.notFound, "no keyring, or no such identity"),
        ],
        seeAlso: ["sxkey-formats(5)"]
    )

    private let arguments: PreKeyArguments

    init(_ arguments: ParsedArguments) throws(UsageError) {
        self.arguments = try PreKeyArguments(arguments)
    }

    func run(_ context: Context) throws(CommandError) -> ExitStatus {
        let (opened, identity) = try arguments.open(context, changing: false)
        let (inventory, signs) = try opened.doing { (keyring) throws(KeyringError) in
            let signs: Bool
            switch try keyring.postQuantumSigningKey(of: identity) {
            case .some: signs = true
            case .none: signs = false
            }
            return (try keyring.preKeys(of: identity), signs)
        }
        context.console.present(
            PreKeyOverview(
                identity: identity, inventory: inventory, signs: signs, now: context.now, zone: context.zone))
        return .success
    }
}

/// The prekeys of an identity at one moment.
struct PreKeyOverview: Report {
    let identity: KeyringIdentity
    let inventory: PreKeyInventory
    /// Whether there is an ML-DSA key that can be used.
    let signs: Bool
    let now: Double
    let zone: LocalZone

    private let policy = PreKeyPolicy.standard

    func writeText(to stream: TextStream) {
        stream.line("Prekeys of \(identity.title)")
        stream.line("  Signed prekey    \(current)")
        if inventory.current != nil { stream.line("  Replacement      \(due)") }
        stream.line("  Earlier          \(earlier)")
        stream.line("  One-time         \(oneTime)")
        if let last = inventory.lastPublishedAt { stream.line("  Last handed out  \(trusted: day(last))") }
        if !inventory.imported.isEmpty {
            let dead = inventory.deadAtLeast
            let more: TerminalText =
                dead == 0 ? "" : "; at least \(count: dead) are of earlier launches of the app, and dead"
            stream.line("  Imported         \(count: inventory.imported.count, "one-time prekey")\(more)")
        }
        stream.line("  Post-quantum     \(postQuantum)")
        if let lost = inventory.lostPostQuantum {
            stream.line(
                "  \(trusted: "AT RISK", .yellow)          \(lost.bytes): no ML-KEM prekey can be offered; \"sxkey prekey rotate\" makes one"
            )
        }
        for account in inventory.unusable.prefix(5) {
            stream.line("  \(trusted: "note", .dim)             item \(quoted: account.bytes) is no prekey; left alone")
        }
        if inventory.unusable.count > 5 {
            stream.line("                   and \(count: inventory.unusable.count - 5) more")
        }
        if inventory.current == nil || inventory.available.isEmpty {
            stream.line("  → \"sxkey prekey publish\" makes what is missing")
        }
    }

    private var current: TerminalText {
        guard let current = inventory.current else { return "none" }
        let source = current.isImported ? ", imported" : ""
        guard let made = inventory.currentMadeAt else { return "id \(current.id), of unknown age\(trusted: source)" }
        return "id \(current.id), made \(trusted: day(made)), \(trusted: age(made))\(trusted: source)"
    }

    private var due: TerminalText {
        guard let due = inventory.rotationDue(policy), due > now else {
            return "\(trusted: "due", .yellow) → sxkey prekey rotate"
        }
        guard let date = zone.time(at: due)?.date.dayText else { return "never, by the time that it was made" }
        return "in \(trusted: Quantity.duration(due - now)), on \(trusted: date)"
    }

    private var earlier: TerminalText {
        guard !inventory.earlier.isEmpty else { return "none" }
        let newest = inventory.earlier.compactMap(\.replacedAt).max()
        let when = newest.map { "; the newest was replaced \(day($0))" } ?? ""
        return "\(count: inventory.earlier.count) kept for those who have an older bundle\(trusted: when)"
    }

    private var postQuantum: TerminalText {
        var parts: [TerminalText] = []
        if let current = inventory.currentPostQuantum { parts.append("ML-KEM prekey id \(Int(current.id))") }
        if !inventory.earlierPostQuantum.isEmpty {
            parts.append("\(count: inventory.earlierPostQuantum.count) earlier")
        }
        if inventory.hasPostQuantumKey { parts.append("the identity's own ML-KEM key") }
        if inventory.hasPostQuantumSigningKey {
            parts.append(signs ? "an ML-DSA key" : TerminalText(trusted: "an ML-DSA key that cannot be used", .yellow))
        }
        return parts.isEmpty ? "none; \"sxkey prekey rotate --post-quantum\" makes keys" : parts.joined(", ")
    }

    private var oneTime: TerminalText {
        let refill = inventory.available.count < policy.refillBelow ? ", to be refilled" : ""
        return
            "\(count: inventory.available.count) left for new bundles\(trusted: refill), \(count: inventory.published.count) handed out"
    }

    private func day(_ time: Double) -> String {
        zone.time(at: time)?.date.dayText ?? "at no date of the calendar"
    }

    /// The difference to now, in words.
    private func age(_ time: Double) -> String {
        ClockDifference(seconds: now - time).text + (time > now ? " by this computer's clock" : "")
    }

    func writeJSON(to json: inout JSONWriter) {
        json.object { json in
            json.member("identity", identity.fingerprint.hex)
            json.member("username", identity.name.bytes)
            json.member("signedPreKeyID", inventory.current.map { Int($0.id) })
            json.member("made", inventory.currentMadeAt.flatMap { RFC3339.format(unixSeconds: $0) })
            json.member("ageSeconds", inventory.currentMadeAt.map { now - $0 })
            json.member("isImported", inventory.current?.isImported)
            json.member("rotationDue", inventory.isRotationDue(policy, at: now))
            json.member("rotationTime", inventory.rotationDue(policy).flatMap { RFC3339.format(unixSeconds: $0) })
            json.member("earlier", inventory.earlier.count)
            json.member("available", inventory.available.count)
            json.member("published", inventory.published.count)
            json.member(
                "lastPublished", inventory.lastPublishedAt.flatMap { RFC3339.format(unixSeconds: $0) })
            json.member("imported", inventory.imported.count)
            json.member("deadAtLeast", inventory.deadAtLeast)
            json.member(
                "postQuantum", inventory.earlierPostQuantum.count + (inventory.currentPostQuantum == nil ? 0 : 1))
            json.member("postQuantumPreKeyID", inventory.currentPostQuantum.map { Int($0.id) })
            json.member("hasPostQuantumKey", inventory.hasPostQuantumKey)
            json.member("hasPostQuantumSigningKey", inventory.hasPostQuantumSigningKey)
            json.member("canSignPostQuantum", signs)
            json.member("lostPostQuantum", inventory.lostPostQuantum?.bytes)
            json.member("unusable") { json in
                json.array(inventory.unusable) { json, account in json.value(account.bytes) }
            }
        }
    }
}
