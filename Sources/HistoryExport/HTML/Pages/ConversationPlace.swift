import SophaxFiles

/// Which page of which conversation: what pages are called, and where their messages are.
struct ConversationPlace: Sendable {
    /// Messages of a page.
    static let pageLength = 1_000
    static let folderName: StaticString = "pages"

    /// From 1, in the order of the source.
    let number: Int
    let id: ConversationID
    let title: [UInt8]
    let colour: Int
    let initials: [UInt8]
    /// Messages in all.
    let messages: Int

    /// At least 1.
    var pages: Int { max(1, (messages + Self.pageLength - 1) / Self.pageLength) }

    /// From 1, of the message with so many before it.
    static func page(of position: Int) -> Int { position / pageLength + 1 }

    /// `c0012-0003.html`; page 0 is the table of contents.
    static func fileName(_ conversation: Int, page: Int) -> String {
        var name = "c" + digits(conversation)
        if page > 0 { name += "-" + digits(page) }
        return name + ".html"
    }

    func fileName(page: Int) -> String { Self.fileName(number, page: page) }

    /// The page to open first: the contents, where there is more than one page.
    var firstFile: String { fileName(page: pages > 1 ? 0 : 1) }

    private static func digits(_ number: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, 4 - text.utf8.count)) + text
    }
}

/// What became of one page: the page, and what the rest of the export needs of it.
struct PageResult: Sendable {
    var html: [UInt8] = []
    var words = PageWords()
    var figures = PageFigures()
    /// Months with the position of their first message on the page.
    var months: [(month: Int, first: Int, messages: Int)] = []
    /// The page's last message for the list of conversations.
    var preview: (time: PageTime?, sender: [UInt8]?, text: [UInt8])?
}
