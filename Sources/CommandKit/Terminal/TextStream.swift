import SystemIO

/// A buffered stream of text to one reader. The first error sticks: later writes do nothing, and `finish` throws it.
package final class TextStream {
    private let sink: (Span<UInt8>) throws(FileError) -> Void
    private var buffer: [UInt8] = []
    /// Nil as long as all went well.
    package private(set) var failure: FileError?
    /// Whether styles are shown.
    package let styles: Bool
    /// Columns that text is wrapped to.
    package let width: Int
    /// Whether a person reads it as it comes.
    package let isTerminal: Bool

    private static let bufferSize = 65_536

    /// A stream into `sink`, for example into an `OutputFile`.
    package init(
        styles: Bool = false, width: Int = 80, isTerminal: Bool = false,
        sink: @escaping (Span<UInt8>) throws(FileError) -> Void
    ) {
        self.sink = sink
        self.styles = styles
        self.width = width
        self.isTerminal = isTerminal
    }

    /// A standard stream.
    package convenience init(_ stream: StandardStream, color: GlobalOptions.Color) {
        let isTerminal = stream.isTerminal
        let styles =
            switch color {
            case .always: true
            case .never: false
            case .auto: isTerminal && Self.environmentAllowsStyles()
            }
        self.init(styles: styles, width: stream.terminalWidth ?? 80, isTerminal: isTerminal) {
            (bytes) throws(FileError) in try stream.write(bytes)
        }
    }

    package func write(_ text: TerminalText) {
        append(text.rendered(styles: styles))
    }

    package func line(_ text: TerminalText = "") {
        write(text)
        append("\n")
    }

    /// JSON; on a terminal with the escapes that keep text from elsewhere from steering it.
    package func write(json: [UInt8]) {
        write(bytes: isTerminal ? Escaping.escaped(json: json) : json)
    }

    /// Bytes that are fit for the reader already, such as escaped text or a file.
    package func write(bytes: [UInt8]) {
        guard failure == nil else { return }
        buffer.append(contentsOf: bytes)
        if buffer.count >= Self.bufferSize { flush() }
    }

    /// Hands bytes on at once, so that they do not stay in the buffer.
    package func writeUnbuffered(_ bytes: Span<UInt8>) {
        flush()
        guard failure == nil else { return }
        do throws(FileError) {
            try sink(bytes)
        } catch {
            failure = error
        }
    }

    /// Hands on what is buffered.
    package func flush() {
        guard failure == nil, !buffer.isEmpty else { return }
        do throws(FileError) {
            try sink(buffer.span)
        } catch {
            failure = error
        }
        buffer.removeAll(keepingCapacity: true)
    }

    /// Hands on the rest and throws the first error there was.
    package func finish() throws(FileError) {
        flush()
        if let failure { throw failure }
    }

    private func append(_ text: String) {
        guard failure == nil else { return }
        buffer.append(contentsOf: text.utf8)
        if buffer.count >= Self.bufferSize { flush() }
    }

    /// no-color.org: any value but the empty one turns styles off.
    private static func environmentAllowsStyles() -> Bool {
        (ProcessSettings.environment("NO_COLOR") ?? []).isEmpty
            && ProcessSettings.environment("TERM") != Array("dumb".utf8)
    }
}
