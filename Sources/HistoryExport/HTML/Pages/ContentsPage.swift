/// The months of a conversation of several pages.
enum ContentsPage {
    static func text(_ conversation: HTMLConversation) -> [UInt8] {
        let place = conversation.place
        var output = Markup()
        PageFrame.begin(&output, title: [place.title, Array("contents".utf8)], depth: .below, kind: "plain")
        output.add("<header class=\"top\"><div class=\"bar\">\n")
        output.add("<a class=\"back\" href=\"../index.html\" aria-label=\"All conversations\">←</a>\n")
        output.avatar(place.initials, colour: place.colour)
        output.add("<h1>")
        output.name(place.title)
        output.add("</h1>\n<a class=\"find\" href=\"../search.html\" title=\"Search (/)\" aria-label=\"Search\">")
        output.add(PageIcons.search)
        output.add("</a>\n</div></header>\n<main id=\"content\" class=\"sheet\">\n<p class=\"sum\">")
        output.count(place.messages, "message", "messages")
        output.add(" on ")
        output.count(place.pages, "page", "pages")
        output.add("</p>\n<p class=\"go\">")
        link(place, 1, "First page", &output)
        link(place, place.pages, "Last page", &output)
        output.add("</p>\n")
        months(conversation, &output)
        output.add("</main>\n")
        PageFrame.end(&output)
        return output.bytes
    }

    private static func link(_ place: ConversationPlace, _ page: Int, _ name: StaticString, _ output: inout Markup) {
        output.add("<a class=\"button\" href=\"")
        output.text(place.fileName(page: page))
        output.add("\">")
        output.add(name)
        output.add("</a> ")
    }

    private static func months(_ conversation: HTMLConversation, _ output: inout Markup) {
        let months = conversation.months.sorted { $0.month < $1.month }
        let most = months.map(\.messages).max() ?? 1
        var year = Int.min
        for month in months {
            if month.month / 12 != year {
                if year != Int.min { output.add("</ol></section>\n") }
                year = month.month / 12
                output.add("<section class=\"year\"><h2>")
                output.number(year)
                output.add("</h2><ol>")
            }
            let page = ConversationPlace.page(of: month.first)
            output.add("<li><a href=\"")
            output.text(conversation.place.fileName(page: page))
            output.add("#m")
            output.number(month.first + 1)
            output.add("\"><span>")
            output.add(DateWords.month(month.month % 12))
            output.add("</span><meter min=\"0\" max=\"")
            output.number(most)
            output.add("\" value=\"")
            output.number(month.messages)
            output.add("\" aria-hidden=\"true\"></meter><span class=\"n\">")
            output.grouped(month.messages)
            output.add("</span></a></li>")
        }
        if year != Int.min { output.add("</ol></section>\n") }
        if months.isEmpty { output.add("<p>No message has a date.</p>\n") }
    }
}
