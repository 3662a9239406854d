import CryptoPrimitives
import SophaxCore
import SophaxFiles
import SystemIO
import TestSupport
import Testing

@testable import PortableBundle

/// Whoever has a public key can make an authentic bundle with anything in it: a reader says what is wrong, and goes on.
@Suite("Content that somebody made on purpose")
struct HostileContentTests {
    private let folder = TemporaryFolder()

    @Test("is read or refused, whatever is changed in it, and by nothing worse than an error")
    func mutations() throws {
        let base = try Self.sample()
        let bundle = try RawBundle(folder.file("a.sxb"))
        var random = Mutator(seed: 42)
        var (read, refused) = (0, 0)
        for round in 0..<(LongTests.areWanted ? 20_000 : 300) {
            var parts = base
            for _ in 0..<random.next(1...3) {
                let place = random.next(0...(parts.count - 1))
                parts[place].bytes = random.mutated(parts[place].bytes)
            }
            // Sizes are right, or nothing behind the container would be tried.
            var manifest = Self.manifest(parts)
            if round % 3 == 0 { manifest = random.mutated(manifest) }
            let archive =
                RawArchive.entry("manifest.json", manifest) + parts.flatMap { RawArchive.entry($0.name, $0.bytes) }
            try bundle.write(archive: archive + RawArchive.end)
            do {
                try use(bundle, round)
                read += 1
            } catch is EntryError {
                refused += 1
            }
        }
        // Neither is all refused at the door, nor is all taken.
        #expect(read > 30 && refused > 30, "\(read) read, \(refused) refused")
    }

    /// Everything that reads a bundle.
    private func use(_ bundle: RawBundle, _ round: Int) throws {
        let source = try SXBSource(opening: FilePath(bundle.path), secrets: [bundle.key])
        _ = (source.manifest.messages, source.manifest.totalBytes, source.manifest.parts)
        let audit = try BundleAudit.run(source, now: 1_800_000_000)
        _ = (audit.messages, audit.findings.count)
        let index = try BundleIndex(of: source, shape: .portable)
        let difference = try BundleDifference(
            index, BundleIndex(of: source, shape: .app(.android), asAndroid: true), limit: 5)
        _ = difference.differs
        do throws(RestoreFailure) {
            _ = try NewStoreRestore.plan(source, takes: Set(BundlePart.allCases), now: 1_800_000_000)
        } catch {
            guard case .entries(let failure) = error else { throw error }
            throw failure
        }
        for kind in [BundleKind.fullExport, .android] {
            do throws(AppExport.Failure) {
                _ = try AppExport.make(kind, of: source, now: 1_800_000_000)
            } catch .entries(let failure) {
                throw failure
            } catch {}
        }
        do throws(MergeError) {
            let merged = try MergedSource(source, source, createdAt: 5, creator: "c")
            var sink = IgnoredEntries()
            do throws(EntryError) { try merged.send(to: &sink) } catch { throw .entries(error, isFirst: true) }
        } catch .entries(let failure, _) {
            throw failure
        } catch {}
        guard round % 10 == 0 else { return }
        let target = folder.file("files-\(round)")
        _ = try FolderExtractor.extract(
            source, to: FilePath(target), choice: EntryChoice(words: [], reveals: true), manifestText: nil)
    }

    private typealias Part = (name: String, bytes: [UInt8], content: ManifestEntry.Content)

    private static func manifest(_ parts: [Part]) -> [UInt8] {
        Manifest(
            createdAt: 1_780_000_000, creator: "a test", owner: .init(name: nil, fingerprint: MadeSource.fingerprint),
            entries: parts.map { part in
                var content = part.content
                if case .conversation(let id, let platform, _) = content {
                    let lines = part.bytes.count { $0 == 0x0A }
                    content = .conversation(id, platform, messages: lines)
                }
                return ManifestEntry(name: part.name, size: part.bytes.count, content: content)
            }, notIncluded: [.init(.sessions, .notAsked)]
        ).text()
    }

