import CommandKit
import Keyring
import PortableBundle
import SophaxCore
import SophaxFiles
import StoreChanges
import SystemIO

/// What was restored into a store, or would be.
struct RestoredStoreReport {
    let path: FilePath
    let restored: RestoredStore
    /// There was none before.
    let isNew: Bool
    /// Which key opens it.
    let key: TerminalText
    let takes: Set<BundlePart>
    var outcome: ChangeOutcome?

    var status: ExitStatus {
        restored.isWhole && outcome?.isWhole ?? true ? .success : .someDamaged
    }
}

/// What a restore did: which parts the bundle has, and what became of each.
struct RestoreReport: Report {
    let path: FilePath
    let manifest: Manifest
    let isDryRun: Bool
    var keyring: RestoredKeyring?
    var store: RestoredStoreReport?
    /// Who made a bundle for keys, where only the store is restored.
    var origin: TerminalText?

    var status: ExitStatus {
        let unread = manifest.notIncluded.contains { $0.reason == .unreadable }
        var status: ExitStatus = unread ? .someDamaged : .success
        if let keyring { status = status.combined(with: keyring.status) }
        if let store { status = status.combined(with: store.status) }
        return status
    }

    /// What became of a part of the bundle.
    enum Use: String {
        case restored
        /// As the user said, or did not say.
        case left
        /// Not taken from a signer who is not trusted.
        case untrusted
        case notInBundle = "not-in-bundle"
    }

    func use(of part: BundlePart) -> Use {
        guard manifest.parts.contains(part) else { return .notInBundle }
        switch part {
        case .conversations, .blobs, .attachments: return store?.takes.contains(part) == true ? .restored : .left
        case .sessions:
            guard let keyring, keyring.takesSessions else { return .left }
            return keyring.trust.isTrusted ? .restored : .untrusted
        case .identity, .contacts: return keyring == nil ? .left : .restored
        case .preKeys, .groups: return keyring == nil || keyring?.ownerless == true ? .left : .restored
        }
    }

    func writeText(to stream: TextStream) {
        let verb = isDryRun ? "Would restore from" : "Restored from"
        stream.line("\(trusted: verb) \(quoted: path)")
        if let keyring { write(keyring, to: stream) }
        if let origin { stream.line("  Trust        \(origin)") }
        if let store { write(store, to: stream) }
        let left = BundlePart.allCases.filter { use(of: $0) == .left }
        let missing = BundlePart.allCases.filter { use(of: $0) == .notInBundle }
        if !left.isEmpty {
            stream.line("  Left in it   \(trusted: left.map(\.rawValue).joined(separator: ", "))\(leftReason(left))")
        }
        if !missing.isEmpty {
            stream.line("  Not in it    \(trusted: missing.map(\.rawValue).joined(separator: ", "))")
        }
        for omission in manifest.notIncluded.filter({ $0.reason == .unreadable }).prefix(10) {
            stream.line(
                "  \(trusted: "note", .yellow)         \(trusted: omission.part.rawValue): \(quoted: omission.item?.bytes ?? []) could not be read when the bundle was made"
            )
        }
        stream.line("\(trusted: counts.map { "\($0.name) \(Quantity.count($0.value))" }.joined(separator: " · "))")
        if isDryRun { stream.line("Nothing was changed (--dry-run)") }
    }

    private func leftReason(_ left: [BundlePart]) -> TerminalText {
        if left.contains(.sessions), keyring != nil {
            return "; sessions only with --include-sessions, for they are behind the other side's"
        }
        if keyring == nil { return "; --keyring FILE restores them" }
        if store == nil, left.contains(.conversations) { return "; --store DIR restores messages and attachments" }
        return ""
    }

