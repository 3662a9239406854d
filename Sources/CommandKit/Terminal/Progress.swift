import Synchronization
import SystemIO

/// How far a long piece of work is, for a person who watches: a line on the standard error, redrawn at most ten times a
/// second, only when that is a terminal. Threads may report at the same time.
package final class Progress: Sendable {
    /// What is counted.
    package enum Unit: Sendable {
        case bytes
        case items
    }

    private struct State {
        var label: TerminalText = ""
        var unit = Unit.items
        var total = 0
        var begun: Double = 0
        var nextDraw: Double = 0
        var isShown = false
    }

    private let isActive: Bool
    private let width: @Sendable () -> Int
    private let now: @Sendable () -> Double
    private let draw: @Sendable (String) -> Void
    private let done = Atomic(0)
    private let state = Mutex(State())

    private static let interval = 0.1
    private static let barColumns = 24

    /// A meter that says nothing.
    package static let silent = Progress(isActive: false, width: { 0 }, now: { 0 }, draw: { _ in })

    /// The meter of a command: silent with `--quiet` and where the standard error is no terminal.
    package static func forTerminal(_ options: GlobalOptions) -> Progress {
        guard !options.quiet, StandardStream.error.isTerminal else { return silent }
        return Progress(
            isActive: true, width: { StandardStream.error.terminalWidth ?? 80 }, now: { steadyClock() },
            draw: { text in
                // Whether anybody sees the meter does not matter to the work.
                try? StandardStream.error.write(Array(text.utf8).span)
            })
    }

    /// `now` gives seconds; `draw` takes what goes to the terminal.
    init(
        isActive: Bool, width: @escaping @Sendable () -> Int, now: @escaping @Sendable () -> Double,
        draw: @escaping @Sendable (String) -> Void
    ) {
        self.isActive = isActive
        self.width = width
        self.now = now
        self.draw = draw
    }

    /// Begins a piece of work of `total` bytes or items, 0 when that is not known. `label` is for example "Verifying".
    package func begin(_ label: TerminalText, total: Int, unit: Unit) {
        guard isActive else { return }
        done.store(0, ordering: .relaxed)
        state.withLock { state in
            clear(&state)
            let time = now()
            // Work that is done at once never shows a meter.
            state = State(label: label, unit: unit, total: total, begun: time, nextDraw: time + 2 * Self.interval)
        }
    }

    /// Says a line before the work, to a person who watches.
    package func say(_ line: TerminalText) {
        guard isActive else { return }
        state.withLock { state in
            clear(&state)
            draw("\(line.plain)\n")
        }
    }

    /// Adds what was done since the last report.
    package func advance(by amount: Int) {
        guard isActive else { return }
        let sum = done.wrappingAdd(amount, ordering: .relaxed).newValue
        let time = now()
        state.withLockIfAvailable { state in
            guard time >= state.nextDraw else { return }
            state.nextDraw = time + Self.interval
            state.isShown = true
            let seconds = time - state.begun
            draw("\r\(Self.line(state.label, state.unit, sum, of: state.total, after: seconds, width()))\u{1b}[K")
        }
    }

    /// Takes the line away, before a result or another output of the program.
    package func finish() {
        guard isActive else { return }
        state.withLock { state in
            clear(&state)
            state.nextDraw = .infinity
        }
    }

    private func clear(_ state: inout State) {
        if state.isShown { draw("\r\u{1b}[K") }
        state.isShown = false
    }

    private static func line(
        _ label: TerminalText, _ unit: Unit, _ done: Int, of total: Int, after seconds: Double, _ width: Int
    ) -> String {
        let rate = seconds > 0 ? min(Double(done) / seconds, 1e15) : 0
        let amount = unit == .bytes ? Quantity.bytes(Int(rate)) : Quantity.count(Int(rate))
        var text = label.plain
        if total > 0 {
            let share = min(1, Double(done) / Double(total))
            text += " \(bar(share)) \(Quantity.percent(share))  \(amount)/s"
            if rate > 0, done < total { text += "  \(Quantity.duration(Double(total - done) / rate)) left" }
        } else {
            text += " \(unit == .bytes ? Quantity.bytes(done) : Quantity.count(done))  \(amount)/s"
        }
        return TerminalText(trusted: text).truncated(to: max(1, width - 1)).plain
    }

    /// A bar in eighths of a column.
    private static func bar(_ share: Double) -> String {
        let eighths = Int(share * Double(barColumns * 8))
        let parts: [String] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]
        let part = parts[eighths % 8]
        let full = eighths / 8
        let blank = barColumns - full - (part.isEmpty ? 0 : 1)
        return String(repeating: "█", count: full) + part + String(repeating: " ", count: max(0, blank))
    }
}
