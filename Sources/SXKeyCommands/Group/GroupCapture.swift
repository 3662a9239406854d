import CommandKit
import CryptoPrimitives
import JSONCoding
import Keyring
import SophaxCore
import SophaxFiles
import SystemIO

/// A message that was found in a file: a group message, or what is wrong at its place.
struct CapturedGroupMessage {
    enum Content {
        case message(GroupMessagePayload)
        /// A message of an MLS group.
        case mls(GroupID)
        /// It cannot be read.
        case unreadable(String)
        /// What is inside is sealed, and did not open.
        case sealed(WireOpenFailure)
    }

    let path: FilePath
    let place: CapturedItem.Place
    let content: Content
    /// How strongly it is proven who signed it.
    var proof = SenderProof(nil)
    /// Who sent the envelope; nil for a payload without one.
    var envelopeSender: PeerID?
}

/// What was found in all files of a run.
struct CapturedGroupMessages {
    /// Messages of groups, and the first of what could not be read.
    private(set) var found: [CapturedGroupMessage] = []
    /// Messages that are none of a group.
    private(set) var others = 0
    /// Beyond the first ones, which are only counted.
    private(set) var untoldUnreadable = 0
    private(set) var untoldSealed = 0
    /// Of those, sealed for somebody else or changed.
    private(set) var untoldNotAuthentic = 0
    private(set) var untoldMLS = 0
    /// Queues with nothing in them.
    private(set) var emptyQueues = 0

    private var messages = 0
    private var bytes = 0
    private var told = 0
    /// Places that cannot be read or unsealed of which each is told: a capture may end in any number of empty frames.
    static let mostTold = 1_000
    /// Messages of groups that are held at a time, to be opened in the order in which they were sent.
    static let mostMessages = 1_000_000
    /// Bytes of their ciphertexts.
    static let mostBytes = 1 << 30

    mutating func add(_ message: CapturedGroupMessage) throws(CommandError) {
        switch message.content {
        case .message(let payload):
            messages += 1
            bytes += payload.ciphertext.count + (payload.attachmentCiphertext?.count ?? 0)
            guard messages <= Self.mostMessages, bytes <= Self.mostBytes else {
                throw .group(.tooManyMessages(limit: min(messages, Self.mostMessages)))
            }
            found.append(message)
        case .mls, .unreadable, .sealed:
            if told < Self.mostTold {
                told += 1
                found.append(message)
            } else {
                count(message.content)
            }
        }
    }

    private mutating func count(_ content: CapturedGroupMessage.Content) {
        switch content {
        case .message: break
        case .mls: untoldMLS += 1
        case .unreadable: untoldUnreadable += 1
        case .sealed(let failure):
            untoldSealed += 1
            if failure.isNotAuthentic { untoldNotAuthentic += 1 }
        }
    }

    mutating func addOther() { others += 1 }
    mutating func addEmptyQueue() { emptyQueues += 1 }
}

/// Reads files of messages and takes the group messages out of them, however they are wrapped.
final class GroupCapture {
    private let keys: OpenedKeys
    private let opener: WireOpener

    init(_ keys: OpenedKeys) throws(CommandError) {
        self.keys = keys
        opener = try WireOpener(keys)
    }

    /// Takes all messages of a file, in its order.
    func read(_ path: FilePath, into messages: inout CapturedGroupMessages) throws(CommandError) {
        let input = try InputFile.forCommand(path)
        var payload: [UInt8]?
        var reader: CaptureReader
        do throws(CaptureError) {
            reader = try CaptureReader.open(input, payload: &payload)
        } catch {
            guard let payload else { throw .capture(error, path) }
            return try messages.add(try Self.message(payload, path))
        }
        if reader.kind == nil {
            guard let key = try keys.item(.storageMaster), key.count == StoreKey.length else {
                throw .capture(.encrypted, path)
            }
            do throws(CaptureError) { try reader.decrypt(with: key) } catch { throw .capture(error, path) }
        }
        if reader.kind == .emptyQueue { messages.addEmptyQueue() }
        // What one file brings says nothing of another.
        let looker = WireLooker(
            SenderBook(keys.senderKeys), names: keys, opener: opener, opens: true, unwrapsOnly: true)
        while true {
            let item: CapturedItem?
            do throws(CaptureError) { item = try reader.nextItem() } catch { throw .capture(error, path) }
            guard let item else { return }
            switch item.content {
            case .message(let message):
                try take(looker.look(at: message, size: item.size ?? 0), path, item.place, &messages)
            case .held(let held):
                guard let inner = looker.look(atHeld: held) else { continue }
                try take(inner, path, item.place, &messages)
            case .unreadable(let problem):
                try messages.add(
                    CapturedGroupMessage(path: path, place: item.place, content: .unreadable(problem.sentence)))
            }
        }
    }

    /// A file that is the payload of a group message, without an envelope.
    private static func message(_ payload: [UInt8], _ path: FilePath) throws(CommandError) -> CapturedGroupMessage {
        do throws(FormatError) {
            let payload = try GroupMessagePayload(JSONObject(payload, ceiling: WireLimits.messageBytes))
            return CapturedGroupMessage(path: path, place: .whole, content: .message(payload))
        } catch {
            throw .capture(.format(error), path)
        }
    }

    private func take(
        _ shown: ShownMessage, _ path: FilePath, _ place: CapturedItem.Place,
        _ messages: inout CapturedGroupMessages
    ) throws(CommandError) {
        func captured(_ content: CapturedGroupMessage.Content) -> CapturedGroupMessage {
            CapturedGroupMessage(
                path: path, place: place, content: content, proof: shown.proof,
                envelopeSender: shown.message.senderID)
        }
        switch shown.payload {
        case .failure(let error): try messages.add(captured(.unreadable(error.sentence)))
        case .success(.groupMessage(let payload)): try messages.add(captured(.message(payload)))
        case .success(.mlsMessage(let payload)): try messages.add(captured(.mls(GroupID(bytes: payload.groupID))))
        case .success:
            guard !shown.inner.isEmpty else { return messages.addOther() }
            for inner in shown.inner { try take(inner, path, place, &messages) }
        }
    }

    private func take(
        _ inner: InnerMessage, _ path: FilePath, _ place: CapturedItem.Place,
        _ messages: inout CapturedGroupMessages
    ) throws(CommandError) {
        switch inner.content {
        case .success(let shown): try take(shown, path, place, &messages)
        case .failure(let failure):
            try messages.add(CapturedGroupMessage(path: path, place: place, content: .sealed(failure)))
        }
    }
}