    private func write(_ keyring: RestoredKeyring, to stream: TextStream) {
        stream.line("  Trust        \(keyring.trust.text)")
        if let name = keyring.name, let fingerprint = keyring.fingerprint {
            let there = keyring.wasThere ? ", which was there already" : ""
            stream.line("  Identity     \(name.bytes, .bold)\(trusted: there)")
            stream.line("  Fingerprint  \(trusted: fingerprint.hex), the same as before")
            if let keys = keyring.keys {
                stream.line("  Safety       \(trusted: SafetyNumber.iosV1(of: keys).text), the same as before (iPhone)")
            }
            let items = keyring.items
            stream.line(
                "  Items        \(count: items.total) added · \(count: items.equal) there already · \(count: items.different.count) kept, other than in the bundle"
            )
            for account in items.different.prefix(10) { stream.line("    kept       \(account.bytes)") }
            keyring.review.write(to: stream)
            for part in [BundlePart.preKeys, .groups, .sessions] where items.added[part] != nil {
                let stale = part == .sessions ? ", marked as stale" : ""
                stream.line("    \(trusted: part.rawValue)   \(count: items.added[part] ?? 0) added\(trusted: stale)")
            }
            if items.retiredPreKeys > 0 {
                stream.line(
                    "  \(trusted: "note", .yellow)         \(count: items.retiredPreKeys, "one-time prekey") may be in a bundle that somebody has: kept, and not given out again"
                )
            }
            if !items.untrusted.isEmpty {
                let names = items.untrusted.map { "\($0.bytes)" as TerminalText }.joined(", ")
                stream.line("  Not taken    \(names): the signer is not trusted")
            }
        }
        if keyring.ownerless {
            stream.line("  Not taken    prekeys and group keys: the bundle has no identity that they belong to")
        }
        let people = keyring.people
        guard people.total > 0 else { return }
        stream.line(
            "  Contacts     \(count: people.added) added · \(count: people.completed) completed · \(count: people.same) there already"
        )
        for name in people.outdated.prefix(10) {
            stream.line("    kept       \(name): the key in the bundle was replaced here since")
        }
        for (name, judgement) in people.refused.prefix(10) {
            stream.line("    \(trusted: "REFUSED", .red)    \(name): \(judgement.refusal)")
        }
        for name in people.unusable.prefix(10) { stream.line("    unusable   \(quoted: name): no name or no keys") }
        if people.untrusted > 0 {
            stream.line(
                "  Not taken    verified marks and key history of \(count: people.untrusted, "contact"): the signer is not trusted"
            )
        }
    }

    private func write(_ store: RestoredStoreReport, to stream: TextStream) {
        let restored = store.restored
        stream.line("  Store        \(store.path)\(trusted: store.isNew ? ", new" : "")")
        stream.line("  Key          \(store.key)")
        stream.line(
            "  Messages     \(count: restored.messages) of \(count: restored.conversations, "conversation")\(merged(store))"
        )
        stream.line(
            "  Files        \(count: restored.attachments, "attachment") · \(count: restored.blobs, "queue") · \(count: restored.same) there already"
        )
        for conflict in restored.conflicts.prefix(10) {
            stream.line(
                "    both kept  message \(quoted: conflict.id.bytes) of \(conflict.conversation.text.bytes): two with this id differ in \(conflict.field.bytes)"
            )
        }
        for id in restored.different.prefix(10) {
            stream.line("    kept       \(id.bytes): other bytes than in the bundle")
        }
        for id in restored.blocked.prefix(10) {
            stream.line("    left       \(id.text.bytes): its file in the store cannot be read whole")
        }
        for (name, reason) in restored.refused.prefix(10) { stream.line("    not taken  \(name): \(trusted: reason)") }
        for (name, lines) in restored.lost.prefix(10) {
            stream.line("    unreadable \(count: lines, "line") of \(name)")
        }
        if restored.converted > 0 {
            stream.line(
                "  Converted    \(count: restored.converted, "message") of Android, \(count: restored.lossy) with values that iOS has no place for, \(count: restored.refusedMessages) not possible"
            )
        }
        if restored.atRisk > 0 {
            stream.line(
                "  \(trusted: "AT RISK", .yellow)      \(count: restored.atRisk, "conversation") as the app stored them, which newer apps cannot read: \"sxkey store migrate\" changes that"
            )
        }
        if let kept = store.outcome?.kept { stream.line("  Kept         \(kept), the folder as it was") }
    }

    private func merged(_ store: RestoredStoreReport) -> TerminalText {
        guard !store.isNew else { return "" }
        let merge = store.restored.merge
        return
            ": \(count: merge.new) new · \(count: merge.alreadyThere) there already · \(count: merge.changed) changed · \(count: merge.conflicting) conflicting"
    }

    private var counts: [(name: String, value: Int)] {
        var (written, skipped, failed) = (0, 0, 0)
        if let keyring {
            written += keyring.items.total + keyring.people.added + keyring.people.completed
            skipped += keyring.items.equal + keyring.people.same + keyring.people.outdated.count
            failed +=
                keyring.items.different.count + keyring.items.unusable + keyring.people.refused.count
                + keyring.people.unusable.count
        }
        if let store {
            let restored = store.restored
            written += restored.messages + restored.attachments + restored.blobs
            skipped += restored.same
            failed +=
                restored.different.count + restored.refused.count + restored.lost.reduce(0) { $0 + $1.lines }
                + restored.refusedMessages
        }
        return [("read", written + skipped + failed), ("written", written), ("skipped", skipped), ("failed", failed)]
    }
}

