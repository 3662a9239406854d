import CryptoPrimitives
import JSONCoding

/// What came of an item.
package enum RelatedOutcome: Sendable {
    /// Nothing in it is encrypted.
    case clear
    case opened(RelatedPlaintext)
    case notOpened(RelatedFailure)
}

/// What was inside of something sealed.
package struct RelatedPlaintext: Sendable {
    package enum Content: Sendable {
        /// What somebody wrote, or a name or preview: bytes that mostly are UTF-8.
        case text([UInt8])
        /// JSON of a mailbox stream.
        case frame(CoNETFrame)
        /// The key of this group, which is used for what follows and never shown.
        case groupKey(BTMessageGroup)
        /// The key of a thread, which is used for what follows and never shown.
        case threadKey
    }

    package let content: Content
    package let app: RelatedApp?
    /// `RelatedSecret.id` of the key that opened a box or a message of a group, or that was in it; nil of what was opened
    /// otherwise.
    package var keyID: String?
    /// It brings a key for a group that has another one already.
    package var isAnotherKey = false
}

/// A frame of a mailbox stream of CoNET: JSON, of which only the member `kind` is known.
package struct CoNETFrame: Hashable, Sendable {
    /// UTF-8; nil where the frame says none.
    package let kind: [UInt8]?
    package let json: [UInt8]

    /// What the first frame of a stream is.
    package static let mailbox = Array("mailbox".utf8)

    /// Nil for a text that is no JSON object.
    init?(_ text: [UInt8]) {
        guard
            let object = try? JSONObject(
                text, ceiling: RelatedLimits.itemBytes, memberLimit: RelatedLimits.members)
        else { return nil }
        kind = (try? object.text("kind")) ?? nil
        json = text
    }
}

