import CryptoPrimitives
import SophaxFiles

/// A source without what only somebody who is trusted may say: verified marks, the history of keys, and sessions.
///
/// A bundle that is made of it for other secrets is trusted for all it holds, so it must not hold more than its source was
/// trusted for. Design section 7.
package struct UntrustedSource<Source: EntrySource>: EntrySource {
    package let manifest: Manifest
    private let source: Source
    private let documents: [HeldDocument]

    /// - Parameters:
    ///   - documents: those of the source, as a first pass over it gave them.
    ///   - time: Unix seconds of now: when its people were first seen is nothing that it is believed.
    package init(_ source: Source, _ documents: [BundlePart: ItemsDocument], at time: Double) throws(EntryError) {
        self.source = source
        var held: [HeldDocument] = []
        for part in BundlePart.allCases where part != .sessions {
            guard let document = documents[part] else { continue }
            held.append(try Self.copy(document, at: time))
        }
        self.documents = held
        var manifest = source.manifest
        manifest.entries =
            held.map(\.entry) + manifest.entries.filter { if case .document = $0.content { false } else { true } }
        if documents[.sessions] != nil { manifest.notIncluded.append(.init(.sessions, .other("untrusted"))) }
        self.manifest = manifest
    }

    package func send<S: EntrySink & ~Copyable>(to sink: inout S) throws(EntryError) {
        for document in documents { try document.send(to: &sink) }
        var rest = WithoutDocuments()
        try rest.send(source, to: &sink)
    }

    private static func copy(_ document: ItemsDocument, at time: Double) throws(EntryError) -> HeldDocument {
        var head = document.head
        head.contacts = head.contacts.map { $0.withoutTrust(at: time) }
        var writer = try ItemsWriter(document.part, head: head)
        do throws(DocumentError) {
            for (index, item) in try document.listing().enumerated() where !BundlePart.isTrust(item.account) {
                let value = try document.value(at: index)
                do throws(EntryError) { try writer.add(item, value) } catch { throw .outOfMemory }
            }
        } catch {
            throw .document(error)
        }
        return try HeldDocument(document.part, writer.finished())
    }
}

/// Hands on everything but documents.
private struct WithoutDocuments {
    mutating func send<Source: EntrySource, S: EntrySink & ~Copyable>(
        _ source: Source, to sink: inout S
    ) throws(EntryError) {
        var failure: EntryError?
        unsafe withUnsafeMutablePointer(to: &sink) { target in
            var filter = unsafe Filter(target: target)
            do throws(EntryError) { try source.send(to: &filter) } catch { failure = error }
        }
        if let failure { throw failure }
    }

    /// `target` is lent for one pass.
    @safe
    private struct Filter<S: EntrySink & ~Copyable>: EntrySink, ~Copyable {
        let target: UnsafeMutablePointer<S>
        private var isDocument = false

        init(target: UnsafeMutablePointer<S>) {
            unsafe self.target = target
        }

        mutating func begin(_ entry: ManifestEntry) throws(EntryError) {
            if case .document = entry.content { isDocument = true } else { isDocument = false }
            if !isDocument { try unsafe target.pointee.begin(entry) }
        }

        mutating func take(_ bytes: Span<UInt8>) throws(EntryError) {
            if !isDocument { try unsafe target.pointee.take(bytes) }
        }

        mutating func end(_ entry: ManifestEntry) throws(EntryError) {
            if !isDocument { try unsafe target.pointee.end(entry) }
        }
    }
}
