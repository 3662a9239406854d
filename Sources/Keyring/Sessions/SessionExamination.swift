import CryptoPrimitives
import JSONCoding
import SophaxCore

/// What can be said of the state of a session without showing a key of it. Format: SophaxChat 4.6 and 5.3.
package struct SessionExamination: Sendable {
    /// Nil for bytes that are no session at all.
    package let form: SessionBlob.Form?
    package let verdict: SessionBlob.Verdict?
    /// Nil when there is no state that can be read.
    package let summary: RatchetSummary?
    /// The most urgent first.
    package let findings: [SessionFinding]

    /// Looks at the value of an item `session.…`, or at a file with the same bytes.
    ///
    /// - Parameter macKey: the item `session.mac_key`; nil where there is none.
    /// - Throws: `.memory` only; everything else is a finding.
    package init(_ blob: borrowing SecretBytes, macKey: PrivateItem?) throws(KeyringError) {
        let outcome = try Self.read(blob, macKey: macKey)
        (form, verdict, summary, findings) = outcome
    }

    private typealias Outcome = (SessionBlob.Form?, SessionBlob.Verdict?, RatchetSummary?, [SessionFinding])

    private static func read(_ blob: borrowing SecretBytes, macKey: PrivateItem?) throws(KeyringError) -> Outcome {
        let content: SessionBlob.Content
        do throws(SessionBlob.Failure) {
            content = try open(blob, macKey: macKey)
        } catch {
            switch error {
            case .notASession: return (nil, nil, nil, [SessionFinding(.notASession)])
            case .tooLarge(_, let ceiling):
                return (nil, nil, nil, [SessionFinding(.notASession, number: ceiling)])
            case .memory(let memory): throw .memory(memory)
            // Of reading, and with a key of the right length, these are all.
            case .notAuthentic, .noCode, .macKeyLength: return (nil, nil, nil, [SessionFinding(.notASession)])
            }
        }
        guard Self.isMeantAsState(content.state) else { return (nil, nil, nil, [SessionFinding(.notASession)]) }
        var findings: [SessionFinding] = []
        switch content.verdict {
        case .forged: findings.append(SessionFinding(.macWrong))
        case .notVerified:
            findings.append(
                macKey.map { SessionFinding(.macKeyLength, number: $0.value.count) } ?? SessionFinding(.macNotVerified))
        case .noCode: findings.append(SessionFinding(.plainForm))
        case .authentic: break
        }
        let summary: RatchetSummary?
        do throws(RatchetStateError) {
            summary = try RatchetSession(state: content.state).summary
        } catch {
            summary = nil
            if case .memory(let memory) = error { throw .memory(memory) }
            findings.append(SessionFinding(of: error))
        }
        if let summary { findings += Self.findings(of: summary) }
        return (content.form, content.verdict, summary, findings.sorted { $0.kind < $1.kind })
    }

    /// Takes a blob apart and verifies its HMAC. A key of another length than one of an HMAC verifies nothing, as none does.
    package static func open(
        _ blob: borrowing SecretBytes, macKey: PrivateItem?
    ) throws(SessionBlob.Failure) -> SessionBlob.Content {
        guard let macKey, macKey.value.count == SessionBlob.macKeyLength else {
            return try SessionBlob.read(blob, macKey: nil)
        }
        return try SessionBlob.read(blob, macKey: macKey.value)
    }

    /// Whether JSON has a member that states of every version have. Any other object is no damaged session, but something else.
    private static func isMeantAsState(_ state: borrowing SecretBytes) -> Bool {
        // What cannot be read as an object is damage that the reader of states names.
        guard let object = try? JSONObject(secret: state, ceiling: state.count) else { return true }
        let names: [StaticString] = [
            "rootKey", "sendingRatchetPrivateKey", "sendingRatchetPublicKey", "sendMessageCount", "receiveMessageCount",
            "previousSendingChainLength",
        ]
        return names.contains(where: object.has)
    }

    /// A counter that is this close to its end needs a new session soon.
    package static let lastMessages: UInt32 = 1 << 20

    private static func findings(of summary: RatchetSummary) -> [SessionFinding] {
        var findings: [SessionFinding] = []
        if summary.version == .plainHeaders { findings.append(SessionFinding(.oldVersion)) }
        let counter = max(summary.sendMessageCount, summary.receiveMessageCount)
        if counter >= UInt32.max - lastMessages {
            findings.append(SessionFinding(.counterNearEnd, number: Int(UInt32.max - counter)))
        }
        // Nine in ten: the next gap may be one too many.
        if summary.skippedKeyCount > RatchetSummary.maximumSkippedKeys {
            findings.append(SessionFinding(.tooManySkippedKeys, number: summary.skippedKeyCount))
        } else if summary.skippedKeyCount * 10 >= RatchetSummary.maximumSkippedKeys * 9 {
            findings.append(SessionFinding(.manySkippedKeys, number: summary.skippedKeyCount))
        }
        // As the newest app counts: chains whose last key is gone as well. The first apps knew no such limit.
        if summary.version == .encryptedHeaders, summary.skipped.count > RatchetSummary.maximumSkippedChains {
            findings.append(SessionFinding(.tooManyBundles, number: summary.skipped.count))
        }
        if !summary.hasSendingChain { findings.append(SessionFinding(.cannotSend)) }
        return findings
    }
}

/// Something that a user should know of a session.
package struct SessionFinding: Equatable, Sendable {
    /// The raw values are the codes in JSON; the most urgent first.
    package enum Kind: String, CaseIterable, Comparable, Sendable {
        case notASession = "not-a-session"
        case badState = "bad-state"
        case keyPairMismatch = "key-pair-mismatch"
        case macWrong = "hmac-wrong"
        case tooManySkippedKeys = "too-many-skipped-keys"
        case tooManyBundles = "too-many-chains"
        case counterExhausted = "counter-exhausted"
        case replacedKey = "replaced-key"
        case plainForm = "no-hmac"
        case macKeyLength = "hmac-key-length"
        case macNotVerified = "hmac-not-verified"
        case oldVersion = "old-version"
        case counterNearEnd = "counter-near-end"
        case manySkippedKeys = "many-skipped-keys"
        case stale
        case cannotSend = "cannot-send"
        case unknownPerson = "unknown-person"

        package enum Severity: String, Sendable { case damage, risk, note }

        package var severity: Severity {
            switch self {
            case .notASession, .badState, .keyPairMismatch: .damage
            case .macWrong, .tooManySkippedKeys, .tooManyBundles, .counterExhausted, .replacedKey, .plainForm,
                .macKeyLength, .macNotVerified, .oldVersion, .counterNearEnd, .manySkippedKeys:
                .risk
            case .stale, .cannotSend, .unknownPerson: .note
            }
        }

        package static func < (left: Kind, right: Kind) -> Bool { left.place < right.place }

        private var place: Int { Self.allCases.firstIndex(of: self) ?? Self.allCases.count }
    }

    package let kind: Kind
    /// How many there are, or how much is left; what it means depends on the kind.
    package let number: Int?
    /// Why a state cannot be read.
    package let problem: ItemProblem?

    package init(_ kind: Kind, number: Int? = nil, problem: ItemProblem? = nil) {
        self.kind = kind
        self.number = number
        self.problem = problem
    }

    init(of error: RatchetStateError) {
        switch error {
        case .format(let error): self.init(.badState, problem: ItemProblem(error))
        case .counterExhausted: self.init(.counterExhausted)
        case .keyPairMismatch: self.init(Kind.keyPairMismatch)
        case .memory: self.init(.badState, problem: .outOfMemory)
        }
    }
}
