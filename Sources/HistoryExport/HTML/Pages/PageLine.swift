import Synchronization
import SystemIO

/// Pages that go to the threads that make them, and come back in the order in which they were given.
final class PageLine {
    private let shared: Shared
    private let renderer: PageRendererBox?
    private var threads: [Thread] = []
    private var free: [Int]
    /// Finished pages whose turn has not come, by slot.
    private var finished: [Int: PageResult] = [:]
    /// Slots in the order in which they were given.
    private var order: [Int] = []

    private final class Thread {
        private let thread: WorkerThread

        init?(_ body: @escaping @Sendable () -> Void) {
            guard let thread = WorkerThread(body) else { return nil }
            self.thread = thread
        }
    }

    /// The renderer of the caller's thread, where there is no other one.
    private final class PageRendererBox {
        var renderer: PageRenderer

        init(_ context: PageContext) {
            renderer = PageRenderer(context)
        }
    }

    init(_ context: PageContext, workers: Int) {
        let slots = max(1, workers) * 2 + 1
        let shared = Shared(slots: slots)
        self.shared = shared
        free = Array(0..<slots)
        for _ in 0..<workers {
            if let thread = Thread({ shared.run(context) }) { threads.append(thread) }
        }
        renderer = threads.isEmpty ? PageRendererBox(context) : nil
    }

    deinit {
        // The threads are waited for when they go.
        shared.stop()
    }

    var hasRoom: Bool { !free.isEmpty }

    /// There must be room.
    func give(_ job: PageJob) {
        guard let slot = free.popLast() else { return }
        order.append(slot)
        if let renderer {
            finished[slot] = renderer.renderer.page(job)
        } else {
            shared.give(job, slot)
        }
    }

    /// Waits for the oldest page that was given; nil where none was.
    func take() -> PageResult? {
        guard let slot = order.first else { return nil }
        while finished[slot] == nil {
            guard let (done, result) = shared.take() else { return nil }
            finished[done] = result
        }
        order.removeFirst()
        free.append(slot)
        return finished.removeValue(forKey: slot)
    }

    private final class Shared: Sendable {
        private struct Slot {
            var job: PageJob?
            var result: PageResult?
        }

        private let given = PieceRing(pieces: 0)
        private let finished = PieceRing(pieces: 0)
        private let slots: Mutex<[Slot]>

        init(slots: Int) {
            self.slots = Mutex(Array(repeating: Slot(), count: slots))
        }

        func give(_ job: PageJob, _ slot: Int) {
            slots.withLock { $0[slot].job = job }
            given.give(full: slot, count: job.messages.count)
        }

        func take() -> (slot: Int, result: PageResult)? {
            guard let piece = finished.takeFull() else { return nil }
            let result = slots.withLock { $0[piece.number].result.take() }
            return result.map { (piece.number, $0) }
        }

        func stop() {
            given.stop()
            finished.stop()
        }

        func run(_ context: PageContext) {
            var renderer = PageRenderer(context)
            while let piece = given.takeFull() {
                guard let job = slots.withLock({ $0[piece.number].job.take() }) else { continue }
                let result = renderer.page(job)
                slots.withLock { $0[piece.number].result = result }
                finished.give(full: piece.number, count: result.html.count)
            }
        }
    }
}
