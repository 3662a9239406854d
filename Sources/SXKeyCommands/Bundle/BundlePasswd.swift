import CommandKit
import CryptoPrimitives
import PortableBundle
import SophaxFiles
import SystemIO

/// `sxkey bundle passwd`
struct BundlePasswd: Command {
    static let specification = CommandSpecification(
        noun: "bundle", verb: "passwd",
        summary: "change who can open a bundle",
        discussion: [
            "Of a .sxb only the key is wrapped anew, for the new passphrases or, where it was made for keys, for the new recipients; what "
                + "is inside stays byte for byte. --keep N keeps recipient N, as \"sxkey bundle info\" numbers them; all others are replaced. "
                + "An app's export has no such key: its whole text is encrypted anew, with a fresh salt, as the newest app does it.",
            "The new file is written beside the old one, opened with the new secret and compared, and only then takes its place; --out "
                + "writes it elsewhere and leaves FILE alone. Copies of FILE that were made earlier still open with the former secret. When "
                + "that has become known to somebody, make a new bundle, and a new keyring or store key where those were in it.",
        ],
        operands: [BundleInputs.operand],
        options: BundleInputs.options + NewRecipientOptions.specifications + [
            .value(
                "keep", "N", .number(1...NewRecipientOptions.recipientLimit), "of a .sxb, keep this recipient",
                isRepeatable: true),
            .value("out", short: "o", "PATH", .file, "write the new file there, and leave FILE as it is"),
            .flag("force", short: "f", "with --out, overwrite an existing file"),
        ],
        examples: [
            Example(
                "sxkey bundle passwd sample.sxb -p passphrase.txt --new-passphrase-file new-passphrase.txt --out changed.sxb",
                "the same bundle under another passphrase"),
            Example(
                "sxkey bundle passwd sample.sxfe -p passphrase.txt --new-passphrase-file new-passphrase.txt --out changed.sxfe",
                "the same for an export of the app"),
        ],
        exitStatuses: [
            StatusNote(.success), StatusNote(.usage, "no new passphrase, or one that is too short"),
            StatusNote(.unreadable, "cut off, damaged, or not a known bundle"), StatusNote(.wrongSecret),
            StatusNote(.newerVersion), StatusNote(.wouldOverwrite), StatusNote(.notFound),
        ],
        seeAlso: ["sxkey-formats(5)"]
    )

    private let bundle: BundleInputs
    private let new: NewRecipientOptions
    private let kept: [Int]
    private let out: FilePath?
    private let force: Bool
    private let kind: BundleKind?

    private var path: FilePath { bundle.paths[0] }

    init(_ arguments: ParsedArguments) throws(UsageError) {
        bundle = try BundleInputs(arguments)
        new = try NewRecipientOptions(arguments)
        kept = arguments.numbers("keep")
        out = arguments.path("out")
        force = arguments.flag("force")
        kind = arguments.choice("kind").flatMap(BundleKind.init)
        if bundle.paths[0] == "-" { throw .other("standard input cannot be changed", hint: "name a file") }
        if out == "-" { throw .other("a bundle is not written to standard output", hint: "name a file with --out") }
        if force, out == nil { throw .other("--force is for --out") }
        if new.readsStandardInput, bundle.secrets.readsStandardInput {
            throw .other("standard input cannot give both the present and the new secret")
        }
    }

    func run(_ context: Context) throws(CommandError) -> ExitStatus {
        let looked = try LookedInput.look(path, kind: kind, context)
        try checkTarget(context)
        switch looked.outside {
        case .app(let file): try changeExport(file, context)
        case .portable(let header): try rewrap(header, context)
        }
        return .success
    }

    /// Where the new file goes can be written, before anybody is asked for anything.
    private func checkTarget(_ context: Context) throws(CommandError) {
        do throws(FileError) {
            if let out {
                try OutputFile.check(out, replacing: force, notSameAs: bundle.inputs(context) + new.inputs)
            } else {
                let status = try fileStatus(at: path, followingLinks: false)
                if status.kind == .link { throw FileError(.rename, path, .notRegular) }
                if status.kind != .regular { throw FileError(.rename, path, .notRegular) }
                let secrets = bundle.secrets.inputs(context) + new.inputs
                if secrets.contains(status.identity) { throw FileError(.rename, path, .sameAsInput) }
            }
        } catch {
            if error.kind == .notRegular, out == nil { throw .bundleFailure(.notChangeable(path)) }
            throw .output(error)
        }
    }