/// Opens items with the keys at hand, one after the other. Keys that files bring serve all files: `learn` takes them before
/// anything is opened, so that the order of things does not matter.
package final class RelatedOpener {
    package private(set) var keys: RelatedKeys
    /// Keys of threads in this file, by the number of the thread, which come before all others there.
    private var threads: [Int: RelatedSecret] = [:]
    /// Of boxes, the key that opened the last one: many that follow are under the same.
    private var lastKey: RelatedSecret?
    private let attemptLimit: Int
    private var attempts = 0
    private let findsProgram: () throws(OpenPGPError) -> OpenPGPProgram
    private var program: Result<OpenPGPProgram, OpenPGPError>?

    package init(
        _ keys: RelatedKeys, attempts: Int = RelatedLimits.attempts,
        program: @escaping () throws(OpenPGPError) -> OpenPGPProgram = { () throws(OpenPGPError) in
            try OpenPGPProgram.find()
        }
    ) {
        self.keys = keys
        attemptLimit = attempts
        findsProgram = program
    }

    /// Takes the keys that a file brings. What it hands on opens with keys that are given, so once is enough.
    package func learn(from document: RelatedDocument) {
        for item in document.items where item.bringsKey { _ = open(item) }
        beginFile()
    }

    /// What one file brings by its place in it says nothing of another.
    package func beginFile() { threads.removeAll() }

    package func open(_ item: RelatedItem) -> RelatedOutcome {
        do throws(RelatedFailure) {
            switch item.content {
            case .envelope(let envelope): return try open(envelope.payload)
            case .payload(let payload): return try open(payload)
            case .sealed(let sealed):
                return .opened(RelatedPlaintext(content: .text(try text(of: sealed)), app: .btmessage))
            case .record, .invite, .unreadable: return .clear
            case .threadKey(let wrapped): return .opened(try unwrap(wrapped, at: item.place))
            case .box(let box): return .opened(try openBox(box, at: item.place, of: item.given))
            case .openPGP(let message):
                let text = try decrypt(message)
                // A frame says what it is; of everything else nothing does.
                let isFrame = CoNETFrame(text)?.kind != nil
                return .opened(RelatedPlaintext(content: .text(text), app: isFrame ? .conet : .openPGP))
            }
        } catch {
            return .notOpened(error)
        }
    }

    // MARK: btmessage

    private func open(_ payload: BTMessagePayload) throws(RelatedFailure) -> RelatedOutcome {
        switch payload {
        case .keyExchange, .acknowledgement, .discovery: return .clear
        case .chat(_, let sealed):
            return .opened(RelatedPlaintext(content: .text(try text(of: sealed)), app: .btmessage))
        case .groupChat(let groupID, _, let box):
            let (text, key) = try firstThatFits(keys.secrets(ofGroup: groupID), [.groupKey]) {
                (key) throws(RelatedFailure) in try RelatedBox.open(box, with: key)
            }
            return .opened(RelatedPlaintext(content: .text(text), app: .btmessage, keyID: key.id))
        case .groupKey(let group, let sealed):
            let (key, _) = try firstThatFits(keys(for: sealed), kinds(for: sealed)) { (key) throws(RelatedFailure) in
                RelatedSecret(try RelatedBox.openKey(sealed.box, with: try sealed.key(with: key)))
            }
            // One more than there is room for opens nothing, which is said where it is missing.
            try? keys.add(key, .groupKey, group: ByteText(group.id))
            let first = keys.keys.first { $0.kind == .groupKey && $0.group?.bytes == group.id }
            var plaintext = RelatedPlaintext(content: .groupKey(group), app: .btmessage, keyID: key.id)
            plaintext.isAnotherKey = first.map { !$0.secret.bytes.isEqual(to: key.bytes) } ?? false
            return .opened(plaintext)
        }
    }

    private func text(of sealed: BTMessageSealed) throws(RelatedFailure) -> [UInt8] {
        try firstThatFits(keys(for: sealed), kinds(for: sealed)) { (key) throws(RelatedFailure) in
            try RelatedBox.open(sealed.box, with: try sealed.key(with: key))
        }.value
    }

    private func keys(for sealed: BTMessageSealed) -> [RelatedSecret] {
        keys.secrets(of: sealed.form == .xwing ? .xwing : .x25519)
    }

    private func kinds(for sealed: BTMessageSealed) -> [RelatedKeyKind] { [sealed.form == .xwing ? .xwing : .x25519] }

    // MARK: lchat and CoNET

    /// The key itself, for whoever asks for it by name.
    package func unwrapped(_ wrapped: LChatThreadKey) throws(RelatedFailure) -> RelatedSecret {
        try firstThatFits(keys.secrets(of: .privateKey), [.privateKey]) { (key) throws(RelatedFailure) in
            RelatedSecret(try wrapped.unwrap(with: key))
        }.value
    }

    private func unwrap(
        _ wrapped: LChatThreadKey, at place: RelatedItem.Place
    ) throws(RelatedFailure) -> RelatedPlaintext {
        let key = try unwrapped(wrapped)
        if case .thread(let number, _) = place { threads[number] = key }
        try? keys.add(key, .threadKey)
        return RelatedPlaintext(content: .threadKey, app: .lchat)
    }

    private func openBox(
        _ box: [UInt8], at place: RelatedItem.Place, of app: RelatedApp?
    ) throws(RelatedFailure) -> RelatedPlaintext {
        var candidates: [RelatedSecret] = []
        var kinds: [RelatedKeyKind] = []
        var isThread = app == .lchat
        if case .thread(let number, _) = place {
            isThread = true
            candidates += threads[number].map { [$0] } ?? []
        }
        if !isThread {
            candidates += keys.keys.filter { $0.kind == .streamKey }.map(\.secret)
            kinds.append(.streamKey)
        }
        if app != .conet {
            candidates += keys.keys.filter { $0.kind == .threadKey }.map(\.secret)
            kinds.insert(.threadKey, at: 0)
        }
        candidates += keys.keys.filter { $0.kind == .any }.map(\.secret)
        if let last = lastKey, let place = candidates.firstIndex(where: { $0 === last }) { candidates.swapAt(0, place) }
        let (text, key) = try firstThatFits(candidates, kinds) { (key) throws(RelatedFailure) in
            try RelatedBox.open(box, with: key)
        }
        lastKey = key
        // Which key it was says which app it is of; one that is for anything says nothing.
        let kind = keys.keys.first { $0.secret === key }?.kind ?? .threadKey
        if isThread || kind == .threadKey {
            return RelatedPlaintext(content: .text(text), app: .lchat, keyID: key.id)
        }
        let isStream = kind == .streamKey || app == .conet
        guard let frame = CoNETFrame(text) else {
            // The specification says of every frame that it is JSON.
            if isStream { throw .format(.notJSON(offset: 0)) }
            return RelatedPlaintext(content: .text(text), app: nil, keyID: key.id)
        }
        guard isStream || frame.kind != nil else {
            return RelatedPlaintext(content: .text(text), app: nil, keyID: key.id)
        }
        return RelatedPlaintext(content: .frame(frame), app: .conet, keyID: key.id)
    }

    private func decrypt(_ message: [UInt8]) throws(RelatedFailure) -> [UInt8] {
        if program == nil {
            do throws(OpenPGPError) { program = .success(try findsProgram()) } catch { program = .failure(error) }
        }
        do throws(OpenPGPError) {
            guard let program else { throw .notInstalled }
            return try program.get().decrypt(message)
        } catch {
            // A program that hung once hangs again: the messages have no hours.
            if case .tookTooLong = error { program = .failure(error) }
            throw .openPGP(error)
        }
    }

    /// What `body` gives for the first key that fits, and that key; when none does, the best reason that one of them gave.
    private func firstThatFits<R>(
        _ candidates: [RelatedSecret], _ kinds: [RelatedKeyKind],
        _ body: (borrowing SecretBytes) throws(RelatedFailure) -> R
    ) throws(RelatedFailure) -> (value: R, key: RelatedSecret) {
        guard !candidates.isEmpty else { throw .noKey(kinds) }
        var failure: RelatedFailure?
        for candidate in candidates {
            guard attempts < attemptLimit else { throw .tooManyAttempts }
            attempts += 1
            do throws(RelatedFailure) {
                return (try body(candidate.bytes), candidate)
            } catch {
                if failure == nil || failure == .notAuthentic { failure = error }
            }
        }
        throw failure ?? .notAuthentic
    }
}
