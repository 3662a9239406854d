import CommandKit
import CryptoPrimitives
import Keyring
import SophaxCore
import SophaxFiles
import SystemIO

/// `sxkey group open`
struct GroupOpen: Command {
    static let specification = CommandSpecification(
        noun: "group", verb: "open",
        summary: "open captured group messages, in any order",
        discussion: [
            "Takes wire messages as \"sxkey wire inspect\" does (one, one a line, frames of a connection, queues), those too that are "
                + "relayed, held, left behind or sealed for this identity, or the payload of one group message. The messages of each sender "
                + "are opened in the order in which they were sent, whatever the order of the files.",
            "Nothing of the keyring changes, unless --advance is given: then the positions move on as in the app, keys of missing messages "
                + "are put aside, and a message opens once. Only messages that the sender is proven to have signed are opened then: every member "
                + "could make others, and the key of the genuine one would be used up. The positions move once everything is written out. --keys reads with keys of a file besides and keeps nothing of them: an earlier "
                + "key opens what the kept one has passed.",
            "Every member has the keys, so who wrote a message is only as sure as its signature, which is judged by the contacts. With "
                + "--json each message is a line, and the last line is the summary.",
        ],
        operands: [
            OperandSpecification("FILE", .file, .oneOrMore, "a file with messages; \"-\" is standard input")
        ],
        options: [
            .value(
                "keys", "FILE", .file,
                "read with the keys in this file too: a distribution, an invitation, keychain items",
                isRepeatable: true),
            .value("from", "PEER", .text, "whose sender key a distribution of --keys is: a contact or a peer id"),
            GroupPeer.digits,
            .value(
                "max-skip", "N", .number(0...GroupKeyLimits.highestSkip),
                "messages that may be missing before one: 25,000 (default), 100 with --advance as in the apps"),
            .flag("advance", "move the positions in the keyring on"),
            GroupChange.dryRun,
        ] + KeySource.options,
        examples: [
            Example("sxkey group open group.jsonl --keyring-key-file keyring.key", "read captured messages"),
            Example(
                "sxkey group open group.jsonl --keyring-key-file keyring.key --json",
                "the same, a line of JSON a message"),
        ],
        exitStatuses: [
            StatusNote(.success, "every group message was opened, or a queue is empty"),
            StatusNote(.someDamaged, "some messages were not opened; the counts say why"),
            StatusNote(.unreadable, "there is no message that can be read"),
            StatusNote(.wrongSecret, "a wrong secret, or keys that open not one message"), StatusNote(.locked),
            StatusNote(
                .finding, "everything opened, but a signature is bad, by a replaced key, or names another sender"),
            StatusNote(.notFound, "no keyring, no such identity, or no group message in the files"),
        ],
        seeAlso: ["sxkey-wire(1)", "sxkey-formats(5)"]
    )

    private let source: KeySource
    private let paths: [FilePath]
    private let keyPaths: [FilePath]
    private let from: [UInt8]?
    private let form: PeerID.Form
    private let limits: GroupKeyLimits
    private let advances: Bool
    private let isDryRun: Bool
    private let identity: [UInt8]?

    init(_ arguments: ParsedArguments) throws(UsageError) {
        source = try KeySource(arguments)
        paths = arguments.operands("FILE").map { FilePath(bytes: $0) }
        keyPaths = arguments.values("keys").map { FilePath(bytes: $0) }
        from = arguments.value("from")
        form = GroupPeer.form(arguments)
        advances = arguments.flag("advance")
        isDryRun = arguments.flag("dry-run")
        identity = arguments.value("identity")
        if isDryRun, !advances { throw .other("--dry-run is for --advance: nothing changes without it") }
        let skip = arguments.number("max-skip")
        limits = .keeping(skip: skip ?? (advances ? GroupKeyLimits.app : .reading).skip)
        if advances, source.dump != nil {
            throw .other("--advance is for the keyring: a dump is never changed")
        }
        if from != nil, keyPaths.isEmpty { throw .other("--from says whose key a file of --keys is") }
        let uses = (paths + keyPaths).count { $0 == "-" } + (source.readsStandardInput ? 1 : 0)
        if uses > 1 { throw .other("standard input can be read for one thing only") }
    }