    // MARK: An app's export

    private func changeExport(_ file: BundleFile, _ context: Context) throws(CommandError) {
        if !new.words.isEmpty || !kept.isEmpty || new.passphrases.count > 1 {
            throw .bundleFailure(.onePassphraseOnly(path))
        }
        if new.cost.isGiven { throw .bundleFailure(.noArgonInExports(path)) }
        let option = try bundle.secrets.sources(for: [path])[0]
        let secret = try option.read(for: path, context)
        let opened: OpenedBundle
        context.progress.begin("Trying the passphrase", total: 0, unit: .items)
        do throws(BundleError) {
            opened = try BundleOpener.open(
                file, passphrase: secret, limits: context.bundleLimits, workers: bundle.workers(context))
        } catch {
            context.progress.finish()
            throw .bundle(error, path)
        }
        context.progress.finish()
        let change = AppBundlePasswd(path: path, opened: opened)
        let made = try change.reencrypted(
            under: new.passphrases.first ?? PassphraseOption(asking: .new), context)
        try write(made.bytes, context)
        context.console.present(
            PasswdReport(
                path: path, out: out, done: .reencrypted(made.derivation), size: made.bytes.count, people: []))
    }

    /// Writes the file beside its place, reads it back, and puts it there.
    private func write(_ bytes: [UInt8], _ context: Context) throws(CommandError) {
        do throws(FileError) {
            guard let out else {
                let draft = try DraftFile(beside: path, marker: "sxkey-passwd")
                var file = try OutputFile(creatingAt: draft.path, replacing: true)
                try file.write(bytes)
                try file.commit()
                var again = try InputFile(opening: draft.path)
                guard try again.readAll(limit: bytes.count) == bytes else { throw FileError(.read, draft.path, .other) }
                return try draft.publish(replacing: true)
            }
            var file = try OutputFile(
                creatingAt: out, replacing: force, notSameAs: bundle.inputs(context) + new.inputs)
            try file.write(bytes)
            try file.commit()
        } catch {
            throw .output(error)
        }
    }

    // MARK: sxkey's own bundle

    private func rewrap(_ header: SXBHeader, _ context: Context) throws(CommandError) {
        try checkKind(header)
        let secrets: [SXBSecret]
        if header.kind == .passphrase {
            let option = try bundle.secrets.sources(for: [path])[0]
            secrets = [try BundleInputs.passphrase(option, path, context)]
        } else {
            secrets = try bundle.secrets.identityKeys(context)
        }
        // Known to be right before a new one is asked for.
        do throws(SXBError) {
            _ = try SXBReader(opening: path, secrets: secrets)
        } catch {
            throw .entries(.container(error), path)
        }
        let opened = new.needsKeyring ? try context.openKeyring(bundle.secrets.keyring, .readOnly) : nil
        var recipients = kept.map { SXBRecipient.kept($0 - 1) }
        var people: [BundleRecipient] = []
        if new.isGiven || kept.isEmpty {
            let chosen = try new.recipients(for: out ?? path, opened, context)
            recipients += chosen.list
            people = chosen.people
        }
        let changed = try write(recipients, of: header, secrets, context)
        context.console.present(
            PasswdReport(
                path: path, out: out, done: .rewrapped(changed, was: header.recipients.count),
                size: changed.fileLength, people: people))
    }

    /// Writes the bundle beside its place, proves it, and puts it there.
    ///
    /// Proof is that each new passphrase opens it, and that its content is the old one's, byte for byte. Whether the owner of
    /// a key can open it only he can try.
    private func write(
        _ recipients: [SXBRecipient], of header: SXBHeader, _ secrets: [SXBSecret], _ context: Context
    ) throws(CommandError) -> SXBHeader {
        let place = out ?? path
        context.progress.begin("Wrapping the key", total: 0, unit: .items)
        defer { context.progress.finish() }
        let draft: DraftFile
        do throws(FileError) {
            draft = try DraftFile(beside: place, marker: "sxkey-passwd")
        } catch {
            throw .output(error)
        }
        let changed: SXBHeader
        do throws(SXBError) {
            changed = try SXBRewrap(path, secrets: secrets, recipients: recipients)
                .write(to: draft.path, replacing: true)
            for case .passphrase(let secret, _) in recipients {
                _ = try SXBReader(opening: draft.path, secrets: [secret])
            }
        } catch {
            throw .entries(.container(error), path)
        }
        do throws(FileError) {
            guard try Self.isSame(path, header.payload, draft.path, changed.payload) else {
                throw FileError(.read, draft.path, .other)
            }
            try draft.publish(replacing: out == nil || force)
        } catch {
            throw .output(error)
        }
        return changed
    }

