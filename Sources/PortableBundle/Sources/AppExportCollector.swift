import CryptoPrimitives
import JSONCoding
import SophaxCore
import SophaxFiles

/// Gathers what a source has into the export of an app, which is written in one piece, and counts what that cannot hold.
package struct AppExportCollector: EntrySink {
    package let kind: BundleKind
    /// What the app cannot read of the messages.
    package private(set) var losses = FormatLosses()
    /// Messages that were taken.
    package private(set) var messages = 0
    /// Lines of conversations that are no message at all.
    package private(set) var unreadable = 0
    private(set) var conversations: [AppExportContent.Conversation] = []
    private let rewriter: MessageRewriter
    private let conversion: PlatformConversion
    private var text: [UInt8] = []
    /// The entry is a conversation; attachments pass, and may be of any size.
    private var isText = false

    /// - Parameter readAt: Unix seconds for messages of Android without a time.
    package init(_ kind: BundleKind, readAt: Double) {
        self.kind = kind
        let platform: MessagePlatform = kind == .android ? .android : .ios
        rewriter = MessageRewriter(for: platform)
        conversion = platform == .android ? .toAndroid : .toIOS(readAt: readAt)
    }

    package mutating func begin(_ entry: ManifestEntry) {
        text.removeAll(keepingCapacity: true)
        isText = if case .conversation = entry.content { PortableKind.messages.isHeld(by: kind) } else { false }
    }

    package mutating func take(_ bytes: Span<UInt8>) {
        if isText { unsafe bytes.withUnsafeBufferPointer { unsafe text.append(contentsOf: $0) } }
    }

    package mutating func end(_ entry: ManifestEntry) throws(EntryError) {
        guard case .conversation(let id, let platform, _) = entry.content, PortableKind.messages.isHeld(by: kind) else {
            return
        }
        var lines: [UInt8] = []
        swap(&lines, &text)
        let list: [UInt8]
        do throws(OutOfMemory) {
            list = try self.list(lines, id, platform)
        } catch {
            throw .outOfMemory(requested: error.requested)
        }
        let own = kind == .android ? PeerIDForm.short.conversation(id) : id
        conversations.append(AppExportContent.Conversation(own, list: list))
    }

    private mutating func list(
        _ lines: consuming [UInt8], _ id: ConversationID, _ platform: MessagePlatform
    ) throws(OutOfMemory) -> [UInt8] {
        var list = AppMessageList(reservingBytes: lines.count)
        let (found, outcome) = try ConversationText.messages(of: lines, platform: platform)
        switch outcome {
        case .strict, .stopped: break
        case .tolerant(let problems): unreadable += problems.losses
        case .notMessages: unreadable += 1
        }
        let toAndroid = kind == .android
        for message in found {
            let rewritten =
                message.isAndroid == toAndroid
                ? rewriter.rewrite(message, isStrict: outcome.isSound, in: id)
                : conversion.convert(message, isStrict: outcome.isSound, in: id)
            losses.add(rewritten)
            switch rewritten {
            case .unchanged: list.append(message)
            case .changed(let json, _): list.append(json)
            case .refused: continue
            }
            messages += 1
        }
        if toAndroid {
            losses.add(.droppedByAndroid, count: max(0, list.count - PlatformConversion.androidCeiling))
        }
        return list.finished()
    }
}
