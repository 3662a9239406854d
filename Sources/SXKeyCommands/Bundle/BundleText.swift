import CommandKit
import SophaxCore
import SophaxFiles
import SystemIO

/// The public side of what is in a bundle.
enum BundleText {
    static func write(_ identity: BundleIdentity, to stream: TextStream) {
        guard let keys = identity.publicKeys else {
            stream.line("  Identity     \(identity.username)   (keys missing or damaged)")
            return
        }
        stream.line(
            "  Identity     \(identity.username, .bold)   \(trusted: PeerID(keys.fingerprint, form: .hex16).text)")
        stream.line("  Fingerprint  \(trusted: keys.fingerprint.hex)")
    }

    static func write(_ backup: BundleBackup, zone: LocalZone, to stream: TextStream) {
        let made = backup.createdAt.flatMap { zone.time(at: $0.unixSeconds) }
        stream.line(
            "  Backup       of \(backup.username.isEmpty ? "nobody named" : backup.username)\(trusted: made.map { ", made \($0.date.dayAndMinuteText) \($0.offsetText)" } ?? "")"
        )
        for peer in backup.peers.prefix(20) {
            stream.line(
                "  Contact      \(peer.username)   \(peer.id.bytes)\(trusted: peer.isAccepted ? "" : "   (request not accepted)")"
            )
        }
        if backup.peers.count > 20 { stream.line("               and \(backup.peers.count - 20) more") }
        let conversations = backup.messages.conversations
        guard !conversations.isEmpty else { return }
        stream.line()
        var table = Table([
            .init("CONVERSATION"), .init("KIND"), .init("MESSAGES", .right), .init("FIRST"), .init("LAST"),
            .init("NOTES"),
        ])
        for conversation in conversations {
            table.add([
                "\(conversation.id.text.bytes)", "\(trusted: conversation.id.kind.rawValue)",
                "\(count: conversation.messages)", day(conversation.firstTime, zone),
                day(conversation.lastTime, zone),
                conversation.isAtRisk ? TerminalText(trusted: "at risk", .yellow) : "",
            ])
        }
        table.write(to: stream)
    }

    private static func day(_ time: Double?, _ zone: LocalZone) -> TerminalText {
        time.flatMap { zone.time(at: $0) }.map { "\(trusted: $0.date.dayText)" } ?? "–"
    }

    /// Members of an object: `identity`, `backup`, `conversations`, as far as the bundle has them.
    static func writeMembers(of content: BundleContent, to json: inout JSONWriter) {
        if let identity = content.identity {
            json.member("identity") { json in
                json.object { json in
                    json.member("username", identity.username)
                    json.member("fingerprint", identity.publicKeys?.fingerprint.hex)
                    json.member("peerID", identity.publicKeys.map { PeerID($0.fingerprint, form: .hex16).text })
                    json.member("exported", rfc3339(identity.exportedAt))
                }
            }
        }
        guard let backup = content.backup else { return }
        json.member("backup") { json in
            json.object { json in
                json.member("username", backup.username)
                json.member("created", rfc3339(backup.createdAt))
                json.member("fingerprint", backup.fingerprint?.hex)
                json.member("contacts") { json in
                    json.array(backup.peers) { json, peer in
                        json.object { json in
                            json.member("id", peer.id.bytes)
                            json.member("username", peer.username)
                            json.member("accepted", peer.isAccepted)
                            json.member("fingerprint", peer.publicKeys?.fingerprint.hex)
                        }
                    }
                }
            }
        }
        json.member("conversations") { json in
            json.array(backup.messages.conversations) { json, conversation in
                json.object { json in
                    json.member("id", conversation.id.text.bytes)
                    json.member("kind", conversation.id.kind.rawValue)
                    json.member("messages", conversation.messages)
                    json.member("first", conversation.firstTime.flatMap { RFC3339.format(unixSeconds: $0) })
                    json.member("last", conversation.lastTime.flatMap { RFC3339.format(unixSeconds: $0) })
                    json.member("atRisk", conversation.isAtRisk)
                }
            }
        }
    }

    private static func rfc3339(_ time: AppTime?) -> String? {
        time.flatMap { RFC3339.format(unixSeconds: $0.unixSeconds) }
    }
}
