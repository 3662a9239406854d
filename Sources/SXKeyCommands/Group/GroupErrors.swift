import CommandKit
import Keyring
import SophaxCore
import SystemIO

/// Why a command about groups did nothing.
package enum GroupFailure: Error {
    /// No keys of such a group; `known` are the groups that there are keys of.
    case noGroup([UInt8], known: [GroupID])
    case severalGroups([UInt8], [GroupID])
    /// No word at all, as of a variable of the shell that is not set.
    case emptyGroup
    /// Too short a beginning of an id for a command that destroys a key.
    case shortGroup([UInt8], GroupID)
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
    /// A distribution says not whose it is, and an invitation only in its own words.
    case nobodyNamed(FilePath)
    /// A message of the protocol, or what one carries, in place of keys.
    case messageForKeys(FilePath)
    /// More messages of groups than are held at a time.
    case tooManyMessages(limit: Int)
    /// The keyring was changed, and the file that hands the key on could not be made.
    case fileAfterChange(ErrorMessage, GroupID, isInvite: Bool)
    /// An invitation names its creator, and the keys are of nobody: a dump without the two identity keys.
    case noCreator(TerminalText)
    /// An invitation that no app takes.
    case badInvitation(GroupInvite.Refusal)
    /// A file that names two owners of its own keys, or none that is one.
    case badOwner(FilePath)
    /// No key of this member is kept.
    case noMember([UInt8], GroupID)
    /// No keys of any group are there.
    case nothingToExport
    /// The file is not what was written.
    case exportProof(FilePath)
}

extension CommandError {
    static func groupKeys(_ failure: GroupFailure) -> ErrorMessage {
        switch failure {
        case .noGroup(let word, let known):
            let groups = known.prefix(10).map { "\(GroupText.cut($0.bytes))" as TerminalText }.joined(", ")
            return error(
                .notFound, "no-group", "there are no keys of a group \(quoted: GroupText.cut(word))",
                [known.isEmpty ? "there are no keys of groups at all" : "there are keys of \(groups)"])
        case .severalGroups(let word, let found):
            return error(
                .usage, "ambiguous", "\(quoted: word) begins the id of \(found.count) groups",
                ["one of \(found.prefix(10).map { "\(GroupText.cut($0.bytes))" as TerminalText }.joined(", "))"])
        case .emptyGroup:
            return error(.usage, "no-group", "GROUP is empty", ["\"sxkey group list\" shows the groups"])
        case .shortGroup(let word, let group):
            return error(
                .usage, "short-group", "\(quoted: word) is too short to replace or remove a key by",
                ["at least \(Keyring.shortestPrefix) characters of the id: \(GroupText.cut(group.bytes))"])
        case .damagedItem(let account, let failure):
            return error(
                .unreadable, "damaged-item",
                "the item \(quoted: GroupText.cut(account.bytes)) cannot be read: \(trusted: failure.sentence); nothing was changed"
            )
        case .keys(let group, let failure):
            return error(.failure, nil, "group \(quoted: GroupText.cut(group.bytes)): \(trusted: failure.sentence)")
        case .ownKeyExists(let group):
            return error(
                .wouldOverwrite, "own-key-exists",
                "you have a sender key for group \(quoted: GroupText.cut(group.bytes)) already",
                [
                    "\"sxkey group rotate\" puts a new one in its place; \"sxkey group export --as distribution\" writes it again"
                ]
            )
        case .noOwnKey(let group):
            return error(
                .notFound, "no-own-key", "you have no sender key for group \(quoted: GroupText.cut(group.bytes))",
                ["\"sxkey group new\" makes one"])
        case .mls(let group):
            return error(
                .failure, "mls", "group \(quoted: GroupText.cut(group.bytes)) is one of MLS, which has no sender keys",
                [Self.mlsReason])
        case .notGroupKeys(let path):
            return error(
                .unreadable, "not-group-keys", "\(quoted: path) holds no keys of groups",
                ["known are a distribution of a sender key, an invitation to a group, and keychain items as JSON"])
        case .badFile(let failure, let path):
            return error(.unreadable, "bad-group-keys", "cannot read \(quoted: path): \(trusted: failure.sentence)")
        case .nobodyNamed(let path):
            return error(
                .usage, "no-sender", "\(quoted: path) does not prove whose sender key it is",
                ["name the member with --from: a contact, or a peer id"])
        case .messageForKeys(let path):
            return error(
                .unreadable, "not-group-keys", "\(quoted: path) is a message, and no keys of groups",
                ["\"sxkey wire open\" and \"sxkey group open\" read messages"])
        case .tooManyMessages(let limit):
            return error(
                .failure, "too-many", "there are more than \(count: limit) messages of groups",
                ["open the files one by one, or in parts"])
        case .fileAfterChange(let reason, let group, let isInvite):
            let id: TerminalText = "\(GroupText.cut(group.bytes))"
            return ErrorMessage(
                program: reason.program, code: reason.code,
                "the new key of group \(quoted: GroupText.cut(group.bytes)) is in the keyring, and its file was not made: \(reason.message)",
                hints: [
                    isInvite
                        ? "\"sxkey group export \(id) --invite NAME --member PEER --out FILE\" writes it again"
                        : "\"sxkey group export \(id) --as distribution --out FILE\" writes it again"
                ], exit: reason.exit)
        case .noCreator(let origin):
            return error(
                .failure, "no-identity", "an invitation names you, and \(origin) has not the two identity keys")
        case .badInvitation(let refusal):
            return error(.usage, refusal.code, "the apps would refuse this invitation: \(trusted: refusal.sentence)")
        case .badOwner(let path):
            return error(
                .unreadable, "bad-group-keys", "cannot read \(quoted: path): it does not say whose own keys it has")
        case .noMember(let word, let group):
            return error(
                .notFound, "no-member",
                "there are no keys of \(quoted: GroupText.cut(word)) in group \(quoted: GroupText.cut(group.bytes))")
        case .nothingToExport:
            return error(.notFound, "no-group", "there are no keys of groups to export")
        case .exportProof(let path):
            return error(.failure, "proof", "\(quoted: path) is not what was written; it was removed")
        }
    }

    static let mlsReason: TerminalText =
        "its state is that of the library mls-rs, which keeps the keys of no earlier message and which sxkey does not have"
}

extension GroupInvite.Refusal {
    /// Why, in plain words; lower case, no full stop.
    var sentence: String {
        switch self {
        case .notFromCreator: "it is not from the group's creator, and the apps take an invitation from nobody else"
        case .tooManyMembers(let found): "it has \(found) members, and the apps take \(GroupInvite.maximumMembers)"
        case .idTooLong(let found): "it has a member id" + Self.length(found)
        case .groupIDTooLong(let found): "its group has an id" + Self.length(found)
        case .creatorIDTooLong(let found): "its creator has an id" + Self.length(found)
        }
    }

    private static func length(_ found: Int) -> String {
        " of \(found) characters, and the apps take \(GroupInvite.maximumIDLength)"
    }

    /// The word in JSON.
    var code: String {
        switch self {
        case .notFromCreator: "not-from-creator"
        case .tooManyMembers: "too-many-members"
        case .idTooLong, .groupIDTooLong, .creatorIDTooLong: "id-too-long"
        }
    }
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
