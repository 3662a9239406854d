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
        do throws(ShareTextError) { texts = try collector.finish() } catch {
            throw .shares(.text(error, paths[0]))
        }
        for text in texts {
            let path = paths[text.source]
            do throws(GivenShareError) {
                let content = try GivenShare.read(text)
                if content.isList { lists.insert(path) }
                Self.warn(of: content.faults, path, context)
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
            Self.warn(of: list.faults, path, context)
        } catch {
            throw .shares(.given(.json(error), path))
        }
    }

    /// One share that cannot be read is no reason to lose the others of a list, and is not passed over in silence.
    private static func warn(
        of faults: [(place: Int, error: IdentityShareError)], _ path: FilePath, _ context: Context
    ) {
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

    /// Opens what is sealed with the keys of the keyring.
    mutating func open(with opened: OpenedKeyring, identity word: [UInt8]? = nil) throws(CommandError) {
        guard !sealed.isEmpty else { return }
        let identities: [KeyringIdentity]
        if let word {
            identities = [try opened.identity(word)]
        } else {
            identities = try opened.doing { (keyring) throws(KeyringError) in try keyring.identities() }
        }
        for (held, path) in sealed { plain.append((try Self.open(held, path, identities, opened), path)) }
        sealed = []
    }

    private static func open(
        _ held: HeldShare, _ path: FilePath, _ identities: [KeyringIdentity], _ opened: OpenedKeyring
    ) throws(CommandError) -> IdentityShare {
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

/// Words of shares, typed on the terminal without echo.
enum TypedWords {
    static let path: FilePath = "/dev/tty"

    /// Asks for one share after the other until they are enough.
    static func read(_ context: Context) throws(CommandError) -> [WordShare] {
        guard context.mayAsk else {
            throw .secret(.noTerminal, what: "words of the shares", option: "FILE, or --passphrase")
        }
        context.console.note("Type the words of each share, as many on a line as you like; they are not shown.")
        var shares: [WordShare] = []
        while true {
            shares.append(try share(number: shares.count + 1, context))
            let none: SecretBytes
            do throws(SecretMemoryError) { none = try SecretBytes(count: 0) } catch { throw .shares(.memory) }
            do throws(WordShareError) {
                _ = try WordShareSet.combine(shares, passphrase: none)
                return shares
            } catch {
                switch error {
                case .tooFewShares(_, let found, let needed):
                    context.console.note("\(found) of \(needed) shares are there.")
                case .tooFewGroups(let found, let needed):
                    context.console.note("\(found) of \(needed) groups are there.")
                case .repeatedShare, .differentSets, .memberThresholds:
                    shares.removeLast()
                    context.console.note("sxkey: \(CommandError.shareWords(error).message); type another one")
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
            if let share = try? WordShare(typed) { return share }
        }
    }
}
