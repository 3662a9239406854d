import CommandKit
import CryptoPrimitives
import SophaxCore
import SystemIO

extension CommandError {
    /// What is wrong with words, or with shares of words together.
    static func shareWords(_ problem: WordShareError) -> ErrorMessage {
        switch problem {
        case .wordCount(let found, let allowed):
            return error(
                .unreadable, "word-count",
                "\(count: found, "word"); a share has at least \(allowed.lowerBound), one of an identity 59",
                [
                    found > allowed.upperBound
                        ? "this is no list of words; of a page take the .txt, or what its QR code says"
                        : "give all words of the share, in their order"
                ])
        case .noSuchLength(let words):
            return error(
                .unreadable, "word-count", "no share has \(count: words, "word"); one of an identity has 59",
                ["a word is missing, or there is one too many"])
        case .unknownWord(let place):
            return error(
                .unreadable, "unknown-word", "word \(place) is not in the list of words",
                ["look at word \(place) on the paper again"])
        case .checksum(let likely):
            return error(
                .unreadable, "bad-checksum", "the checksum of the words does not fit",
                [
                    likely.map { "if a single word is wrong it is word \($0); look at the paper again" }
                        ?? "several words are wrong, or two have changed places; compare each with the paper"
                ])
        case .padding, .groupThresholdAboveCount:
            return error(.unreadable, "bad-share", "the words fit together, but are no share that a program makes")
        case .iterationExponent(let found, let limit):
            return error(
                .unreadable, "too-many-iterations",
                "the share asks for 10,000 · 2^\(found) iterations; sxkey does at most 10,000 · 2^\(limit)")
        case .noShares: return error(.usage, "no-shares", "no share was given")
        case .differentSets(let part): return otherSets(part)
        case .memberThresholds(let group):
            return error(
                .failure, "contradictory", "shares of group \(group + 1) disagree on how many are needed",
                ["one of them is not of this set"])
        case .repeatedShare(let group, let member):
            return error(
                .usage, "repeated-share", "share \(member + 1)\(ofGroup(group)) was given twice",
                ["give each share once"])
        case .tooFewShares(let group, let found, let needed):
            return tooFew(found, needed, group == 0 ? "" : " of group \(group + 1)")
        case .tooFewGroups(let found, let needed):
            return error(
                .failure, "too-few-shares", "\(found) of \(needed) groups given: \(needed - found) more needed",
                ["shares of other groups are needed"])
        case .digest:
            return error(
                .finding, "wrong-shares",
                "the shares do not give what was shared: one of them at least was not of this set",
                [
                    "give one more: the wrong one among more than are needed is found; or put another share in the place of each"
                ])
        case .doesNotFit(let group, let member):
            return error(
                .finding, "wrong-shares", "share \(member + 1)\(ofGroup(group)) does not go with the others",
                ["leave it out"])
        case .groupDoesNotFit(let group):
            return error(
                .finding, "wrong-shares", "what the shares of group \(group + 1) give does not go with the others",
                ["leave that group out, or one of its shares"])
        case .numbers(let problem): return shareNumbers(problem)
        case .secretLength(let found):
            return error(.failure, nil, "a secret of \(count: found, "byte") cannot be shared as words")
        case .passphrase:
            return error(
                .usage, "bad-passphrase", "a passphrase of words has the letters, digits and signs of ASCII only")
        case .memory: return sharesError(.memory)
        case .libraryFailure: return error(.failure, nil, "libcrypto failed")
        }
    }

    /// Most sets have one group, which nobody speaks of.
    private static func ofGroup(_ group: Int) -> TerminalText { group == 0 ? "" : " of group \(group + 1)" }

    private static func otherSets(_ part: WordShareError.Common) -> ErrorMessage {
        let what: String =
            switch part {
            case .identifier: "their first words differ"
            case .extendable, .iterationExponent: "their keys are derived in different ways"
            case .groupThreshold, .groupCount: "they disagree on the groups"
            case .length: "their secrets have different lengths"
            }
        return error(
            .failure, "several-sets", "the shares are of different sets: \(trusted: what)",
            ["shares of one set begin with the same two words"])
    }

