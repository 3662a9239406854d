import CommandKit
import SophaxFiles
import SystemIO

extension CommandError {
    /// What the user is told: one message, what to do next, and the exit status.
    package var message: ErrorMessage {
        switch self {
        case .file(let error): Self.file(error)
        case .output(let error): Self.output(error)
        case .folder(.file(let error)): Self.file(error)
        case .folder(.notAStore(let path)):
            Self.error(
                .unreadable, "not-a-store", "\(quoted: path) is no message store",
                ["it should hold a folder sophax_messages, or be that folder itself"])
        case .secret(let error, let what, let option): Self.secret(error, what, option)
        case .passphrasesDiffer(let what):
            Self.error(
                .usage, "passphrases-differ", "the two entries for the new \(trusted: what) differ",
                ["nothing was changed; run the command again"])
        case .sealed(let error, let kind, let path): Self.sealed(error, kind, path)
        case .sealedAccess(let error): Self.sealedAccess(error)
        case .keyring(let error, let path): Self.keyring(error, path)
        case .keyringAccess(let error): Self.keyringAccess(error)
        case .identity(let failure): Self.identity(failure)
        case .shares(let failure): Self.sharesError(failure)
        case .storeKey(let error, let path, let use): Self.storeKey(error, path, use)
        case .wrongStoreKey(let path):
            Self.error(
                .wrongSecret, "wrong-key", "cannot open \(quoted: path): this key opens not one of its files",
                [
                    "the key is the keychain item storage.master of the phone or Mac that wrote this store",
                    "a store and a key from two installations of the app never fit",
                ])
        case .nothingReadable(let path, let failure):
            Self.error(
                .unreadable, nil, "nothing in \(quoted: path) can be read: \(trusted: failure.reason)",
                ["\"sxkey store verify\" lists every file with the reason"])
        case .damaged(let files, let path): Self.damaged(files, path)
        case .unknownPeers(let ids, let path):
            Self.error(
                .failure, "unknown-peer-ids",
                "cannot write the peer ids of \(quoted: path) with 32 digits: nothing says how \(count: ids.count, "id") of 16 digits "
                    + "\(trusted: ids.count == 1 ? "goes" : "go") on; nothing was changed",
                ids.prefix(5).map { "\(quoted: $0.bytes)" as TerminalText }
                    + ["a contact in the keyring with these keys says it: \"sxkey contact add\""])
        case .alikePeers(let ids, let path):
            Self.error(
                .failure, "alike-peer-ids",
                "cannot write the peer ids of \(quoted: path) with 16 digits: \(count: ids.count, "id") of several people begin alike "
                    + "and would become one; nothing was changed",
                ids.prefix(10).map { "\(quoted: $0.bytes)" as TerminalText }
                    + ["--peer-ids 32 keeps them apart"])
        case .insideStore(let path):
            Self.error(
                .failure, "inside-store", "cannot write \(quoted: path): it lies in a folder of the store",
                ["name an --out outside; nothing that is not authenticated goes into a store"])
        case .storeFile(let failure): Self.error(.failure, nil, "\(trusted: failure.reason)")
        case .noConversation(let word, let known):
            Self.error(
                .notFound, nil, "there is no conversation \(quoted: word)",
                known.isEmpty
                    ? ["there is none at all"]
                    : ["there is \(known.map { "\($0.text.bytes)" as TerminalText }.joined(", "))"])
        case .severalConversations(let word, let matching):
            Self.error(
                .usage, "ambiguous", "\(quoted: word) begins the id of \(matching.count) conversations",
                ["one of \(matching.prefix(10).map { "\($0.text.bytes)" as TerminalText }.joined(", "))"])
        case .noAttachment(let word):
            Self.error(
                .notFound, nil, "there is no attachment \(quoted: word)",
                ["\"sxkey store show\" names the attachments of each message"])
        case .attachment(let id, let failure):
            Self.error(
                failure.isDamage ? .unreadable : .failure, failure.isDamage ? "damaged-attachment" : nil,
                "cannot read attachment \(quoted: id.bytes): \(trusted: failure.reason)",
                failure == .notAuthentic ? ["it is damaged: the key opens other files of this store"] : [])
        case .change(let error, let verb, let path): Self.change(error, verb, path)
        case .rekey(let failure): Self.rekey(failure)
        case .image(let error): Self.image(error)
        case .noAttachmentFolder(let path):
            Self.error(
                .notFound, nil, "there is no folder sophax_attachments beside \(quoted: path)",
                ["name the folder that holds both sophax_messages and sophax_attachments"])
        case .bundle(let error, let path): Self.bundle(error, path)
        case .bundleContent(let error, let path): Self.bundleContent(error, path)
        case .bundleFailure(let failure): Self.bundleFailure(failure)
        case .entries(let failure, let path): Self.entryError(failure, path)
        case .archive(let error, let path): Self.archive(error, path)
        case .importInterrupted(let signal, let isDryRun): Self.importInterrupted(signal, isDryRun: isDryRun)
        case .importsItself(let path): Self.importsItself(path)
        case .noMessage(let id): Self.noMessage(id)
        case .history(let failure, let path): Self.historyError(failure, path)
        case .export(let failure): Self.exportError(failure)
        case .sourceChanged(let source): Self.sourceChanged(source)
        case .outputInside(let out): Self.outputInside(out)
        case .severalPeople(let name, let fingerprints): Self.severalPeople(name, fingerprints)
        case .notHistory(let path): Self.notHistory(path)
        case .keyFileCount(let given, let wanted): Self.keyFileCount(given, wanted)
        case .sourceKeyFile(let path): Self.sourceKeyFile(path)
        case .folderOutput(let failure): Self.folderOutput(failure)
        case .capture(let error, let path): Self.capture(error, path)
        case .preKeyFile(let error, let path): Self.preKeyFile(error, path)
        case .preKey(let error): Self.preKey(error)
        case .contact(let failure): Self.contact(failure)
        case .safety(let failure): Self.safety(failure)
        case .session(let failure): Self.session(failure)
        case .code(let failure): Self.code(failure)
        case .group(let failure): Self.groupKeys(failure)
        case .relatedKey(let error, let path): Self.relatedKey(error, path)
        case .relatedFile(let error, let path): Self.relatedFile(error, path)
        case .related(let failure): Self.related(failure)
        case .noMessages(let path):
            Self.error(
                .notFound, "no-messages", "\(quoted: path) is an identity export: it holds keys and no messages",
                ["\"sxkey bundle verify\" checks the keys"])
        }
    }

