/// Charts as SVG. Their colours are the style sheet's; all that stands in them is ours, or numbers.
enum Chart {
    struct Bar {
        let name: Markup
        let value: Int
        /// Below the bar.
        let mark: Markup?
    }

    /// Columns from left to right. `width` and `height` are those of the area of the columns.
    static func columns(
        _ bars: [Bar], title: StaticString, height: Int, width: Int = 720, _ output: inout Markup
    ) {
        let most = max(1, bars.map(\.value).max() ?? 1)
        let step = ceiling(most)
        let (left, foot, top) = (44, 22, 8)
        begin(width: left + width + 6, height: top + height + foot, title: title, isWide: width > 400, &output)
        // Three lines behind the columns.
        for line in 0...2 {
            let y = top + height - height * line / 2
            output.add("<path class=\"grid\" d=\"M")
            output.number(left)
            output.add(" ")
            output.number(y)
            output.add("h")
            output.number(width)
            output.add("\"/><text class=\"axis\" text-anchor=\"end\" x=\"")
            output.number(left - 6)
            output.add("\" y=\"")
            output.number(y + 4)
            output.add("\">")
            short(step * line / 2, &output)
            output.add("</text>")
        }
        let slot = Double(width) / Double(max(1, bars.count))
        // A single column is no wall.
        let broad = min(slot * (slot > 6 ? 0.72 : 0.86), 46)
        for (index, bar) in bars.enumerated() {
            let x = Double(left) + slot * (Double(index) + 0.5) - broad / 2
            let tall = Double(bar.value) / Double(step) * Double(height)
            output.add("<g><title>")
            output.add(bar.name)
            output.add(": ")
            output.grouped(bar.value)
            output.add("</title><rect class=\"col\" rx=\"")
            decimal(min(3, broad / 3), &output)
            output.add("\" x=\"")
            decimal(x, &output)
            output.add("\" y=\"")
            decimal(Double(top + height) - tall, &output)
            output.add("\" width=\"")
            decimal(broad, &output)
            output.add("\" height=\"")
            decimal(bar.value > 0 ? max(tall, 1) : 0, &output)
            output.add("\"/></g>")
        }
        marks(bars, slot: slot, left: left, y: top + height + 16, &output)
        output.add(width > 400 ? "</svg></div>\n" : "</svg>\n")
    }

    /// What stands below, as far as there is room.
    private static func marks(_ bars: [Bar], slot: Double, left: Int, y: Int, _ output: inout Markup) {
        var free = -Double.infinity
        for (index, bar) in bars.enumerated() {
            guard let mark = bar.mark else { continue }
            let x = Double(left) + slot * (Double(index) + 0.5)
            guard x >= free else { continue }
            free = x + 40
            output.add("<text class=\"axis\" text-anchor=\"middle\" x=\"")
            decimal(x, &output)
            output.add("\" y=\"")
            output.number(y)
            output.add("\">")
            output.add(mark)
            output.add("</text>")
        }
    }

    /// A week: 7 × 24 fields, the darker the more. `hours` is by weekday from Monday and hour.
    static func week(_ hours: [Int], _ output: inout Markup) {
        let most = max(1, hours.max() ?? 1)
        let (left, top, wide, high) = (44, 20, 30, 22)
        begin(
            width: left + 24 * wide + 6, height: top + 7 * high + 4, title: "Messages by weekday and hour",
            isWide: true, &output)
        for hour in stride(from: 0, to: 24, by: 3) {
            output.add("<text class=\"axis\" text-anchor=\"middle\" x=\"")
            output.number(left + hour * wide + wide / 2)
            output.add("\" y=\"13\">")
            output.twoDigits(hour)
            output.add("</text>")
        }
        for day in 0..<7 {
            output.add("<text class=\"axis\" text-anchor=\"end\" x=\"")
            output.number(left - 8)
            output.add("\" y=\"")
            output.number(top + day * high + 15)
            output.add("\">")
            output.add(DateWords.shortWeekday(day))
            output.add("</text>")
            for hour in 0..<24 {
                let count = hours[day * 24 + hour]
                output.add("<g><title>")
                output.add(DateWords.weekday(day))
                output.add(", ")
                output.twoDigits(hour)
                output.add(":00: ")
                output.grouped(count)
                output.add("</title><rect class=\"cell\" rx=\"3\" x=\"")
                output.number(left + hour * wide + 1)
                output.add("\" y=\"")
                output.number(top + day * high + 1)
                output.add("\" width=\"")
                output.number(wide - 2)
                output.add("\" height=\"")
                output.number(high - 2)
                output.add("\" fill-opacity=\"")
                decimal(count == 0 ? 0.05 : 0.14 + 0.86 * (Double(count) / Double(most)).squareRoot(), &output)
                output.add("\"/></g>")
            }
        }
        output.add("</svg></div>\n")
    }

    /// One bar of a row, `value` of `most`.
    static func bar(_ value: Int, of most: Int, colour: Int?, _ output: inout Markup) {
        output.add("<svg viewBox=\"0 0 100 10\" preserveAspectRatio=\"none\" aria-hidden=\"true\"><rect class=\"col")
        if let colour {
            output.add(" p")
            output.number(colour)
        }
        output.add("\" height=\"10\" rx=\"1\" width=\"")
        decimal(max(0.5, Double(value) / Double(max(1, most)) * 100), &output)
        output.add("\"/></svg>")
    }

    /// A wide one is moved sideways on a phone.
    private static func begin(
        width: Int, height: Int, title: StaticString, isWide: Bool, _ output: inout Markup
    ) {
        if isWide {
            output.add("<div class=\"wide\" tabindex=\"0\" role=\"group\" aria-label=\"")
            output.add(title)
            output.add("\">")
        }
        output.add("<svg class=\"chart\" role=\"img\" aria-label=\"")
        output.add(title)
        output.add("\" viewBox=\"0 0 ")
        output.number(width)
        output.add(" ")
        output.number(height)
        output.add("\">")
    }

    /// At least `value`: a power of ten times 1, 2, 4, 6 or 8, so that half of it is round too.
    private static func ceiling(_ value: Int) -> Int {
        guard value > 10 else { return max(2, (value + 1) / 2 * 2) }
        var power = 1
        while power <= value / 10 { power *= 10 }
        for factor in [1, 2, 4, 6, 8, 10] where power * factor >= value { return power * factor }
        return power * 10
    }

    /// `12`, `1.5k`, `20k`, `3M`.
    private static func short(_ value: Int, _ output: inout Markup) {
        let (scale, unit): (Int, StaticString) =
            value >= 1_000_000 ? (1_000_000, "M") : value >= 1_000 ? (1_000, "k") : (1, "")
        output.number(value / scale)
        if scale > 1, value % scale != 0 {
            output.add(".")
            output.number(value % scale * 10 / scale)
        }
        output.add(unit)
    }

    /// With at most two digits behind the point.
    private static func decimal(_ value: Double, _ output: inout Markup) {
        let hundredths = Int((value * 100).rounded())
        output.number(hundredths / 100)
        let rest = abs(hundredths % 100)
        guard rest > 0 else { return }
        output.add(".")
        if rest < 10 { output.add("0") }
        output.number(rest % 10 == 0 && rest >= 10 ? rest / 10 : rest)
    }
}