    private static func tooFew(_ found: Int, _ needed: Int, _ of: TerminalText) -> ErrorMessage {
        let more = needed - found
        let words = ["", "one", "two", "three", "four", "five"]
        let text = words.indices.contains(more) ? words[more] : "\(more)"
        return error(
            .failure, "too-few-shares", "\(found) of \(needed) shares\(of) given: \(trusted: text) more needed",
            ["ask another friend for a share"])
    }

    static func shareNumbers(_ problem: ShamirError) -> ErrorMessage {
        switch problem {
        case .thresholdTooSmall(let found):
            error(
                .usage, "bad-numbers", "--threshold \(found) is too small: each share would be the identity",
                ["at least 2 shares must be needed"])
        case .thresholdAboveTotal(let threshold, let total):
            error(
                .usage, "bad-numbers", "\(threshold) shares would be needed, and there are only \(total)",
                ["--threshold must not be above the number of shares"])
        case .tooManyShares(let found, let limit):
            error(.usage, "bad-numbers", "\(found) shares are more than \(limit), the most that there can be")
        case .indexZero, .repeatedIndex, .wrongLength, .empty: error(.failure, nil, "the shares cannot be put together")
        case .memory: sharesError(.memory)
        }
    }

    /// What is wrong with shares as JSON together.
    static func shareSet(
        _ problem: IdentityShareSetError, _ places: [GivenPlace]
    ) -> ErrorMessage {
        switch problem {
        case .noShares: return error(.usage, "no-shares", "no share was given")
        case .severalSets(let ids):
            return error(
                .failure, "several-sets", "the shares are of \(ids.count) different sets",
                ids.prefix(5).map { id in
                    let files = places.filter { $0.id == id }.prefix(4).map { "\(quoted: $0.path)" as TerminalText }
                    return "set \(id): \(files.joined(", "))"
                } + ["give the shares of one of them"])
        case .contradictory:
            return error(
                .failure, "contradictory",
                "the shares are of one set and disagree on how many there are, and how many are needed",
                places.prefix(8).map { "\($0.text): \($0.threshold) of \($0.total)" }
                    + ["those that say something else than the others were changed: leave them out"])
        case .repeated(let index):
            let files = places.filter { $0.index == Int(index) }.map { "\(quoted: $0.path)" as TerminalText }
            return error(
                .usage, "repeated-share", "share \(index) was given twice",
                [files.joined(" and "), "give each share once"])
        case .tooFew(let found, let needed): return tooFew(found, needed, "")
        case .secretLength(let found):
            return error(
                .unreadable, "other-secret",
                "these shares are of a secret of \(count: found, "byte"); an identity has \(IdentitySecret.length)")
        case .wrong:
            return error(
                .finding, "wrong-shares", "the shares do not give what was shared: one of them at least was changed",
                [
                    "put another share in the place of each in turn, or give more: a few wrong ones among many are found and named"
                ])
        case .otherOwner(let stated, let found):
            return error(
                .finding, "other-identity", "the shares give another identity than they say",
                ["they say: \(trusted: stated.hex)", "they give: \(trusted: found.hex)", "nothing was written"])
        case .tooMany(let found, let limit):
            return error(
                .failure, "too-many-shares", "\(count: found, "share") with one id are more than \(limit)",
                ["give those of one folder or friend at a time"])
        case .rivals(let rivals):
            return error(
                .finding, "rival-shares",
                "the shares are of \(rivals.count) identities that claim one set, and those of each fit each other",
                rivals.map { rival in
                    let files = rival.places.prefix(4).map { places[$0].text }.joined(", ")
                    let more: TerminalText = rival.places.count > 4 ? " and \(rival.places.count - 4) more" : ""
                    return "\(trusted: rival.fingerprint.hex): \(files)\(more)"
                } + [
                    "one holder can make such shares by himself: compare the fingerprints with the page of a share, or with what a contact sees; "
                        + "then say --expect with the right one", "nothing was written",
                ])
        case .numbers(let problem): return shareNumbers(problem)
        case .memory: return sharesError(.memory)
        case .libraryFailure: return error(.failure, nil, "libcrypto failed")
        }
    }
}
