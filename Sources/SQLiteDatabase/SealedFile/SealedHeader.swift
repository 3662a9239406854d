import CryptoPrimitives
import SystemIO

/// What a sealed database says of itself without a secret. Nothing of it is authenticated.
package struct SealedHeader: Equatable, Sendable {
    /// What one copy of the header is.
    package enum CopyState: Hashable, Sendable {
        case whole
        /// Older than the other one: a change that was not finished.
        case older
        case damaged
    }

    package struct Slot: Hashable, Sendable {
        /// From 0.
        package let number: Int
        package let form: SlotForm
    }

    /// What every such file begins with.
    package static var beginning: [UInt8] { SealedFormat.magic }

    package let version: Int
    package let kind: SealedFileKind
    package let generation: UInt64
    package let slots: [Slot]
    /// Both copies, in their order in the file.
    package let copies: [CopyState]
    /// Bytes of the file.
    package let fileSize: Int
    /// Pages that are in the file.
    package var pages: Int { max(0, fileSize - SealedFormat.headerLength) / SealedFormat.pageLength }
}

extension SealedHeader {
    init(_ pair: HeaderPair, shown: HeaderCopy, fileSize: Int) {
        version = SealedFormat.version
        kind = shown.kind
        generation = shown.generation
        slots = shown.slots.enumerated().compactMap { number, slot in
            slot.map { Slot(number: number, form: $0.form) }
        }
        copies = pair.copies.map { copy in
            guard let copy = try? copy.get() else { return .damaged }
            return copy == shown ? .whole : copy.generation < shown.generation ? .older : .damaged
        }
        self.fileSize = fileSize
    }

    init(_ pair: HeaderPair, file: RawFile) throws(SealedError) {
        guard let shown = pair.candidates.first else { throw .headerDamaged }
        do throws(DatabaseError) {
            self.init(pair, shown: shown, fileSize: try file.size())
        } catch {
            throw .database(error)
        }
    }
}
