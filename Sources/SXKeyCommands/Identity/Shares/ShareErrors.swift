import CommandKit
import CryptoPrimitives
import SophaxCore
import SystemIO

/// A share as it was given: of which set, and in which file.
package struct GivenPlace: Sendable {
    let id: [UInt8]
    let index: Int
    let threshold: Int
    let total: Int
    let path: FilePath

    init(_ share: IdentityShare, _ path: FilePath) {
        id = share.id
        index = Int(share.index)
        threshold = Int(share.threshold)
        total = Int(share.total)
        self.path = path
    }

    var text: TerminalText { "share \(index) in \(quoted: path)" }
}

/// Why an identity was not shared, or shares did not give one.
package enum ShareFailure: Error {
    /// Nothing in an input, or not all of it.
    case text(ShareTextError, FilePath)
    /// An input that is no share.
    case given(GivenShareError, FilePath)
    /// Shares as words that do not go together.
    case words(WordShareError)
    /// Shares as JSON that do not go together, and where each came from.
    case set(IdentityShareSetError, [GivenPlace])
    /// Words that do not go together, and the file of the one that is named, where it is known.
    case placedWords(WordShareError, FilePath?)
    /// Words and JSON are two sets.
    case twoForms
    /// A share that is sealed for a holder, and no key for it is here.
    case sealed(HeldShareError, holder: TerminalText?, FilePath)
    case otherHolders(given: Int, shares: Int)
    case sameHolder(TerminalText)
    /// The secret of the words is none of an identity.
    case secretLength(found: Int)
    /// Nothing proves that these are the keys.
    case unproven(Fingerprint, isWords: Bool)
    case unexpected(expected: [UInt8], found: Fingerprint)
    /// Shares that prove each other give this identity, and others do not fit them: which of the two is right, nobody says.
    case disputed(Fingerprint, strays: [GivenPlace])
    /// A share is not shown on a terminal.
    case onTerminal
    /// What was made does not give the identity again.
    case proof
    case noHeldShares(TerminalText)
    /// Several shares where one is to be written: their sets.
    case severalShares([[UInt8]])
    case noSuchShare([UInt8])
    case memory
}

extension CommandError {
    static func sharesError(_ failure: ShareFailure) -> ErrorMessage {
        switch failure {
        case .text(let problem, let path): return shareText(problem, path)
        case .given(let problem, let path): return givenShare(problem, path)
        case .words(let problem): return shareWords(problem)
        case .set(let problem, let places): return shareSet(problem, places)
        case .placedWords(let problem, let path):
            let message = shareWords(problem)
            let hints = (path.map { ["it is in \(quoted: $0)" as TerminalText] } ?? []) + message.hints
            return ErrorMessage(
                program: Program.name, code: message.code, message.message, hints: hints, exit: message.exit)
        case .disputed(let found, let strays):
            return error(
                .finding, "disputed-shares",
                "the shares give the identity \(trusted: found.hex), and \(count: strays.count) of them \(trusted: strays.count == 1 ? "does" : "do") not go with the others",
                [
                    "left out: \(strays.prefix(6).map(\.text).joined(", "))",
                    "whoever holds one share can make enough of his own that fit each other: compare the fingerprint with the page of a share, "
                        + "or with what a contact sees; then say --expect \(trusted: PeerID(found, form: .hex32).text)",
                    "nothing was written",
                ])
        case .onTerminal:
            return error(
                .usage, "share-on-terminal", "a share is not shown on a terminal",
                ["--out FILE writes it to a file, or send the output to a pipe"])
        case .twoForms:
            return error(
                .usage, "two-forms", "some shares are words and some are JSON; these are of two sets and do not mix",
                ["give the shares of one of them"])
        case .sealed(let problem, let holder, let path): return sealedShare(problem, holder, path)
        case .otherHolders(let given, let shares):
            return error(
                .usage, "holder-count", "\(count: given, "contact") named with --for, and \(count: shares, "share")",
                ["name one contact for each share, or leave --shares out"])
        case .sameHolder(let who):
            return error(
                .usage, "same-holder", "\(who) is named twice; a holder of two shares is worth two friends to a thief",
                ["name each contact once"])
        case .secretLength(let found):
            return error(
                .unreadable, "other-secret",
                "these words share a secret of \(count: found, "byte"); an identity has \(IdentitySecret.length)",
                ["they are of another program, such as a wallet"])
        case .unproven(let found, let isWords):
            let reason: TerminalText =
                isWords
                ? "words cannot tell a right passphrase from a wrong one, and their digest has 4 bytes only"
                : "an app made these shares, and nothing in them says what they should give"
            return error(
                .finding, "unproven",
                "the shares give the identity \(trusted: found.hex), and nothing proves that it is the right one",
                [
                    reason,
                    "compare it with the page of a share, or with what a contact sees; then say --expect \(trusted: PeerID(found, form: .hex32).text)",
                    "nothing was written",
                ])
        case .unexpected(let expected, let found):
            return error(
                .finding, "other-identity", "the shares give another identity than the expected one",
                ["expected: \(expected)", "found: \(trusted: found.hex)", "nothing was written"])
        case .proof:
            return error(
                .failure, "proof-failed", "the shares that were made do not give the identity again",
                ["nothing was written; this should not happen, and may be the machine's memory"])
        case .noHeldShares(let who):
            return error(
                .notFound, "no-shares", "\(who) holds no share of anybody",
                ["shares that an app keeps come with \"sxkey identity import\" of its keychain items; name a FILE else"]
            )
        case .severalShares(let ids):
            return error(
                .usage, "several-shares", "there are \(ids.count) shares, and one is to be written",
                [
                    "--share ID or ID/INDEX names one by its set: \(ids.prefix(5).map { "\($0)" as TerminalText }.joined(", "))"
                ])
        case .noSuchShare(let id):
            return error(.notFound, "no-such-share", "there is no share of a set \(quoted: id)")
        case .memory: return error(.failure, "no-memory", "there is not enough wiped memory")
        }
    }

