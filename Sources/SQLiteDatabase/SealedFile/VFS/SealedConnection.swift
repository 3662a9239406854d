import CSQLite3
import CryptoPrimitives
import Synchronization

/// What one open sealed file needs below SQLite. The file in SQLite's memory holds it until it is closed.
///
/// It is used by the one thread that uses the connection.
@safe
final class SealedConnection: @unchecked Sendable {
    let keys: SealedKeys
    let kind: SealedFileKind
    /// In raw memory, so that using it costs no check.
    let sealer: UnsafeMutablePointer<PageSealer>
    /// The last thing that went wrong; forgotten when the next lock is taken.
    var problem: SealedProblem?

    init(keys: SealedKeys, kind: SealedFileKind) throws(SealedError) {
        self.keys = keys
        self.kind = kind
        let made = try PageSealer(
            pages: keys.pageCipher(), journal: keys.journalCipher(), keystream: keys.journalKeystream(), kind: kind)
        unsafe sealer = UnsafeMutablePointer<PageSealer>.allocate(capacity: 1)
        unsafe sealer.initialize(to: made)
    }

    deinit {
        unsafe sealer.deinitialize(count: 1)
        unsafe sealer.deallocate()
    }
}

/// Connections that are about to be opened, by number: the number stands in the URI, and never a key.
enum SealedRegistry {
    private struct State {
        var waiting: [UInt64: SealedConnection] = [:]
        var next: UInt64 = 1
    }

    private static let state = Mutex(State())

    static func add(_ connection: SealedConnection) -> UInt64 {
        state.withLock { state in
            let number = state.next
            state.next += 1
            state.waiting[number] = connection
            return number
        }
    }

    static func connection(_ number: UInt64) -> SealedConnection? {
        state.withLock { $0.waiting[number] }
    }

    static func remove(_ number: UInt64) {
        state.withLock { _ = $0.waiting.removeValue(forKey: number) }
    }
}
