import Glibc
import Synchronization
import Testing

@testable import SystemIO

@Suite("Parallel map")
struct ParallelMapTests {
    struct Failed: Error, Equatable { let item: Int }

    @Test("results come in the order of the items", arguments: [1, 2, 3, 8], [0, 1, 2, 100])
    func order(workers: Int, count: Int) {
        let items = Array(0..<count)
        let results = parallelMap(items, workers: workers) { item in
            if item % 7 == 0 { usleep(500) }
            return item * 2
        }
        #expect(results == items.map { $0 * 2 })
    }

    @Test("one worker is the calling thread")
    func inline() {
        let own = pthread_self()
        #expect(parallelMap([1, 2, 3], workers: 1) { _ in pthread_self() == own } == [true, true, true])
    }

    @Test("several workers run at the same time")
    func together() {
        // Each waits for the other, so on one thread this would never end; a limit makes a fault a failure.
        let arrived = Atomic(0)
        let met = parallelMap([0, 1], workers: 2) { _ in
            arrived.add(1, ordering: .sequentiallyConsistent)
            for _ in 0..<5000 where arrived.load(ordering: .sequentiallyConsistent) < 2 { usleep(1000) }
            return arrived.load(ordering: .sequentiallyConsistent) == 2
        }
        #expect(met == [true, true])
    }

    @Test("the first error stops the rest, and is thrown", arguments: [1, 2, 4])
    func errors(workers: Int) {
        let begun = Atomic(0)
        #expect(throws: Failed(item: 3)) {
            try parallelMap(Array(0..<10_000), workers: workers) { (item) throws(Failed) in
                begun.add(1, ordering: .relaxed)
                if item == 3 { throw Failed(item: item) }
                if item > 3 { usleep(1000) }
                return item
            }
        }
        #expect(begun.load(ordering: .relaxed) < 10_000)
    }

    @Test("of two errors the one of the earlier item is thrown")
    func twoErrors() {
        let arrived = Atomic(0)
        #expect(throws: Failed(item: 0)) {
            try parallelMap([0, 1], workers: 2) { (item) throws(Failed) in
                arrived.add(1, ordering: .sequentiallyConsistent)
                for _ in 0..<5000 where arrived.load(ordering: .sequentiallyConsistent) < 2 { usleep(1000) }
                if item == 0 { usleep(8_000) }
                throw Failed(item: item)
            }
        }
    }

    @Test("each thread has a value of its own, made at most once")
    func states() {
        let made = Atomic(0)
        let sums = parallelMap(
            Array(0..<1000), workers: 3,
            makeState: {
                made.add(1, ordering: .relaxed)
                return 0
            },
            { (state: inout Int, _) in
                state += 1
                return state
            })
        let threads = made.load(ordering: .relaxed)
        #expect((1...3).contains(threads))
        // Counted up within each thread, so the number of ones is the number of threads that worked.
        #expect(sums.count { $0 == 1 } <= threads)
        #expect(sums.count == 1000)
    }

    @Test("a value that cannot be made is an error")
    func stateError() {
        #expect(throws: Failed(item: -1)) {
            try parallelMap(
                [1, 2, 3], workers: 2, makeState: { () throws(Failed) -> Int in throw Failed(item: -1) },
                { (_: inout Int, item) throws(Failed) in item })
        }
    }

    @Test("a worker has a deep stack")
    func stack() {
        let depths = parallelMap([0, 1], workers: 2) { _ in deep(8_000) }
        #expect(depths == [8_000, 8_000])
    }

    @Test("there is a processor")
    func processors() {
        #expect(processorCount() >= 1)
    }
}

/// Uses some hundred bytes of stack for each level; 8,000 levels do not fit into 2 MiB.
@inline(never)
@_optimize(none)
private func deep(_ levels: Int) -> Int {
    withUnsafeTemporaryAllocation(byteCount: 200, alignment: 8) { buffer in
        buffer[0] = UInt8(truncatingIfNeeded: levels)
        return levels == 0 ? 0 : 1 + deep(levels - 1) + Int(buffer[0] & 0)
    }
}
