import CommandKit
import CryptoPrimitives
import Keyring
import SophaxCore
import SophaxFiles
import SystemIO

/// `sxkey identity split`
struct IdentitySplit: Command {
    /// How shares are written.
    enum Format: String, CaseIterable, Sendable {
        case sxkey, app, words
    }

    static let specification = CommandSpecification(
        noun: "identity", verb: "split",
        summary: "share the keys of an identity among friends",
        discussion: [
            "Makes shares of the two private keys, any --threshold of which give them back with \"sxkey identity combine\"; fewer do "
                + "not. Only the two identity keys are shared. Post-quantum keys, the X-Wing key that bundles may be encrypted for, the key of the "
                + "message store, prekeys, contacts and messages are not: they need a backup of their own, under a passphrase, for the "
                + "X-Wing key does not come back with the shares.",
            "sxkey is the apps' own form, with the name of the owner and a check value added; app is that form alone; words are "
                + "59 words of SLIP-39 on paper, of at most 16 shares. The first two prove by themselves that they are whole "
                + "and of one set, and the fingerprint tells whose; with words it takes the peer id to know that, which is on the page.",
            "Beside each share lie two pages to print, as text and as HTML with QR codes, that tell its holder what it is, how to keep "
                + "it and how to use it. With --for each share is encrypted for one contact, so that it can be sent on any way; else the "
                + "files are as secret as a share is. The folder holds all shares until you hand them out: then remove it.",
        ],
        operands: [IdentityOption.optionalOperand],
        options: [
            .value(
                "threshold", short: "m", "M", .number(0...65_535), "how many shares give the identity back, 2 or more",
                isRequired: true),
            .value(
                "shares", short: "n", "N", .number(0...65_535),
                "how many shares are made, at most 255 (default: as many as contacts are named)"),
            .value(
                "for", "CONTACT", .text, "encrypt one share for this contact; once for each share", isRepeatable: true),
            .value("format", "FORMAT", .choice(Format.allCases.map(\.rawValue)), "how to write them (default: sxkey)"),
            .flag("no-pages", "write the shares only, and no pages to print"),
            .value("out", short: "o", "FOLDER", .folder, "the new folder for them", isRequired: true),
        ] + KeyringOptions.specifications,
        examples: [
            Example(
                "sxkey identity split -m 3 -n 5 --out shares --keyring-key-file keyring.key",
                "five shares, three of which give the identity back"),
            Example(
                "sxkey identity split -m 2 -n 3 --format words --out paper --keyring-key-file keyring.key",
                "three sheets of words"),
        ],
        exitStatuses: [
            StatusNote(.success), StatusNote(.usage, "numbers that make no sense, or other than contacts"),
            StatusNote(.wrongSecret), StatusNote(.wouldOverwrite, "there is something with the name of the folder"),
            StatusNote(.notFound, "no such identity or contact, or no keyring"),
        ],
        seeAlso: ["sxkey-formats(5)"]
    )

    private let word: [UInt8]?
    private let threshold: Int
    private let total: Int
    private let holders: [[UInt8]]
    private let format: Format
    private let hasPages: Bool
    private let out: FilePath
    private let options: KeyringOptions

    init(_ arguments: ParsedArguments) throws(UsageError) {
        word = arguments.operand("IDENTITY")
        holders = arguments.values("for")
        format = arguments.choice("format").flatMap(Format.init) ?? .sxkey
        hasPages = !arguments.flag("no-pages")
        out = arguments.requiredPath("out")
        options = try KeyringOptions(arguments)
        threshold = arguments.number("threshold") ?? 0
        guard let total = arguments.number("shares") ?? (holders.isEmpty ? nil : holders.count) else {
            throw .other("how many shares?", hint: "say --shares N, or name a contact for each with --for")
        }
        self.total = total
        if format == .words, !holders.isEmpty {
            throw .other("words are for paper, which nothing encrypts", hint: "leave --format words or --for out")
        }
        if format == .app, !holders.isEmpty {
            throw .other("a share for a contact has one form, which the app reads", hint: "leave --format out")
        }
    }

