import CryptoPrimitives
import SophaxFiles

/// The messages of one conversation by id, each with a hash of its canonical form: enough to compare it, in about a hundred
/// bytes a message.
struct MessageIndex: Sendable {
    /// Half of a SHA-256: two different messages do not share it by chance.
    struct Digest: Hashable, Comparable, Sendable {
        let high: UInt64
        let low: UInt64

        init(of canonical: [UInt8]) {
            let hash = SHA256.hash(canonical.span)
            high = hash[..<8].reduce(0) { $0 << 8 | UInt64($1) }
            low = hash[8..<16].reduce(0) { $0 << 8 | UInt64($1) }
        }

        static func < (left: Digest, right: Digest) -> Bool {
            (left.high, left.low) < (right.high, right.low)
        }
    }

    /// The ids one after the other, in the order of arrival.
    private var ids: [UInt8] = []
    private var ends: [Int] = []
    private var digests: [Digest] = []

    var count: Int { digests.count }

    /// A message without an id has the empty one.
    mutating func add(id: [UInt8], _ digest: Digest) {
        ids += id
        ends.append(ids.count)
        digests.append(digest)
    }

    private func id(at place: Int) -> ArraySlice<UInt8> {
        ids[(place == 0 ? 0 : ends[place - 1])..<ends[place]]
    }

    /// What two indexes differ in; ids that stand several times are compared as a whole.
    struct Difference: Equatable, Sendable {
        var same = 0
        /// Only in the first, only in the second, in both with another content. Ids in byte order.
        var removed = Changes()
        var added = Changes()
        var changed = Changes()

        var isEmpty: Bool { removed.count == 0 && added.count == 0 && changed.count == 0 }
    }

    /// How many, and the first ids of them.
    struct Changes: Equatable, Sendable {
        private(set) var count = 0
        private(set) var examples: [ByteText] = []

        mutating func add(_ id: ArraySlice<UInt8>, number: Int, limit: Int) {
            count += number
            if examples.count < limit { examples.append(ByteText(Array(id))) }
        }
    }

    /// Compares by id. `limit`: ids that are named of each kind.
    func difference(to other: MessageIndex, limit: Int) -> Difference {
        var result = Difference()
        var (own, others) = (Groups(self), Groups(other))
        while true {
            switch (own.current, others.current) {
            case (nil, nil): return result
            case (let mine?, nil):
                result.removed.add(id(at: mine[0]), number: mine.count, limit: limit)
                own.advance()
            case (nil, let theirs?):
                result.added.add(other.id(at: theirs[0]), number: theirs.count, limit: limit)
                others.advance()
            case (let mine?, let theirs?):
                let (first, second) = (id(at: mine[0]), other.id(at: theirs[0]))
                if first.elementsEqual(second) {
                    compare(mine, with: theirs, of: other, first, limit, &result)
                    own.advance()
                    others.advance()
                } else if first.lexicographicallyPrecedes(second) {
                    result.removed.add(first, number: mine.count, limit: limit)
                    own.advance()
                } else {
                    result.added.add(second, number: theirs.count, limit: limit)
                    others.advance()
                }
            }
        }
    }

    /// Messages with one id on both sides.
    private func compare(
        _ mine: ArraySlice<Int>, with theirs: ArraySlice<Int>, of other: MessageIndex, _ id: ArraySlice<UInt8>,
        _ limit: Int, _ result: inout Difference
    ) {
        if mine.count == 1, theirs.count == 1 {
            if digests[mine[mine.startIndex]] == other.digests[theirs[theirs.startIndex]] {
                result.same += 1
            } else {
                result.changed.add(id, number: 1, limit: limit)
            }
            return
        }
        var left = mine.map { digests[$0] }.sorted()[...]
        var right = theirs.map { other.digests[$0] }.sorted()[...]
        var (onlyLeft, onlyRight) = (0, 0)
        while let first = left.first, let second = right.first {
            if first == second {
                result.same += 1
                left.removeFirst()
                right.removeFirst()
            } else if first < second {
                onlyLeft += 1
                left.removeFirst()
            } else {
                onlyRight += 1
                right.removeFirst()
            }
        }
        onlyLeft += left.count
        onlyRight += right.count
        let changed = min(onlyLeft, onlyRight)
        if changed > 0 { result.changed.add(id, number: changed, limit: limit) }
        if onlyLeft > changed { result.removed.add(id, number: onlyLeft - changed, limit: limit) }
        if onlyRight > changed { result.added.add(id, number: onlyRight - changed, limit: limit) }
    }

    /// Walks over the messages in the order of their ids, those with one id together.
    private struct Groups {
        private let index: MessageIndex
        private let order: [Int]
        private var start = 0
        private var end = 0

        init(_ index: MessageIndex) {
            self.index = index
            order = (0..<index.count).sorted { left, right in
                let (first, second) = (index.id(at: left), index.id(at: right))
                return first.elementsEqual(second) ? left < right : first.lexicographicallyPrecedes(second)
            }
            findEnd()
        }

        /// The places of the messages with the id that it is at.
        var current: ArraySlice<Int>? {
            guard start < order.count else { return nil }
            let group = order[start..<end]
            return Array(group)[...]
        }

        mutating func advance() {
            start = end
            findEnd()
        }

        private mutating func findEnd() {
            guard start < order.count else { return }
            let id = index.id(at: order[start])
            end = start + 1
            while end < order.count, index.id(at: order[end]).elementsEqual(id) { end += 1 }
        }
    }
}
