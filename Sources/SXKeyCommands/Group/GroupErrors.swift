import CommandKit
import Keyring
import SophaxCore
import SystemIO

/// Why a command about groups did nothing.
package enum GroupFailure: Error {
    /// No keys of such a group; `known` are the groups that there are keys of.
    case noGroup([UInt8], known: [GroupID])
    case severalGroups([UInt8], [GroupID])
    /// An item that cannot be read, of a group that was to be changed.
    case damagedItem(ItemAccount, GroupKeyError)
    /// Keys that could not be made, taken or written.
    case keys(GroupID, GroupKeyError)
    /// An own key is there.
    case ownKeyExists(GroupID)
    case noOwnKey(GroupID)
    /// A group of MLS, which has no sender keys.
    case mls(GroupID)
    /// A file that holds no keys of groups.
    case notGroupKeys(FilePath)
    case badFile(GroupKeyError, FilePath)
    /// A distribution says not whose it is.
    case nobodyNamed(FilePath)
    /// No keys of any group are there.
    case nothingToExport
    /// The file is not what was written.
    case exportProof(FilePath)
}

extension CommandError {
    static func groupKeys(_ failure: GroupFailure) -> ErrorMessage {
        switch failure {
        case .noGroup(let word, let known):
            let groups = known.prefix(10).map { "\($0.bytes)" as TerminalText }.joined(", ")
            return error(
                .notFound, "no-group", "there are no keys of a group \(quoted: word)",
                [known.isEmpty ? "there are no keys of groups at all" : "there are keys of \(groups)"])
        case .severalGroups(let word, let found):
            return error(
                .usage, "ambiguous", "\(quoted: word) begins the id of \(found.count) groups",
                ["one of \(found.prefix(10).map { "\($0.bytes)" as TerminalText }.joined(", "))"])
        case .damagedItem(let account, let failure):
            return error(
                .unreadable, "damaged-item",
                "the item \(quoted: account.bytes) cannot be read: \(trusted: failure.sentence); nothing was changed")
        case .keys(let group, let failure):
            return error(.failure, nil, "group \(quoted: group.bytes): \(trusted: failure.sentence)")
        case .ownKeyExists(let group):
            return error(
                .wouldOverwrite, "own-key-exists", "you have a sender key for group \(quoted: group.bytes) already",
                [
                    "\"sxkey group rotate\" puts a new one in its place; \"sxkey group export --as distribution\" writes it again"
                ]
            )
        case .noOwnKey(let group):
            return error(
                .notFound, "no-own-key", "you have no sender key for group \(quoted: group.bytes)",
                ["\"sxkey group new\" makes one"])
        case .mls(let group):
            return error(
                .failure, "mls", "group \(quoted: group.bytes) is one of MLS, which has no sender keys",
                [Self.mlsReason])
        case .notGroupKeys(let path):
            return error(
                .unreadable, "not-group-keys", "\(quoted: path) holds no keys of groups",
                ["known are a distribution of a sender key, an invitation to a group, and keychain items as JSON"])
        case .badFile(let failure, let path):
            return error(.unreadable, "bad-group-keys", "cannot read \(quoted: path): \(trusted: failure.sentence)")
        case .nobodyNamed(let path):
            return error(
                .usage, "no-sender", "\(quoted: path) says not whose sender key it is",
                ["name the member with --from: a contact, or a peer id"])
        case .nothingToExport:
            return error(.notFound, "no-group", "there are no keys of groups to export")
        case .exportProof(let path):
            return error(.failure, "proof", "\(quoted: path) is not what was written; it was removed")
        }
    }

    static let mlsReason: TerminalText =
        "its state is that of the library mls-rs, which keeps the keys of no earlier message and which sxkey does not have"
}

extension GroupKeyError {
    /// Why, in plain words; lower case, no full stop.
    var sentence: String {
        switch self {
        case .noKey: "there is no key of this sender"
        case .keyGone(let iteration, let next):
            "it is number \(iteration), the sender's key stands at \(next), and keys that were used or dropped do not come back"
        case .tooFarAhead(let skipped, let limit):
            "\(skipped) messages before it are missing, and at most \(limit) may be"
        case .notAuthentic: "it does not authenticate: it was changed, or is under another key"
        case .tooShort(let found): "\(found) bytes are too few for any text"
        case .tooLarge(let found, let ceiling): "it has \(found) bytes, and at most \(ceiling) are read"
        case .backwards(let known, let offered, let sameChain):
            sameChain
                ? "it begins at \(offered), and the same key stands at \(known) here: keys that were used do not come back"
                : "it begins at \(offered), and a later key of this member stands at \(known) here: a position never goes back"
        case .chainExhausted: "the key is at its end: it cannot count further"
        case .ownKeyExists: "another key of your own is there"
        case .keyLength(let found): "a key has \(found) bytes in place of \(SenderKeyState.keyLength)"
        case .tooMany(let limit): "there are more than \(limit)"
        case .format(let error): error.sentence
        case .memory: "there is no locked memory for its keys"
        case .libraryFailure: "a function of the crypto library failed"
        }
    }

    /// The word in JSON.
    var code: String {
        switch self {
        case .noKey: "no-key"
        case .keyGone: "already-used"
        case .tooFarAhead: "too-far"
        case .notAuthentic: "not-authentic"
        case .tooShort, .tooLarge, .keyLength, .tooMany, .format: "unreadable"
        case .backwards: "backwards"
        case .chainExhausted: "exhausted"
        case .ownKeyExists: "own-key-exists"
        case .memory, .libraryFailure: "failure"
        }
    }
}
