import CommandKit
import Keyring
import SophaxCore
import SystemIO

extension SessionFinding {
    /// What it means; lower case, no full stop.
    var meaning: TerminalText {
        switch kind {
        case .notASession:
            number.map { "no session: it is larger than \($0) bytes" }
                ?? "no session: neither the JSON of a state nor an HMAC with one behind it"
        case .badState: "no state of a session: " + (problem?.text ?? "it cannot be read")
        case .keyPairMismatch: "its public ratchet key is not that of the private one: it was changed, or put together"
        case .macWrong:
            "its HMAC is wrong: it was changed, or session.mac_key belongs to other sessions; the apps refuse it"
        case .tooManySkippedKeys:
            "it keeps \(count: number ?? 0, "skipped key"), more than the \(RatchetSummary.maximumSkippedKeys) that later apps read"
        case .tooManyBundles:
            "it keeps skipped keys of \(count: number ?? 0, "chain"), more than the \(RatchetSummary.maximumSkippedChains) that the newest app reads"
        case .counterExhausted: "a counter is at its end, which the apps take for an invalid state"
        case .replacedKey: "it is with a key of the contact that another one has replaced"
        case .plainForm: "it has no HMAC: later app versions refuse it, and nothing shows whether it was changed"
        case .oldVersion:
            "it is of the first app versions, without header keys: later ones refuse it, and it only reads"
        case .counterNearEnd: "\(count: number ?? 0, "message") more in this chain, then the session is at its end"
        case .manySkippedKeys:
            "it keeps \(count: number ?? 0, "skipped key") of \(RatchetSummary.maximumSkippedKeys): a larger gap will be refused"
        case .macKeyLength:
            "its HMAC is not verified: session.mac_key has \(count: number ?? 0, "byte") in place of \(SessionBlob.macKeyLength)"
        case .macNotVerified:
            "its HMAC is not verified, for there is no session.mac_key: nothing shows whether it was changed"
        case .stale: "it came out of a bundle and is behind the other side's: it serves to read, not to go on with"
        case .cannotSend: "nothing was received yet, so it cannot send"
        case .unknownPerson: "no contact has this peer id"
        }
    }

    func write(to stream: TextStream) {
        let label =
            switch kind.severity {
            case .damage: TerminalText(trusted: "damaged  ", .red)
            case .risk: TerminalText(trusted: "AT RISK  ", .yellow)
            case .note: TerminalText(trusted: "note     ", .dim)
            }
        stream.line("  \(label) \(meaning)")
    }

    func writeJSON(to json: inout JSONWriter) {
        json.object { json in
            json.member("code", kind.rawValue)
            json.member("severity", kind.severity.rawValue)
            json.member("meaning", meaning.plain)
        }
    }
}

extension ReadSession {
    /// App versions that refuse the state, and why. Format: SophaxChat 4.6 and 5.3.
    var refusals: [(apps: String, reason: String)] {
        guard let form = examination.form else { return [("every version", "it is no session")] }
        var refusals: [(apps: String, reason: String)] = []
        switch form {
        case .plain:
            refusals.append(
                ("versions that keep an HMAC", "they take the first 32 bytes of the JSON for it, and it does not fit"))
        case .authenticated: refusals.append(("versions before the HMAC", "they read JSON alone"))
        }
        for kind in findings.map(\.kind) {
            switch kind {
            case .macWrong: refusals.append(("versions that keep an HMAC", "it is wrong"))
            case .badState: refusals.append(("every version", "a field that they require is missing or wrong"))
            case .tooManySkippedKeys:
                refusals.append(
                    ("versions that check a state", "more than \(RatchetSummary.maximumSkippedKeys) skipped keys"))
            case .tooManyBundles:
                refusals.append(("the newest versions", "more than \(RatchetSummary.maximumSkippedChains) chains"))
            case .counterExhausted: refusals.append(("versions that check a state", "a counter at its end"))
            default: break
            }
        }
        switch examination.summary?.version {
        case .plainHeaders:
            refusals.append(("versions with encrypted headers", "they require skippedKeyBundles, which it has not"))
        case .encryptedHeaders where form == .plain:
            refusals.append(("versions before encrypted headers", "they require skippedMessageKeys, which it has not"))
        case .encryptedHeaders, nil: break
        }
        return refusals
    }

    var versionText: TerminalText {
        switch examination.summary?.version {
        case .plainHeaders: "v0"
        case .encryptedHeaders: "v1"
        case nil: "–"
        }
    }

    var macText: TerminalText {
        switch examination.verdict {
        case .authentic: TerminalText(trusted: "verified", .green)
        case .forged: TerminalText(trusted: "WRONG", .red)
        case .notVerified: "not verified"
        case .noCode: "none"
        case nil: "–"
        }
    }

    /// The word for the HMAC in JSON.
    private var macWord: String? {
        switch examination.verdict {
        case .authentic: "verified"
        case .forged: "wrong"
        case .notVerified: "not-verified"
        case .noCode: "none"
        case nil: nil
        }
    }

    /// The members of a session's object.
    func writeMembers(now: Double, to json: inout JSONWriter) {
        let summary = examination.summary
        json.member("item", account?.bytes)
        json.member("path", path?.bytes)
        json.member("peerID", peer?.bytes)
        json.member("contact", name)
        json.member("stale", isStale)
        json.member("changed", changedAt.flatMap { RFC3339.format(unixSeconds: $0) })
        json.member("ageSeconds", changedAt.map { now - $0 })
        json.member("hmac", macWord)
        json.member("version", summary.map { $0.version.rawValue })
        json.member("sent", summary.map { Int($0.sendMessageCount) })
        json.member("received", summary.map { Int($0.receiveMessageCount) })
        json.member("previousSent", summary.map { Int($0.previousSendingChainLength) })
        json.member("canSend", summary?.hasSendingChain)
        json.member("skippedKeys", summary?.skippedKeyCount)
        json.member("skippedChains") { json in
            json.array(summary?.skipped ?? []) { json, chain in
                json.object { json in
                    json.member("current", chain.isCurrent)
                    json.member("keys", chain.messageNumbers.count)
                    json.member("first") { json in Self.write(chain.messageNumbers.first, to: &json) }
                    json.member("last") { json in Self.write(chain.messageNumbers.last, to: &json) }
                }
            }
        }
        json.member("refusedBy") { json in
            json.array(refusals) { json, refusal in
                json.object { json in
                    json.member("apps", refusal.apps)
                    json.member("reason", refusal.reason)
                }
            }
        }
        json.member("findings") { json in
            json.array(findings) { json, finding in finding.writeJSON(to: &json) }
        }
    }

    private static func write(_ number: UInt32?, to json: inout JSONWriter) {
        if let number { json.value(number) } else { json.null() }
    }
}
