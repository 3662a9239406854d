import Archive
import CommandKit
import History
import SophaxFiles
import SystemIO

/// Shows what a search found: a line a message, or JSON lines.
final class HitPresenter {
    private struct Line {
        let when: TerminalText
        let person: TerminalText
        let conversation: ConversationID
        /// Who it is with, where the person does not say it.
        let place: TerminalText
        let text: TerminalText
    }

    /// Columns of a line where nobody looks at a terminal.
    private static let widthOfFiles = 160
    /// Columns of text at least, however narrow the terminal.
    private static let leastText = 40
    private static let widestPerson = 24
    /// More lines than these are written without waiting for the widest name.
    private static let waitingLines = 1_000

    private let zone: LocalZone
    private let console: Console
    private var marks: SearchMarks
    private var lines: [Line] = []
    private var widths: (person: Int, isWaiting: Bool) = (0, true)
    private(set) var count = 0

    init(_ query: SearchQuery, zone: LocalZone, _ context: Context) {
        self.zone = zone
        console = context.console
        marks = SearchMarks(query)
    }

    func take(_ hit: SearchHit) {
        count += 1
        if console.options.json { return writeJSON(hit) }
        lines.append(line(hit))
        if lines.count >= Self.waitingLines { writeLines() }
    }

    /// Writes the rest, and how much was found, of `total` in all where that is known.
    func finish(total: Int?, seconds: Double) {
        guard !console.options.json else {
            var json = JSONWriter()
            json.object { json in
                json.member("shown", count)
                json.member("total", total)
            }
            console.output.write(json: json.bytes)
            return console.output.write(bytes: [0x0A])
        }
        writeLines()
        guard count > 0 else { return console.note("no message was found") }
        let time = seconds < 10 ? "\(Double(Int((seconds * 1_000).rounded())) / 1_000) s" : Quantity.duration(seconds)
        let summary: TerminalText =
            if let total, total > count {
                "\(count: count) of \(count: total, "message") in \(trusted: time); --limit N shows more"
            } else if total == nil {
                "\(count: count, "message") in \(trusted: time); there may be more: --limit N shows them"
            } else {
                "\(count: count, "message") in \(trusted: time)"
            }
        console.output.line(TerminalText(trusted: summary.plain, .dim))
    }

    // MARK: Text

    private func line(_ hit: SearchHit) -> Line {
        let when = hit.time.flatMap { zone.time(at: Double($0) / 1_000) }.map(\.date.dayAndMinuteText)
        return Line(
            when: TerminalText(trusted: when ?? "(no date)       ", .dim),
            person: person(hit).truncated(to: Self.widestPerson),
            conversation: hit.conversation, place: place(hit).truncated(to: Self.widestPerson), text: text(hit))
    }

    private func person(_ hit: SearchHit) -> TerminalText {
        if hit.direction == .sent { return TerminalText(trusted: "me", .bold) }
        if let name = hit.senderName { return "\(name)" }
        if let sender = hit.sender { return "\(Array(sender.prefix(8)))" }
        return "?"
    }

    private func place(_ hit: SearchHit) -> TerminalText {
        switch hit.conversation.kind {
        case .notes: return "notes"
        case .direct where hit.direction != .sent: return ""
        case .direct: return "to " + (hit.conversationName.map { "\($0)" } ?? short(hit.conversation))
        case .group: return "in " + short(hit.conversation)
        }
    }

    private func short(_ conversation: ConversationID) -> TerminalText {
        let bytes = conversation.text.bytes
        let group = Array("group.".utf8)
        return "\(Array((bytes.starts(with: group) ? bytes.dropFirst(group.count) : bytes[...]).prefix(8)))"
    }

    private func text(_ hit: SearchHit) -> TerminalText {
        let reply: TerminalText = hit.replyTo == nil ? "" : TerminalText(trusted: "↳ ", .dim)
        let body = hit.body ?? []
        let ranges = marks.ranges(in: body.span)
        var text = reply + Excerpt(of: body, around: ranges).text
        if let name = hit.attachmentName {
            let found = marks.ranges(in: name.span)
            if !found.isEmpty || body.isEmpty {
                if !body.isEmpty { text += "  " }
                text += "(attachment " + Excerpt(of: name, around: found, isWhole: true).text + ")"
            }
        } else if body.isEmpty {
            text += hit.attachment == nil ? "(no text)" : "(attachment)"
        }
        return text
    }

