import CommandKit
import CryptoPrimitives
import Keyring
import SophaxCore
import SystemIO

/// `sxkey group import`
struct GroupImport: Command {
    static let specification = CommandSpecification(
        noun: "group", verb: "import",
        summary: "take sender keys and shared keys of groups into the keyring",
        discussion: [
            "Takes a distribution of a sender key, an invitation, or keychain items as JSON (of an app, or of \"sxkey group export\"). "
                + "Neither a distribution nor an invitation proves whose it is: name the member that it came from with --from. Own sender "
                + "keys are taken from a file that says that they are yours; --own says it of one that does not.",
            "A position never goes back. A key that begins before the one that is known is refused: with it, messages that were read would "
                + "be taken for new ones. The same key further on changes nothing, for the known position opens more. Another key takes the "
                + "place of the known one, and keys for the messages between are put aside. Your own key is only ever moved forward.",
            "To read old messages with an earlier key, do not import it: \"sxkey group open --keys FILE\" uses it and keeps nothing. "
                + "Skipped keys are taken for members whom the keyring did not know before, however old they are; of others they may have "
                + "been used here. \"sxkey group remove\" takes a member out whose place is in the way.",

        ],
        operands: [
            OperandSpecification("FILE", .file, .oneOrMore, "a file with keys of groups; \"-\" is standard input")
        ],
        options: [
            .value("from", "PEER", .text, "who the keys are from: a contact or a peer id"), GroupPeer.digits,
            .flag("own", "own sender keys are yours, where the file does not say whose they are"),
            .flag("replace-shared", "put a shared key in place of another one"),
        ] + GroupChange.options,
        examples: [
            Example(
                "sxkey group import group-key.json --from 08c4cab788bd5f92f16ff0814022b379 --keyring-key-file keyring.key",
                "what a member handed out")
        ],
        exitStatuses: [
            StatusNote(.success), StatusNote(.someDamaged, "some keys were refused; the counts and reasons say which"),
            StatusNote(.unreadable, "a file holds no keys of groups"), StatusNote(.wrongSecret), StatusNote(.locked),
            StatusNote(.notFound, "no keyring, no such identity, or no such contact"),
        ],
        seeAlso: ["sxkey-formats(5)"]
    )

    private let change: GroupChange
    private let paths: [FilePath]
    private let from: [UInt8]?
    private let form: PeerID.Form
    private let replacesShared: Bool
    private let areOwn: Bool

    init(_ arguments: ParsedArguments) throws(UsageError) {
        change = try GroupChange(arguments)
        paths = arguments.operands("FILE").map { FilePath(bytes: $0) }
        from = arguments.value("from")
        form = GroupPeer.form(arguments)
        replacesShared = arguments.flag("replace-shared")
        areOwn = arguments.flag("own")
        if paths.count(where: { $0 == "-" }) + (change.keyring.readsStandardInput ? 1 : 0) > 1 {
            throw .other("standard input can be read for one thing only")
        }
    }

    func run(_ context: Context) throws(CommandError) -> ExitStatus {
        let (opened, identity) = try change.open(context)
        let form = form
        let sender = try from.map { (word) throws(CommandError) in try GroupPeer.id(word, form: form, in: opened) }
        var offers: [GroupOffers] = []
        for path in paths {
            let claims = GroupOffers.Claims(sender: sender, own: identity.fingerprint, areOwn: areOwn)
            offers.append(try GroupOffers(path, claims, context))
        }
        let (now, replacesShared) = (context.now, replacesShared)
        let read = offers
        var report = try opened.changingGroups(
            of: identity, now: now, isDryRun: change.isDryRun, touched: { (report: GroupsImported) in report.touched }
        ) { (kept) throws(CommandError) in
            try GroupIntake(
                kept, own: identity.fingerprint, now: now - KeptGroups.epoch2001, replacesShared: replacesShared
            ).take(read)
        }
        report.identity = identity
        report.isDryRun = change.isDryRun
        report.names = ContactNames(try opened.contacts())
        context.console.present(report)
        return report.status
    }
}

/// Takes what files offer, by the rules of `GroupCipher.receive`.
private final class GroupIntake {
    private let kept: KeptGroups
    private let own: Fingerprint
    /// Seconds since 2001.
    private let now: Double
    private let replacesShared: Bool
    private var report = GroupsImported()
    /// Members of whom nothing was known before.
    private var new: Set<GroupSender> = []

    init(_ kept: KeptGroups, own: Fingerprint, now: Double, replacesShared: Bool) {
        self.kept = kept
        self.own = own
        self.now = now
        self.replacesShared = replacesShared
    }

