import CommandKit
import CryptoPrimitives
import Keyring
import SophaxCore
import SophaxFiles
import SystemIO

/// The shares in some files, each with the file that it came from.
struct GivenShares: Sendable {
    private(set) var plain: [(share: IdentityShare, path: FilePath)] = []
    private(set) var sealed: [(share: HeldShare, path: FilePath)] = []
    private(set) var words: [(share: WordShare, path: FilePath)] = []
    /// Shares of lists that could not be read, and were left out.
    private(set) var faults: [ShareFault] = []
    /// Why sealed shares were left closed; they are not among the others any more.
    private(set) var closed: [CommandError] = []
    /// Files with what an app keeps for others: shares of several people, perhaps.
    private var lists: Set<FilePath> = []

    var count: Int { plain.count + sealed.count + words.count }

    /// Reads all of them to their ends.
    init(_ paths: [FilePath], _ context: Context) throws(CommandError) {
        var collector = ShareTextCollector()
        for (number, path) in paths.enumerated() {
            let text = try Self.read(path, context)
            do throws(ShareTextError) { try collector.add(text, source: number) } catch {
                throw .shares(.text(error, path))
            }
        }
        let texts: [ShareText]
        do throws(ShareTextProblem) { texts = try collector.finish() } catch {
            throw .shares(.text(error.error, paths[error.source]))
        }
        for text in texts {
            let path = paths[text.source]
            do throws(GivenShareError) {
                let content = try GivenShare.read(text)
                if content.isList { lists.insert(path) }
                note(content.faults, path, context)
                for share in content.shares { add(share, path) }
            } catch {
                throw .shares(.given(error, path))
            }
        }
    }

    /// Shares that were typed.
    init(words: [WordShare], from path: FilePath) {
        self.words = words.map { ($0, path) }
    }

    /// Shares that an app keeps for others.
    init(held: borrowing SecretBytes, in path: FilePath, _ context: Context) throws(CommandError) {
        do throws(IdentityShareError) {
            let list = try IdentityShare.readList(held)
            plain = list.shares.map { ($0, path) }
            note(list.faults, path, context)
        } catch {
            throw .shares(.given(.json(error), path))
        }
    }

    /// One share that cannot be read is no reason to lose the others of a list, and is not passed over in silence.
    private mutating func note(
        _ faults: [(place: Int, error: IdentityShareError)], _ path: FilePath, _ context: Context
    ) {
        for (place, problem) in faults {
            let message = CommandError.shares(.given(.json(problem), path)).message
            self.faults.append(ShareFault(path: path, place: place + 1, text: message.message))
        }
        for (place, problem) in faults.prefix(5) {
            let message = CommandError.shares(.given(.json(problem), path)).message
            context.console.note("sxkey: warning: share \(place + 1) of the list is left out: \(message.message)")
        }
        if faults.count > 5 {
            context.console.note("sxkey: warning: \(faults.count - 5) more shares of the list are left out")
        }
    }

    private mutating func add(_ share: GivenShare, _ path: FilePath) {
        switch share {
        case .plain(let share): plain.append((share, path))
        case .sealed(let share): sealed.append((share, path))
        case .words(let share): words.append((share, path))
        }
    }

    private static func read(_ path: FilePath, _ context: Context) throws(CommandError) -> SecretBytes {
        var input = try InputFile.forCommand(path)
        context.warnOfExposure(input)
        do throws(SecretInputError) { return try SecretInput.keyFile(&input) } catch {
            throw .secret(error, what: "share")
        }
    }

    /// Of what an app keeps only the shares of the sets that the other files have count, where there are other files.
    mutating func leaveOutOthers() {
        let lists = self.lists
        let alone = Set(plain.filter { !lists.contains($0.path) }.map(\.share.id))
        guard !alone.isEmpty else { return }
        plain.removeAll { lists.contains($0.path) && !alone.contains($0.share.id) }
    }

    /// Opens what is sealed with the keys of the keyring. What is for others stays closed, as the rest may be enough.
    mutating func open(with opened: OpenedKeyring) throws(CommandError) {
        for (held, path) in sealed {
            do throws(CommandError) {
                plain.append((try Self.open(held, path, with: opened), path))
            } catch {
                guard error.message.code == "sealed" else { throw error }
                closed.append(error)
            }
        }
        sealed = []
    }

    /// The share in a box, opened with the keys of one identity of the keyring, or of any.
    static func open(
        _ held: HeldShare, _ path: FilePath, with opened: OpenedKeyring, identity word: [UInt8]? = nil
    ) throws(CommandError) -> IdentityShare {
        let identities: [KeyringIdentity]
        if let word {
            identities = [try opened.identity(word)]
        } else {
            identities = try opened.doing { (keyring) throws(KeyringError) in try keyring.identities() }
        }
        for identity in identities {
            let keys = try opened.doing { (keyring) throws(KeyringError) in try keyring.privateKeys(of: identity) }
            do throws(HeldShareError) {
                return try held.openShare(with: keys.dhPrivate)
            } catch {
                if error == .notAuthentic { continue }
                throw .shares(.sealed(error, holder: nil, path))
            }
        }
        throw .shares(.sealed(.notAuthentic, holder: held.note.map { "\($0.holder.name)" }, path))
    }
}