    /// Whether two parts of files have the same bytes.
    private static func isSame(
        _ first: FilePath, _ firstPart: Range<Int>, _ second: FilePath, _ secondPart: Range<Int>
    ) throws(FileError) -> Bool {
        guard firstPart.count == secondPart.count else { return false }
        var one = try Part(first, firstPart)
        var other = try Part(second, secondPart)
        while true {
            let (mine, theirs) = (try one.next(), try other.next())
            if mine != theirs { return false }
            if mine.isEmpty { return true }
        }
    }

    /// A part of a file, piece by piece.
    private struct Part: ~Copyable {
        private var file: InputFile
        private var left: Int

        init(_ path: FilePath, _ range: Range<Int>) throws(FileError) {
            var file = try InputFile(opening: path)
            var before = range.lowerBound
            while before > 0 {
                let piece = try file.read(upTo: min(before, 1 << 20))
                if piece.isEmpty { break }
                before -= piece.count
            }
            self.file = file
            left = range.count
        }

        mutating func next() throws(FileError) -> [UInt8] {
            let piece = try file.read(upTo: min(left, 1 << 20))
            left -= piece.count
            return piece
        }
    }

    /// What a bundle is trusted for depends on whether it is for passphrases or for keys.
    private func checkKind(_ header: SXBHeader) throws(CommandError) {
        let wantsKeys = !new.words.isEmpty
        guard new.isGiven, wantsKeys != (header.kind == .publicKey) else {
            if header.kind == .publicKey, !new.isGiven, kept.isEmpty {
                throw .entries(.container(.recipients(.none)), path)
            }
            return
        }
        throw .entries(.container(.recipients(.otherKind(header.kind))), path)
    }
}

/// What was done, and what it does not do.
private struct PasswdReport: Report {
    enum Done {
        case reencrypted(BundleKeyDerivation)
        case rewrapped(SXBHeader, was: Int)
    }

    let path: FilePath
    let out: FilePath?
    let done: Done
    let size: Int
    let people: [BundleRecipient]

    private var place: FilePath { out ?? path }

    func writeText(to stream: TextStream) {
        switch done {
        case .reencrypted(let derivation):
            stream.line("\(quoted: place) opens with the new passphrase, proven by opening it (\(size: size))")
            stream.line("  Re-encrypted: everything, with a fresh salt and \(trusted: derivation.title)")
        case .rewrapped(let header, let before):
            let who: TerminalText =
                header.kind == .passphrase
                ? "\(count: header.recipients.count, "passphrase")" : "\(count: header.recipients.count, "key")"
            let proof: TerminalText =
                header.kind == .passphrase
                ? "proven by opening it" : "and has the same content, compared byte for byte"
            stream.line("\(quoted: place) opens with \(who), \(proof) (\(size: size))")
            for (number, form) in header.recipients.enumerated() { stream.line("  \(number + 1)  \(form.title)") }
            for person in people { stream.line("  For          \(person.who)") }
            stream.line(
                "  Re-wrapped: the key of the bundle (\(before) before) · re-encrypted: nothing, the content is the same byte for byte"
            )
        }
        if out != nil { stream.line("  \(quoted: path) is as it was, and still opens with the former secret") }
        stream.line("  Copies that were made earlier still open with the former secret")
    }

    func writeJSON(to json: inout JSONWriter) {
        json.object { json in
            json.member("path", path.bytes)
            json.member("out", place.bytes)
            json.member("fileSize", size)
            switch done {
            case .reencrypted(let derivation):
                json.member("reencrypted", true)
                json.member("keyDerivation", derivation.name)
            case .rewrapped(let header, _):
                json.member("reencrypted", false)
                json.member("recipients") { json in
                    json.array(header.recipients) { json, form in form.writeJSON(to: &json) }
                }
            }
        }
    }
}
