import CommandKit
import SophaxFiles
import StoreChanges
import SystemIO

/// `sxkey store repair`
struct StoreRepair: Command {
    static let specification = CommandSpecification(
        noun: "store", verb: "repair",
        summary: "mend what of a store can be mended with proof",
        discussion: [
            "A list that is authentic and no strict JSON is written as strict JSON. Messages with one id become one, by the rules of a "
                + "merge. A file whose messages all name another conversation than its name does gets the right name. Two texts under "
                + "one nonce are parted. Where one byte of a file was changed, one bit of its nonce, or its end, the file's own tag "
                + "says so, and that is undone: the result is as proven as any other file.",
            "Nothing is invented. A file that does not authenticate, and for which there is no such remedy, comes along byte for byte "
                + "and is listed; \"store salvage\" shows what is left of it. What cannot be part of a list is kept in "
                + "refused_messages.enc, under the same key (sxkey-formats(5)). Missing attachments, and files that a crash of an app "
                + "left behind, are listed.",
            "The folder as it was stays beside it as NAME.before-repair-DATE. A run that was interrupted is finished or undone by the "
                + "next one.",
        ],
        operands: [StoreArguments.folderOperand],
        options: StoreChangeOptions.specifications,
        examples: [
            Example("sxkey store repair phone --key-file storage.key --dry-run", "see what would be mended"),
            Example("sxkey store repair phone --key-file storage.key", "mend it"),
        ],
        exitStatuses: [
            StatusNote(.success, "everything is as it should be now"),
            StatusNote(.someDamaged, "something cannot be mended with proof, or is missing; it is listed"),
            StatusNote(.wrongSecret, "the key opens not one of the files; nothing was written"),
            StatusNote(.locked, "another process is changing this store"), StatusNote(.notFound),
            StatusNote(.interrupted),
        ],
        seeAlso: ["sxkey-formats(5)"]
    )

    private let change: StoreChangeOptions

    init(_ arguments: ParsedArguments) throws(UsageError) {
        change = try StoreChangeOptions(arguments)
    }

    func run(_ context: Context) throws(CommandError) -> ExitStatus {
        var found: (repair: StoreChanges.StoreRepair, names: ContactNames)?
        let result = try change.change(.repair, .messagesAndAttachments, label: "Repairing", context) {
            (unit, opened) throws(CommandError) in
            let key = try opened.shared()
            let report = try change.store.survey(unit.store, key: opened.key, includingAttachments: true, context)
            let repair: StoreChanges.StoreRepair
            do throws(ChangeStepFailure) {
                repair = try StoreChanges.StoreRepair(
                    unit, report, key: key,
                    workers: change.store.workers(context))
            } catch {
                throw .change(.step("", error), .repair, change.path)
            }
            found = (repair, opened.names)
            return try repair.isDone ? nil : change.plan(.repair, unit, repair.files)
        }
        guard let found else { return .failure }
        let repair = found.repair
        let text = RebuildText(rebuild: repair.rebuild, names: found.names)
        return try change.present(
            result, details: Self.lines(repair, text, path: change.path),
            ownStatus: repair.leavesNothing ? .success : .someDamaged,
            nothing: repair.leavesNothing ? "there is nothing to repair" : "nothing of this can be repaired with proof",
            context
        ) { json in
            text.writeMembers(to: &json)
            Self.write(repair, to: &json)
        }
    }

    private static func lines(
        _ repair: StoreChanges.StoreRepair, _ text: RebuildText, path: FilePath
    ) -> [(label: String, text: TerminalText)] {
        var lines: [(label: String, text: TerminalText)] = []
        for step in repair.steps {
            switch step.kind {
            case .undone(let remedy):
                lines.append(("Undone", "\(step.file.path.lastComponent): \(trusted: remedy.sentence)"))
            case .freshNonce(let other):
                lines.append(
                    (
                        "New nonce",
                        "\(step.file.path.lastComponent): had that of \(other.path.lastComponent). What was written under both may be "
                            + "known to whoever had the files; \"sxkey store rekey\" makes a new key"
                    ))
            case .list: break
            }
        }
        lines += text.lines
        for (file, failure) in repair.damaged {
            lines.append(("Damaged", "\(file.path.lastComponent): \(trusted: failure.reason)"))
        }
        if repair.damaged.contains(where: { $0.failure.isDamage }) {
            lines.append(("", "→ sxkey store salvage \(path) --unauthenticated --out DIR"))
        }
        for file in repair.noLists {
            lines.append(("As it was", "\(file.path.lastComponent): authentic, but no list of messages"))
        }
        for finding in repair.missingAttachments {
            lines.append(("Missing", "attachment \(finding.item?.bytes ?? [])"))
        }
        for file in repair.leftovers {
            lines.append(("Left over", "\(file.path.lastComponent): a crash left it; nothing here needs it"))
        }
        return lines
    }

    private static func write(_ repair: StoreChanges.StoreRepair, to json: inout JSONWriter) {
        json.member("steps") { json in
            json.array(repair.steps) { json, step in
                json.object { json in
                    json.member("file", step.file.path.lastComponent.bytes)
                    switch step.kind {
                    case .undone(let remedy):
                        json.member("step", remedy.code)
                        json.member("offset", remedy.offset)
                    case .list: json.member("step", "list")
                    case .freshNonce(let other):
                        json.member("step", "fresh-nonce")
                        json.member("other", other.path.lastComponent.bytes)
                    }
                }
            }
        }
        json.member("damaged") { json in
            json.array(repair.damaged) { json, damage in
                json.object { json in
                    json.member("file", damage.file.path.lastComponent.bytes)
                    json.member("reason", damage.failure.reason)
                }
            }
        }
        json.member("missingAttachments", repair.missingAttachmentCount)
        json.member("leftovers") { json in
            json.array(repair.leftovers) { json, file in json.value(file.path.lastComponent.bytes) }
        }
    }
}

extension BoxRemedy {
    /// The word in JSON.
    var code: String {
        switch self {
        case .changedByte: "changed-byte"
        case .changedTag: "changed-tag"
        case .flippedNonce: "flipped-nonce"
        case .appended: "bytes-appended"
        case .tagCut: "tag-cut-off"
        }
    }

    /// Bytes from the start of the file, where that says something.
    var offset: Int? {
        switch self {
        case .changedByte(let place), .changedTag(let place): place
        case .flippedNonce(let bit): bit / 8
        case .appended, .tagCut: nil
        }
    }

    /// What had happened; lower case, no full stop.
    var sentence: String {
        switch self {
        case .changedByte(let place): "byte \(place) had been changed; the tag proves what it was"
        case .changedTag(let place): "byte \(place), in the tag, had been changed; the rest of the tag proves the text"
        case .flippedNonce(let bit): "bit \(bit) of the nonce had been flipped"
        case .appended(let count): "\(Quantity.count(count, "byte")) had been put behind its end"
        case .tagCut(let missing):
            "\(Quantity.count(missing, "byte")) of the tag were missing; the \(16 - missing) that were left prove the text"
        }
    }
}