    func run(_ context: Context) throws(CommandError) -> ExitStatus {
        do throws(ShamirError) { try Shamir.check(threshold: threshold, total: total) } catch {
            throw .shares(.words(.numbers(error)))
        }
        if format == .words, total > WordShare.maximumShares {
            throw .shares(.words(.numbers(.tooManyShares(found: total, limit: WordShare.maximumShares))))
        }
        if !holders.isEmpty, holders.count != total {
            throw .shares(.otherHolders(given: holders.count, shares: total))
        }
        do throws(FileError) { try DraftFolder.check(out) } catch { throw .folderOutput(error) }
        let opened = try context.openKeyring(options, .readOnly)
        let identity = try opened.identity(word)
        let people = try ShareHolder.all(holders, opened, context)
        let keys = try opened.doing { (keyring) throws(KeyringError) in try keyring.privateKeys(of: identity) }
        let owner = IdentityShare.Owner(name: identity.name.bytes, fingerprint: identity.fingerprint)
        let made =
            format == .words
            ? try MadeShareSet.words(keys, owner, threshold, total, context)
            : try MadeShareSet.json(keys, owner, threshold, total, people, isApp: format == .app, context)
        let lacks = try opened.doing { (keyring) throws(KeyringError) in try keyring.items(of: identity) }
            .map(\.account).filter { ![.signing, .dh, .username].contains($0) }
        try write(made, context)
        context.console.present(
            SplitReport(
                out: out, format: format, identity: identity, made: made, threshold: threshold, people: people,
                lacks: lacks, hasPages: hasPages))
        // Whoever does not see the report must not forget where all shares lie together.
        context.console.output.flush()
        if context.console.output.failure != nil {
            context.console.note(
                "sxkey: warning: the shares are in \(quoted: out) all the same; remove what you do not hand out")
        }
        return .success
    }

    /// All files, in a folder that appears whole.
    private func write(_ made: MadeShareSet, _ context: Context) throws(CommandError) {
        let day = context.zone.time(at: context.now)?.date.dayText ?? ""
        let lineEnd: [UInt8] = [0x0A]
        var pages: [(name: FilePath, text: ShareText)] = []
        for (number, share) in made.shares.enumerated() {
            let name = SplitReport.name(number + 1, of: made.shares.count)
            pages.append((FilePath(name + (format == .words ? ".words" : ".json")), share))
            guard hasPages else { continue }
            let page = SharePage(
                owner: made.owner, holder: made.holders.isEmpty ? nil : made.holders[number].person, index: number + 1,
                threshold: threshold, total: total, set: made.set, day: day, file: name + ".json", share: share)
            let html = try page.html()
            do throws(SecretMemoryError) {
                pages.append((FilePath(name + ".txt"), ShareText(try page.text())))
                pages.append((FilePath(name + ".html"), ShareText(html)))
            } catch {
                throw .shares(.memory)
            }
        }
        do throws(FileError) {
            var folder = try DraftFolder(for: out)
            for (name, page) in pages {
                try folder.begin(name)
                try page.text.withSpan { (text) throws(FileError) in try folder.write(text) }
                if name.bytes.suffix(5) == Array(".json".utf8)[...] || name.bytes.suffix(6) == Array(".words".utf8)[...]
                {
                    try folder.write(lineEnd.span)
                }
                try folder.end()
            }
            if let manifest = made.manifest {
                let text = manifest + lineEnd
                try folder.begin(SplitReport.manifest)
                try folder.write(text.span)
                try folder.end()
            }
            try folder.publish()
        } catch {
            throw .folderOutput(error)
        }
    }
}

/// A contact who is to hold a share.
struct ShareHolder: Sendable {
    let person: IdentityShare.Owner
    /// X25519 public key.
    let dh: [UInt8]
    let who: TerminalText