    func take(_ files: [GroupOffers]) throws(CommandError) -> GroupsImported {
        report.mls = files.reduce(0) { $0 + $1.mls }
        report.others = files.reduce(0) { $0 + $1.others }
        // The earliest of each chain first: it opens the most, and a later one of the chain then changes nothing.
        let offers = files.flatMap(\.keys).enumerated().sorted {
            ($0.element.iteration ?? 0, $0.offset) < ($1.element.iteration ?? 0, $1.offset)
        }
        for offer in offers.map(\.element) { take(offer) }
        for file in files {
            if let skipped = file.skipped { try take(skipped) }
        }
        return report
    }

    private func take(_ offer: GroupOffer) {
        var entry = GroupsImported.Entry(
            path: offer.path, group: offer.group, peer: offer.peer, kind: offer.kind, iteration: offer.iteration)
        if let refusal = offer.refusal {
            entry.refusal = (refusal.code, refusal.reason)
        } else if let peer = offer.peer, peer.matches(own) {
            entry.refusal = ("own-id", "that is you; a key of your own comes as a keychain item")
        } else {
            do throws(GroupKeyError) {
                let intake = try receive(offer)
                entry.intake = intake
                report.touched.insert(offer.group)
                if case .added = intake, let peer = offer.peer {
                    new.insert(GroupSender(group: offer.group, peer: peer))
                }
            } catch {
                entry.refusal = (code: error.code, reason: Self.reason(error, offer.kind))
            }
        }
        report.entries.append(entry)
    }

    private static func reason(_ error: GroupKeyError, _ kind: GroupOffer.Kind) -> String {
        switch error {
        case .ownKeyExists where kind == .sharedKey:
            "another shared key is there; --replace-shared puts this one in its place"
        case .chainExhausted: "it stands at the last number there is, and opens nothing"
        default: error.sentence
        }
    }

    private func receive(_ offer: GroupOffer) throws(GroupKeyError) -> SenderKeyIntake {
        switch offer.key {
        case .peer(let state):
            let sender = GroupSender(group: offer.group, peer: offer.peer ?? PeerID(bytes: []))
            return try kept.cipher.receive(state, from: sender, at: now)
        case .own(let state): return try kept.cipher.receiveOwn(state, of: offer.group)
        case .shared(let key):
            if !replacesShared, kept.cipher.hasSharedKey(of: offer.group) {
                let isSame: Bool
                switch try kept.cipher.shared(of: offer.group) {
                case .some(let known): isSame = known.isEqual(to: key)
                case .none: isSame = false
                }
                guard isSame else { throw .ownKeyExists }
            }
            return try kept.cipher.receiveShared(key, of: offer.group)
        }
    }

    /// Takes skipped keys of members whom nothing was known of before.
    private func take(_ offered: OfferedSkippedKeys) throws(CommandError) {
        let age = GroupKeyLimits.skippedKeyAge
        for group in offered.cipher.groups {
            for sender in offered.cipher.senders(in: group) {
                let keys = offered.cipher.skippedIterations(of: sender)
                let isUnknown =
                    kept.cipher.position(of: sender) == nil && kept.cipher.skippedIterations(of: sender).isEmpty
                guard !sender.peer.matches(own), new.contains(sender) || isUnknown else {
                    report.skippedRefused += keys.count
                    continue
                }
                new.insert(sender)
                report.skippedTaken += keys.count
                report.skippedOld += keys.count { now - $0.storedAt > age }
                report.skippedBeyond += max(keys.count - GroupKeyLimits.app.cache, 0)
                report.touched.insert(group)
            }
        }
        report.skippedNotTaken += offered.loaded.unreadable + offered.loaded.withoutOwner + offered.loaded.beyondLimit
        let chosen = new
        do throws(GroupKeyError) {
            switch try offered.cipher.skipped(where: chosen.contains) {
            case .some(let json):
                let loaded = try kept.cipher.loadSkipped(json, at: now)
                guard loaded.beyondLimit == 0 else { throw .tooMany(limit: kept.cipher.limits.total) }
            case .none: break
            }
        } catch {
            throw .group(.damagedItem(.skippedGroupKeys, error))
        }
    }
}

/// What became of each key that was offered.
struct GroupsImported: Report {
    struct Entry {
        let path: FilePath
        let group: GroupID
        let peer: PeerID?
        let kind: GroupOffer.Kind
        let iteration: UInt32?
        /// Nil when it was refused.
        var intake: SenderKeyIntake?
        var refusal: (code: String, reason: String)?

        /// The word in JSON.
        var outcome: String {
            switch intake {
            case .added: "added"
            case .replaced: "replaced"
            case .keptEarlier: "kept-earlier"
            case .unchanged: "unchanged"
            case .advanced: "advanced"
            case nil: "refused"
            }
        }
    }

