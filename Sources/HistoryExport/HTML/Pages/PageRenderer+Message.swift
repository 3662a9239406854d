import History
import SophaxFiles

extension PageRenderer {
    mutating func append(
        _ view: MessageView, _ one: ExportMessage, after previous: MessageView?, in job: PageJob
    ) {
        let isNewDay = separate(view, after: previous)
        let continues = !isNewDay && Self.continues(view, after: previous)
        output.add("<article class=\"m ")
        switch view.direction {
        case .sent: output.add("out")
        case .received: output.add("in")
        case .unknown: output.add("sys")
        }
        if !continues { output.add(" first") }
        if one.isConflicting { output.add(" conflict") }
        output.add("\" id=\"m")
        output.number(view.position + 1)
        output.add("\">\n")
        if !continues { who(view) }
        output.add("<div class=\"bub\">")
        quote(view, one, in: job)
        content(view)
        meta(view, one)
        output.add("</div>")
        reactions(view)
        output.add("</article>\n")
    }

    private static func continues(_ view: MessageView, after previous: MessageView?) -> Bool {
        guard let previous, previous.sender.key == view.sender.key, previous.direction == view.direction,
            let time = view.time, let before = previous.time
        else { return false }
        return abs(time.utc.wholeUnixSeconds - before.utc.wholeUnixSeconds) <= groupSeconds
    }

    /// A heading where a day begins.
    private mutating func separate(_ view: MessageView, after previous: MessageView?) -> Bool {
        guard let time = view.time else {
            guard previous == nil || previous?.time != nil else { return false }
            output.add("<h2 class=\"day\"><span>No date</span></h2>\n")
            return true
        }
        if let before = previous?.time, before.local.dayText == time.local.dayText,
            before.offsetSeconds == time.offsetSeconds
        {
            return false
        }
        output.add("<h2 class=\"day\"><time datetime=\"")
        output.machineDay(time.local)
        output.add("\">")
        output.longDay(time)
        output.add("</time> <span>UTC")
        output.offset(time.offsetSeconds)
        output.add("</span></h2>\n")
        return true
    }

    private mutating func who(_ view: MessageView) {
        let person = view.sender
        guard view.direction != .unknown else {
            output.add("<h3 class=\"who vh\">No sender</h3>\n")
            return
        }
        if view.direction == .received { output.avatar(person.initials, colour: person.colour) }
        output.add("<h3 class=\"who p")
        output.number(person.colour)
        output.add("\">")
        output.name(person.name)
        output.add("</h3>\n")
    }

    private mutating func quote(_ view: MessageView, _ one: ExportMessage, in job: PageJob) {
        guard let id = view.message.text(.replyToID)?.byteText, !id.bytes.isEmpty else { return }
        let place = context.places.place(of: id, in: view.conversation.id)
        let replied = one.replied
        guard place != nil || replied != nil else {
            output.add("<span class=\"q gone\">In reply to a message that is not here</span>")
            return
        }
        let sender = replied.map { people.sender(of: $0, in: view.conversation.id) }
        if let place {
            output.add("<a class=\"q p")
            output.number(sender?.colour ?? 0)
            output.add("\" href=\"")
            let page = ConversationPlace.page(of: place)
            if page != job.page { output.text(view.conversation.fileName(page: page)) }
            output.add("#m")
            output.number(place + 1)
            output.add("\">")
        } else {
            output.add("<span class=\"q p")
            output.number(sender?.colour ?? 0)
            output.add("\">")
        }
        output.add("<span class=\"vh\">In reply to </span>")
        if let sender {
            output.add("<b>")
            output.name(sender.name)
            output.add("</b>")
        }
        output.add("<span class=\"qt\" dir=\"auto\">")
        output.text(Self.excerpt(replied))
        output.add(place == nil ? "</span></span>" : "</span></a>")
    }

    private static func excerpt(_ message: StoredMessage?) -> [UInt8] {
        guard let message else { return Array("earlier message".utf8) }
        if let body = message.body, !body.bytes.isEmpty { return DisplayText.beginning(body.bytes, limit: 160) }
        let name = message.text(.attachmentFilename)?.bytes ?? Array("no text".utf8)
        return DisplayText.beginning(DisplayText.line(name), limit: 160)
    }

    private mutating func content(_ view: MessageView) {
        if let attachment = view.attachment { attachment.append(to: &output) }
        if let body = view.body, !isReplaced(body.bytes, view.attachment) { text(body, in: "b") }
        if view.body == nil || view.isData || view.message.unknownKeys > 0 || view.message.isBroken { data(view) }
    }

    private func isReplaced(_ body: [UInt8], _ attachment: AttachmentView?) -> Bool {
        guard let attachment, attachment.way != .absent else { return false }
        return body.isEmpty || MessageView.isStandIn(body, fileName: attachment.fileName)
    }

    private mutating func text(_ body: StoredMessage.Text, in kind: StaticString) {
        guard !body.bytes.isEmpty else {
            output.add("<p class=\"b empty\">Empty message</p>")
            return
        }
        let traits = BodyText.traits(body.bytes)
        output.add("<p class=\"")
        output.add(kind)
        if traits.isEmojiOnly { output.add(" emoji") }
        output.add("\" lang=\"")
        output.text(traits.language)
        output.add("\" dir=\"auto\">")
        BodyText.append(body.bytes, to: &output)
        output.add("</p>")
        if body.problem != nil { output.add("<p class=\"note\">Some of this text was damaged in the source</p>") }
    }

    /// The longest JSON that is shown whole.
    private static let longestData = 16_384