    func run(_ context: Context) throws(CommandError) -> ExitStatus {
        if advances {
            let opened = try context.openKeyring(source.keyring, .readWrite)
            return try advance(opened, try opened.identity(identity), context)
        }
        let keys = try source.open(context)
        let messages = try read(keys, context)
        let kept = try KeptGroups(keys, limits: limits)
        let opening = GroupOpening(
            others: try readingKeys(keys, context), now: context.now - KeptGroups.epoch2001,
            own: keys.publicKeys?.fingerprint, advances: false)
        let report = report(messages, opening.open(messages.messages.found, with: kept), keys, context)
        report.presentMessages(context.console)
        report.presentSummary(context.console)
        return report.status
    }

    /// Shows the messages before anything is changed for good: with their keys used up, they could not be shown again.
    private func advance(
        _ opened: OpenedKeyring, _ identity: KeyringIdentity, _ context: Context
    ) throws(CommandError) -> ExitStatus {
        let keys = try OpenedKeys(of: identity, in: opened)
        let messages = try read(keys, context)
        let opening = GroupOpening(
            others: try readingKeys(keys, context), now: context.now - KeptGroups.epoch2001, own: nil, advances: true)
        let report = try opened.changingGroups(
            of: identity, now: context.now, limits: limits, isDryRun: isDryRun,
            touched: { (report: GroupOpenReport) in report.openedGroups },
            beforeCommit: { (report) throws(CommandError) in
                report.presentMessages(context.console)
                context.console.output.flush()
                if let failure = context.console.output.failure { throw .output(failure) }
            }
        ) { (kept) throws(CommandError) in
            self.report(messages, opening.open(messages.messages.found, with: kept), keys, context)
        }
        report.presentSummary(context.console)
        return report.status
    }

    /// The messages of all files; of several, one that cannot be read is told and the others are read all the same.
    private struct ReadMessages {
        var messages = CapturedGroupMessages()
        var failedFiles = 0
        var failure: ExitStatus?
    }

    private func read(_ keys: OpenedKeys, _ context: Context) throws(CommandError) -> ReadMessages {
        let capture = try GroupCapture(keys)
        var read = ReadMessages()
        for path in paths {
            do throws(CommandError) {
                try capture.read(path, into: &read.messages)
            } catch {
                guard paths.count > 1 else { throw error }
                context.console.report(error.message)
                read.failedFiles += 1
                read.failure = read.failure?.combined(with: error.message.exit) ?? error.message.exit
            }
        }
        return read
    }

    private func readingKeys(
        _ keys: OpenedKeys, _ context: Context
    ) throws(CommandError) -> [GroupReadingKeys] {
        var sender: PeerID?
        if let from {
            let typed = PeerID(bytes: from)
            if typed.form != .other {
                sender = typed
            } else if let keyring = keys.keyring {
                sender = try GroupPeer.id(from, form: form, in: keyring)
            } else {
                throw .contact(.noContact(from, known: []))
            }
        }
        var reading: [GroupReadingKeys] = []
        for path in keyPaths {
            let offers = try GroupOffers(
                path, GroupOffers.Claims(sender: sender, own: keys.publicKeys?.fingerprint, trustsCreator: true),
                context)
            do throws(GroupKeyError) {
                reading.append(try GroupReadingKeys(offers, limits: limits))
            } catch {
                throw .group(.badFile(error, path))
            }
        }
        return reading
    }

    private func report(
        _ read: ReadMessages, _ results: [GroupMessageResult], _ keys: OpenedKeys, _ context: Context
    ) -> GroupOpenReport {
        GroupOpenReport(
            results: results, captured: read.messages, keys: keys, failedFiles: read.failedFiles, failure: read.failure,
            advances: advances && !isDryRun, zone: context.zone)
    }
}
