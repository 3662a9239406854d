import Archive
import CommandKit
import SophaxFiles
import SystemIO

/// What `archive stats` says.
struct StatisticsReport: Report {
    let found: ArchiveStatistics
    let path: FilePath
    let zone: LocalZone
    /// So many people and conversations.
    let people: Int

    private static let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]

    // MARK: Text

    func writeText(to stream: TextStream) {
        guard found.count.total > 0 else { return stream.line("No messages in \(quoted: path) are chosen") }
        writeOverview(to: stream)
        writeMonths(to: stream)
        writePeople(to: stream)
        writeHours(to: stream)
        writeWords(to: stream)
        writeAttachments(to: stream)
    }

    private func writeOverview(to stream: TextStream) {
        let count = found.count
        let unknown: TerminalText = count.unknown > 0 ? ", \(count: count.unknown) neither" : ""
        stream.line(
            "\(trusted: "Messages", .bold)   \(count: count.total): \(count: count.sent) sent, \(count: count.received) received\(unknown)"
        )
        if let first = found.first, let last = found.last {
            let days: TerminalText = "\(count: found.days, "day")"
            stream.line("           \(minute(first)) until \(minute(last)), on \(days)")
        }
        if let silence = found.longestSilence {
            let length = Quantity.duration(Double(silence.until - silence.from) / 1_000)
            stream.line(
                "\(trusted: "Silence", .bold)    \(trusted: length) at most, \(minute(silence.from)) until \(minute(silence.until))"
            )
        }
        let parts: [TerminalText] = [
            "\(count: found.replies, "reply", "replies")", "\(count: found.edited) edited",
            "\(count: found.withAttachment) with attachment",
        ]
        stream.line("           \(parts.joined(" · "))")
        if found.withoutDate > 0 { stream.line("           \(count: found.withoutDate) without a date") }
    }

    private func writeMonths(to stream: TextStream) {
        heading("By month", to: stream)
        let months = everyMonth
        var chart = BarChart(["", "MESSAGES", "SENT", "RECEIVED"], for: stream)
        for month in months {
            chart.add(
                [
                    "\(trusted: Self.title(month))", "\(count: month.count.total)", "\(count: month.count.sent)",
                    "\(count: month.count.received)",
                ], month.count.total)
        }
        chart.write(to: stream)
    }

    private func writePeople(to stream: TextStream) {
        heading("By person", to: stream)
        var chart = BarChart(["", "MESSAGES", "WORDS", "ATTACHMENTS"], for: stream)
        for person in found.people.prefix(people) {
            chart.add(
                [
                    name(person).truncated(to: 28), "\(count: person.messages)", "\(count: person.words)",
                    "\(count: person.attachments)",
                ], person.messages)
        }
        chart.write(to: stream)
        rest(found.people.count, "more people", to: stream)
        heading("By conversation", to: stream)
        var table = BarChart(["", "MESSAGES", "FIRST", "LAST"], for: stream)
        for conversation in found.conversations.prefix(people) {
            table.add(
                [
                    title(conversation).truncated(to: 28), "\(count: conversation.count.total)",
                    day(conversation.first),
                    day(conversation.last),
                ], conversation.count.total)
        }
        table.write(to: stream)
        rest(found.conversations.count, "more conversations", to: stream)
    }

    private func rest(_ count: Int, _ what: String, to stream: TextStream) {
        guard count > people else { return }
        stream.line("  \(trusted: "and \(Quantity.count(count - people)) \(what): --people shows more", .dim)")
    }

    private func writeHours(to stream: TextStream) {
        heading("By weekday and hour", to: stream)
        guard stream.isTerminal else {
            var table = Table(
                [.init("HOUR")] + Self.weekdays.map { .init($0, .right) } + [.init("ALL", .right)])
            for hour in 0..<24 {
                let cells = (0..<7).map { "\(count: found.hours[$0 * 24 + hour])" as TerminalText }
                table.add(
                    ["\(trusted: hour < 10 ? "0\(hour)" : "\(hour)")"] + cells + ["\(count: found.hourTotal(hour))"])
            }
            let totals = (0..<7).map { "\(count: found.weekdayTotal($0))" as TerminalText }
            table.add(["all"] + totals + [""])
            return table.write(to: stream)
        }
        stream.line("  \(trusted: "     0     6     12    18", .dim)")
        let most = found.hours.max() ?? 0
        for (day, name) in Self.weekdays.enumerated() {
            let cells = (0..<24).map { BarChart.column(found.hours[day * 24 + $0], of: most) }.joined()
            stream.line("  \(trusted: name)  \(trusted: cells, .green)  \(count: found.weekdayTotal(day))")
        }
        let hours = (0..<24).map { found.hourTotal($0) }
        let cells = hours.map { BarChart.column($0, of: hours.max() ?? 0) }.joined()
        stream.line("  all  \(trusted: cells, .green)")
    }

    private func writeWords(to stream: TextStream) {
        guard !found.words.isEmpty else { return }
        heading("Words", to: stream)
        var chart = BarChart(["", "TIMES"], for: stream)
        for word in found.words {
            chart.add([("\(word.word)" as TerminalText).truncated(to: 28), "\(count: word.count)"], word.count)
        }
        chart.write(to: stream)
        let nearly: TerminalText = found.areWordsExact ? "" : "; rare ones may be more than is said"
        stream.line("  \(trusted: "of \(Quantity.count(found.wordTotal, "word"))", .dim)\(nearly)")
    }

    private func writeAttachments(to stream: TextStream) {
        guard found.withAttachment > 0 else { return }
        heading("Attachments", to: stream)
        var chart = BarChart(["", "MESSAGES", "FILES", "SIZE"], for: stream)
        for kind in found.attachmentKinds.prefix(20) {
            chart.add(
                [
                    (kind.type.map { "\($0)" } ?? "(no kind)" as TerminalText).truncated(to: 28),
                    "\(count: kind.messages)",
                    "\(count: kind.stored)", "\(size: kind.bytes)",
                ], kind.messages)
        }
        chart.write(to: stream)
        stream.line()
        var sizes = BarChart(["", "FILES", "SIZE"], for: stream)
        for (place, size) in found.attachmentSizes.enumerated() {
            sizes.add(
                [Self.title(size, place, found.attachmentSizes), "\(count: size.stored)", "\(size: size.bytes)"],
                size.stored)
        }
        sizes.write(to: stream)
    }

    private func heading(_ text: String, to stream: TextStream) {
        stream.line()
        stream.line(TerminalText(trusted: text, .bold))
    }

    private static func title(_ size: ArchiveStatistics.SizeClass, _ place: Int, _ all: [ArchiveStatistics.SizeClass])
        -> TerminalText
    {
        if let below = size.below { return "below \(size: below)" }
        return place > 0 ? all[place - 1].below.map { "\(size: $0) and more" } ?? "" : ""
    }

    private static func title(_ month: ArchiveStatistics.Month) -> String {
        "\(month.year)-\(month.month < 10 ? "0" : "")\(month.month)"
    }

    /// Months without a message too, unless there are more of them than anybody wants to see.
    private var everyMonth: [ArchiveStatistics.Month] {
        guard let first = found.months.first, let last = found.months.last else { return [] }
        let span = (last.year - first.year) * 12 + last.month - first.month + 1
        guard span <= found.months.count + 24 else { return found.months }
        var result: [ArchiveStatistics.Month] = []
        for offset in 0..<span {
            let place = first.month - 1 + offset
            let month = ArchiveStatistics.Month(year: first.year + place / 12, month: place % 12 + 1)
            result.append(found.months.first { $0.year == month.year && $0.month == month.month } ?? month)
        }
        return result
    }

    private func name(_ person: ArchiveStatistics.Person) -> TerminalText {
        if person.isMe { return TerminalText(trusted: "me", .bold) }
        if let name = person.name { return "\(name)" }
        return person.id.map { "\(Array($0.prefix(16)))" } ?? "(nobody knows)"
    }

    private func title(_ conversation: ArchiveStatistics.Conversation) -> TerminalText {
        if let name = conversation.name { return "\(name)" }
        switch conversation.id.kind {
        case .notes: return "notes to self"
        case .direct: return "\(Array(conversation.id.text.bytes.prefix(16)))"
        case .group: return "\(conversation.id.text.bytes)"
        }
    }

    private func minute(_ milliseconds: Int64) -> TerminalText {
        let local = zone.time(at: Double(milliseconds) / 1_000)
        return "\(trusted: local?.date.dayAndMinuteText ?? "?")"
    }

    private func day(_ milliseconds: Int64?) -> TerminalText {
        let local = milliseconds.flatMap { zone.time(at: Double($0) / 1_000) }
        return "\(trusted: local?.date.dayText ?? "")"
    }

    // MARK: JSON

    func writeJSON(to json: inout JSONWriter) {
        json.object { json in
            json.member("path", path.bytes)
            json.member("messages") { json in Self.write(found.count, to: &json) }
            json.member("edited", found.edited)
            json.member("replies", found.replies)
            json.member("withAttachment", found.withAttachment)
            json.member("withoutDate", found.withoutDate)
            json.member("first", Self.time(found.first))
            json.member("last", Self.time(found.last))
            json.member("days", found.days)
            json.member("longestSilence") { json in
                guard let silence = found.longestSilence else { return json.null() }
                json.object { json in
                    json.member("from", Self.time(silence.from))
                    json.member("until", Self.time(silence.until))
                    json.member("seconds", Int(silence.until - silence.from) / 1_000)
                }
            }
            json.member("months") { json in
                json.array(found.months) { json, month in
                    json.object { json in
                        json.member("month", Self.title(month))
                        json.member("messages") { json in Self.write(month.count, to: &json) }
                    }
                }
            }
            json.member("weekdays") { json in
                json.array(0..<7) { json, day in
                    json.object { json in
                        json.member("weekday", Self.weekdays[day])
                        json.member("hours") { json in
                            json.array(0..<24) { json, hour in json.value(found.hours[day * 24 + hour]) }
                        }
                    }
                }
            }
            writePeople(to: &json)
            json.member("words") { json in
                json.array(found.words) { json, word in
                    json.object { json in
                        json.member("word", word.word)
                        json.member("count", word.count)
                    }
                }
            }
            json.member("wordTotal", found.wordTotal)
            json.member("wordsExact", found.areWordsExact)
            writeAttachments(to: &json)
        }
    }

    private func writePeople(to json: inout JSONWriter) {
        json.member("people") { json in
            json.array(found.people.prefix(people)) { json, person in
                json.object { json in
                    json.member("id", person.id)
                    json.member("name", person.name)
                    json.member("me", person.isMe)
                    json.member("count", person.messages)
                    json.member("wordTotal", person.words)
                    json.member("withAttachment", person.attachments)
                }
            }
        }
        json.member("conversations") { json in
            json.array(found.conversations.prefix(people)) { json, conversation in
                json.object { json in
                    json.member("id", conversation.id.text.bytes)
                    json.member("name", conversation.name)
                    json.member("messages") { json in Self.write(conversation.count, to: &json) }
                    json.member("first", Self.time(conversation.first))
                    json.member("last", Self.time(conversation.last))
                }
            }
        }
    }

    private func writeAttachments(to json: inout JSONWriter) {
        json.member("attachments") { json in
            json.array(found.attachmentKinds) { json, kind in
                json.object { json in
                    json.member("type", kind.type)
                    json.member("withAttachment", kind.messages)
                    json.member("stored", kind.stored)
                    json.member("bytes", kind.bytes)
                }
            }
        }
        json.member("attachmentSizes") { json in
            json.array(found.attachmentSizes) { json, size in
                json.object { json in
                    json.member("below", size.below)
                    json.member("stored", size.stored)
                    json.member("bytes", size.bytes)
                }
            }
        }
    }

    private static func write(_ count: ArchiveStatistics.Count, to json: inout JSONWriter) {
        json.object { json in
            json.member("total", count.total)
            json.member("sent", count.sent)
            json.member("received", count.received)
        }
    }

    private static func time(_ milliseconds: Int64?) -> String? {
        milliseconds.flatMap { RFC3339.format(unixSeconds: Double($0) / 1_000) }
    }
}

