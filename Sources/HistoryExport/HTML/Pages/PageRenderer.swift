import History
import SophaxFiles
import SystemIO

/// A page to be made.
struct PageJob: Sendable {
    let conversation: ConversationPlace
    /// From 1.
    let page: Int
    /// Messages of the conversation before the first of these.
    let start: Int
    let messages: [ExportMessage]
}

/// What all pages need; the same for all threads.
struct PageContext: Sendable {
    let origin: HistoryOrigin
    let names: PeerNames
    let attachments: ExportedAttachments
    let places: ReplyPlaces
    let zone: LocalZone
}

/// Makes pages; one for each thread.
struct PageRenderer {
    /// Messages of one person so soon after each other are one group.
    static let groupSeconds = 300

    let context: PageContext
    var people: PagePeople
    var clock: LocalClock
    private var cutter = WordCutter()
    var output = Markup()

    init(_ context: PageContext) {
        self.context = context
        people = PagePeople(context.origin, context.names)
        clock = LocalClock(context.zone)
    }

    mutating func page(_ job: PageJob) -> PageResult {
        var result = PageResult()
        output.removeAll()
        output.reserve(job.messages.count * 640)
        let views = job.messages.enumerated().map { index, one in
            view(one.message, job.conversation, position: job.start + index)
        }
        for view in views { count(view, in: &result) }
        begin(job, result.months)
        var previous: MessageView?
        for (view, one) in zip(views, job.messages) {
            append(view, one, after: previous, in: job)
            previous = view
        }
        end(job)
        result.html = output.bytes
        return result
    }

    private mutating func view(
        _ message: StoredMessage, _ conversation: ConversationPlace, position: Int
    ) -> MessageView {
        let time = message.time
        return MessageView(
            message: message, conversation: conversation, position: position,
            sender: people.sender(of: message, in: conversation.id),
            time: time.flatMap { clock.time(at: $0.unixSeconds) }, isPlausible: time?.isPlausible ?? false,
            body: message.body, attachment: AttachmentView(message, conversation.id, context.attachments),
            direction: MessageView.direction(of: message))
    }

    private mutating func count(_ view: MessageView, in result: inout PageResult) {
        if view.isPlausible, let time = view.time {
            if let index = result.months.firstIndex(where: { $0.month == time.month }) {
                result.months[index].messages += 1
            } else {
                result.months.append((time.month, view.position, 1))
            }
        }
        let sender: PageWords.Sender
        if view.sender.isOwner {
            sender = .owner
        } else if view.conversation.id.kind == .direct, view.sender.name == view.conversation.title {
            sender = .other
        } else {
            sender = .named(DisplayText.line(view.sender.name))
        }
        let words = cutter.add(
            sender, body: view.body?.bytes ?? [], fileName: view.attachment?.fileName ?? [], time: view.minute,
            to: &result.words)
        result.figures.add(view, words: words)
        guard let time = view.time, view.isPlausible else {
            if result.preview == nil { result.preview = preview(view) }
            return
        }
        if let known = result.preview?.time, known.utc.wholeUnixSeconds > time.utc.wholeUnixSeconds { return }
        result.preview = preview(view)
    }

    private func preview(_ view: MessageView) -> (time: PageTime?, sender: [UInt8]?, text: [UInt8]) {
        let text: [UInt8]
        if let body = view.body, !body.bytes.isEmpty {
            text = DisplayText.beginning(body.bytes, limit: 90)
        } else {
            text = view.attachment.map { DisplayText.beginning($0.label, limit: 90) } ?? []
        }
        let isNamed = view.sender.isOwner || view.conversation.id.kind == .group
        return (view.isPlausible ? view.time : nil, isNamed ? view.sender.name : nil, text)
    }
}

// MARK: - Around the messages

extension PageRenderer {
    private mutating func begin(_ job: PageJob, _ months: [(month: Int, first: Int, messages: Int)]) {
        let conversation = job.conversation
        var title = [conversation.title]
        if conversation.pages > 1 { title.append(Array("page \(job.page) of \(conversation.pages)".utf8)) }
        PageFrame.begin(
            &output, title: title, depth: .below,
            kind: conversation.id.kind == .group ? "chat group" : "chat")
        output.add("<header class=\"top\"><div class=\"bar\">\n")
        output.add("<a class=\"back\" href=\"../index.html\" aria-label=\"All conversations\">←</a>\n")
        output.avatar(conversation.initials, colour: conversation.colour)
        output.add("<h1>")
        output.name(conversation.title)
        output.add("</h1>\n")
        pager(job, isTop: true)
        output.add("<a class=\"find\" href=\"../search.html\" title=\"Search (/)\" aria-label=\"Search\">")
        output.add(PageIcons.search)
        output.add("</a>\n</div></header>\n<main id=\"content\" class=\"log\">\n")
        guard months.count > 1 else { return }
        output.add("<nav class=\"months\" aria-label=\"Months on this page\">")
        for month in months {
            output.add("<a href=\"#m")
            output.number(month.first + 1)
            output.add("\">")
            output.monthName(month.month)
            output.add("</a>")
        }
        output.add("</nav>\n")
    }

    private mutating func end(_ job: PageJob) {
        output.add("</main>\n<footer class=\"foot\">\n")
        pager(job, isTop: false)
        output.add("<p class=\"keys\"><kbd>j</kbd> <kbd>k</kbd> messages · <kbd>n</kbd> <kbd>p</kbd> pages · ")
        output.add("<kbd>/</kbd> search</p>\n</footer>\n")
        PageFrame.end(&output)
    }

    private mutating func pager(_ job: PageJob, isTop: Bool) {
        let conversation = job.conversation
        guard conversation.pages > 1 else { return }
        func link(_ page: Int, _ name: StaticString, _ sign: StaticString, _ relation: StaticString) {
            guard page >= 1, page <= conversation.pages, page != job.page else {
                output.add("<span aria-hidden=\"true\">")
                output.add(sign)
                output.add("</span>")
                return
            }
            output.add("<a href=\"")
            output.text(conversation.fileName(page: page))
            output.add("\" aria-label=\"")
            output.add(name)
            output.add("\" title=\"")
            output.add(name)
            output.add("\"")
            output.add(relation)
            output.add(">")
            output.add(sign)
            output.add("</a>")
        }
        output.add(
            isTop ? "<nav class=\"pager\" aria-label=\"Pages\">" : "<nav class=\"pager\" aria-label=\"Pages, again\">")
        link(job.page > 1 ? 1 : 0, "First page", "«", "")
        link(job.page - 1, "Previous page", "‹", " rel=\"prev\"")
        output.add("<a class=\"at\" href=\"")
        output.text(conversation.fileName(page: 0))
        output.add("\" title=\"Contents by month\">")
        output.grouped(job.page)
        output.add(" / ")
        output.grouped(conversation.pages)
        output.add("</a>")
        link(job.page + 1, "Next page", "›", " rel=\"next\"")
        link(job.page < conversation.pages ? conversation.pages : 0, "Last page", "»", "")
        output.add("</nav>\n")
    }
}
