import SystemIO
import Testing

@Suite("A length that one thread follows")
struct FollowedLengthTests {
    @Test("is given as far as it is known to go, and not after somebody gave up")
    func waiting() {
        let length = FollowedLength()
        length.advance(to: 10)
        length.advance(to: 5)
        #expect(length.wait(for: 7) == 7)
        #expect(length.wait(for: 10) == 10)
        let waiter = WorkerThread {
            #expect(length.wait(for: 20) == 15)
        }
        length.advance(to: 15)
        length.end()
        waiter?.join()
        #expect(length.wait(for: 100) == 15)
        length.stop()
        #expect(length.isStopped)
        #expect(length.wait(for: 1) == nil)
    }
}