    var identity: KeyringIdentity?
    var names = ContactNames()
    var isDryRun = false
    var entries: [Entry] = []
    var touched: Set<GroupID> = []
    var skippedTaken = 0
    /// Of those that were taken, which the apps drop.
    var skippedOld = 0
    var skippedBeyond = 0
    var skippedRefused = 0
    /// Keys and lists that cannot be read, or belong to no member of a group.
    var skippedNotTaken = 0
    var mls = 0
    var others = 0

    private func count(_ outcomes: String...) -> Int { entries.count { outcomes.contains($0.outcome) } }

    var status: ExitStatus {
        count("refused") + skippedRefused + skippedNotTaken > 0 ? .someDamaged : .success
    }

    func writeText(to stream: TextStream) {
        let verb: TerminalText = isDryRun ? "Would take" : "Took"
        stream.line("\(verb) keys of groups into the keyring, for \(identity?.title ?? "")")
        for entry in entries { stream.line("  \(line(entry))") }
        if skippedTaken + skippedRefused + skippedNotTaken > 0 {
            stream.line(
                "  skipped keys: \(count: skippedTaken) taken, \(count: skippedRefused) refused: they may have been used here, \(count: skippedNotTaken) unreadable or of nobody"
            )
        }
        if skippedOld + skippedBeyond > 0 {
            stream.line(
                "  of the taken ones \(count: skippedOld) older than 7 days, \(count: skippedBeyond) beyond the 200 of a member: kept here, and dropped by the apps"
            )
        }
        if mls > 0 {
            stream.line("  \(count: mls, "state") of MLS not taken: \(CommandError.mlsReason)")
        }
        stream.line()
        stream.line(
            "read \(count: entries.count) · added \(count: count("added")) · replaced \(count: count("replaced", "advanced")) · unchanged \(count: count("unchanged", "kept-earlier")) · refused \(count: count("refused"))"
        )
        if entries.contains(where: { $0.refusal?.code == "backwards" }) {
            stream.line("\"sxkey group open --keys FILE\" reads messages with an earlier key and keeps nothing of it;")
            stream.line("\"sxkey group remove GROUP PEER\" takes a member out who has begun anew")
        }
    }

    private func line(_ entry: Entry) -> TerminalText {
        let who: TerminalText =
            switch entry.kind {
            case .senderKey: GroupText.title(entry.peer ?? PeerID(bytes: []), names.name(of: entry.peer?.bytes ?? []))
            case .ownSenderKey: "own key"
            case .sharedKey: "shared key"
            case .skippedKeys: "skipped keys"
            }
        let place: TerminalText = entry.iteration.map { " at \(Int($0))" } ?? ""
        let subject: TerminalText = "\(GroupText.cut(entry.group.bytes)): \(who)\(place): "
        switch entry.intake {
        case .added: return subject + "added"
        case .replaced where entry.kind == .sharedKey: return subject + "replaced the known key, which is gone"
        case .replaced(let putAside):
            return subject + "replaced the known key, \(count: putAside, "key") between put aside"
        case .keptEarlier: return subject + "the known key is the same one, earlier, and stays"
        case .unchanged: return subject + "known already"
        case .advanced: return subject + "moved forward"
        case nil:
            return subject + TerminalText(trusted: "refused", .yellow) + ": \(trusted: entry.refusal?.reason ?? "")"
        }
    }

    func writeJSON(to json: inout JSONWriter) {
        json.object { json in
            json.member("identity", identity?.fingerprint.hex)
            json.member("dryRun", isDryRun)
            json.member("keys") { json in
                json.array(entries) { json, entry in
                    json.object { json in
                        json.member("path", entry.path.bytes)
                        json.member("group", entry.group.bytes)
                        json.member("kind", entry.kind.rawValue)
                        json.member("peerID", entry.peer?.bytes)
                        json.member("iteration", entry.iteration.map { Int($0) })
                        json.member("outcome", entry.outcome)
                        json.member("code", entry.refusal?.code)
                        json.member("reason", entry.refusal?.reason)
                    }
                }
            }
            json.member("read", entries.count)
            json.member("added", count("added"))
            json.member("replaced", count("replaced", "advanced"))
            json.member("unchanged", count("unchanged", "kept-earlier"))
            json.member("refused", count("refused"))
            json.member("skippedTaken", skippedTaken)
            json.member("skippedExpired", skippedOld)
            json.member("skippedBeyondLimit", skippedBeyond)
            json.member("skippedRefused", skippedRefused)
            json.member("skippedUnreadable", skippedNotTaken)
            json.member("mlsLeftOut", mls)
            json.member("otherItems", others)
            json.member("exit", Int(status.rawValue))
        }
    }
}
