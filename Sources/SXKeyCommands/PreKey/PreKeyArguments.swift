import CommandKit
import Keyring
import SQLiteDatabase
import SophaxCore
import SystemIO

/// What the prekey commands that work on the keyring take.
struct PreKeyArguments: Sendable {
    static let options = [IdentityOption.specification] + KeyringOptions.specifications
    static let dryRun = OptionSpecification.flag("dry-run", "show what would be done, and change nothing")

    let keyring: KeyringOptions
    private let identity: [UInt8]?
    let isDryRun: Bool

    init(_ arguments: ParsedArguments) throws(UsageError) {
        keyring = try KeyringOptions(arguments)
        identity = arguments.value("identity")
        isDryRun = arguments.specification.options.contains(Self.dryRun) && arguments.flag("dry-run")
    }

    /// Opens the keyring and finds the identity; a dry run opens for reading only.
    func open(
        _ context: Context, changing: Bool
    ) throws(CommandError) -> (keyring: OpenedKeyring, identity: KeyringIdentity) {
        let opened = try context.openKeyring(keyring, changing && !isDryRun ? .readWrite : .readOnly)
        return (opened, try opened.identity(identity))
    }
}

extension KeyringIdentity {
    /// Name and short peer id, for the first line of a report.
    var title: TerminalText {
        "\(name.bytes, .bold) (\(trusted: PeerID(fingerprint, form: .hex16).text))"
    }
}

/// What was done about prekeys, or would be.
struct PreKeyChangeReport: Report {
    let identity: KeyringIdentity
    let plan: PreKeyPlan
    /// After the change; before it in a dry run.
    let inventory: PreKeyInventory
    let isDryRun: Bool

    func writeText(to stream: TextStream) {
        let heading: TerminalText = isDryRun ? "Plan for the prekeys of " : "Prekeys of "
        stream.line("\(heading)\(identity.title)")
        guard !plan.isEmpty else { return stream.line("  nothing to do: \(trusted: left)") }
        Self.write(plan, inventory, isDryRun: isDryRun, to: stream)
        if !isDryRun { stream.line("  \(trusted: left)") }
    }

    private var left: String {
        Quantity.count(inventory.available.count, "one-time prekey") + " left for new bundles, "
            + "\(Quantity.count(inventory.earlier.count, "earlier signed prekey")) kept"
    }

    static func write(_ plan: PreKeyPlan, _ inventory: PreKeyInventory, isDryRun: Bool, to stream: TextStream) {
        if plan.rotates {
            let id: TerminalText = inventory.current.map { isDryRun ? "" : ", id \($0.id)" } ?? ""
            stream.line("  a new signed prekey\(id)")
        }
        if plan.makesPostQuantum {
            let id: TerminalText = inventory.currentPostQuantum.map { isDryRun ? "" : ", id \($0.id)" } ?? ""
            stream.line("  a new ML-KEM prekey\(id)")
        }
        if plan.oneTimeMade > 0 { stream.line("  \(count: plan.oneTimeMade, "new one-time prekey")") }
        for record in plan.removed {
            let what =
                switch record.kind {
                case .signed: "earlier signed prekey"
                case .oneTime: "one-time prekey that was handed out"
                case .postQuantum: "earlier ML-KEM prekey"
                }
            stream.line("  \(trusted: isDryRun ? "removes" : "removed") \(trusted: what), id \(record.id)")
        }
    }

    func writeJSON(to json: inout JSONWriter) {
        json.object { json in
            json.member("identity", identity.fingerprint.hex)
            json.member("dryRun", isDryRun)
            Self.writeMembers(plan, inventory, isDryRun: isDryRun, to: &json)
            json.member("available", inventory.available.count)
            json.member("earlier", inventory.earlier.count)
            json.member("exit", 0)
        }
    }

    static func writeMembers(
        _ plan: PreKeyPlan, _ inventory: PreKeyInventory, isDryRun: Bool, to json: inout JSONWriter
    ) {
        json.member("rotated", plan.rotates)
        json.member("signedPreKeyID", isDryRun && plan.rotates ? nil : inventory.current.map { Int($0.id) })
        json.member("postQuantumMade", plan.makesPostQuantum)
        json.member(
            "postQuantumPreKeyID",
            isDryRun && plan.makesPostQuantum ? nil : inventory.currentPostQuantum.map { Int($0.id) })
        json.member("oneTimeMade", plan.oneTimeMade)
        json.member("removed") { json in
            json.array(plan.removed) { json, record in
                json.object { json in
                    json.member("kind", record.kind.rawValue)
                    json.member("id", Int(record.id))
                }
            }
        }
    }
}
