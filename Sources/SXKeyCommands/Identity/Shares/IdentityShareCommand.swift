import CommandKit
import CryptoPrimitives
import JSONCoding
import Keyring
import SophaxCore
import SophaxFiles
import SystemIO

/// `sxkey identity share`
struct IdentityShareCommand: Command {
    static let specification = CommandSpecification(
        noun: "identity", verb: "share",
        summary: "look at shares that you hold, and open one that is encrypted for you",
        discussion: [
            "Shows whose share each is, of which set, and whether it is whole. Without a FILE these are the shares that the app of your "
                + "identity keeps for others (the item sss.shares), and who holds its own (sss.manifest).",
            "With --out one share is written as it is, which is what its owner asks for; one that is encrypted for you is opened with "
                + "your key. Whoever has enough shares of a set has the identity: give yours to its owner alone, and only when you have "
                + "seen or heard for yourself who asks.",
        ],
        operands: [OperandSpecification("FILE", .file, .any, "shares in any form, or keychain items")],
        options: [
            .value(
                "share", "ID", .text,
                "the share of the set whose id begins so, where there are several; ID/INDEX where there are several of a set"
            ),
            .value(
                "out", short: "o", "PATH", .file,
                "the file to write a share to, not encrypted; \"-\" is standard output"),
            .flag("force", short: "f", "overwrite an existing file"), IdentityOption.specification,
        ] + KeyringOptions.specifications,
        examples: [
            Example(
                "sxkey identity share share-4-of-5.json --keyring-key-file keyring.key", "see what a share is")
        ],
        exitStatuses: [
            StatusNote(.success), StatusNote(.failure, "codes of a page are missing"),
            StatusNote(.usage, "several shares, of which one is to be written"),
            StatusNote(.unreadable, "a damaged share, or no share"),
            StatusNote(.wrongSecret, "a share that no identity here opens"), StatusNote(.newerVersion),
            StatusNote(.wouldOverwrite), StatusNote(.notFound, "no such file or share, or no keyring"),
        ],
        seeAlso: ["sxkey-formats(5)"]
    )

    private let paths: [FilePath]
    private let id: [UInt8]?
    private let out: FilePath?
    private let force: Bool
    private let identity: [UInt8]?
    private let options: KeyringOptions

    init(_ arguments: ParsedArguments) throws(UsageError) {
        paths = arguments.operands("FILE").map { FilePath(bytes: $0) }
        id = arguments.value("share")
        out = arguments.path("out")
        force = arguments.flag("force")
        identity = arguments.value("identity")
        options = try KeyringOptions(arguments)
        if arguments.globals.json, out == "-" {
            throw .other("--json and a share exclude each other on standard output")
        }
        if paths.count(where: { $0 == "-" }) + (options.readsStandardInput ? 1 : 0) > 1 {
            throw .other("standard input can give one thing only")
        }
    }

    func run(_ context: Context) throws(CommandError) -> ExitStatus {
        var target: ExportTarget?
        if out == "-", context.console.output.isTerminal { throw .shares(.onTerminal) }
        if let out { target = try ExportTarget((out, force), inputs: inputs(context), context.console) }
        let given: GivenShares
        var manifest: ShareManifest?
        if paths.isEmpty { (given, manifest) = try held(context) } else { given = try GivenShares(paths, context) }
        let shown = try chosen(ShownShare.all(given), orNone: manifest != nil && out == nil)
        if var target = target.take() {
            guard shown.count == 1, let one = shown.first else { throw .shares(.severalShares(shown.map(\.title))) }
            var share = one.share
            if case .sealed(let held) = one.share {
                let opened = try context.openKeyring(options, .readOnly)
                share = .plain(try GivenShares.open(held, one.path, with: opened, identity: identity))
            }
            try target.write(text(of: share))
            try target.commit()
        }
        let report = ShareReport(shares: shown, manifest: manifest, out: out)
        if out != "-" { context.console.present(report) }
        return .success
    }

    /// The shares that the identity's app keeps for others, and who holds the identity's own.
    private func held(_ context: Context) throws(CommandError) -> (GivenShares, ShareManifest?) {
        let opened = try context.openKeyring(options, .readOnly)
        let identity = try opened.identity(identity)
        let (shares, manifest) = try opened.doing { (keyring) throws(KeyringError) in
            (
                Self.boxed(try keyring.item(.heldShares, of: identity)),
                Self.boxed(try keyring.item(.shareManifest, of: identity))
            )
        }
        guard shares != nil || manifest != nil else { throw .shares(.noHeldShares(identity.shortText)) }
        let read: ShareManifest?
        do throws(FormatError) {
            read = try manifest.map { (item) throws(FormatError) in
                try ShareManifest(item.text.withSpan { text in text.indices.map { text[$0] } })
            }
        } catch {
            throw .shares(.given(.json(.format(error)), opened.path))
        }
        guard let shares else { return (GivenShares(words: [], from: opened.path), read) }
        return (try GivenShares(held: shares.text, in: opened.path, context), read)
    }

    private static func boxed(_ item: consuming SecretBytes?) -> ShareText? {
        switch consume item {
        case .some(let text): ShareText(text)
        case nil: nil
        }
    }

    private func chosen(_ shares: [ShownShare], orNone: Bool) throws(CommandError) -> [ShownShare] {
        guard let id else {
            if shares.isEmpty, !orNone { throw .shares(.set(.noShares, [])) }
            return shares
        }
        let parts = id.split(separator: UInt8(ascii: "/"), maxSplits: 1, omittingEmptySubsequences: false)
        let wanted = (parts.first ?? []).map(Self.upper)
        let index = parts.count > 1 ? Int(String(decoding: parts[1], as: UTF8.self)) ?? 0 : nil
        let found = shares.filter { share in
            share.set.map(Self.upper).starts(with: wanted) && (index == nil || share.index == index)
        }
        guard !found.isEmpty else { throw .shares(.noSuchShare(id)) }
        return found
    }

