import CommandKit
import SophaxCore
import SophaxFiles
import SystemIO

/// What `prekey verify` found.
struct PreKeyVerdict: Report {
    let path: FilePath
    let file: PreKeyBundleFile
    let judgement: PreKeyJudgement
    /// The time of --at, seconds since 1970.
    let givenTime: Double?
    let anyAge: Bool
    let zone: LocalZone

    private var bundle: PreKeyBundle { file.bundle }
    private var risks: [PreKeyFinding] { judgement.findings.filter(\.kind.isRisk) }

    var status: ExitStatus {
        risks.contains { !($0.kind.dependsOnClock && anyAge) } ? .finding : .success
    }

    func writeText(to stream: TextStream) {
        stream.line("\(path): \(trusted: file.source.title) (\(trusted: bundle.platform.title))")
        stream.line()
        if let label = file.deviceLabel { stream.line("  Device           \(label)") }
        stream.line("  Name             \(bundle.username, .bold)   (anybody may call himself so)")
        stream.line("  Fingerprint      \(trusted: bundle.fingerprint.hex)")
        writePeerIDs(to: stream)
        stream.line("  Signature        \(signature)")
        if let signed = judgement.messageIsSigned {
            let text = signed ? TerminalText("by the same key") : TerminalText(trusted: "INVALID", .red)
            stream.line("  Message signed   \(text)")
        }
        stream.line("  Made             \(trusted: day), \(trusted: age)")
        writeLimits(to: stream)
        stream.line("  Signed prekey    id \(bundle.signedPreKey.id)")
        let oneTime: TerminalText = bundle.oneTimePreKey.map { "id \($0.id)" } ?? "none"
        stream.line("  One-time prekey  \(oneTime)")
        if let address = bundle.extras.tcpAddress { stream.line("  Address          \(address)") }
        stream.line("  ML-KEM key       \(latticeKey)")
        stream.line("  ML-DSA           \(latticeSignature)")
        if !judgement.findings.isEmpty { stream.line() }
        for finding in risks + judgement.findings.filter({ !$0.kind.isRisk }) { finding.write(to: stream) }
        stream.line()
        stream.line("Verdict: \(verdict) (exit \(status.rawValue))")
    }

    private func writePeerIDs(to stream: TextStream) {
        guard !judgement.peerIDs.isEmpty else {
            let id = PeerID(bundle.fingerprint, form: .hex16).text
            return stream.line("  Peer id          \(trusted: id), from the keys; the file says none")
        }
        for peerID in judgement.peerIDs {
            let fit =
                peerID.fits
                ? TerminalText("fits the keys in \(peerID.id.bytes.count) digits")
                : TerminalText(trusted: "does NOT fit the keys", .red)
            stream.line("  Peer id          \(peerID.id.bytes) (\(trusted: peerID.name)): \(fit)")
        }
    }

    private func writeLimits(to stream: TextStream) {
        guard bundle.platform == .ios else { return stream.line("  Limit of age     none on Android") }
        for (limit, title) in [(PreKeyBundleAge.Limit.day, "24 hours"), (.hour, "1 hour  ")] {
            stream.line("  Limit \(trusted: title)   \(trusted: Self.sentence(judgement.age, limit))")
        }
    }

    private static func sentence(_ age: PreKeyBundleAge, _ limit: PreKeyBundleAge.Limit) -> String {
        let versions = limit == .day ? "earlier iOS versions" : "later iOS versions"
        if age.isAccepted(limit, .pastOnly) { return "within: \(versions) take it" }
        return age.isAccepted(limit, .eitherDirection)
            ? "within, from the future: \(versions) take it in a hello, and some not to begin a session"
            : "beyond: \(versions) refuse it"
    }

    private var signature: TerminalText {
        switch judgement.signatureForm {
        case .keyOnly: "valid, over the signed prekey alone (v0: earlier iOS versions, and Android)"
        case .keysAndTime: "valid, over signing key, signed prekey and time (v2: newer iOS versions)"
        case nil: TerminalText(trusted: "INVALID", .red)
        }
    }

    private var latticeKey: TerminalText {
        guard let key = bundle.extras.postQuantumPreKey else { return "none" }
        guard PostQuantumPreKeyPair.isPublicKey(key.span) else { return TerminalText(trusted: "INVALID", .red) }
        return bundle.extras.postQuantumPreKeyID.map { "prekey, id \(Int($0))" } ?? "the identity's own"
    }

