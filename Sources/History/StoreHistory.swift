import CryptoPrimitives
import PortableBundle
import SophaxFiles
import SystemIO

/// History of a message store, opened with its key.
///
/// Files are read on as many threads as asked for, in the order of their names; memory holds the conversations in flight,
/// for a conversation is one AES-GCM box.
package struct StoreHistory: HistorySource {
    package let origin: HistoryOrigin
    package let folder: StoreFolder
    /// The names that come with the key, from a keyring.
    package let names: PeerNames
    private let key: SharedHistoryKey
    private let chosen: [ConversationFiles]?

    /// - Parameter chosen: the only conversations that are read, where these are known beforehand.
    package init(
        _ folder: StoreFolder, key: borrowing SecretBytes, path: FilePath, names: PeerNames = PeerNames(),
        only chosen: [ConversationFiles]? = nil
    ) throws(HistoryError) {
        do throws(SecretMemoryError) {
            self.key = SharedHistoryKey(try key.copy())
        } catch {
            throw .outOfMemory(requested: key.count)
        }
        self.folder = folder
        self.names = names
        self.chosen = chosen
        let bytes = chosen.map { $0.reduce(0) { $0 + $1.size } } ?? folder.totalBytes
        origin = HistoryOrigin(.store, path: path, bytes: bytes)
    }

    package func send(_ request: HistoryRequest, to sink: any HistorySink) throws(HistoryError) {
        if !names.isEmpty { try sink.take(names) }
        var tally = Tally()
        try sendConversations(request, to: sink, &tally)
        if request.wantsAttachments { try sendAttachments(request, to: sink, &tally) }
        if tally.opened == 0, tally.notAuthentic > 0 { throw .wrongKey }
    }

    private struct Tally {
        var opened = 0
        var notAuthentic = 0

        mutating func add(_ failure: StoreFileFailure) {
            if failure == .notAuthentic { notAuthentic += 1 }
        }
    }

    // MARK: Messages

    private func sendConversations(
        _ request: HistoryRequest, to sink: any HistorySink, _ tally: inout Tally
    ) throws(HistoryError) {
        let groups = (chosen ?? ConversationFiles.grouping(folder.conversations)).sorted {
            $0.files[0].stem < $1.files[0].stem
        }
        let wave = max(1, request.workers)
        for start in stride(from: 0, to: groups.count, by: wave) {
            let some = Array(groups[start..<min(start + wave, groups.count)])
            for (group, (content, digest)) in zip(some, try read(some, digests: request.wantsDigests)) {
                request.progress(group.size)
                tally.opened += content.opened
                for (file, failure) in content.failures {
                    tally.add(failure)
                    try sink.take(HistoryLoss(ByteText(file.path.bytes), .conversations, .file(failure)))
                }
                let lost = content.problems.count { $0.problem.losesMessage } + content.unlistedLosses
                if lost > 0 {
                    let name = group.files.last.map { ByteText($0.path.bytes) } ?? content.guess.text
                    try sink.take(HistoryLoss(name, .conversations, .messages(lost)))
                }
                let file = group.files[group.files.count - 1]
                for (id, messages) in content.byConversation where request.conversations(id) {
                    var part = HistoryPart(id, messages, isStrict: content.isStrict, bytes: group.size)
                    part.item = ByteText(file.path.lastComponent.bytes)
                    part.sha256 = digest
                    try sink.take(part)
                }
            }
        }
    }

    /// Reads conversations, each on a thread, with the SHA-256 of its file where that is asked for. Of two files it is the
    /// newer one's, which most of the messages come from.
    private func read(
        _ groups: [ConversationFiles], digests: Bool
    ) throws(HistoryError) -> [(ConversationReader.Content, [UInt8]?)] {
        do throws(StoreFileFailure) {
            return try parallelMap(
                groups, workers: groups.count,
                makeState: { () throws(StoreFileFailure) in try ConversationReader(key: key.key) },
                { (reader, group) throws(StoreFileFailure) in
                    (reader.read(group), digests ? group.files.last.flatMap { FileDigest.sha256($0.path) } : nil)
                })
        } catch {
            throw .storeFile(folder.messagesPath, error)
        }
    }

    // MARK: Attachments

    /// Files up to this size are opened whole in memory; a larger one is judged first and then read in pieces.
    private static let wholeCeiling = 8 << 20

    private func sendAttachments(
        _ request: HistoryRequest, to sink: any HistorySink, _ tally: inout Tally
    ) throws(HistoryError) {
        var reader: StoreFileReader
        do throws(StoreFileFailure) { reader = try StoreFileReader(key: key.key) } catch {
            throw .storeFile(folder.messagesPath, error)
        }
        for file in folder.attachments.sorted(by: { $0.stem < $1.stem }) where request.takes(attachment: file.stem) {
            let outcome: Result<Void, StoreFileFailure>
            if file.size > Self.wholeCeiling {
                outcome = try sendLarge(file, to: sink)
            } else {
                outcome = try sendWhole(file, &reader, to: sink)
            }
            switch outcome {
            case .success: tally.opened += 1
            case .failure(let failure):
                tally.add(failure)
                try sink.take(HistoryLoss(ByteText(file.path.bytes), .attachments, .file(failure)))
            }
            request.progress(file.size)
        }
    }

    private func sendWhole(
        _ file: StoreFile, _ reader: inout StoreFileReader, to sink: any HistorySink
    ) throws(HistoryError) -> Result<Void, StoreFileFailure> {
        let bytes: [UInt8]
        do throws(StoreFileFailure) { bytes = try reader.bytes(of: file) } catch { return .failure(error) }
        if try sink.begin(attachment: file.stem, size: bytes.count) {
            try sink.take(attachment: bytes.span)
            try sink.endAttachment()
        }
        return .success(())
    }

    /// GCM gives text before it can judge it, so the file is read twice: nothing goes on that is not authentic.
    private func sendLarge(
        _ file: StoreFile, to sink: any HistorySink
    ) throws(HistoryError) -> Result<Void, StoreFileFailure> {
        var stream: SealedStream
        do throws(StoreFileFailure) { stream = try SealedStream(key: key.key) } catch {
            throw .storeFile(file.path, error)
        }
        let mark: SealedStream.Mark
        do throws(StoreFileFailure) { mark = try stream.judge(file.path) } catch { return .failure(error) }
        guard try sink.begin(attachment: file.stem, size: mark.size) else { return .success(()) }
        var pieces = AttachmentPieces(sink: sink)
        do throws(EntryError) {
            guard try stream.read(file.path, into: &pieces) == mark else { throw .changed(file.path) }
        } catch {
            throw pieces.failure ?? .entries(error)
        }
        try sink.endAttachment()
        return .success(())
    }
}

/// A key that a source keeps as long as it may be read.
private final class SharedHistoryKey: Sendable {
    let key: SecretBytes

    init(_ key: consuming SecretBytes) {
        self.key = key
    }
}

/// Hands the bytes of one file on.
private struct AttachmentPieces: EntrySink {
    let sink: any HistorySink
    private(set) var failure: HistoryError?

    init(sink: any HistorySink) {
        self.sink = sink
    }

    mutating func begin(_ entry: ManifestEntry) throws(EntryError) {}

    mutating func take(_ bytes: Span<UInt8>) throws(EntryError) {
        do throws(HistoryError) {
            try sink.take(attachment: bytes)
        } catch {
            failure = error
            throw .stopped
        }
    }

    mutating func end(_ entry: ManifestEntry) throws(EntryError) {}
}
