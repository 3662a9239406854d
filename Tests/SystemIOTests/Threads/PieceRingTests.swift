import Synchronization
import Testing

@testable import SystemIO

@Suite("Pieces that go round between two threads")
struct PieceRingTests {
    @Test("come in the order in which they were filled, and each is one's own until it is given back")
    func order() throws {
        let ring = PieceRing(pieces: 3)
        let sum = Mutex<[Int]>([])
        let thread = WorkerThread {
            while let piece = ring.takeFull() {
                sum.withLock { $0.append(piece.count) }
                ring.give(empty: piece.number)
            }
        }
        for count in 0..<2000 {
            let piece = try #require(ring.takeEmpty())
            ring.give(full: piece, count: count)
        }
        ring.end()
        if let thread { thread.join() }
        #expect(sum.withLock { $0 } == Array(0..<2000))
    }

    @Test("an end lets the other side empty what is full, a stop does not")
    func endAndStop() {
        let ended = PieceRing(pieces: 2)
        for count in 1...2 {
            guard let piece = ended.takeEmpty() else { continue }
            ended.give(full: piece, count: count)
        }
        ended.end()
        #expect(ended.takeFull()?.count == 1)
        #expect(ended.takeFull()?.count == 2)
        #expect(ended.takeFull() == nil)
        let stopped = PieceRing(pieces: 1)
        if let piece = stopped.takeEmpty() { stopped.give(full: piece, count: 1) }
        stopped.stop()
        #expect(stopped.takeFull() == nil)
        #expect(stopped.takeEmpty() == nil)
    }

    @Test("a stop wakes who waits")
    func waking() {
        let ring = PieceRing(pieces: 1)
        let ends = Atomic(0)
        let thread = WorkerThread {
            if ring.takeFull() == nil { ends.wrappingAdd(1, ordering: .relaxed) }
        }
        ring.stop()
        if let thread { thread.join() }
        #expect(ends.load(ordering: .relaxed) == 1)
    }
}
