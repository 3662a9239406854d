import CommandKit
import SophaxFiles
import StoreChanges
import SystemIO

/// `sxkey store migrate`
struct StoreMigrate: Command {
    static let specification = CommandSpecification(
        noun: "store", verb: "migrate",
        summary: "write the messages of a store as the newest apps read them",
        discussion: [
            "App versions since April 2026 require the key \"isEdited\" in every message, decode a conversation as a whole or not at "
                + "all, and overwrite what they could not decode with the next message. This adds the key where it is missing, writes "
                + "lists that are not strict JSON as strict JSON, merges older group files that newer apps no longer look at into the "
                + "newer ones by message id, and makes one of messages that stand twice. Nothing is invented: every other byte of a "
                + "message stays as it was.",
            "A message that the apps refuse and that cannot be made readable without inventing something is taken out of its list and "
                + "kept in refused_messages.enc, under the same key (sxkey-formats(5)); so is the source of one that could not be kept "
                + "whole. Each is listed, and the exit status is 3.",
            "With --peer-ids all peer ids in messages and file names get one length: app versions disagree. From 16 digits to 32 only "
                + "where the store or a contact of the keyring says how each id goes on. Messages that wait to be sent, and the app's "
                + "contacts and sessions, which are not in the store, keep their ids.",
            "Only sophax_messages is made anew; attachments are not touched. The folder as it was stays as "
                + "sophax_messages.before-migrate-DATE. A run that was interrupted is finished or undone by the next one.",
        ],
        operands: [StoreArguments.folderOperand],
        options: [.value("peer-ids", "DIGITS", .choice(["16", "32"]), "write all peer ids with 16 or 32 digits")]
            + StoreChangeOptions.specifications,
        examples: [
            Example("sxkey store migrate phone --key-file storage.key --dry-run", "see what would be changed"),
            Example("sxkey store migrate phone --key-file storage.key", "make a store safe before the app is updated"),
        ],
        exitStatuses: [
            StatusNote(.success, "the newest apps read all of it"),
            StatusNote(.someDamaged, "something is kept aside, or came along as it was; it is listed"),
            StatusNote(.wrongSecret, "the key opens not one of the files; nothing was written"),
            StatusNote(.failure, "nothing was written, for example because a peer id is not known in full"),
            StatusNote(.locked, "another process is changing this store"), StatusNote(.notFound),
            StatusNote(.interrupted),
        ],
        seeAlso: ["sxkey-formats(5)"]
    )

    private let change: StoreChangeOptions
    private let digits: Int?

    init(_ arguments: ParsedArguments) throws(UsageError) {
        change = try StoreChangeOptions(arguments)
        digits = arguments.choice("peer-ids") == "16" ? 16 : arguments.choice("peer-ids") == nil ? nil : 32
    }

    func run(_ context: Context) throws(CommandError) -> ExitStatus {
        var found: (migration: StoreMigration, names: ContactNames)?
        let result = try change.change(.migrate, .messages, label: "Migrating", context) {
            (unit, opened) throws(CommandError) in
            let key = try opened.shared()
            let report = try change.store.survey(unit.store, key: opened.key, includingAttachments: false, context)
            let migration: StoreMigration
            do throws(StoreMigration.Refusal) {
                migration = try StoreMigration(
                    unit, report, peerDigits: digits, known: opened.names.peerIDs, key: key,
                    workers: change.store.workers(context))
            } catch {
                switch error {
                case .alikePeers(let ids): throw .alikePeers(ids, change.path)
                case .unknownPeers(let ids): throw .unknownPeers(ids, change.path)
                case .step(let failure): throw .change(.step("", failure), .migrate, change.path)
                }
            }
            found = (migration, opened.names)
            return try migration.isDone ? nil : change.plan(.migrate, unit, migration.files)
        }
        guard let found else { return .failure }
        let text = RebuildText(rebuild: found.migration.rebuild, names: found.names)
        let damaged = found.migration.report.conversations.flatMap(\.files).filter { !$0.isAuthentic }.map(\.file)
        let left = damaged + found.migration.noLists
        var details = text.lines
        for file in found.migration.noLists.prefix(5) {
            details.append(("As it was", "\(file.path.lastComponent): authentic, but no list of messages"))
        }
        let own: ExitStatus =
            found.migration.rebuild.newlyAside.isEmpty && left.isEmpty && found.migration.rebuild.blocked.isEmpty
            ? .success : .someDamaged
        return try change.present(
            result, details: details, ownStatus: own,
            nothing: left.isEmpty
                ? "the newest apps read all of it already"
                : "there is nothing to migrate, but \(count: left.count, "file") cannot be read", context
        ) { json in text.writeMembers(to: &json) }
    }
}
