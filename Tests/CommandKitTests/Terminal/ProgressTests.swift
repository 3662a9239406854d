import Synchronization
import SystemIO
import Testing

@testable import CommandKit

@Suite("Progress")
struct ProgressTests {
    /// A clock that the test turns, and what was drawn.
    final class Stage: Sendable {
        let time = Mutex(0.0)
        let drawn = Mutex<[String]>([])

        func meter(width: Int = 80) -> Progress {
            Progress(
                isActive: true, width: { width }, now: { self.time.withLock { $0 } },
                draw: { text in self.drawn.withLock { $0.append(text) } })
        }

        func advance(_ seconds: Double) { time.withLock { $0 += seconds } }
        var texts: [String] { drawn.withLock { $0 } }
    }

    @Test("work that is done at once shows nothing")
    func short() {
        let stage = Stage()
        let meter = stage.meter()
        meter.begin("Reading", total: 100, unit: .items)
        for _ in 0..<100 { meter.advance(by: 1) }
        meter.finish()
        #expect(stage.texts.isEmpty)
    }

    @Test("a line has the share, the rate and the time left, and goes away at the end")
    func line() {
        let stage = Stage()
        let meter = stage.meter()
        meter.begin("Verifying", total: 400_000_000, unit: .bytes)
        stage.advance(2)
        meter.advance(by: 100_000_000)
        meter.finish()
        #expect(
            stage.texts == [
                "\rVerifying ██████                   25 %  50 MB/s  6 s left\u{1b}[K", "\r\u{1b}[K",
            ])
    }

    @Test("it draws at most ten times a second")
    func rate() {
        let stage = Stage()
        let meter = stage.meter()
        meter.begin("Verifying", total: 0, unit: .items)
        for _ in 0..<10_000 {
            stage.advance(0.001)
            meter.advance(by: 1)
        }
        #expect((90...100).contains(stage.texts.count))
        #expect(stage.texts.last?.hasPrefix("\rVerifying 9,9") == true)
    }

    @Test("a line never goes over the edge of a narrow terminal", arguments: [1, 5, 20, 40])
    func narrow(width: Int) throws {
        let stage = Stage()
        let meter = stage.meter(width: width)
        meter.begin("Verifying 今天天气", total: 10, unit: .items)
        stage.advance(1)
        meter.advance(by: 5)
        let text = try #require(stage.texts.first)
        #expect(ColumnWidth.columns(of: String(text.dropFirst().dropLast(3))) <= max(1, width - 1))
    }

    @Test("numbers beyond sense are drawn, not trapped")
    func extremes() {
        let stage = Stage()
        let meter = stage.meter()
        meter.begin("Verifying", total: 1, unit: .bytes)
        stage.advance(0.3)
        meter.advance(by: .max)
        stage.advance(1)
        meter.advance(by: -5)
        #expect(stage.texts.count == 2)
    }

    @Test("without a terminal nothing is drawn, whatever is reported")
    func silent() {
        Progress.silent.begin("Verifying", total: 10, unit: .items)
        Progress.silent.advance(by: .max)
        Progress.silent.advance(by: .max)
        Progress.silent.finish()
    }
}
