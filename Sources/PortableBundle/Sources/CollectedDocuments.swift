import CryptoPrimitives
import JSONCoding
import SophaxFiles

/// Keeps the documents of a source in wiped memory, and hands everything else on.
package struct DocumentSplit<Rest: EntrySink & ~Copyable>: EntrySink, ~Copyable {
    /// Where the other entries go.
    package var rest: Rest
    private var texts: [BundlePart: PlaintextBuffer] = [:]
    private var text: SecretText?

    private let progress: (Int) -> Void

    package init(rest: consuming Rest, progress: @escaping (Int) -> Void = { _ in }) {
        self.rest = rest
        self.progress = progress
    }

    package mutating func begin(_ entry: ManifestEntry) throws(EntryError) {
        guard case .document = entry.content else { return try rest.begin(entry) }
        guard entry.size <= BundlePart.documentCeiling else {
            throw .document(
                .tooLarge(document: entry.name, found: entry.size, ceiling: BundlePart.documentCeiling))
        }
        do throws(SecretMemoryError) {
            text = try SecretText(capacity: entry.size)
        } catch {
            throw .memory(error)
        }
    }

    package mutating func take(_ bytes: Span<UInt8>) throws(EntryError) {
        progress(bytes.count)
        guard text != nil else { return try rest.take(bytes) }
        do throws(SecretMemoryError) { try text?.append(bytes) } catch { throw .memory(error) }
    }

    package mutating func end(_ entry: ManifestEntry) throws(EntryError) {
        guard let text = text.take() else { return try rest.end(entry) }
        guard case .document(let part) = entry.content else { return }
        texts[part] = text.frozen()
    }

    /// The documents that came, read strictly.
    package func documents() throws(EntryError) -> [BundlePart: ItemsDocument] {
        var documents: [BundlePart: ItemsDocument] = [:]
        for (part, text) in texts {
            do throws(DocumentError) {
                documents[part] = try ItemsDocument(text, part)
            } catch {
                throw .document(error)
            }
        }
        return documents
    }
}

/// Passes everything over.
package struct IgnoredEntries: EntrySink {
    package init() {}
    package mutating func begin(_ entry: ManifestEntry) {}
    package mutating func take(_ bytes: Span<UInt8>) {}
    package mutating func end(_ entry: ManifestEntry) {}
}