    /// Those whom the words name, each once.
    static func all(
        _ words: [[UInt8]], _ opened: OpenedKeyring, _ context: Context
    ) throws(CommandError) -> [ShareHolder] {
        var holders: [ShareHolder] = []
        for word in words {
            let contact = try opened.contact(word)
            guard let current = contact.currentKey else {
                throw .bundleFailure(.recipientWithoutKeys(contact.shortText))
            }
            guard X25519.isPublicKey(current.keys.dh.span) else { throw .bundleFailure(.weakRecipientKey(word)) }
            if holders.contains(where: { $0.dh == current.keys.dh }) { throw .shares(.sameHolder(contact.shortText)) }
            if !contact.isVerified {
                context.console.note(
                    "sxkey: warning: \(contact.shortText) is not verified: compare safety numbers (\"sxkey safety show\") before you rely on who can open the share"
                )
            }
            holders.append(
                ShareHolder(
                    person: .init(name: contact.name.bytes, fingerprint: current.fingerprint), dh: current.keys.dh,
                    who: contact.shortText))
        }
        return holders
    }
}

/// What was made.
private struct SplitReport: Report {
    static let manifest: FilePath = "manifest.json"

    let out: FilePath
    let format: IdentitySplit.Format
    let identity: KeyringIdentity
    let made: MadeShareSet
    let threshold: Int
    let people: [ShareHolder]
    /// Items of the identity that are in no share.
    let lacks: [ItemAccount]
    let hasPages: Bool

    /// The name of the files of a share, without the dot and what follows it.
    static func name(_ index: Int, of total: Int) -> String {
        let digits = String(index)
        let zeros = String(repeating: "0", count: String(total).utf8.count - digits.utf8.count)
        return "share-\(zeros)\(digits)-of-\(total)"
    }

    private var suffix: String { format == .words ? ".words" : ".json" }

    func writeText(to stream: TextStream) {
        let total = made.shares.count
        stream.line(
            "Shared \(identity.name.bytes, .bold) among \(count: total, "share") in \(quoted: out); any \(threshold) of them give the identity back"
        )
        stream.line("  Fingerprint  \(trusted: identity.fingerprint.hex)")
        stream.line("  Set          \(made.set)")
        for number in 0..<total {
            let holder: TerminalText = people.isEmpty ? "" : "  for \(people[number].who)"
            stream.line("  \(trusted: Self.name(number + 1, of: total) + suffix)\(holder)")
        }
        if hasPages { stream.line("  Each with a page to print, as .txt and as .html with QR codes") }
        if !lacks.isEmpty {
            let own: [ItemAccount] = [.mlKEM, .mlDSA, .xWing, .storageMaster]
            let named = own.filter(lacks.contains).map { "\($0.bytes)" as TerminalText }
            let rest = lacks.count - named.count
            let names = (named + (rest > 0 ? ["\(count: rest, "other item")" as TerminalText] : [])).joined(", ")
            stream.line("  Not in them  \(names)")
            stream.line(
                "               \"sxkey bundle create\" with a passphrase keeps these: shares do not bring them back")
        }
        if !people.isEmpty {
            stream.line(
                "  A contact who loses or replaces his identity cannot open his share any more; the folder has all of them, and the list of holders: remove it when they have come"
            )
        }
        stream.line(
            people.isEmpty
                ? "  Hand them out to different people, and then remove the folder: whoever has \(threshold) of them has the identity"
                : "  Each opens with the key of its contact only: send it, or hand it over with its page")
    }

    func writeJSON(to json: inout JSONWriter) {
        json.object { json in
            json.member("path", out.bytes)
            json.member("format", format.rawValue)
            json.member("name", identity.name.bytes)
            json.member("fingerprint", identity.fingerprint.hex)
            json.member("set", made.set)
            json.member("threshold", threshold)
            json.member("total", made.shares.count)
            json.member("pages", hasPages)
            json.member("lacks") { json in json.array(lacks) { json, account in json.value(account.bytes) } }
            json.member("manifest", made.manifest == nil ? nil : out.appending(Self.manifest).bytes)
            json.member("shares") { json in
                json.array(Array(made.shares.indices)) { json, number in
                    json.object { json in
                        json.member("index", number + 1)
                        json.member(
                            "path",
                            out.appending(FilePath(Self.name(number + 1, of: made.shares.count) + suffix)).bytes)
                        json.member("holder", people.isEmpty ? nil : people[number].person.fingerprint.hex)
                    }
                }
            }
        }
    }
}
