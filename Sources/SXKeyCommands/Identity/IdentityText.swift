import CommandKit
import Keyring
import SophaxCore
import SystemIO

/// How commands show an identity of the keyring.
enum IdentityReport {
    /// Members of an object: who it is, in every form.
    static func writeMembers(of identity: KeyringIdentity, to json: inout JSONWriter) {
        json.member("name", identity.name.bytes)
        json.member("fingerprint", identity.fingerprint.hex)
        json.member("peerIDs") { json in
            json.array(PeerID.Form.own) { json, form in json.value(PeerID(identity.fingerprint, form: form).text) }
        }
        json.member("onion", OnionAddress(of: identity.keys).text)
        json.member("origin", identity.origin)
        json.member("added", RFC3339.format(unixSeconds: identity.createdAt))
        json.member("current", identity.isCurrent)
    }

    /// The newest export that was read back.
    static func lastBackup(_ exports: [IdentityExportRecord]) -> IdentityExportRecord? {
        exports.first { $0.readBackAt != nil }
    }

    /// The safety numbers that describe the identity alone, with the app that shows each to its owner.
    static func safetyNumbers(of identity: KeyringIdentity) -> [(app: String, key: String, number: SafetyNumber)] {
        [
            ("iPhone, app from 2026-05 on", "iosV1", .iosV1(of: identity.keys)),
            ("iPhone, earlier app", "iosV0", .iosV0(of: identity.keys)),
            ("Android", "androidOwn", .androidOwn(of: identity.keys)),
        ]
    }

    static func moment(_ time: Double, _ zone: LocalZone) -> TerminalText {
        zone.time(at: time).map { "\(trusted: $0.date.dayAndMinuteText)" } ?? "at an unknown time"
    }

    /// How long ago, in the largest unit that fits.
    static func age(of time: Double, now: Double) -> TerminalText {
        let seconds = now - time
        guard seconds.isFinite, abs(seconds) < 1e12 else { return "at an unknown time" }
        if seconds < -60 { return "in the future by this clock" }
        let (amount, unit): (Double, String) =
            switch seconds {
            case ..<3600: (seconds / 60, "minute")
            case ..<86_400: (seconds / 3600, "hour")
            default: (seconds / 86_400, "day")
            }
        return "\(count: max(0, Int(amount)), unit) ago"
    }
}

extension PeerID.Form {
    /// The lengths under which apps know an identity, the shortest first.
    static let own: [PeerID.Form] = [.hex16, .hex32, .hex64]
}
