import CommandKit
import SophaxCore

extension ContactLinkError {
    /// Why, in plain words behind a colon; lower case, no full stop.
    var sentence: TerminalText {
        switch self {
        case .notALink: "it is no sophaxchat://add or sophaxchat://meet link"
        case .inviteCode: "how a code SXPH-… is made is not known"
        case .tooLong(let limit): "it is longer than \(limit) bytes"
        case .forbiddenByte(let byte, let offset):
            "a link has no \(trusted: Self.name(of: byte)) in it, as this one has at byte \(offset)"
        case .badPercent(let offset): "the percent sign at byte \(offset) is not followed by two hex digits"
        case .missing(let member): "\(trusted: member.rawValue) is missing"
        case .repeated(let member): "\(trusted: member.rawValue) stands twice, so that readers would disagree"
        case .badPeerID(let text): "\(quoted: text) is no peer id: 16, 32 or 64 hex digits"
        case .notBase64(let member): "\(trusted: member.rawValue) is not base64"
        case .keyLength(let member, let found): "the key \(trusted: member.rawValue) has \(found) bytes, not 32"
        case .invalidKey(let member): "\(trusted: member.rawValue) is no public key that anybody can have"
        case .nameNotUTF8: "the name is not UTF-8"
        case .nameTooLong(let characters):
            "the name has \(characters) characters, and the app takes at most \(InviteLink.longestName)"
        }
    }

    var hints: [TerminalText] {
        switch self {
        case .forbiddenByte(0x20, _), .notBase64:
            ["a program on the way may have changed \"+\" into a space; copy the link again"]
        case .forbiddenByte, .badPercent: ["the link was changed on the way; copy it again"]
        case .missing: ["the link is cut off; put it between quotes, for the shell takes \"&\" for its own"]
        default: []
        }
    }

    private static func name(of byte: UInt8) -> String {
        switch byte {
        case 0x20: "space"
        case 0x00...0x1f, 0x7f: "control character"
        default: "character outside of ASCII"
        }
    }
}

extension ContactLink.Defect {
    /// Stable word for scripts.
    var code: String {
        switch self {
        case .capitalDigits: "capital-digits"
        case .portInsideOnion: "port-inside-onion"
        case .notAnOnion: "not-an-onion"
        case .notVersion3: "not-version-3"
        case .onionChecksum: "onion-checksum"
        case .port: "bad-port"
        case .idMismatch: "peer-id-mismatch"
        case .padding: "no-padding"
        case .hiddenCharacters: "hidden-characters"
        }
    }

    var meaning: TerminalText {
        switch self {
        case .capitalDigits: "the peer id is written with capital digits, which the apps do not recognise"
        case .portInsideOnion: "the address has the port inside, as the Android app writes it; no app reads such a card"
        case .notAnOnion: "the address is no onion address; it was not taken"
        case .notVersion3: "the address is no onion address of version 3; it was not taken"
        case .onionChecksum: "the checksum of the onion address is wrong: nobody can be reached there"
        case .port: "the port is none that iOS takes; \(trusted: String(ContactCard.defaultPort)) was taken instead"
        case .idMismatch: "the peer id of the link is not the one of its keys; the keys count"
        case .padding: "the base64 has no padding, so that the app refuses the link"
        case .hiddenCharacters: "the name has characters that nobody sees or that turn the line round"
        }
    }
}
