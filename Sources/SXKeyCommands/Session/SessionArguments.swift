import CommandKit
import CryptoPrimitives
import JSONCoding
import Keyring
import SophaxCore
import SophaxFiles
import SystemIO

/// What the session commands take: where the keys are, and which sessions are meant.
struct SessionArguments: Sendable {
    static let options = KeySource.options
    private static let help =
        "a person by name or peer id, or a file with the state of a session; a file of that name comes first"
    static let operand = OperandSpecification("SESSION", .file, .one, help)
    static let optionalOperand = OperandSpecification("SESSION", .file, .optional, help + " (default: all)")

    let source: KeySource
    /// Nil for all.
    let word: [UInt8]?

    init(_ arguments: ParsedArguments) throws(UsageError) {
        source = try KeySource(arguments)
        word = arguments.specification.operands.isEmpty ? nil : arguments.operand("SESSION")
        if let word, word == Array("-".utf8), source.readsStandardInput {
            throw .other("standard input cannot give both the session and its keys")
        }
    }

    /// Reads the sessions that are meant; of a file, with the keys only where they are named.
    func read(_ context: Context) throws(CommandError) -> ReadSessions {
        if let word {
            let path = FilePath(bytes: word)
            if Self.isFile(path) {
                let keys = source.isGiven ? try source.open(context) : nil
                return ReadSessions(origin: keys?.origin, sessions: [try Self.file(path, keys, context)])
            }
        }
        let keys = try source.open(context)
        let all = keys.listings(of: .session, .staleSession)
        let chosen = try word.map { (word) throws(CommandError) in try Self.choose(word, all, keys) } ?? all
        let sessions = try chosen.map { (listing) throws(CommandError) in try Self.session(listing, keys) }
        return ReadSessions(origin: keys.origin, sessions: sessions)
    }

    /// Whether the word names a file. A folder is none, unless a slash says that the word is a path.
    private static func isFile(_ path: FilePath) -> Bool {
        guard path != "-" else { return true }
        guard let status = try? fileStatus(at: path) else { return false }
        return status.kind != .folder || path.bytes.contains(UInt8(ascii: "/"))
    }

    // MARK: - Reading

    private static func file(
        _ path: FilePath, _ keys: OpenedKeys?, _ context: Context
    ) throws(CommandError) -> ReadSession {
        var input = try InputFile.forCommand(path)
        context.warnOfExposure(input)
        let bytes: SecretBytes
        do throws(SecretInputError) {
            bytes = try SecretInput.keyFile(&input)
        } catch {
            throw .secret(error, what: "state of a session")
        }
        let macKey = try keys.map { (keys) throws(CommandError) in try keys.sessionMACKey(isStale: false) }
        let examination = try examine(bytes, macKey ?? nil, path)
        guard examination.form != nil else {
            throw .session(.notASession(path, isKeychain: isKeychain(bytes)))
        }
        return ReadSession(path: path, examination: examination)
    }

    private static func session(
        _ listing: OpenedKeys.Listing, _ keys: OpenedKeys
    ) throws(CommandError) -> ReadSession {
        guard let value = try keys.item(listing.account) else {
            throw .session(.noSession(listing.account.subject, known: []))
        }
        let macKey = try keys.sessionMACKey(isStale: listing.account.isStale)
        let examination = try examine(value, macKey, keys.keyring?.path ?? "")
        return ReadSession(listing, examination: examination, keys)
    }

    private static func examine(
        _ bytes: borrowing SecretBytes, _ macKey: PrivateItem?, _ path: FilePath
    ) throws(CommandError) -> SessionExamination {
        do throws(KeyringError) {
            return try SessionExamination(bytes, macKey: macKey)
        } catch {
            throw .keyring(error, path)
        }
    }

    /// Whether the file is a dump, which is what --keychain takes.
    private static func isKeychain(_ file: borrowing SecretBytes) -> Bool {
        guard let object = try? JSONObject(secret: file, ceiling: file.count) else { return false }
        return object.keys.contains { key in
            switch ItemAccount(bytes: key)?.kind {
            case .signingKey, .dhKey, .session, .storageKey: true
            default: false
            }
        }
    }

    // MARK: - Choosing

