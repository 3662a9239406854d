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
    /// `RelatedSecret.id` of the key that opened a box; nil of what was opened otherwise.
    package var keyID: String?
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

/// Opens items with the keys at hand, one after the other: keys that they bring open what follows.
package final class RelatedOpener {
    package private(set) var keys: RelatedKeys
    /// Keys of threads in this file, by the number of the thread, which come before all others there.
    private var threads: [Int: RelatedSecret] = [:]
    private let findsProgram: () throws(OpenPGPError) -> OpenPGPProgram
    private var program: Result<OpenPGPProgram, OpenPGPError>?

    package init(
        _ keys: RelatedKeys,
        program: @escaping () throws(OpenPGPError) -> OpenPGPProgram = { () throws(OpenPGPError) in
            try OpenPGPProgram.find()
        }
    ) {
        self.keys = keys
        findsProgram = program
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
            case .box(let box): return .opened(try openBox(box, at: item.place))
            case .openPGP(let message):
                return .opened(RelatedPlaintext(content: .text(try decrypt(message)), app: .conet))
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
            let text = try firstThatFits(keys.secrets(ofGroup: groupID), [.groupKey]) { (key) throws(RelatedFailure) in
                try RelatedBox.open(box, with: key)
            }
            return .opened(RelatedPlaintext(content: .text(text), app: .btmessage))
        case .groupKey(let group, let sealed):
            let key = try firstThatFits(keys(for: sealed), kinds(for: sealed)) { (key) throws(RelatedFailure) in
                RelatedSecret(try RelatedBox.openKey(sealed.box, with: try sealed.key(with: key)))
            }
            // One more than there is room for opens nothing, which is said where it is missing.
            try? keys.add(key, .groupKey, group: ByteText(group.id))
            return .opened(RelatedPlaintext(content: .groupKey(group), app: .btmessage))
        }
    }

    private func text(of sealed: BTMessageSealed) throws(RelatedFailure) -> [UInt8] {
        try firstThatFits(keys(for: sealed), kinds(for: sealed)) { (key) throws(RelatedFailure) in
            try RelatedBox.open(sealed.box, with: try sealed.key(with: key))
        }
    }

    private func keys(for sealed: BTMessageSealed) -> [RelatedSecret] {
        keys.secrets(of: sealed.form == .xwing ? .xwing : .x25519)
    }

    private func kinds(for sealed: BTMessageSealed) -> [RelatedKeyKind] { [sealed.form == .xwing ? .xwing : .x25519] }

    // MARK: lchat and CoNET

    private func unwrap(
        _ wrapped: LChatThreadKey, at place: RelatedItem.Place
    ) throws(RelatedFailure) -> RelatedPlaintext {
        let key = try firstThatFits(keys.secrets(of: .privateKey), [.privateKey]) { (key) throws(RelatedFailure) in
            RelatedSecret(try wrapped.unwrap(with: key))
        }
        if case .thread(let number, _) = place { threads[number] = key }
        try? keys.add(key, .threadKey)
        return RelatedPlaintext(content: .threadKey, app: .lchat)
    }

    private func openBox(_ box: [UInt8], at place: RelatedItem.Place) throws(RelatedFailure) -> RelatedPlaintext {
        if case .thread(let number, _) = place {
            let candidates = (threads[number].map { [$0] } ?? []) + keys.secrets(of: .threadKey)
            var used = 0
            let text = try firstThatFits(candidates, [.threadKey]) { (key) throws(RelatedFailure) in
                used += 1
                return try RelatedBox.open(box, with: key)
            }
            return RelatedPlaintext(content: .text(text), app: .lchat, keyID: candidates[used - 1].id)
        }
        let threadKeys = keys.secrets(of: .threadKey).count
        let streamKeys = keys.keys.filter { $0.kind == .streamKey }.map(\.secret)
        var used = 0
        let candidates = streamKeys + keys.secrets(of: .threadKey)
        let text = try firstThatFits(candidates, [.threadKey, .streamKey]) { (key) throws(RelatedFailure) in
            used += 1
            return try RelatedBox.open(box, with: key)
        }
        // Which key it was says which app it is of; one that is for anything says nothing.
        let isStream = used <= streamKeys.count
        let anyKeys = keys.keys.count { $0.kind == .any }
        let isThread = !isStream && used <= streamKeys.count + threadKeys - anyKeys
        if !isThread, let frame = CoNETFrame(text), isStream || frame.kind != nil {
            return RelatedPlaintext(content: .frame(frame), app: .conet, keyID: candidates[used - 1].id)
        }
        return RelatedPlaintext(
            content: .text(text), app: isThread ? .lchat : isStream ? .conet : nil, keyID: candidates[used - 1].id)
    }

    private func decrypt(_ message: [UInt8]) throws(RelatedFailure) -> [UInt8] {
        if program == nil {
            do throws(OpenPGPError) { program = .success(try findsProgram()) } catch { program = .failure(error) }
        }
        do throws(OpenPGPError) {
            guard let program else { throw .notInstalled }
            return try program.get().decrypt(message)
        } catch {
            throw .openPGP(error)
        }
    }

    /// What `body` gives for the first key that fits; when none does, the best reason that one of them gave.
    private func firstThatFits<R>(
        _ candidates: [RelatedSecret], _ kinds: [RelatedKeyKind],
        _ body: (borrowing SecretBytes) throws(RelatedFailure) -> R
    ) throws(RelatedFailure) -> R {
        guard !candidates.isEmpty else { throw .noKey(kinds) }
        var failure: RelatedFailure?
        for candidate in candidates {
            do throws(RelatedFailure) {
                return try body(candidate.bytes)
            } catch {
                if failure == nil || failure == .notAuthentic { failure = error }
            }
        }
        throw failure ?? .notAuthentic
    }
}