    private static func upper(_ byte: UInt8) -> UInt8 { (0x61...0x7A).contains(byte) ? byte & ~0x20 : byte }

    private func text(of share: GivenShare) throws(CommandError) -> [UInt8] {
        let text: SecretBytes
        switch share {
        case .plain(let share):
            do throws(SecretMemoryError) { text = try share.text(.sxkey) } catch { throw .shares(.memory) }
        case .words(let share):
            do throws(WordShareError) { text = try share.words() } catch { throw .shares(.words(error)) }
        case .sealed: throw .shares(.set(.noShares, []))
        }
        return text.withSpan { text in text.indices.map { text[$0] } } + [0x0A]
    }

    private func inputs(_ context: Context) -> [FileIdentity] {
        options.inputs(context) + paths.compactMap { try? InputFile.identity(ofOperand: $0) }
    }
}

/// A share and where it came from, as it is shown.
struct ShownShare: Sendable {
    let share: GivenShare
    let path: FilePath

    static func all(_ given: GivenShares) -> [ShownShare] {
        given.plain.map { ShownShare(share: .plain($0.share), path: $0.path) }
            + given.sealed.map { ShownShare(share: .sealed($0.share), path: $0.path) }
            + given.words.map { ShownShare(share: .words($0.share), path: $0.path) }
    }

    /// The id of the set; of words its number.
    var set: [UInt8] {
        switch share {
        case .plain(let share): share.id
        case .sealed(let share): share.shareID
        case .words(let share): Array(String(share.parameters.identifier).utf8)
        }
    }

    /// 1 to 255; nil where only who opens it knows.
    var index: Int? {
        switch share {
        case .plain(let share): Int(share.index)
        case .sealed(let share): share.note.map { Int($0.index) }
        case .words(let share): share.member + 1
        }
    }

    /// How `--share` names it.
    fileprivate var title: [UInt8] {
        let number = index.map { Array("/\($0)".utf8) } ?? []
        return self.set + number
    }

    fileprivate var form: String {
        switch share {
        case .plain(let share): share.owner == nil ? "app" : "sxkey"
        case .sealed: "sealed"
        case .words: "words"
        }
    }

    fileprivate var threshold: Int? {
        switch share {
        case .plain(let share): Int(share.threshold)
        case .sealed(let share): share.threshold.map { Int($0) }
        case .words(let share): share.memberThreshold
        }
    }

    fileprivate var total: Int? {
        switch share {
        case .plain(let share): Int(share.total)
        case .sealed(let share): share.total.map { Int($0) }
        case .words: nil
        }
    }

    fileprivate var owner: IdentityShare.Owner? {
        switch share {
        case .plain(let share): share.owner
        case .sealed(let share): share.note?.owner
        case .words: nil
        }
    }

    fileprivate var holder: IdentityShare.Owner? {
        if case .sealed(let share) = share { return share.note?.holder }
        return nil
    }
}

/// Shares, one after the other.
private struct ShareReport: Report {
    let shares: [ShownShare]
    /// Who holds the shares of the identity itself.
    let manifest: ShareManifest?
    let out: FilePath?

    func writeText(to stream: TextStream) {
        if let out { stream.line("Wrote the share to \(quoted: out); it is not encrypted") }
        for share in shares {
            let number: TerminalText = share.index.map { "Share \($0)" } ?? "A share"
            let total: TerminalText = share.total.map { " of \($0)" } ?? ""
            let needed: TerminalText = share.threshold.map { "; \($0) give the identity back" } ?? ""
            stream.line("\(number)\(total)\(needed)  \(share.path)")
            stream.line("  Set          \(share.set)")
            if let owner = share.owner {
                stream.line("  Identity     \(owner.name, .bold)")
                stream.line("  Peer id      \(trusted: PeerID(owner.fingerprint, form: .hex32).text)")
            }
            if let holder = share.holder { stream.line("  Encrypted    for \(holder.name)") }
            stream.line("  Form         \(trusted: share.form)")
        }
        guard let manifest else { return }
        stream.line(
            "Your own identity was shared by the app: \(manifest.threshold) of \(count: manifest.holders.count, "share") give it back"
        )
        stream.line("  Set          \(manifest.shareID)")
        for (place, holder) in manifest.holders.enumerated() {
            stream.line("  Share \(place + 1)      held by \(holder.bytes)")
        }
    }

    func writeJSON(to json: inout JSONWriter) {
        json.object { json in
            json.member("out", out?.bytes)
            json.member("shares") { json in
                json.array(shares) { json, share in
                    json.object { json in
                        json.member("path", share.path.bytes)
                        json.member("form", share.form)
                        json.member("set", share.set)
                        json.member("index", share.index)
                        json.member("threshold", share.threshold)
                        json.member("total", share.total)
                        json.member("name", share.owner?.name)
                        json.member("fingerprint", share.owner?.fingerprint.hex)
                        json.member("holder", share.holder?.fingerprint.hex)
                    }
                }
            }
            guard let manifest else { return }
            json.member("manifest") { json in
                json.object { json in
                    json.member("set", manifest.shareID)
                    json.member("threshold", manifest.threshold)
                    json.member("holders") { json in
                        json.array(manifest.holders) { json, holder in json.value(holder.bytes) }
                    }
                }
            }
        }
    }
}