    /// The sessions with the one person whom `word` means: by the contact's name, the name in the app, or the beginning of
    /// a peer id.
    private static func choose(
        _ word: [UInt8], _ all: [OpenedKeys.Listing], _ keys: OpenedKeys
    ) throws(CommandError) -> [OpenedKeys.Listing] {
        func matching(_ isMeant: (PeerID) -> Bool) -> [OpenedKeys.Listing] {
            all.filter { isMeant(PeerID(bytes: $0.account.subject)) }
        }
        let named = matching { keys.name(of: $0) == word }
        let similar = named.isEmpty ? matching { keys.name(of: $0).map { isSimilar($0, word) } ?? false } : named
        let lower = word.map { (UInt8(ascii: "A")...UInt8(ascii: "F")).contains($0) ? $0 | 0x20 : $0 }
        let found =
            similar.isEmpty && word.count >= Keyring.shortestPrefix
            ? matching { $0.bytes.starts(with: lower) || $0.isSamePerson(as: PeerID(bytes: lower)) } : similar
        guard let first = found.first else {
            let isFolder = (try? fileStatus(at: FilePath(bytes: word)))?.kind == .folder
            throw .session(
                .noSession(word, known: all.map { ReadSession.title(of: $0, keys) }, isFolder: isFolder))
        }
        let person = PeerID(bytes: first.account.subject)
        guard found.allSatisfy({ PeerID(bytes: $0.account.subject).isSamePerson(as: person) }) else {
            throw .session(.severalSessions(word, found.map { ReadSession.title(of: $0, keys) }))
        }
        return found
    }

    private static func isSimilar(_ name: [UInt8], _ word: [UInt8]) -> Bool {
        IdentityName(typed: name)?.isSimilar(to: word) ?? false
    }
}

extension OpenedKeys {
    /// The key for the HMAC of sessions, whatever its length: a bundle brought its own beside stale ones.
    func sessionMACKey(isStale: Bool) throws(CommandError) -> PrivateItem? {
        for account in isStale ? [ItemAccount.staleSessionMACKey, .sessionMACKey] : [.sessionMACKey] {
            if let key = try item(account) { return PrivateItem(account, key) }
        }
        return nil
    }
}

/// The sessions that a command looks at.
struct ReadSessions {
    /// Where the keys are from; nil for a file without keys.
    let origin: TerminalText?
    let sessions: [ReadSession]
}

/// One session, without its keys.
struct ReadSession {
    /// Nil for a file.
    let account: ItemAccount?
    let path: FilePath?
    let peer: PeerID?
    /// What the contact, or the person in the app, is called.
    let name: [UInt8]?
    /// Unix seconds: when the keyring got this state.
    let changedAt: Double?
    let examination: SessionExamination
    /// The most urgent first.
    let findings: [SessionFinding]

    init(path: FilePath, examination: SessionExamination) {
        self.path = path
        self.examination = examination
        (account, peer, name, changedAt) = (nil, nil, nil, nil)
        findings = examination.findings
    }

    init(_ listing: OpenedKeys.Listing, examination: SessionExamination, _ keys: OpenedKeys) {
        let peer = PeerID(bytes: listing.account.subject)
        account = listing.account
        path = nil
        self.peer = peer
        name = keys.name(of: peer)
        changedAt = listing.changedAt
        self.examination = examination
        var findings = examination.findings
        if listing.account.isStale { findings.append(SessionFinding(.stale)) }
        if keys.keyring != nil {
            let all = keys.contacts.flatMap(\.keys).filter { peer.matches($0.fingerprint) }
            let waits = keys.contacts.contains { $0.cardPeerID?.isSamePerson(as: peer) ?? false }
            if all.isEmpty, !waits { findings.append(SessionFinding(.unknownPerson)) }
            if !all.isEmpty, !all.contains(where: \.isCurrent) { findings.append(SessionFinding(.replacedKey)) }
        }
        self.findings = findings.sorted { $0.kind < $1.kind }
    }

    var isStale: Bool { account?.isStale ?? false }

    /// How lists name it: the person with the first 16 digits of the id, or the file.
    var title: TerminalText {
        if let path { return "\(path)" }
        return Self.title(name, peer)
    }

    static func title(of listing: OpenedKeys.Listing, _ keys: OpenedKeys) -> TerminalText {
        let peer = PeerID(bytes: listing.account.subject)
        return title(keys.name(of: peer), peer)
    }

    private static func title(_ name: [UInt8]?, _ peer: PeerID?) -> TerminalText {
        let id = peer?.bytes ?? []
        guard let name else { return "\(id)" }
        return "\(name) (\(Array(id.prefix(16))))"
    }

    var status: ExitStatus {
        switch findings.map(\.kind.severity) {
        case let all where all.contains(.damage): .someDamaged
        case let all where all.contains(.risk): .finding
        default: .success
        }
    }
}
