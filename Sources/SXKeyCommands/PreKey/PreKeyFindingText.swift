import CommandKit
import SophaxFiles

extension PreKeyFinding.Kind {
    /// What it means; lower case, no full stop.
    var meaning: String {
        switch self {
        case .signatureInvalid:
            "the signature is not one of this identity's signing key over the signed prekey, in neither form"
        case .messageSignatureInvalid: "the message around the bundle is not signed by the bundle's own key"
        case .peerIDMismatch: "a peer id does not belong to these keys"
        case .weakKey: "a key that gives everybody the same secret; no app makes one"
        case .halfPostQuantumSignature: "only half of the post-quantum signature is there; the apps want both or none"
        case .stale: "no iOS version begins a session with it: 24 hours or more away from now"
        case .linkExpired: "the device link has ended"
        case .staleForLaterApps: "later iOS versions begin no session with it: they take what was made in the last hour"
        case .clockSkew: "made in the future by this computer's clock: one of the two clocks is wrong"
        case .timeNotSigned: "the signature does not cover the time, which anybody may have changed"
        case .noOneTimePreKey: "without a one-time prekey the first message can be replayed"
        case .idNotMadeByApps: "an id that no app makes"
        case .postQuantumSignatureInvalid:
            "the ML-DSA signature is not one of the bundle's ML-DSA key over the same bytes"
        case .postQuantumKeyInvalid: "the ML-KEM key is none, so that nobody can begin a session with it"
        case .postQuantumNotSigned:
            "no signature is over the ML-KEM key: it protects from recording today, not from who changes bundles on their way"
        case .postQuantumKeyMissing:
            "an ML-DSA key without an ML-KEM key, as when somebody has taken that out on the way: a session with it is not post-quantum"
        case .unusualLength: "a part of another length than the apps write"
        }
    }
}

extension PreKeyFinding {
    func write(to stream: TextStream) {
        let label = kind.isRisk ? TerminalText(trusted: "AT RISK  ", .yellow) : TerminalText(trusted: "note     ", .dim)
        let more: TerminalText = detail.map { ": \($0)" } ?? ""
        stream.line("  \(label) \(trusted: kind.meaning)\(more)")
    }

    func writeJSON(to json: inout JSONWriter) {
        json.object { json in
            json.member("code", kind.rawValue)
            json.member("severity", kind.isRisk ? "risk" : "note")
            json.member("meaning", kind.meaning)
            if let detail { json.member("detail", detail) }
        }
    }
}
