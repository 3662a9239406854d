import CLinux
import Glibc
import Synchronization

/// Processors that this process may use (taskset(1) counts), at least 1.
package func processorCount() -> Int {
    max(1, Int(sx_processor_count()))
}

/// Runs `body` for every item on up to `workers` threads and gives the results in the order of the items.
///
/// Items are taken in their order, so the largest belong first. After the first error no further item is begun; of several
/// errors the one of the earliest item is thrown. With one worker, or one item, all runs on the calling thread.
package func parallelMap<T: Sendable, R: Sendable, E: Error>(
    _ items: [T], workers: Int, _ body: @Sendable (T) throws(E) -> R
) throws(E) -> [R] {
    try parallelMap(items, workers: workers, makeState: { () throws(E) in NoState() }) { (_, item) throws(E) in
        try body(item)
    }
}

private struct NoState {}

/// The same with a value for each thread that `makeState` makes there, for example a cipher context with its key set.
package func parallelMap<T: Sendable, R: Sendable, S: ~Copyable, E: Error>(
    _ items: [T], workers: Int,
    makeState: @Sendable () throws(E) -> S,
    _ body: @Sendable (inout S, T) throws(E) -> R
) throws(E) -> [R] {
    let board = ResultBoard<R, E>(count: items.count)
    runWorkers(min(workers, items.count)) {
        var state: S
        do throws(E) {
            state = try makeState()
        } catch {
            board.fail(at: 0, error)
            return
        }
        while let index = board.take() {
            do throws(E) {
                board.put(try body(&state, items[index]), at: index)
            } catch {
                board.fail(at: index, error)
            }
        }
    }
    return try board.results()
}

/// What the workers share: which item is next, and what came out.
private final class ResultBoard<R: Sendable, E: Error>: Sendable {
    private struct Contents {
        var results: [R?]
        var failure: (index: Int, error: E)?
    }

    private let count: Int
    private let next = Atomic(0)
    private let failed = Atomic(false)
    private let contents: Mutex<Contents>

    init(count: Int) {
        self.count = count
        contents = Mutex(Contents(results: Array(repeating: nil, count: count), failure: nil))
    }

    func take() -> Int? {
        guard !failed.load(ordering: .relaxed) else { return nil }
        let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
        return index < count ? index : nil
    }

    func put(_ result: R, at index: Int) {
        contents.withLock { $0.results[index] = result }
    }

    func fail(at index: Int, _ error: E) {
        failed.store(true, ordering: .relaxed)
        contents.withLock { contents in
            if let earlier = contents.failure, earlier.index <= index { return }
            contents.failure = (index, error)
        }
    }

    func results() throws(E) -> [R] {
        let (results, failure) = contents.withLock { ($0.results, $0.failure) }
        if let failure { throw failure.error }
        return results.compactMap { $0 }
    }
}

/// Runs `body` on `count` threads with a stack of 8 MiB and waits for all; one alone is the calling thread. A thread that
/// cannot be made is done without: the others take its work.
func runWorkers(_ count: Int, _ body: @Sendable () -> Void) {
    guard count > 1 else { return body() }
    withoutActuallyEscaping(body) { body in
        var threads: [pthread_t] = []
        for _ in 0..<count {
            guard let thread = startPThread(body) else { break }
            threads.append(thread)
        }
        if threads.isEmpty { body() }
        for thread in threads { pthread_join(thread, nil) }
    }
}

/// Parsers of nested values want a stack of known size, whatever the shell's limit is.
private let stackSize = 8 * 1024 * 1024

private final class ThreadBody: Sendable {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) {
        self.run = run
    }
}

func startPThread(_ body: @escaping @Sendable () -> Void) -> pthread_t? {
    var attributes = pthread_attr_t()
    guard unsafe pthread_attr_init(&attributes) == 0 else { return nil }
    defer { unsafe pthread_attr_destroy(&attributes) }
    unsafe pthread_attr_setstacksize(&attributes, stackSize)
    let argument = unsafe Unmanaged.passRetained(ThreadBody(body))
    var thread = pthread_t()
    let code = unsafe pthread_create(
        &thread, &attributes,
        { argument in
            guard let argument = unsafe argument else { return nil }
            unsafe Unmanaged<ThreadBody>.fromOpaque(argument).takeRetainedValue().run()
            return nil
        }, argument.toOpaque())
    guard code == 0 else {
        unsafe argument.release()
        return nil
    }
    return thread
}
