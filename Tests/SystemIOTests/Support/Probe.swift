import Glibc
import TestSupport

@testable import SystemIO

/// The helper program of these tests.
enum Probe {
    static let path = ChildProcess.builtProducts + "/SystemIOProbe"
}

/// The file error of `body`, nil when it throws none.
func failure(_ body: () throws -> Void) -> FileError? {
    do {
        try body()
        return nil
    } catch {
        return error as? FileError
    }
}

func kind(_ body: () throws -> Void) -> FileError.Kind? {
    failure(body)?.kind
}

func makePipe() -> (reading: Int32, writing: Int32) {
    var ends: [Int32] = [-1, -1]
    precondition(pipe(&ends) == 0, "cannot make a pipe")
    return (ends[0], ends[1])
}

/// A thread that writes the pieces and closes the descriptor; to be joined.
func startWriter(_ descriptor: Int32, pieces: [[UInt8]], after milliseconds: UInt32 = 0) -> pthread_t {
    startThread {
        usleep(milliseconds * 1000)
        for piece in pieces {
            var done = 0
            while done < piece.count {
                let rest = Array(piece[done...])
                let count = write(descriptor, rest, rest.count)
                guard count > 0 else { break }
                done += count
            }
            usleep(2000)
        }
        close(descriptor)
    }
}

func startThread(_ body: @escaping @Sendable () -> Void) -> pthread_t {
    final class Box {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
    var thread = pthread_t()
    let argument = Unmanaged.passRetained(Box(body)).toOpaque()
    let code = pthread_create(
        &thread, nil,
        { argument in
            if let argument { Unmanaged<Box>.fromOpaque(argument).takeRetainedValue().body() }
            return nil
        }, argument)
    precondition(code == 0, "cannot make a thread")
    return thread
}