    private func writeLines() {
        let conversations = Set(lines.map(\.conversation))
        let showsPlace = conversations.count > 1
        let people = lines.map { line -> TerminalText in
            showsPlace && !line.place.isEmpty ? line.person + " " + line.place : line.person
        }
        let width = people.reduce(0) { max($0, $1.columns) }
        let stream = console.output
        let all = stream.isTerminal ? stream.width : Self.widthOfFiles
        for (line, person) in zip(lines, people) {
            let padding = TerminalText(trusted: String(repeating: " ", count: width - person.columns + 2))
            let prefix = line.when + "  " + person + padding
            stream.line(prefix + line.text.truncated(to: max(Self.leastText, all - prefix.columns)))
        }
        lines.removeAll()
    }

    // MARK: JSON

    private func writeJSON(_ hit: SearchHit) {
        let bodyMarks = hit.body.map { marks.ranges(in: $0.span) } ?? []
        let nameMarks = hit.attachmentName.map { marks.ranges(in: $0.span) } ?? []
        var json = JSONWriter()
        json.object { json in
            json.member("id", hit.id)
            json.member("conversation", hit.conversation.text.bytes)
            json.member("conversationName", hit.conversationName)
            json.member("direction", hit.direction.word)
            json.member("sender", hit.sender)
            json.member("senderName", hit.senderName)
            json.member("time", hit.time.flatMap { RFC3339.format(unixSeconds: Double($0) / 1_000) })
            json.member("body", hit.body)
            json.member("marks") { json in Self.write(bodyMarks, to: &json) }
            json.member("isEdited", hit.isEdited)
            json.member("replyTo", hit.replyTo)
            json.member("attachment", hit.attachment)
            json.member("attachmentType", hit.attachmentType)
            json.member("attachmentName", hit.attachmentName)
            json.member("attachmentMarks") { json in Self.write(nameMarks, to: &json) }
        }
        console.output.write(json: json.bytes)
        console.output.write(bytes: [0x0A])
    }

    private static func write(_ ranges: [Range<Int>], to json: inout JSONWriter) {
        json.array(ranges) { json, range in
            json.array { json in
                json.value(range.lowerBound)
                json.value(range.upperBound)
            }
        }
    }
}

/// A line of a message around what was found in it.
private struct Excerpt {
    let text: TerminalText

    /// So many columns before what was found.
    private static let before = 28
    /// More bytes than any line shows.
    private static let longest = 4_096

    init(of bytes: [UInt8], around ranges: [Range<Int>], isWhole: Bool = false) {
        var place = isWhole ? 0 : Self.start(in: bytes, before: ranges.first?.lowerBound ?? 0)
        let end = Self.end(in: bytes, from: place, limit: max(Self.longest, (ranges.first?.upperBound ?? 0) - place))
        var text: TerminalText = place > 0 ? "… " : ""
        for range in Self.joined(ranges, in: bytes) where range.upperBound <= end {
            text += Self.line(bytes[place..<range.lowerBound])
            let found = Self.line(bytes[range]).plain
            text += TerminalText(trusted: "[\(found)]", .bold)
            place = range.upperBound
        }
        text += Self.line(bytes[place..<end])
        self.text = end < bytes.count ? text + " …" : text
    }

    /// Words that follow one another are marked as one.
    private static func joined(_ ranges: [Range<Int>], in bytes: [UInt8]) -> [Range<Int>] {
        var result: [Range<Int>] = []
        for range in ranges {
            if let last = result.last, bytes[last.upperBound..<range.lowerBound].allSatisfy({ $0 == 0x20 }) {
                result[result.count - 1] = last.lowerBound..<range.upperBound
            } else {
                result.append(range)
            }
        }
        return result
    }

    /// Where a line begins that shows some words before `found`, at a word where there are spaces.
    private static func start(in bytes: [UInt8], before found: Int) -> Int {
        var place = found
        var columns = 0
        while place > 0, columns < before {
            place -= 1
            // Nearly: most letters of three bytes and more are wide.
            if bytes[place] & 0xC0 != 0x80 { columns += bytes[place] > 0xE1 ? 2 : 1 }
        }
        guard place > 0 else { return 0 }
        if let space = bytes[place..<found].firstIndex(where: { $0 <= 0x20 }) { return space + 1 }
        return place
    }

    private static func end(in bytes: [UInt8], from start: Int, limit: Int) -> Int {
        guard bytes.count - start > limit else { return bytes.count }
        var end = start + limit
        while end > start, bytes[end] & 0xC0 == 0x80 { end -= 1 }
        return end
    }

    /// Line feeds and tabs are spaces in a line; the rest is escaped.
    private static func line(_ bytes: ArraySlice<UInt8>) -> TerminalText {
        "\(bytes.map { [0x09, 0x0A, 0x0D].contains($0) ? 0x20 : $0 })"
    }
}

extension MessageDirection {
    fileprivate var word: String? {
        switch self {
        case .sent: "sent"
        case .received: "received"
        case .unknown: nil
        }
    }
}