    private static func damaged(_ files: [StoreFile], _ path: FilePath) -> ErrorMessage {
        let names = files.prefix(3).map { "\(quoted: $0.path.lastComponent)" as TerminalText }.joined(", ")
        let more: TerminalText = files.count > 3 ? " and \(files.count - 3) more" : ""
        return Self.error(
            .unreadable, "damaged",
            "cannot read \(names)\(more) in \(quoted: path): damaged, for the key opens other files of this store",
            ["\"sxkey store verify\" lists every file with the reason"])
    }

    static func error(
        _ exit: ExitStatus, _ code: String?, _ message: TerminalText, _ hints: [TerminalText] = []
    ) -> ErrorMessage {
        ErrorMessage(program: Program.name, code: code, message, hints: hints, exit: exit)
    }

    private static func file(_ error: FileError) -> ErrorMessage {
        let exit: ExitStatus =
            switch error.kind {
            case .notFound: .notFound
            case .exists: .wouldOverwrite
            case .isFolder, .notFolder, .notRegular, .tooLarge: .unreadable
            case .permissionDenied, .noSpace, .closedPipe, .noWriter, .sameAsInput, .notOpen, .other: .failure
            }
        return Self.error(
            exit, nil, "cannot \(trusted: error.operation.rawValue) \(quoted: error.path): \(trusted: error.reason)",
            error.kind == .exists ? ["--force overwrites it"] : [])
    }

    private static func output(_ error: FileError) -> ErrorMessage {
        error.kind == .exists || error.kind == .notFound
            ? file(error)
            : Self.error(
                .failure, error.kind == .noSpace ? "no-space" : nil,
                "cannot \(trusted: error.operation.rawValue) \(quoted: error.path): \(trusted: error.reason)",
                error.kind == .noSpace && error.path != StandardStream.output.path
                    ? ["nothing was left behind; make room, or name another --out"] : [])
    }
}

extension Sequence<TerminalText> {
    /// The texts with a separator between.
    func joined(_ separator: TerminalText) -> TerminalText {
        var result = TerminalText()
        var isFirst = true
        for text in self {
            if !isFirst { result += separator }
            result += text
            isFirst = false
        }
        return result
    }
}

extension StoreFileFailure {
    /// The bytes are wrong, whatever is done on this machine.
    var isDamage: Bool {
        switch self {
        case .notAuthentic, .tooShort: true
        case .file, .outOfMemory, .changing, .cipher: false
        }
    }

    /// Why, in plain words; lower case, no full stop.
    var reason: String {
        switch self {
        case .file(let error): error.reason
        case .tooShort(let found): "\(found) bytes are too few for any text"
        case .notAuthentic: "authentication failed: it is damaged, or was encrypted under another key"
        case .outOfMemory(let requested): "no memory for \(Quantity.bytes(requested))"
        case .changing: "it changes while it is read; close the app first"
        case .cipher: "the cipher of libcrypto failed"
        }
    }
}
