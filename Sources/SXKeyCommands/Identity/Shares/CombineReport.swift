import CommandKit
import Keyring
import SophaxCore
import SystemIO

/// By what it is certain that shares gave the right identity.
enum SharesProof {
    /// The shares themselves.
    case shares
    /// `--expect`.
    case expected
    /// An identity of the keyring has these keys.
    case identity(IdentityName)
    /// A contact of the keyring has these keys.
    case contact(IdentityName)

    var word: String {
        switch self {
        case .shares: "shares"
        case .expected: "expected"
        case .identity: "identity"
        case .contact: "contact"
        }
    }

    fileprivate var text: TerminalText {
        switch self {
        case .shares: "the shares themselves: all are whole and of one set; compare the fingerprint to know whose"
        case .expected: "it is the identity that --expect names"
        case .identity(let name): "\(name.bytes) in the keyring has these keys"
        case .contact(let name): "your contact \(name.bytes) has these keys"
        }
    }
}

/// Which identity came out, why it is the right one, and where it went.
struct CombineReport: Report {
    let combined: CombinedShares
    let name: IdentityName
    let proof: SharesProof
    let wasThere: Bool
    let isCurrent: Bool
    let out: FilePath?
    let isDryRun: Bool

    /// Shares that were given and did not serve are a reason to look again.
    var status: ExitStatus {
        combined.strays.isEmpty && combined.faults.isEmpty ? .success : .someDamaged
    }

    func writeText(to stream: TextStream) {
        let fingerprint = combined.fingerprint
        let done: TerminalText =
            switch (isDryRun, out) {
            case (true, _): "give"
            case (false, .some(let out)): "gave, in \(quoted: out),"
            case (false, nil): wasThere ? "gave, what is in the keyring already," : "gave, in the keyring now,"
            }
        let used = combined.given - combined.strays.count
        let shares: TerminalText =
            used == combined.given ? "\(count: used, "share")" : "\(used) of \(count: combined.given, "share")"
        stream.line("\(shares) \(done) \(name.bytes, .bold)")
        stream.line("  Peer id      \(trusted: PeerID(fingerprint, form: .hex32).text)")
        stream.line("  Fingerprint  \(trusted: fingerprint.hex)")
        stream.line("  Proof        \(proof.text)")
        for stray in combined.strays {
            stream.line(
                "  \(trusted: "AT RISK", .yellow)      \(stray.text) does not belong to the others; it was left out")
        }
        if combined.closed > 0 {
            stream.line(
                "  \(trusted: "note", .yellow)         \(count: combined.closed, "sealed share") for others stayed closed, and was not needed"
            )
        }
        if combined.rawName.isEmpty, name == .anonymous {
            stream.line("  \(trusted: "note", .yellow)         the shares have no name; --name gives one")
        }
        if out == nil, !isDryRun {
            stream.line("  Current      \(trusted: isCurrent ? "yes" : "no; \"sxkey identity use\" changes that")")
            if !wasThere {
                stream.line(
                    "  Only the two identity keys came back: post-quantum keys, storage.master, prekeys, contacts and messages come from a backup"
                )
            }
        }
    }

    func writeJSON(to json: inout JSONWriter) {
        json.object { json in
            json.member("name", name.bytes)
            json.member("fingerprint", combined.fingerprint.hex)
            json.member("peerIDs") { json in
                json.array(PeerID.Form.own) { json, form in
                    json.value(PeerID(combined.fingerprint, form: form).text)
                }
            }
            json.member("proof", proof.word)
            json.member("given", combined.given)
            json.member("strays") { json in
                json.array(combined.strays) { json, stray in
                    json.object { json in
                        json.member("index", stray.index)
                        json.member("path", stray.path.bytes)
                    }
                }
            }
            json.member("faults") { json in
                json.array(combined.faults) { json, fault in
                    json.object { json in
                        json.member("path", fault.path.bytes)
                        json.member("place", fault.place)
                        json.member("text", fault.text.plain)
                    }
                }
            }
            json.member("closed", combined.closed)
            json.member("exit", Int(status.rawValue))
            json.member("path", out?.bytes)
            json.member("wasThere", wasThere)
            json.member("current", isCurrent)
            json.member("dryRun", isDryRun)
        }
    }
}
