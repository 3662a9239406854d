import CommandKit
import SophaxFiles
import StoreChanges
import SystemIO

/// What is told of lists that are written anew.
struct RebuildText {
    let rebuild: RebuildPlan
    let names: ContactNames

    /// Lists that are shown by name.
    private static let shown = 10

    private var counts: RebuildCounts { rebuild.counts }

    /// Sentences without a full stop, for a plan or a report.
    var lines: [(label: String, text: TerminalText)] {
        var lines: [(label: String, text: TerminalText)] = []
        if !rebuild.lists.isEmpty {
            lines.append(
                (
                    "Lists",
                    "\(count: rebuild.lists.count, "list") with \(count: counts.read, "message"); "
                        + "\(count: counts.written) of them are in the new lists"
                ))
        }
        if let added = counts.changes[.addedIsEdited] {
            lines.append(
                ("isEdited", "added to \(count: added, "message"), which say as before that nobody edited them"))
        }
        for (kind, count) in counts.changes.sorted(by: { $0.key.rawValue < $1.key.rawValue })
        where kind != .addedIsEdited {
            lines.append(("Changed", "\(count: count, "message"): \(trusted: kind.sentence)"))
        }
        if counts.copies > 0 {
            lines.append(("Copies", "\(count: counts.copies, "message") stood twice with the same content"))
        }
        if counts.united > 0 {
            lines.append(("United", "\(count: counts.united, "message") stood twice, at two times of their life"))
        }
        lines += names(of: rebuild.lists.filter { $0.sources.map(\.stem) != [$0.stem] })
        if !rebuild.newlyAside.isEmpty {
            lines.append(
                (
                    "Kept aside",
                    "\(count: rebuild.newlyAside.count, "entry", "entries") that no list of the app can hold, in "
                        + "\(trusted: BlobKind.refusedMessages.rawValue).enc, under the same key"
                ))
            for entry in rebuild.newlyAside.prefix(Self.shown) {
                lines.append(("", "\(names.title(of: entry.conversation)): \(trusted: entry.reason.sentence)"))
            }
        }
        for file in rebuild.blocked.prefix(Self.shown) {
            lines.append(
                ("As it was", "\(file.path.lastComponent): the name that it should have belongs to a damaged file"))
        }
        return lines
    }

    private func names(of lists: [RebuildPlan.List]) -> [(label: String, text: TerminalText)] {
        let texts = lists.prefix(Self.shown).map { list -> (label: String, text: TerminalText) in
            let sources = list.sources.map { "\($0.path.lastComponent)" as TerminalText }.joined(" and ")
            let name = FilePath(bytes: list.stem.bytes + Array(".enc".utf8))
            if list.isEmpty { return ("Names", "\(sources): nothing of it is left for a list") }
            return ("Names", "\(sources) → \(name)")
        }
        let rest = lists.count - texts.count
        return texts + (rest > 0 ? [("", "and \(rest) more; --json lists all")] : [])
    }

    func writeMembers(to json: inout JSONWriter) {
        json.member("messages") { json in
            json.object { json in
                json.member("read", counts.read)
                json.member("written", counts.written)
                json.member("copies", counts.copies)
                json.member("united", counts.united)
                json.member("aside", counts.refused)
                json.member("fragments", counts.fragments)
                json.member("changed", counts.changed)
            }
        }
        json.member("changes") { json in
            json.array(counts.changes.sorted { $0.key.rawValue < $1.key.rawValue }) { json, change in
                json.object { json in
                    json.member("code", change.key.rawValue)
                    json.member("count", change.value)
                }
            }
        }
        json.member("lists") { json in
            json.array(rebuild.lists) { json, list in
                json.object { json in
                    json.member("conversation", list.conversation.text.bytes)
                    json.member("name", list.isEmpty ? nil : list.stem.bytes + Array(".enc".utf8))
                    json.member("from") { json in
                        json.array(list.sources) { json, file in json.value(file.path.lastComponent.bytes) }
                    }
                    json.member("read", list.counts.read)
                    json.member("written", list.counts.written)
                }
            }
        }
        json.member("aside") { json in
            json.array(rebuild.newlyAside) { json, entry in
                json.object { json in
                    json.member("file", entry.file.bytes)
                    json.member("conversation", entry.conversation.text.bytes)
                    json.member("reason", entry.reason.code)
                }
            }
        }
        json.member("blocked") { json in
            json.array(rebuild.blocked) { json, file in json.value(file.path.lastComponent.bytes) }
        }
    }
}

extension MessageChange.Kind {
    /// What was done to a message; lower case, no full stop.
    var sentence: String {
        switch self {
        case .addedIsEdited: "isEdited was added"
        case .droppedNull: "a null, which the apps leave out, was left out"
        case .droppedCopy: "a key that stood twice with one value stands once"
        case .changedPeerID: "a peer id has its other length"
        case .escapedText: "a control character or an unknown escape is escaped"
        case .respelledNumber: "a number is spelled so that the apps read it"
        case .addedConversation: "the conversation that the file names was added"
        case .droppedValue: "a value that the apps refuse was left out; the source is kept aside"
        case .droppedOther: "of a key that stood twice the last value stays; the source is kept aside"
        case .replacedText: "bytes that are no text became U+FFFD; the source is kept aside"
        case .emptyBody: "there was no text; the source is kept aside"
        case .droppedKey: "a key that the app does not know was left out; the source is kept aside"
        case .roundedTime: "a time was rounded; the source is kept aside"
        case .unknownEditTime: "nothing says when it was edited; the source is kept aside"
        case .addedTime: "there was no time; the source is kept aside"
        }
    }
}

extension AsideEntry.Reason {
    /// Why it is in no list; lower case, no full stop.
    var sentence: String {
        switch self {
        case .refused(.unusable(let field)): "a message without a \(field.name) that the apps take"
        case .refused(.brokenID(let field)): "a message whose \(field.name) is no text"
        case .refused(.unreadable): "a message whose brackets or keys cannot be understood"
        case .conflictingID: "a message with the id of another, and other content"
        case .lossy(let kind): "the source of a message: \(kind.sentence)"
        case .fragment: "a piece of text that is no message"
        case .other(let code): code
        }
    }
}
