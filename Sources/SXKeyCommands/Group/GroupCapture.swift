import CommandKit
import CryptoPrimitives
import JSONCoding
import Keyring
import SophaxCore
import SophaxFiles
import SystemIO

/// A message that was found in a file: a group message, something that is none, or what is wrong at its place.
struct CapturedGroupMessage {
    enum Content {
        case message(GroupMessagePayload)
        /// A message of an MLS group.
        case mls(GroupID)
        /// A message of another type.
        case other
        case unreadable(String)
    }

    let path: FilePath
    let place: CapturedItem.Place
    let content: Content
    /// Who signed it; nil for a payload without an envelope.
    var verdict: SignatureVerdict?
    /// Who sent the envelope; nil for a payload without one.
    var envelopeSender: PeerID?
}

/// Reads files of messages and takes the group messages out of them, relayed and sealed ones too.
final class GroupCapture {
    private let keys: OpenedKeys
    private let identity: Identity?
    private let senders: [SenderKey]
    /// Messages inside of messages, at most.
    private static let deepest = 8

    init(_ keys: OpenedKeys) throws(CommandError) {
        self.keys = keys
        identity = keys.publicKeys == nil ? nil : try keys.privateKeys()
        var senders: [SenderKey] = []
        if let publicKeys = keys.publicKeys { senders.append(SenderKey(publicKeys, .own(keys.username ?? []))) }
        for contact in keys.contacts {
            for key in contact.keys {
                senders.append(
                    SenderKey(
                        key.keys, .contact(contact.name.bytes, isVerified: key.mark != nil, isReplaced: !key.isCurrent))
                )
            }
        }
        self.senders = senders
    }

    /// All messages of a file, in its order.
    func read(_ path: FilePath) throws(CommandError) -> [CapturedGroupMessage] {
        let input = try InputFile.forCommand(path)
        var reader: CaptureReader
        do throws(CaptureError) {
            reader = try CaptureReader.open(input)
        } catch {
            // Standard input cannot be read once more.
            guard error == .foreign(.payload), path != "-" else { throw .capture(error, path) }
            return [try payload(path)]
        }
        if reader.kind == nil {
            guard let key = try keys.item(.storageMaster), key.count == StoreKey.length else {
                throw .capture(.encrypted, path)
            }
            do throws(CaptureError) { try reader.decrypt(with: key) } catch { throw .capture(error, path) }
        }
        var book = SenderBook(senders)
        var found: [CapturedGroupMessage] = []
        while true {
            let item: CapturedItem?
            do throws(CaptureError) { item = try reader.nextItem() } catch { throw .capture(error, path) }
            guard let item else { return found }
            switch item.content {
            case .message(let message): found.append(take(message, path, item.place, &book, depth: 0))
            case .held: found.append(CapturedGroupMessage(path: path, place: item.place, content: .other))
            case .unreadable(let problem):
                found.append(
                    CapturedGroupMessage(path: path, place: item.place, content: .unreadable(problem.sentence)))
            }
        }
    }

    /// A file that is the payload of a group message, without an envelope.
    private func payload(_ path: FilePath) throws(CommandError) -> CapturedGroupMessage {
        var input = try InputFile.forCommand(path)
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try input.readAll(limit: WireLimits.messageBytes)
        } catch {
            throw .file(error)
        }
        do throws(FormatError) {
            let payload = try GroupMessagePayload(JSONObject(bytes, ceiling: WireLimits.messageBytes))
            return CapturedGroupMessage(path: path, place: .whole, content: .message(payload))
        } catch {
            throw .capture(.format(error), path)
        }
    }

    private func take(
        _ message: WireMessage, _ path: FilePath, _ place: CapturedItem.Place, _ book: inout SenderBook, depth: Int
    ) -> CapturedGroupMessage {
        func captured(
            _ content: CapturedGroupMessage.Content, _ verdict: SignatureVerdict? = nil
        ) -> CapturedGroupMessage {
            CapturedGroupMessage(
                path: path, place: place, content: content, verdict: verdict, envelopeSender: message.senderID)
        }
        let payload: WirePayload
        do throws(FormatError) {
            payload = try WirePayload(type: message.type, payload: message.payload)
        } catch {
            _ = book.judge(message, nil)
            return captured(.unreadable(error.sentence))
        }
        let verdict = book.judge(message, payload)
        switch payload {
        case .groupMessage(let payload): return captured(.message(payload), verdict)
        case .mlsMessage(let payload): return captured(.mls(GroupID(bytes: payload.groupID)), verdict)
        case .relay(let relay) where depth < Self.deepest:
            return take(relay.message, path, place, &book, depth: depth + 1)
        case .sealed(let sealed) where depth < Self.deepest:
            guard let inner = unsealed(sealed) else { return captured(.other, verdict) }
            return take(inner, path, place, &book, depth: depth + 1)
        default: return captured(.other, verdict)
        }
    }

    /// The message that is sealed for this identity; nil for one that is not.
    private func unsealed(_ sealed: SealedMessage) -> WireMessage? {
        switch identity {
        case .some(let identity):
            guard let opened = try? SealedSender.open(sealed, for: identity) else { return nil }
            return try? WireMessage(JSONObject(opened.inner, ceiling: WireLimits.messageBytes))
        case .none: return nil
        }
    }
}
