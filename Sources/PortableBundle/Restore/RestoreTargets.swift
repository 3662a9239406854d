import CryptoPrimitives
import SophaxFiles
import SystemIO

/// Where in a store each entry of a bundle goes, told from its manifest.
package struct RestoreTargets: Sendable {
    /// Entries that become one file: mostly one, and several conversations where the app's rule gives them one name.
    package struct File: Sendable {
        /// From the store's folder on, such as `sophax_messages/notetoself.enc`.
        package let path: FilePath
        package let part: BundlePart
        /// Bytes of the entries.
        fileprivate(set) var size: Int
        /// Places in the manifest.
        package fileprivate(set) var entries: [Int]
    }

    package private(set) var files: [File] = []
    /// Entries that no store can have, by place, and why, in a few words.
    package private(set) var refused: [(entry: Int, reason: String)] = []
    /// The file of an entry.
    private var fileOfEntry: [Int: Int] = [:]

    /// - Parameters:
    ///   - takes: parts that are restored.
    ///   - peerIDs: the form of peer ids in the store, when there is one.
    package init(
        _ manifest: Manifest, takes: Set<BundlePart> = [.conversations, .blobs, .attachments],
        peerIDs: PeerIDForm? = nil
    ) {
        var places: [FilePath: Int] = [:]
        for (index, entry) in manifest.entries.enumerated() {
            guard let part = entry.content.part, takes.contains(part) else { continue }
            let name: FilePath
            switch entry.content {
            case .conversation(let id, _, _):
                name = StoreFolder.messagesName.appending(
                    Self.conversationName(peerIDs?.conversation(id) ?? id))
            case .blob(let id):
                guard BlobKind.allCases.contains(where: { ByteText($0.rawValue) == id }) else {
                    refused.append((index, "no app has such a file"))
                    continue
                }
                name = StoreFolder.messagesName.appending(FilePath(bytes: id.bytes + Array(".enc".utf8)))
            case .attachment(let id):
                guard !id.bytes.isEmpty, id.bytes.count <= 255, attachmentFileName(for: id) == id else {
                    refused.append((index, "no app gives an attachment such a name"))
                    continue
                }
                name = StoreFolder.attachmentsName.appending(FilePath(bytes: id.bytes))
            case .document, .other: continue
            }
            if let file = places[name] {
                guard part == .conversations else {
                    refused.append((index, "another entry has its name"))
                    continue
                }
                // They are in memory together, until the last one came.
                guard files[file].size + entry.size <= entry.content.sizeCeiling else {
                    refused.append((index, "the conversations that go into its file are too large"))
                    continue
                }
                files[file].size += entry.size
                files[file].entries.append(index)
                fileOfEntry[index] = file
            } else {
                places[name] = files.count
                fileOfEntry[index] = files.count
                files.append(File(path: name, part: part, size: entry.size, entries: [index]))
            }
        }
    }

    /// The file that an entry goes into; nil for one that is not restored.
    package func file(ofEntry index: Int) -> File? { fileOfEntry[index].map { files[$0] } }

    /// The name that the newest apps give a conversation. Where its rule leaves nothing of the id, or too much, it is a
    /// part of the id's SHA-256: messages say themselves which conversation they are of.
    static func conversationName(_ id: ConversationID) -> FilePath {
        let stem = StoreNameRule.v1.stem(for: id).bytes
        let isUsable = (1...251).contains(stem.count) && stem != Array(".".utf8)
        let name = isUsable ? stem : Array(Hex.encode(SHA256.hash(id.text.bytes.span).span).utf8.prefix(32))
        return FilePath(bytes: name + Array(".enc".utf8))
    }
}