extension ContactJudgement {
    /// Why a contact was refused.
    fileprivate var refusal: TerminalText {
        switch self {
        case .impersonation(let id, let known):
            "its id \(id.bytes) is \(known.name.bytes)'s, with other keys: somebody pretends to be that person"
        case .foreignAddress(let contact): "its onion address is of another key than that of \(contact.name.bytes)"
        case .ownIdentity, .known, .replaced, .completes, .new: "not taken"
        }
    }
}

// MARK: - JSON

extension RestoreReport {
    func writeJSON(to json: inout JSONWriter) {
        json.object { json in
            json.member("path", path.bytes)
            json.member("dryRun", isDryRun)
            json.member("parts") { json in
                json.object { json in
                    for part in BundlePart.allCases { json.member(part.rawValue, use(of: part).rawValue) }
                }
            }
            if let keyring { json.member("keyring") { json in write(keyring, to: &json) } }
            if let store { json.member("store") { json in write(store, to: &json) } }
            json.member("counts") { json in
                json.object { json in for count in counts { json.member(count.name, count.value) } }
            }
            json.member("exit", Int(status.rawValue))
        }
    }

    private func write(_ keyring: RestoredKeyring, to json: inout JSONWriter) {
        json.object { json in
            json.member("trust", keyring.trust.code)
            json.member("signer", keyring.trust.signer?.hex)
            json.member("name", keyring.name?.bytes)
            json.member("fingerprint", keyring.fingerprint?.hex)
            json.member("wasThere", keyring.wasThere)
            json.member("items") { json in
                json.object { json in
                    json.member("added", keyring.items.total)
                    json.member("equal", keyring.items.equal)
                    json.member("different") { json in
                        json.array(keyring.items.different) { json, account in json.value(account.bytes) }
                    }
                    json.member("notTrusted") { json in
                        json.array(keyring.items.untrusted) { json, account in json.value(account.bytes) }
                    }
                    json.member("retiredPreKeys", keyring.items.retiredPreKeys)
                    keyring.review.writeMembers(to: &json)
                }
            }
            json.member("contacts") { json in
                json.object { json in
                    json.member("added", keyring.people.added)
                    json.member("completed", keyring.people.completed)
                    json.member("same", keyring.people.same)
                    json.member("outdated") { json in
                        json.array(keyring.people.outdated) { json, name in json.value(name) }
                    }
                    json.member("refused") { json in
                        json.array(keyring.people.refused) { json, entry in json.value(entry.name) }
                    }
                    json.member("unusable") { json in
                        json.array(keyring.people.unusable) { json, name in json.value(name) }
                    }
                    json.member("withoutHistory", keyring.people.untrusted)
                }
            }
        }
    }

    private func write(_ store: RestoredStoreReport, to json: inout JSONWriter) {
        let restored = store.restored
        json.object { json in
            json.member("path", store.path.bytes)
            json.member("new", store.isNew)
            json.member("kept", store.outcome?.kept?.bytes)
            json.member("conversations", restored.conversations)
            json.member("messages", restored.messages)
            json.member("attachments", restored.attachments)
            json.member("blobs", restored.blobs)
            json.member("same", restored.same)
            json.member("atRisk", restored.atRisk)
            json.member("converted", restored.converted)
            json.member("lossy", restored.lossy)
            json.member("refusedMessages", restored.refusedMessages)
            if !store.isNew {
                json.member("merge") { json in
                    json.object { json in
                        json.member("new", restored.merge.new)
                        json.member("alreadyThere", restored.merge.alreadyThere)
                        json.member("changed", restored.merge.changed)
                        json.member("conflicting", restored.merge.conflicting)
                    }
                }
                json.member("conflicts") { json in
                    json.array(restored.conflicts) { json, conflict in
                        json.object { json in
                            json.member("conversation", conflict.conversation.text.bytes)
                            json.member("id", conflict.id.bytes)
                            json.member("field", conflict.field.bytes)
                        }
                    }
                }
            }
            json.member("different") { json in
                json.array(restored.different) { json, id in json.value(id.bytes) }
            }
            json.member("blocked") { json in
                json.array(restored.blocked) { json, id in json.value(id.text.bytes) }
            }
            json.member("refused") { json in
                json.array(restored.refused) { json, entry in
                    json.object { json in
                        json.member("name", entry.name)
                        json.member("reason", entry.reason)
                    }
                }
            }
            json.member("lost") { json in
                json.array(restored.lost) { json, entry in
                    json.object { json in
                        json.member("name", entry.name)
                        json.member("lines", entry.lines)
                    }
                }
            }
        }
    }
}