    private static func sample() throws -> [Part] {
        var head = DocumentHead()
        let keys = try IdentityPublicKeys(
            signing: [UInt8](repeating: 1, count: 32), dh: [UInt8](repeating: 2, count: 32))
        head.contacts = [
            ContactRecord(
                name: Array("Bob".utf8), isBlocked: true, addedAt: 1.25, onion: "x.onion", port: 65_535,
                keys: [
                    .init(
                        keys: keys, firstSeen: 1, lastSeen: 2, isCurrent: true, replacedAt: nil, origin: "card",
                        peerIDs: [Array("aa".utf8)],
                        mark: .init(form: "ios", number: "1 2", markedAt: 3, byIdentity: nil))
                ],
                events: [.init(at: 1, what: "added", from: nil, to: [0x41], form: nil, number: nil, origin: [0x42])])
        ]
        head.peers = [Array(#"{"id":"08c4cab788bd5f92","username":"b","lastSeen":1.5}"#.utf8)]
        head.groups = [Array(#"{"id":"G","name":"g","memberIDs":[],"creatorID":"a"}"#.utf8)]
        let more = #","attachmentID":"A","reactions":{"x":["y"]},"editedAt":795000002,"replyToID":"m1""#
        let source = try MadeSource(
            identity: MadeSource.ana(), preKeys: [("spk.1", [1, 2]), ("otpk.2", [3])], head: head,
            conversations: [
                (
                    MadeSource.peer, .ios,
                    [MadeSource.message("m1"), MadeSource.message("m2", body: "é\\u0000x", more: more)]
                ),
                (ConversationID(ByteText("group.G")), .android, [#"{"id":"x","text":"hi","timestamp":5}"#]),
            ], blobs: [("pending_queue", "[]")], attachments: [("A", [1, 2, 3])])
        let content = try collected(source)
        return source.manifest.entries.map { ($0.name, content.entries[$0.name] ?? [], $0.content) }
    }
}

/// Changes texts in the ways that break readers; the same ones each time.
private struct Mutator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    private mutating func next() -> UInt64 {
        // SplitMix64.
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func next(_ range: ClosedRange<Int>) -> Int {
        range.lowerBound + Int(next() % UInt64(range.count))
    }

    private static let tokens =
        [
            "0", "-1", "-0", "1e308", "-1e308", "1e999", "1e-400", "9223372036854775807", "9223372036854775808",
            "-9223372036854775808", "18446744073709551616", "9007199254740993", "1.5", "4294967296", "true", "null",
            "\"\"", "[]", "{}", "[[[[[[[[", "\\u0000", "\\uD800", "\u{202E}", "e\u{301}", "\n", "\r", ",", "\"", "\\",
            "{",
            "}", "../", "/", "\u{0}", "\u{FEFF}", "~2", "group.", "notetoself", "session.", "verified.peers",
            "attachmentID", "08c4cab788bd5f92",
        ].map { Array($0.utf8) } + [[0xFF], [0xC3], [0xED, 0xA0, 0x80]]

    mutating func mutated(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        let place = next(0...bytes.count)
        let end = min(bytes.count, place + next(0...40))
        switch next(0...6) {
        case 0: if place < bytes.count { bytes[place] ^= 1 << UInt8(next(0...7)) }
        case 1: bytes.removeSubrange(place..<end)
        case 2: bytes.insert(contentsOf: bytes[place..<end], at: next(0...bytes.count))
        case 3: bytes.insert(contentsOf: Self.tokens[next(0...(Self.tokens.count - 1))], at: place)
        default:
            // A number or a string in place of another value.
            let isDigit = { (byte: UInt8) in (0x30...0x39).contains(byte) }
            guard let start = bytes[place...].firstIndex(where: isDigit) ?? bytes.firstIndex(where: isDigit) else {
                return bytes
            }
            let stop = bytes[start...].firstIndex { !isDigit($0) } ?? bytes.count
            bytes.replaceSubrange(start..<stop, with: Self.tokens[next(0...(Self.tokens.count - 1))])
        }
        return bytes
    }
}
