/// The page of counts and charts. All charts are SVG that stands in it, and have their numbers in tables.
enum StatisticsPage {
    /// People of the list; the rest is one line.
    private static let mostPeople = 25

    static func text(_ figures: PageFigures, conversations: Int) -> [UInt8] {
        var output = Markup()
        PageFrame.begin(&output, title: [Array("Statistics".utf8)], depth: .top, kind: "plain")
        output.add("<header class=\"head\">\n<h1>Statistics</h1>\n")
        PageFrame.parts(&output, depth: .top, current: "statistics.html")
        output.add("</header>\n<main id=\"content\" class=\"sheet stats\">\n")
        tiles(figures, conversations, &output)
        months(figures, &output)
        people(figures, &output)
        days(figures, &output)
        attachments(figures, &output)
        output.add("</main>\n")
        PageFrame.end(&output)
        return output.bytes
    }

    private static func tiles(_ figures: PageFigures, _ conversations: Int, _ output: inout Markup) {
        output.add("<dl class=\"tiles\">")
        let tiles: [(name: StaticString, value: Int)] = [
            ("messages", figures.messages), ("sent", figures.sent), ("received", figures.messages - figures.sent),
            ("conversations", conversations), ("words", figures.words), ("reactions", figures.reactions),
            ("edited", figures.edited), ("attachments", figures.kinds.values.reduce(0) { $0 + $1.files + $1.missing }),
        ]
        for tile in tiles {
            output.add("<div><dt>")
            output.add(tile.name)
            output.add("</dt><dd>")
            output.grouped(tile.value)
            output.add("</dd></div>")
        }
        output.add("</dl>\n")
        guard figures.undated > 0 else { return }
        output.add("<p class=\"note\">")
        output.count(figures.undated, "message has", "messages have")
        output.add(" no plausible date and no place in the charts of time.</p>\n")
    }

    // MARK: Time

    /// Longer histories have a bar a year.
    private static let mostMonths = 180

    private static func months(_ figures: PageFigures, _ output: inout Markup) {
        guard let first = figures.months.keys.min(), let last = figures.months.keys.max() else { return }
        let isYearly = last - first >= mostMonths
        var bars: [Chart.Bar] = []
        if isYearly {
            for year in first / 12...last / 12 {
                let count = (0..<12).reduce(0) { $0 + (figures.months[year * 12 + $1] ?? 0) }
                bars.append(Chart.Bar(name: number(year), value: count, mark: number(year)))
            }
        } else {
            for month in first...last {
                var name = Markup()
                name.monthName(month)
                bars.append(
                    Chart.Bar(
                        name: name, value: figures.months[month] ?? 0,
                        mark: mark(month, isFirst: month == first, isShort: last - first < 15)))
            }
        }
        section(isYearly ? "By year" : "By month", &output)
        Chart.columns(bars, title: isYearly ? "Messages by year" : "Messages by month", height: 190, &output)
        table(bars, isYearly ? "Year" : "Month", &output)
        output.add("</section>\n")
    }

    /// Below a month: its name where there are few of them, the year where one begins.
    private static func mark(_ month: Int, isFirst: Bool, isShort: Bool) -> Markup? {
        let isStart = month % 12 == 0 || (isFirst && (isShort || month % 12 < 9))
        guard isShort, !(isStart && month % 12 == 0) else { return isStart ? number(month / 12) : nil }
        var name = Markup()
        name.add(DateWords.shortMonth(month % 12))
        return name
    }

    private static func number(_ value: Int) -> Markup {
        var text = Markup()
        text.number(value)
        return text
    }