/// A table whose rows end in a bar, on a terminal that has room for one.
private struct BarChart {
    private static let longestBar = 40
    private static let shortestBar = 8

    private let headings: [String]
    private let stream: TextStream
    private var rows: [(cells: [TerminalText], value: Int)] = []

    init(_ headings: [String], for stream: TextStream) {
        self.headings = headings
        self.stream = stream
    }

    /// The first cell is text, the others are numbers.
    mutating func add(_ cells: [TerminalText], _ value: Int) {
        rows.append((cells, value))
    }

    func write(to stream: TextStream) {
        var room = 0
        if stream.isTerminal {
            let widths = headings.indices.map { index in
                rows.reduce(ColumnWidth.columns(of: headings[index])) { max($0, $1.cells[index].columns) }
            }
            room = min(Self.longestBar, stream.width - widths.reduce(2) { $0 + $1 + 2 })
        }
        let hasBars = room >= Self.shortestBar
        let columns = headings.enumerated().map { place, heading in
            Table.Column(heading, place == 0 ? .left : .right)
        }
        var table = Table(columns + (hasBars ? [.init("")] : []))
        let most = rows.reduce(0) { max($0, $1.value) }
        for row in rows {
            table.add(
                row.cells
                    + (hasBars ? [TerminalText(trusted: Self.bar(row.value, of: most, columns: room), .green)] : []))
        }
        table.write(to: stream)
    }

    /// A bar of blocks, the last one an eighth of a column or more (U+2588 to U+258F).
    static func bar(_ value: Int, of most: Int, columns: Int) -> String {
        guard most > 0, value > 0 else { return "" }
        let eighths = max(1, Int((Double(value) / Double(most) * Double(columns * 8)).rounded()))
        var text = String(repeating: "█", count: eighths / 8)
        let blocks = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]
        text += blocks[eighths % 8]
        return text
    }

    /// One column as high as the value (U+2581 to U+2588); a space for none.
    static func column(_ value: Int, of most: Int) -> String {
        guard most > 0, value > 0 else { return " " }
        let blocks = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
        return blocks[min(7, value * 8 / (most + 1))]
    }
}