    /// What the source says, word for word, where the page shows less than that.
    private mutating func data(_ view: MessageView) {
        let json = view.message.sourceJSON
        output.add(
            view.isData
                ? "<details class=\"data\" open><summary>Unknown content, as it is stored"
                : "<details class=\"data\"><summary>More data, as it is stored")
        output.add("</summary><pre dir=\"ltr\">")
        if json.count > Self.longestData {
            output.text(DisplayText.repaired(json.span.extracting(0..<Self.longestData)))
            output.add("\u{2026}</pre><p class=\"note\">")
            output.size(json.count - Self.longestData)
            output.add(" more</p></details>")
        } else {
            output.text(json)
            output.add("</pre></details>")
        }
    }

    // MARK: Below a message

    private mutating func meta(_ view: MessageView, _ one: ExportMessage) {
        if one.isConflicting {
            output.add("<p class=\"note warn\">Sources disagree: there is another message with the same id</p>")
        }
        edits(view, one)
        output.add("<p class=\"meta\">")
        expiry(view)
        output.add("<a href=\"#m")
        output.number(view.position + 1)
        output.add("\">")
        if let time = view.time {
            output.add("<time datetime=\"")
            output.machineTime(time.utc)
            output.add("\" title=\"")
            output.exactTime(time)
            output.add("\">")
            output.minute(time.local)
            output.add("</time>")
        } else {
            output.add("no date")
        }
        output.add("</a>")
        if view.time == nil, let source = view.message.time?.source {
            output.add(" <span>(")
            output.line(Array(source.utf8.prefix(64)))
            output.add(")</span>")
        }
        if view.direction == .sent { status(view) }
        output.add("</p>")
    }

    private mutating func expiry(_ view: MessageView) {
        guard view.message.has(.expiresAt) else { return }
        output.add("<span class=\"exp\">Disappearing message")
        if let seconds = view.message.time(.expiresAt)?.unixSeconds, let time = clock.time(at: seconds) {
            output.add(", until ")
            output.fullTime(time)
        }
        output.add("</span> ")
    }

    private mutating func edits(_ view: MessageView, _ one: ExportMessage) {
        guard view.message.isEdited || !one.earlier.isEmpty else { return }
        let time = view.message.time(.editedAt).flatMap { clock.time(at: $0.unixSeconds) }
        output.add(one.earlier.isEmpty ? "<p class=\"note ed\">" : "<details class=\"old\"><summary>")
        output.add(view.message.isEdited ? "Edited" : "Other versions")
        if let time {
            output.add(" ")
            output.fullTime(time)
        }
        guard !one.earlier.isEmpty else {
            output.add("</p>")
            return
        }
        output.add(" · ")
        output.count(one.earlier.count, "earlier version", "earlier versions")
        output.add("</summary>")
        for earlier in one.earlier {
            output.add("<div>")
            if let body = earlier.body { text(body, in: "b") }
            if let seconds = (earlier.time(.editedAt) ?? earlier.time)?.unixSeconds, let time = clock.time(at: seconds)
            {
                output.add("<p class=\"meta\">")
                output.fullTime(time)
                output.add("</p>")
            }
            output.add("</div>")
        }
        output.add("</details>")
    }

    private mutating func status(_ view: MessageView) {
        let message = view.message
        guard let status = message.status?.bytes else { return }
        let readers = message.list(.readBy)
        output.add(" <span class=\"st")
        switch status {
        case Array("read".utf8):
            output.add("\" title=\"Read")
            for (index, reader) in readers.prefix(50).enumerated() {
                output.add(index == 0 ? " by " : ", ")
                output.line(people.person(reader).name)
            }
            output.add("\"><span aria-hidden=\"true\">✓✓</span><span class=\"vh\">Read</span>")
        case Array("delivered".utf8):
            output.add("\" title=\"Delivered\"><span aria-hidden=\"true\">✓</span><span class=\"vh\">Delivered</span>")
        case Array("failed".utf8): output.add(" warn\">Not sent")
        case Array("sending".utf8): output.add("\">Sending")
        default:
            output.add("\">")
            output.line(DisplayText.beginning(status, limit: 40))
        }
        output.add("</span>")
    }

    /// Different reactions to a message that are shown, and people of each.
    private static let (mostReactions, mostPeople) = (50, 50)

    private mutating func reactions(_ view: MessageView) {
        guard view.message.has(.reactions) else { return }
        var groups: [(emoji: [UInt8], people: [ByteText], count: Int)] = []
        var places: [ByteText: Int] = [:]
        for reaction in view.message.reactions {
            let emoji = reaction.emoji.byteText
            let place = places[emoji] ?? groups.count
            if place == groups.count {
                places[emoji] = place
                groups.append((emoji.bytes, [], 0))
            }
            groups[place].count += 1
            if groups[place].people.count < Self.mostPeople { groups[place].people.append(reaction.sender) }
        }
        guard !groups.isEmpty else { return }
        output.add("<ul class=\"re\" aria-label=\"Reactions\">")
        for group in groups.prefix(Self.mostReactions) {
            output.add("<li title=\"")
            for (index, person) in group.people.enumerated() {
                if index > 0 { output.add(", ") }
                output.line(people.person(person).name)
            }
            output.add("\"><bdi>")
            output.line(DisplayText.beginning(group.emoji, limit: 16))
            output.add("</bdi>")
            if group.count > 1 {
                output.add(" ")
                output.grouped(group.count)
            }
            output.add("</li>")
        }
        if groups.count > Self.mostReactions {
            output.add("<li>")
            output.grouped(groups.count - Self.mostReactions)
            output.add(" more</li>")
        }
        output.add("</ul>")
    }
}
