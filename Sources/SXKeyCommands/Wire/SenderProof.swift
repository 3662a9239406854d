import CommandKit
import SophaxCore
import SophaxFiles

/// How strongly it is proven who sent a message: the one value that all commands on messages print, count and exit by, and
/// that decides whether a message may hand keys on to later ones.
struct SenderProof {
    /// The raw values are the words in JSON; the strongest first.
    enum Strength: String, CaseIterable, Sendable {
        /// Signed by the user's own keys.
        case own
        /// By a contact whose safety number the user compared.
        case verifiedContact = "verified-contact"
        /// By a contact whose safety number nobody compared.
        case contact
        /// By a contact's earlier key, which another one has replaced: whoever has it may be anybody today.
        case replacedKey = "replaced-key"
        /// By keys that messages of the same file brought: that their owner sent it is proven, and not who that is.
        case selfSigned = "self-signed"
        /// Not by whom it says.
        case bad
        /// No key of the sender is known, or there is no signature at all.
        case unknown
    }

    let strength: Strength
    /// What the book says of the signature; nil where none is around the message.
    let verdict: SignatureVerdict?

    init(_ verdict: SignatureVerdict?) {
        self.verdict = verdict
        strength =
            switch verdict {
            case .none, .unknownSender: .unknown
            case .bad: .bad
            case .good(let key, _):
                switch key.owner {
                case .own: .own
                case .contact(_, _, isReplaced: true): .replacedKey
                case .contact(_, isVerified: true, _): .verifiedContact
                case .contact: .contact
                case .message: .selfSigned
                }
            case .possession, .learned: .selfSigned
            }
    }

    /// The user knows who sent it: by his own keys, or by those that a contact has today.
    var isVouchedFor: Bool { strength.isVouchedFor }

    /// The keys behind the sender's id made it, whoever has them. What it hands out may then be taken for that id.
    var isSigned: Bool {
        switch strength {
        case .own, .verifiedContact, .contact, .replacedKey, .selfSigned: true
        case .bad, .unknown: false
        }
    }

    /// What a count of `selfSigned` ones means.
    static let selfSignedMeaning =
        "self-signed: by keys that only the messages brought; that one sender has them is proven, not who it is"

    /// One sentence, without an end.
    var text: TerminalText { verdict?.text ?? "no signature is around it, so nothing says who made it" }
}

extension SenderProof.Strength {
    var isVouchedFor: Bool {
        switch self {
        case .own, .verifiedContact, .contact: true
        case .replacedKey, .selfSigned, .bad, .unknown: false
        }
    }

    /// What a count of them is called.
    var title: String {
        switch self {
        case .own: "own keys"
        case .verifiedContact: "verified"
        case .contact: "contact"
        case .replacedKey: "replaced key"
        case .selfSigned: "self-signed"
        case .bad: "BAD"
        case .unknown: "unknown"
        }
    }

    /// Before a message, all of one width.
    var label: TerminalText {
        switch self {
        case .own, .verifiedContact, .contact: Self.label(title, .green)
        case .replacedKey, .selfSigned, .unknown: Self.label(title, .yellow)
        case .bad: Self.label(title, .red)
        }
    }

    /// Another word in the same column.
    static func label(_ word: String, _ style: TerminalText.Style) -> TerminalText {
        TerminalText(trusted: word + String(repeating: " ", count: max(0, width - word.utf8.count)), style)
    }

    /// The longest title and two spaces.
    private static let width = 14
}

extension SenderProof {
    /// The object `signature`; null where none is around the message.
    func writeJSON(to json: inout JSONWriter) {
        guard let verdict else { return json.null() }
        json.object { json in
            json.member("verdict", strength.rawValue)
            switch verdict {
            case .good(let key, let form), .possession(let key, let form), .learned(let key, let form):
                Self.write(key, to: &json)
                json.member("form", form.suffix == .ios ? "ios" : "android")
                json.member("secondsLater", form.secondsLater)
            case .bad(let forgery, let key):
                json.member("reason", forgery.rawValue)
                Self.write(key, to: &json)
            case .unknownSender: break
            }
        }
    }

    /// Whose key it was held against.
    private static func write(_ key: SenderKey, to json: inout JSONWriter) {
        json.member("fingerprint", key.keys.fingerprint.hex)
        json.member("name", key.owner.name)
        switch key.owner {
        case .own: json.member("signer", "own")
        case .contact: json.member("signer", "contact")
        case .message: json.member("signer", "message")
        }
    }
}

/// How many messages were proven how strongly.
struct SenderCounts {
    private var counts: [SenderProof.Strength: Int] = [:]

    mutating func add(_ proof: SenderProof) { counts[proof.strength, default: 0] += 1 }

    subscript(_ strength: SenderProof.Strength) -> Int { counts[strength] ?? 0 }

    var total: Int { counts.values.reduce(0, +) }

    /// Nothing says who sent these: they are signed by keys that nobody vouches for, or not at all.
    var unproven: Int { self[.selfSigned] + self[.unknown] }

    /// Bad signatures, and those by a key that was replaced.
    var findings: Int { self[.bad] + self[.replacedKey] }

    /// Some were sent by somebody whom the user knows.
    var hasVouchedFor: Bool { counts.contains { $0.value > 0 && $0.key.isVouchedFor } }

    /// `verified 2 · self-signed 9`; those that are none are left out.
    var text: TerminalText {
        SenderProof.Strength.allCases.filter { self[$0] > 0 }
            .map { "\(trusted: $0.title) \(count: self[$0])" as TerminalText }.joined(" · ")
    }

    /// What a verdict that all went well has to add; nil when the user knows who sent them all.
    var caveat: TerminalText? {
        unproven > 0 ? "nothing says who sent \(count: unproven, "message")" : nil
    }

    /// - Parameter judging: the question was who sent them, so that one of whom nothing is known is left without an answer.
    func status(judging: Bool) -> ExitStatus {
        var status = ExitStatus.success
        if judging, self[.unknown] > 0 { status = .someDamaged }
        if findings > 0 { status = status.combined(with: .finding) }
        return status
    }

    /// The object `senders`.
    func writeJSON(to json: inout JSONWriter) {
        json.object { json in
            for strength in SenderProof.Strength.allCases { json.member(strength.rawValue, self[strength]) }
        }
    }
}
