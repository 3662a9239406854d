import History
import SophaxFiles
import SystemIO

/// Messages as a folder of pages that opens from a disk in any browser, without a server and without the network.
///
/// `index.html` has the conversations, `search.html` looks into all texts, `statistics.html` has charts; `pages/` the
/// messages, at most 1,000 a page. Pages are made on threads of their own; memory holds a few of them, whatever the export.
package final class HTMLWriter: HistoryWriter {
    private let folder: ExportFolder
    private let zone: LocalZone
    private let workers: Int
    private var line: PageLine?
    private var search: SearchIndexWriter?
    private var conversations: [HTMLConversation] = []
    private var index: [ConversationID: Int] = [:]
    private var figures = PageFigures()
    private var people: PagePeople?
    private var isNamed = false
    /// Jobs that were given and results that were taken, in that order.
    private var given: [PageJobNote] = []

    private struct PageJobNote {
        let conversation: Int
        let page: Int
        let start: Int
        let messages: Int
    }

    /// - Parameters:
    ///   - zone: for the times that people read; machines find UTC beside them.
    ///   - workers: threads that make pages; with 0 the caller's thread does.
    package init(in folder: ExportFolder, zone: LocalZone = LocalZone(), workers: Int = processorCount()) {
        self.folder = folder
        self.zone = zone
        self.workers = workers
    }

    package var needs: ExportNeeds { [.overview, .places, .replied] }

    package func begin(_ overview: ExportOverview) throws(ExportError) {
        var people = PagePeople(overview.origin, overview.names)
        for (number, summary) in overview.conversations.enumerated() where index[summary.id] == nil {
            index[summary.id] = conversations.count
            let title = people.title(of: summary.id)
            conversations.append(
                HTMLConversation(
                    ConversationPlace(
                        number: number + 1, id: summary.id, title: title,
                        colour: PagePeople.colour(of: PeerIDForm.short.id(summary.id.text.bytes)),
                        initials: DisplayText.initials(title), messages: summary.messages)))
        }
        self.people = people
        isNamed = overview.origin.ownerName != nil
        line = PageLine(
            PageContext(
                origin: overview.origin, names: overview.names, attachments: overview.attachments,
                places: overview.places, zone: zone), workers: workers)
        try writing { (folder) throws(FileError) in
            try folder.makeFolder("assets")
            try folder.write(HTMLAssets.style, as: "style.css", in: "assets")
            try folder.write(HTMLAssets.pageScript, as: "page.js", in: "assets")
            try folder.write(HTMLAssets.searchScript, as: "search.js", in: "assets")
            try folder.makeFolder(FilePath("\(ConversationPlace.folderName)"))
            search = try SearchIndexWriter(in: folder)
        }
    }

    package func begin(conversation: ConversationID) throws(ExportError) {}

    package func write(_ part: ExportPart) throws(ExportError) {
        guard let number = index[part.conversation] else { return }
        var rest = part.messages[...]
        while !rest.isEmpty {
            let room = ConversationPlace.pageLength - conversations[number].pending.count
            conversations[number].pending += rest.prefix(room)
            rest = rest.dropFirst(room)
            if conversations[number].isPageReady { try givePage(number) }
        }
    }

    package func end(conversation: ConversationID) throws(ExportError) {}

    package func finish(_ totals: ExportTotals) throws(ExportError) {
        for number in conversations.indices where !conversations[number].pending.isEmpty { try givePage(number) }
        while !given.isEmpty { try takePage() }
        line = nil
        for number in conversations.indices { try endConversation(number) }
        let listed = conversations
        let (figures, owner, zone) = (figures, people?.owner, zone)
        try writing { (folder) throws(FileError) in
            var clock = LocalClock(zone)
            try folder.write(
                IndexPage.text(listed, figures, owner: isNamed ? owner : nil, &clock), as: "index.html")
            try folder.write(StatisticsPage.text(figures, conversations: listed.count), as: "statistics.html")
            try folder.write(SearchPage.text(), as: "search.html")
            try search?.finish(
                listed.map { ($0.place.number, $0.place.title, $0.place.id.kind == .group) })
        }
    }

    // MARK: Pages

    private func givePage(_ number: Int) throws(ExportError) {
        while let line, !line.hasRoom { try takePage() }
        guard let line else { return }
        let start = conversations[number].given
        let messages = conversations[number].pending
        conversations[number].pending = []
        conversations[number].given += messages.count
        let page = ConversationPlace.page(of: start)
        given.append(PageJobNote(conversation: number, page: page, start: start, messages: messages.count))
        line.give(
            PageJob(conversation: conversations[number].place, page: page, start: start, messages: messages))
    }

    /// Takes the oldest page that was given, and writes it.
    private func takePage() throws(ExportError) {
        guard let result = line?.take(), !given.isEmpty else { throw .stopped }
        let note = given.removeFirst()
        figures.add(result.figures)
        conversations[note.conversation].add(result, messages: note.messages)
        let place = conversations[note.conversation].place
        try writing { (folder) throws(FileError) in
            try folder.write(
                result.html, as: FilePath(place.fileName(page: note.page)),
                in: FilePath("\(ConversationPlace.folderName)"))
            try search?.add(result.words, conversation: place.number, position: note.start)
        }
        if conversations[note.conversation].isComplete { try endConversation(note.conversation) }
    }

    /// Writes the contents of a conversation of several pages, once all of them are there.
    private func endConversation(_ number: Int) throws(ExportError) {
        guard !conversations[number].hasContents else { return }
        conversations[number].hasContents = true
        let conversation = conversations[number]
        guard conversation.place.pages > 1 else { return }
        try writing { (folder) throws(FileError) in
            try folder.write(
                ContentsPage.text(conversation), as: FilePath(conversation.place.fileName(page: 0)),
                in: FilePath("\(ConversationPlace.folderName)"))
        }
        conversations[number].forgetMonths()
    }

    private func writing(_ body: (ExportFolder) throws(FileError) -> Void) throws(ExportError) {
        do throws(FileError) { try body(folder) } catch { throw .file(error) }
    }
}

/// A conversation on its way through the writer.
struct HTMLConversation {
    let place: ConversationPlace
    /// Messages of a page that is not full.
    fileprivate(set) var pending: [ExportMessage] = []
    /// Messages of pages that are made, or being made.
    fileprivate(set) var given = 0
    private(set) var written = 0
    fileprivate(set) var hasContents = false
    /// In the order in which they come first, with the position of their first message.
    private(set) var months: [(month: Int, first: Int, messages: Int)] = []
    private(set) var last: (time: PageTime?, sender: [UInt8]?, text: [UInt8])?

    init(_ place: ConversationPlace) {
        self.place = place
    }

    /// A conversation may come in two files: its last page waits for the second.
    fileprivate var isPageReady: Bool {
        pending.count >= ConversationPlace.pageLength || given + pending.count >= place.messages
    }

    fileprivate var isComplete: Bool { written >= place.messages }

    fileprivate mutating func add(_ page: PageResult, messages: Int) {
        written += messages
        for month in page.months {
            if let index = months.firstIndex(where: { $0.month == month.month }) {
                months[index].messages += month.messages
            } else {
                months.append(month)
            }
        }
        guard let preview = page.preview else { return }
        let known = last?.time?.utc.wholeUnixSeconds
        if let time = preview.time?.utc.wholeUnixSeconds {
            if known.map({ time >= $0 }) ?? true { last = preview }
        } else if known == nil {
            last = preview
        }
    }

    fileprivate mutating func forgetMonths() {
        months = []
    }
}