/// A share of a list that could not be read.
struct ShareFault: Sendable {
    let path: FilePath
    /// In the list, counted from 1.
    let place: Int
    let text: TerminalText
}

/// Words of shares, typed on the terminal without echo.
enum TypedWords {
    static let path: FilePath = "/dev/tty"

    /// Asks for one share after the other until they are enough.
    static func read(_ context: Context) throws(CommandError) -> [WordShare] {
        guard context.mayAsk else {
            throw .secret(.noTerminal, what: "words of the shares", option: "FILE, or --passphrase")
        }
        context.console.note(
            "Type the words of each share, as many on a line as you like; they are not shown. An empty line ends a share."
        )
        var shares: [WordShare] = []
        while true {
            shares.append(try share(number: shares.count + 1, context))
            if try isEnough(&shares, context) { return shares }
        }
    }

    /// Whether shares give a secret; what does not go with the others is taken out, and what is missing is said.
    private static func isEnough(_ shares: inout [WordShare], _ context: Context) throws(CommandError) -> Bool {
        while true {
            let none: SecretBytes
            do throws(SecretMemoryError) { none = try SecretBytes(count: 0) } catch { throw .shares(.memory) }
            do throws(WordShareError) {
                _ = try WordShareSet.combine(shares, passphrase: none)
                return true
            } catch {
                let message = CommandError.shareWords(error).message
                switch error {
                case .tooFewShares(_, let found, let needed):
                    context.console.note("\(found) of \(needed) shares are there.")
                    return false
                case .tooFewGroups(let found, let needed):
                    context.console.note("\(found) of \(needed) groups are there.")
                    return false
                case .doesNotFit(let group, let member):
                    shares.removeAll { $0.group == group && $0.member == member }
                    context.console.note("sxkey: \(message): it is left out")
                case .repeatedShare, .differentSets, .memberThresholds:
                    shares.removeLast()
                    context.console.note("sxkey: \(message); type another one")
                    return false
                case .digest, .groupDoesNotFit:
                    // With one more the wrong one is found.
                    context.console.note(
                        "sxkey: \(message); type one more share, or end with Ctrl-C")
                    return false
                default: throw .shares(.words(error))
                }
            }
        }
    }

    private static func share(number: Int, _ context: Context) throws(CommandError) -> WordShare {
        var typed: SecretBytes
        do throws(SecretMemoryError) { typed = try SecretBytes(count: 0) } catch { throw .shares(.memory) }
        while true {
            let known = typed.withSpan { WordShare.countWords(in: $0) }
            let line: SecretBytes
            do throws(SecretInputError) {
                line = try SecretInput.ask("Share \(number), from word \(known + 1) on: ")
            } catch {
                // An empty line ends a share that is not whole.
                guard error == .noAnswer, known > 0 else { throw .secret(error, what: "words of the shares") }
                do throws(WordShareError) { return try WordShare(typed) } catch {
                    let message = CommandError.shareWords(error)
                    context.console.note("sxkey: \(message.message); share \(number) begins again")
                    for hint in message.hints { context.console.note("sxkey: hint: \(hint)") }
                }
                do throws(SecretMemoryError) { typed = try SecretBytes(count: 0) } catch { throw .shares(.memory) }
                continue
            }
            if let wrong = line.withSpan({ WordShare.firstUnknownWord(in: $0) }) {
                context.console.note("sxkey: word \(known + wrong) is not in the list; type that line again")
                continue
            }
            do throws(SecretMemoryError) {
                let blank: [UInt8] = [0x20]
                typed = try typed.appending(SecretBytes(copying: blank.span)).appending(line)
            } catch {
                throw .shares(.memory)
            }
            do throws(WordShareError) { return try WordShare(typed) } catch {
                guard let problem = Self.problem(error, words: typed.withSpan { WordShare.countWords(in: $0) }) else {
                    continue
                }
                context.console.note("sxkey: \(problem)")
            }
        }
    }

    /// What to say of words that may go on: nothing while there are fewer than an identity's share has.
    private static func problem(_ error: WordShareError, words: Int) -> TerminalText? {
        guard words >= WordShare.wordCount(ofLength: IdentitySecret.length), case .checksum(let likely) = error else {
            return nil
        }
        let which: TerminalText = likely.map { "; if a single word is wrong it is word \($0)" } ?? ""
        return "\(words) words, and their checksum does not fit\(which). An empty line lets you type the share again"
    }
}
