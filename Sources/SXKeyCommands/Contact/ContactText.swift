import CommandKit
import Keyring
import SophaxCore
import SystemIO

/// Contacts as text and as JSON.
enum ContactText {
    /// `2026-03-12`, in the zone of the reader.
    static func day(_ time: Double?, _ zone: LocalZone) -> TerminalText {
        time.flatMap { zone.time(at: $0) }.map { "\(trusted: $0.date.dayText)" } ?? "–"
    }

    static func minute(_ time: Double, _ zone: LocalZone) -> TerminalText {
        zone.time(at: time).map { "\(trusted: $0.date.dayAndMinuteText)" } ?? "–"
    }

    /// `verified 2026-03-12 (ios-v0)`, `NOT VERIFIED`, `waits for its keys`.
    static func standing(_ contact: Contact, _ zone: LocalZone) -> TerminalText {
        guard let key = contact.currentKey else { return TerminalText(trusted: "waits for its keys", .dim) }
        guard let mark = key.mark else { return TerminalText(trusted: "NOT VERIFIED", .yellow) }
        return TerminalText(trusted: "verified", .green)
            + " \(day(mark.markedAt, zone)) (\(trusted: mark.form.rawValue))"
    }

    /// The members of a contact's object.
    static func writeMembers(of contact: Contact, to json: inout JSONWriter) {
        let key = contact.currentKey
        json.member("name", contact.name.bytes)
        json.member("peerID", key.map { PeerID($0.fingerprint, form: .hex16).text } ?? contact.cardPeerID?.text)
        json.member("fingerprint", key?.fingerprint.hex)
        json.member("verified", contact.isVerified)
        json.member("mark") { json in write(key?.mark, to: &json) }
        json.member("blocked", contact.isBlocked)
        json.member("added", time(contact.addedAt))
        json.member("firstSeen", key.flatMap { time($0.firstSeen) })
        json.member("lastSeen", key.flatMap { time($0.lastSeen) })
        json.member("origin", key?.origin)
        json.member("onion", contact.onion)
        json.member("port", contact.port.map { Int($0) })
    }

    static func write(_ mark: VerifiedMark?, to json: inout JSONWriter) {
        guard let mark else { return json.null() }
        json.object { json in
            json.member("form", mark.form.rawValue)
            json.member("number", mark.number)
            json.member("marked", time(mark.markedAt))
            json.member("byIdentity", mark.byIdentity?.hex)
        }
    }

    static func time(_ seconds: Double) -> String? {
        RFC3339.format(unixSeconds: seconds)
    }

    /// What a source is called.
    static func title(ofOrigin origin: String) -> String {
        switch NewContact.Origin(rawValue: origin) {
        case .bundle: "a bundle of prekeys"
        case .hello: "a hello message"
        case .initiateSession: "the message that begins a session"
        case .deviceLink: "a device link"
        case .card: "a contact card"
        case .invite: "an invite link"
        case .backup: "a backup"
        case nil: origin
        }
    }
}

/// A contact after a change, in one line.
struct ContactChanged: Report {
    /// What was done, as the first word of a sentence: `Blocked`.
    let done: String
    /// The same for scripts.
    let outcome: String
    let contact: Contact

    func writeText(to stream: TextStream) {
        stream.line("\(trusted: done) \(contact.shortText)")
    }

    func writeJSON(to json: inout JSONWriter) {
        json.object { json in
            json.member("outcome", outcome)
            ContactText.writeMembers(of: contact, to: &json)
        }
    }
}
