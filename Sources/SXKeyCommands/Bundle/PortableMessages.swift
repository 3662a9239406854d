import CommandKit
import History
import PortableBundle
import SophaxCore
import SophaxFiles
import SystemIO

/// The messages of a `.sxb`, one conversation after the other.
struct PortableMessages {
    let source: SXBSource
    let path: FilePath

    /// The conversations whose id is or begins with `word`, or all, in the order of the bundle.
    func conversations(named word: [UInt8]?) throws(CommandError) -> [ConversationID] {
        var all: [ConversationID] = []
        var seen: Set<ConversationID> = []
        for entry in source.manifest.entries(of: .conversations) {
            if case .conversation(let id, _, _) = entry.content, seen.insert(id).inserted { all.append(id) }
        }
        guard let word else { return all }
        let wanted = word == Array("notes".utf8) ? ConversationID.notesToSelf : ConversationID(ByteText(word))
        if seen.contains(wanted) { return [wanted] }
        let beginning = all.filter {
            $0.text.bytes.starts(with: word) || $0.text.bytes.starts(with: Array("group.".utf8) + word)
        }
        if beginning.count > 1 { throw .severalConversations(word, matching: beginning) }
        if beginning.isEmpty { throw .noConversation(word, known: Array(all.prefix(5))) }
        return beginning
    }

    /// What reading came to.
    struct Tally {
        var conversations = 0
        /// Messages that could not be read.
        var lost = 0
    }

    /// Hands over each of the conversations with the names that the bundle has for people. The source is read to its end,
    /// for only then is it proven.
    func read(
        _ wanted: [ConversationID],
        _ body: @escaping (ConversationPass.Conversation, ContactNames) throws(CommandError) -> Void
    ) throws(CommandError) -> Tally {
        let chosen = Set(wanted)
        var names = ContactNames()
        var tally = Tally()
        var failure: CommandError?
        do throws(EntryError) {
            try ConversationPass.run(source) { entry in
                switch entry.content {
                case .document(.contacts): true
                case .conversation(let id, _, _): chosen.contains(id)
                default: false
                }
            } body: { part in
                switch part {
                case .document(let document): names = ContactNames(document.head)
                case .conversation(let conversation):
                    tally.conversations += 1
                    tally.lost += conversation.lost
                    do throws(CommandError) {
                        try body(conversation, names)
                    } catch {
                        failure = error
                        return false
                    }
                }
                return true
            }
        } catch {
            if let failure { throw failure }
            throw .entries(error, path)
        }
        return tally
    }

    /// Says what is not in the bundle, and with which status to exit.
    func status(_ tally: Tally, _ context: Context) -> ExitStatus {
        let absent = source.manifest.notIncluded.count { $0.part == .conversations && $0.reason == .unreadable }
        guard tally.lost + absent > 0 else { return .success }
        context.console.note(
            "sxkey: \(tally.lost + absent) parts could not be read; \"sxkey bundle verify\" lists them")
        return .someDamaged
    }
}
