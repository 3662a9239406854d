import CryptoPrimitives
import SophaxCore

/// Reads the input as what people give for shares, in several files where it has bytes FF; each share that was found is written and must read back as the same, and
/// all together are put together.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    do {
        var collector = ShareTextCollector()
        for (number, part) in bytes.split(separator: 0xFF, maxSplits: 4).enumerated() {
            let input = Array(part)
            let secret = try SecretBytes(copying: input.span)
            guard (try? collector.add(secret, source: number)) != nil else { return 0 }
        }
        guard let texts = try? collector.finish() else { return 0 }
        var plain: [IdentityShare] = []
        var words: [WordShare] = []
        for text in texts {
            for share in (try? GivenShare.read(text))?.shares ?? [] {
                try expectStable(share)
                switch share {
                case .plain(let share): plain.append(share)
                case .words(let share): words.append(share)
                case .sealed(let share):
                    let key = try SecretBytes(count: 32)
                    if (try? share.openShare(with: key)) != nil { fatalError("opened with a key of zeros") }
                }
            }
        }
        let some = Array(plain.prefix(20))
        for shares in [some, some.reversed()] {
            guard let combined = try? IdentityShareSet.combine(shares, wanted: { _ in false }) else { continue }
            precondition(combined.strays.allSatisfy(shares.indices.contains))
            precondition(combined.isProven || combined.strays.isEmpty)
        }
        // Key derivation is slow on purpose.
        guard words.allSatisfy({ $0.parameters.iterationExponent == 0 }) else { return 0 }
        let none = try SecretBytes(count: 0)
        _ = try? WordShareSet.combine(words, passphrase: none)
    } catch {
        fatalError("\(error)")
    }
    return 0
}

func expectStable(_ share: GivenShare) throws {
    switch share {
    case .plain(let share):
        let again = try IdentityShare.read(share.text(.sxkey))
        precondition(again.id == share.id && again.index == share.index && again.owner == share.owner)
        precondition(again.data.isEqual(to: share.data) && again.createdAt == share.createdAt)
    case .words(let share):
        let again = try WordShare(share.words())
        precondition(again.parameters == share.parameters && again.member == share.member)
        precondition(again.value.isEqual(to: share.value))
        for line in try SharePart.lines(of: share.words()) {
            precondition(line.text.count <= SharePart.longestLine)
        }
    case .sealed: break
    }
}