    private static func days(_ figures: PageFigures, _ output: inout Markup) {
        guard figures.hours.contains(where: { $0 > 0 }) else { return }
        section("By hour and weekday", &output)
        Chart.week(figures.hours, &output)
        output.add("<div class=\"pair\">")
        let hours = (0..<24).map { hour in
            var name = Markup()
            name.twoDigits(hour)
            name.add(":00")
            let count = (0..<7).reduce(0) { $0 + figures.hours[$1 * 24 + hour] }
            return Chart.Bar(name: name, value: count, mark: hour % 6 == 0 ? name : nil)
        }
        let weekdays = (0..<7).map { day in
            var (name, short) = (Markup(), Markup())
            name.add(DateWords.weekday(day))
            short.add(DateWords.shortWeekday(day))
            return Chart.Bar(name: name, value: figures.hours[day * 24..<(day + 1) * 24].reduce(0, +), mark: short)
        }
        output.add("<div>")
        Chart.columns(hours, title: "Messages by hour", height: 120, width: 340, &output)
        table(hours, "Hour", &output)
        output.add("</div><div>")
        Chart.columns(weekdays, title: "Messages by weekday", height: 120, width: 340, &output)
        table(weekdays, "Weekday", &output)
        output.add("</div></div></section>\n")
    }

    private static func section(_ title: StaticString, _ output: inout Markup) {
        output.add("<section><h2>")
        output.add(title)
        output.add("</h2>\n")
    }

    private static func table(_ bars: [Chart.Bar], _ heading: StaticString, _ output: inout Markup) {
        output.add("<details class=\"nums\"><summary>Numbers</summary><table><thead><tr><th>")
        output.add(heading)
        output.add("</th><th>Messages</th></tr></thead><tbody>")
        for bar in bars {
            output.add("<tr><th>")
            output.add(bar.name)
            output.add("</th><td>")
            output.grouped(bar.value)
            output.add("</td></tr>")
        }
        output.add("</tbody></table></details>\n")
    }

    // MARK: People and files

    private static func people(_ figures: PageFigures, _ output: inout Markup) {
        let people = figures.people.sorted { left, right in
            left.value.messages == right.value.messages
                ? left.key < right.key : left.value.messages > right.value.messages
        }.map(\.value)
        guard let most = people.first?.messages, most > 0 else { return }
        section("By person", &output)
        output.add("<table class=\"rows\"><thead><tr><th>Person</th><th class=\"vh\">Chart</th>")
        output.add("<th>Messages</th><th>Words</th></tr></thead><tbody>")
        for person in people.prefix(mostPeople) {
            output.add("<tr><th>")
            output.name(person.name)
            output.add("</th><td class=\"bar\">")
            Chart.bar(person.messages, of: most, colour: person.colour, &output)
            output.add("</td><td>")
            output.grouped(person.messages)
            output.add("</td><td>")
            output.grouped(person.words)
            output.add("</td></tr>")
        }
        let others = people.dropFirst(mostPeople)
        if !others.isEmpty {
            output.add("<tr><th>")
            output.count(others.count, "other person", "others")
            output.add("</th><td></td><td>")
            output.grouped(others.reduce(0) { $0 + $1.messages })
            output.add("</td><td>")
            output.grouped(others.reduce(0) { $0 + $1.words })
            output.add("</td></tr>")
        }
        output.add("</tbody></table></section>\n")
    }

    private static func attachments(_ figures: PageFigures, _ output: inout Markup) {
        let kinds = figures.kinds.sorted { left, right in
            let counts = [left, right].map { $0.value.files + $0.value.missing }
            return counts[0] == counts[1] ? left.key < right.key : counts[0] > counts[1]
        }
        guard let most = kinds.first.map({ $0.value.files + $0.value.missing }), most > 0 else { return }
        section("Attachments", &output)
        output.add("<table class=\"rows\"><thead><tr><th>Kind</th><th class=\"vh\">Chart</th>")
        output.add("<th>Files</th><th>Size</th><th>Not here</th></tr></thead><tbody>")
        for (noun, kind) in kinds {
            output.add("<tr><th>")
            output.text(noun)
            output.add("</th><td class=\"bar\">")
            Chart.bar(kind.files + kind.missing, of: most, colour: nil, &output)
            output.add("</td><td>")
            output.grouped(kind.files)
            output.add("</td><td>")
            output.size(kind.bytes)
            output.add("</td><td>")
            output.grouped(kind.missing)
            output.add("</td></tr>")
        }
        output.add("</tbody></table></section>\n")
    }
}