    private var latticeSignature: TerminalText {
        switch judgement.postQuantumSignature {
        case .none: "none"
        case .half: "half"
        case .valid: "valid, by the key in the bundle, over the same bytes"
        case .invalid: TerminalText(trusted: "INVALID", .red)
        }
    }

    private var day: String {
        zone.time(at: bundle.unixTime).map { "\($0.date.dayText) \($0.date.secondText) \($0.offsetText)" }
            ?? "at no date of the calendar"
    }

    /// The difference of the clocks, in words.
    private var age: String {
        let clock = givenTime == nil ? "by this computer's clock" : "by the time of --at"
        return "\(ClockDifference(seconds: judgement.age.seconds).text) \(clock)"
    }

    private var verdict: TerminalText {
        let kinds = Set(risks.map(\.kind))
        if !kinds.isEmpty, !kinds.allSatisfy(\.dependsOnClock) {
            return TerminalText(trusted: "do not use these keys", .red)
        }
        if kinds.contains(.linkExpired) { return TerminalText(trusted: "authentic, but the link has ended", .yellow) }
        if kinds.contains(.stale) {
            let which = judgement.age.isInFuture ? "from the future" : "too old"
            return TerminalText(trusted: "authentic, but \(which) for every iOS version", .yellow)
        }
        return TerminalText(trusted: "authentic", .green)
    }

    func writeJSON(to json: inout JSONWriter) {
        json.object { json in
            json.member("path", path.bytes)
            json.member("source", file.source.rawValue)
            json.member("platform", bundle.platform.name)
            json.member("deviceLabel", file.deviceLabel)
            json.member("username", bundle.username)
            json.member("fingerprint", bundle.fingerprint.hex)
            json.member("peerIDs") { json in
                json.array(judgement.peerIDs) { json, peerID in
                    json.object { json in
                        json.member("name", peerID.name)
                        json.member("id", peerID.id.bytes)
                        json.member("fits", peerID.fits)
                    }
                }
            }
            json.member("signatureForm", judgement.signatureForm?.name)
            json.member("timeIsSigned", judgement.signatureForm?.coversTime ?? false)
            json.member("messageIsSigned", judgement.messageIsSigned)
            json.member("made", RFC3339.format(unixSeconds: bundle.unixTime))
            json.member("timestamp", bundle.timestamp)
            json.member("ageSeconds", judgement.age.seconds)
            json.member("ageLimits") { json in writeLimits(to: &json) }
            json.member("linkEnds", file.linkExpiry.flatMap { RFC3339.format(unixSeconds: $0 + AppTime.epoch2001) })
            json.member("signedPreKeyID") { json in json.value(bundle.signedPreKey.id) }
            json.member("oneTimePreKeyID") { json in
                if let oneTime = bundle.oneTimePreKey { json.value(oneTime.id) } else { json.null() }
            }
            json.member("tcpAddress", bundle.extras.tcpAddress)
            json.member("postQuantum", bundle.extras.hasPostQuantum)
            json.member("offersPostQuantum", bundle.extras.postQuantumPreKey != nil)
            json.member("postQuantumPreKeyID", bundle.extras.postQuantumPreKeyID.map { Int($0) })
            json.member("postQuantumSignature", judgement.postQuantumSignature.word)
            json.member("findings") { json in
                json.array(judgement.findings) { json, finding in finding.writeJSON(to: &json) }
            }
            json.member("verdict", status.name)
            json.member("exit", Int(status.rawValue))
        }
    }

    private func writeLimits(to json: inout JSONWriter) {
        json.array(bundle.platform == .ios ? PreKeyBundleAge.Limit.allCases : []) { json, limit in
            json.object { json in
                json.member("seconds", limit.rawValue)
                json.member("inHello", judgement.age.isAccepted(limit, .eitherDirection))
                json.member("inSession", judgement.age.isAccepted(limit, .pastOnly))
            }
        }
    }
}

extension PostQuantumSignatureState {
    /// The word in JSON; nil where there is none.
    var word: String? {
        switch self {
        case .none: nil
        case .half: "half"
        case .valid: "valid"
        case .invalid: "invalid"
        }
    }
}