    private static func shareText(_ problem: ShareTextError, _ path: FilePath) -> ErrorMessage {
        let cannot: TerminalText = "cannot read a share from \(quoted: path): "
        switch problem {
        case .tooLarge(let found, let ceiling):
            return error(.unreadable, "too-large", cannot + "\(size: found) are more than \(size: ceiling)")
        case .tooManyLines(let limit):
            return error(
                .unreadable, "too-large", cannot + "it has more than \(limit) lines",
                ["give the text of the share alone"])
        case .tooManyPieces(let limit):
            return error(
                .unreadable, "too-large", "cannot read more than \(limit) shares and parts of QR codes at once")
        case .empty: return error(.unreadable, "empty", cannot + "it is empty")
        case .openBlock:
            return error(
                .unreadable, "truncated", cannot + "the line that ends the share is missing",
                ["copy the page again from its beginning to its end"])
        case .badPart(let line):
            return error(
                .unreadable, "bad-part", cannot + "line \(line) begins as a part of a QR code and is none",
                ["scan that code again, and keep its text in one line"])
        case .contradictoryParts(_, let part):
            return error(
                .unreadable, "bad-part", cannot + "there are two different parts \(part) of one QR code",
                ["scan the codes of that page again"])
        case .missingParts(let tag, let missing, let count):
            let names = missing.prefix(10).map { "\($0)" as TerminalText }.joined(", ")
            return error(
                .failure, "missing-parts",
                cannot
                    + "of the \(count) QR codes of share \(tag) \(trusted: missing.count == 1 ? "one is" : "some are") missing: \(names)",
                ["scan \(trusted: missing.count == 1 ? "it" : "them") as well, and give all texts together"])
        case .damagedParts:
            return error(
                .unreadable, "bad-part",
                cannot + "the parts of the QR codes do not give the share that was cut into them",
                ["scan the codes of that page again"])
        case .memory: return sharesError(.memory)
        }
    }

    private static func givenShare(_ problem: GivenShareError, _ path: FilePath) -> ErrorMessage {
        let cannot: TerminalText = "cannot read a share from \(quoted: path): "
        switch problem {
        case .words(let problem):
            let message = shareWords(problem)
            return ErrorMessage(
                program: Program.name, code: message.code, cannot + message.message, hints: message.hints,
                exit: message.exit)
        case .json(let problem): return shareJSON(problem, cannot)
        case .sealed(let problem): return sealedShare(problem, nil, path)
        case .notAShare:
            return error(
                .unreadable, "not-a-share", cannot + "it is JSON, but no share of an identity",
                ["known are shares of the apps and of sxkey, alone, in a list, or in keychain items as sss.shares"])
        }
    }

    private static func shareJSON(_ problem: IdentityShareError, _ cannot: TerminalText) -> ErrorMessage {
        switch problem {
        case .format(let problem): return error(.unreadable, "bad-share", cannot + "\(trusted: problem.sentence)")
        case .newerVersion(let found):
            return error(
                .newerVersion, nil, cannot + "it is of version \(found), and this sxkey knows version 1",
                ["a newer sxkey may read it"])
        case .numbers(let threshold, let total, let index):
            return error(
                .unreadable, "bad-share",
                cannot + "it says that it is share \(index) of \(total), of which \(threshold) are needed",
                [
                    index == 0
                        ? "a share with index 0 would be the secret itself" : "no app and no sxkey makes such a share"
                ])
        case .changed:
            return error(
                .unreadable, "damaged-share", cannot + "it is damaged: its check value does not fit",
                ["take another copy of it, or another share; any that are enough will do"])
        case .memory: return sharesError(.memory)
        }
    }

    static func sealedShare(_ problem: HeldShareError, _ holder: TerminalText?, _ path: FilePath) -> ErrorMessage {
        let cannot: TerminalText = "cannot open the share in \(quoted: path): "
        switch problem {
        case .format(let problem): return error(.unreadable, "bad-share", cannot + "\(trusted: problem.sentence)")
        case .newerVersion(let found):
            return error(
                .newerVersion, nil, cannot + "it is of version \(found), and this sxkey knows version 1",
                ["a newer sxkey may read it"])
        case .changed:
            return error(
                .unreadable, "damaged-share",
                cannot + "it is damaged, or was put together of two: its parts do not fit each other",
                ["take another copy of it"])
        case .share(let problem): return givenShare(.json(problem), path)
        case .publicKey:
            return error(.unreadable, "bad-key", cannot + "its key is one that no secret can be shared with")
        case .notAuthentic:
            let who: TerminalText = holder.map { "it is sealed for \($0)" } ?? "it is sealed for its holder"
            return error(
                .wrongSecret, "sealed", cannot + "\(who), and no identity here opens it",
                [
                    "the holder opens it: sxkey identity share \(path) --out share.json",
                    "what that writes is the share; give that file here",
                ])
        case .memory: return sharesError(.memory)
        case .libraryFailure: return error(.failure, nil, cannot + "libcrypto failed")
        }
    }
}
