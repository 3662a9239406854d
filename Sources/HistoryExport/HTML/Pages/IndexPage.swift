import SophaxFiles

/// The first page: all conversations, the newest first.
enum IndexPage {
    /// - Parameter owner: whose messages they are; nil when the source does not say.
    static func text(
        _ conversations: [HTMLConversation], _ figures: PageFigures, owner: PagePerson?, _ clock: inout LocalClock
    ) -> [UInt8] {
        var output = Markup()
        PageFrame.begin(&output, title: [Array("Messages".utf8)], depth: .top, kind: "plain")
        output.add("<header class=\"head\">\n<h1>Messages")
        if let owner {
            output.add(" of ")
            output.name(owner.name)
        }
        output.add("</h1>\n<p class=\"sum\">")
        output.count(figures.messages, "message", "messages")
        output.add(" in ")
        output.count(conversations.count, "conversation", "conversations")
        if let first = figures.first, let last = figures.last {
            output.add(", ")
            output.shortDay(first.local)
            if first.local.dayText != last.local.dayText {
                output.add(" to ")
                output.shortDay(last.local)
            }
        }
        output.add("</p>\n")
        PageFrame.parts(&output, depth: .top, current: "index.html")
        output.add(
            """
            <form class="search" role="search" data-search><label class="vh" for="q">Search all messages</label>\
            <input id="q" type="search" placeholder="Search all messages" autocomplete="off" spellcheck="false">\
            <button>Search</button></form>
            <noscript><p class="note">Searching needs JavaScript; everything else works without it.</p></noscript>
            </header>
            <main id="content" class="sheet">
            <ul class="convs">

            """)
        let sorted = conversations.enumerated().sorted { left, right in
            let times = [left, right].map { $0.element.last?.time?.utc.wholeUnixSeconds ?? Int.min }
            return times[0] == times[1] ? left.offset < right.offset : times[0] > times[1]
        }
        for (_, conversation) in sorted { append(conversation, &output) }
        output.add("</ul>\n")
        if conversations.isEmpty { output.add("<p>There are no messages in this export.</p>\n") }
        output.add("</main>\n")
        PageFrame.end(&output)
        return output.bytes
    }

    private static func append(_ conversation: HTMLConversation, _ output: inout Markup) {
        let place = conversation.place
        output.add("<li><a href=\"")
        output.add(ConversationPlace.folderName)
        output.add("/")
        output.text(place.firstFile)
        output.add("\">")
        output.avatar(place.initials, colour: place.colour)
        output.add("<span class=\"cn\">")
        output.name(place.title)
        output.add("</span>")
        if let time = conversation.last?.time {
            output.add("<time datetime=\"")
            output.machineTime(time.utc)
            output.add("\" title=\"")
            output.exactTime(time)
            output.add("\">")
            output.shortDay(time.local)
            output.add("</time>")
        }
        output.add("<span class=\"cl\" dir=\"auto\">")
        if let last = conversation.last {
            if let sender = last.sender {
                output.name(sender)
                output.add(": ")
            }
            output.add("<bdi>")
            output.line(last.text)
            output.add("</bdi>")
        }
        output.add("</span><span class=\"cc\">")
        output.count(place.messages, "message", "messages")
        output.add("</span></a></li>\n")
    }
}
