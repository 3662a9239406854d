import CommandKit
import Keyring
import SophaxCore
import SystemIO

/// What an import of an identity did, or would do.
struct ImportOutcome: Report {
    let path: FilePath
    let isDryRun: Bool
    let fingerprint: Fingerprint
    let name: IdentityName
    let origin: String
    let wasThere: Bool
    let merge: ItemMerge
    let before: KeyringIdentity?
    let isCurrent: Bool
    let sameName: [KeyringIdentity]
    let messages: Int
    /// Items in the file.
    let read: Int
    /// The name in the file, where the keyring keeps another one; UTF-8.
    let keptName: [UInt8]?
    let review: ItemReview
    let people: AppPeoplePlan
    let takesPeople: Bool

    /// Items named of each list; JSON names all.
    private static let shown = 20

    var status: ExitStatus {
        if !merge.different.isEmpty { return .someDamaged }
        return review.unusual.isEmpty ? .success : .finding
    }

    func writeText(to stream: TextStream) {
        let done: String =
            switch (isDryRun, wasThere) {
            case (false, false): "Imported"
            case (true, false): "Would import"
            case (false, true): "Already there:"
            case (true, true): "Is already there:"
            }
        stream.line("\(trusted: done) \(name.bytes, .bold) from \(quoted: path)")
        stream.line("  Fingerprint  \(trusted: fingerprint.hex)")
        let named: TerminalText = keptName == nil ? "" : " · 1 name, which stays as it is here"
        stream.line(
            "  Items        \(read) read: \(merge.added.count) added · \(merge.equal.count) there already · \(merge.different.count) kept, other than in the file\(named)"
        )
        for account in merge.different.prefix(Self.shown) { stream.line("    kept       \(account.bytes)") }
        review.write(to: stream, noting: false)
        writePeople(to: stream)
        if let keptName {
            stream.line("  \(trusted: "note", .yellow)         the name in the file is \(quoted: keptName)")
        }
        for other in sameName {
            stream.line(
                "  \(trusted: "note", .yellow)         another identity has the same name: \(trusted: other.fingerprint.hex)"
            )
        }
        if messages > 0 {
            stream.line(
                "  Messages     \(count: messages) in the file are not part of a keyring; \"sxkey bundle show\" shows them"
            )
        }
        if let before, before.fingerprint != fingerprint {
            let verb = isDryRun ? "would be" : "is now"
            if isCurrent {
                stream.line("  Current      \(trusted: verb) this one, before it was \(before.shortText)")
            } else {
                stream.line(
                    "  Current      is still \(before.shortText); --use, or \"sxkey identity use\", changes that")
            }
        } else if isCurrent {
            stream.line("  Current      \(trusted: isDryRun ? "would be " : "")this one")
        }
        if isDryRun { stream.line("Nothing was changed") }
    }

    private func writePeople(to stream: TextStream) {
        if !people.isEmpty {
            let counts: TerminalText =
                "\(count: people.marks.count, "verified mark"), \(count: people.names.count, "name") and \(count: people.blocks.count, "block")"
            if takesPeople {
                stream.line("  Contacts     \(trusted: isDryRun ? "would get " : "got ")\(counts) that the app kept")
            } else {
                stream.line("  Contacts     the app kept \(counts) for contacts here; --people takes them")
            }
        }
        for contact in people.unfitting.prefix(Self.shown) {
            stream.line(
                "  \(trusted: "note", .yellow)         \(contact.shortText) was verified in the app with a number that is not that of the key here"
            )
        }
    }

    func writeJSON(to json: inout JSONWriter) {
        json.object { json in
            json.member("path", path.bytes)
            json.member("dryRun", isDryRun)
            json.member("name", name.bytes)
            json.member("fingerprint", fingerprint.hex)
            json.member("origin", origin)
            json.member("wasThere", wasThere)
            json.member("current", isCurrent)
            json.member("currentBefore", before?.fingerprint.hex)
            json.member("items") { json in
                json.object { json in
                    json.member("read", read)
                    json.member("added") { json in write(merge.added, to: &json) }
                    json.member("equal") { json in write(merge.equal, to: &json) }
                    json.member("different") { json in write(merge.different, to: &json) }
                    review.writeMembers(to: &json)
                }
            }
            json.member("nameInFile", keptName)
            json.member("people") { json in
                json.object { json in
                    json.member("taken", takesPeople && !isDryRun)
                    json.member("marks", people.marks.count)
                    json.member("names", people.names.count)
                    json.member("blocks", people.blocks.count)
                    json.member("equal", people.equal)
                    json.member("unfitting", people.unfitting.count)
                    json.member("left", people.left)
                }
            }
            json.member("sameName") { json in
                json.array(sameName) { json, identity in json.value(identity.fingerprint.hex) }
            }
            json.member("messages", messages)
        }
    }

    private func write(_ accounts: [ItemAccount], to json: inout JSONWriter) {
        json.array(accounts) { json, account in json.value(account.bytes) }
    }
}
