import CryptoPrimitives

/// How a slot's secret becomes the key that wraps the master key.
package enum SlotForm: Hashable, Sendable {
    case passphrase(Argon2id.Parameters)
    case keyFile
    /// Made by a later version; it counts as a slot, and this version cannot open or remake it.
    case unknown(UInt8)
}

/// One slot of the header as its 256 bytes say.
struct KeySlot: Equatable, Sendable {
    let form: SlotForm
    let bytes: [UInt8]

    enum Kind {
        static let empty: UInt8 = 0
        static let passphrase: UInt8 = 1
        static let keyFile: UInt8 = 2
    }

    enum Place {
        static let memory = 4
        static let passes = 8
        static let lanes = 12
        static let salt = 16
        static let nonce = 48
        static let wrapped = 60
        static let tag = 92
        static let end = 108
    }

    static let saltLength = 32

    /// Nil for an empty slot. Costs outside of the bounds are refused before anything is done with them.
    static func parse(_ bytes: [UInt8]) throws(Argon2Error) -> KeySlot? {
        switch bytes[0] {
        case Kind.empty: return nil
        case Kind.passphrase:
            let cost = try Argon2id.Parameters(
                memoryKiB: UInt32(truncatingIfNeeded: bytes.number(at: Place.memory, bytes: 4)),
                passes: UInt32(truncatingIfNeeded: bytes.number(at: Place.passes, bytes: 4)),
                lanes: UInt32(truncatingIfNeeded: bytes.number(at: Place.lanes, bytes: 4)))
            return KeySlot(form: .passphrase(cost), bytes: bytes)
        case Kind.keyFile: return KeySlot(form: .keyFile, bytes: bytes)
        default: return KeySlot(form: .unknown(bytes[0]), bytes: bytes)
        }
    }

    var salt: [UInt8] { Array(bytes[Place.salt..<Place.nonce]) }
    var nonce: [UInt8] { Array(bytes[Place.nonce..<Place.wrapped]) }
    var wrapped: [UInt8] { Array(bytes[Place.wrapped..<Place.tag]) }
    var tag: [UInt8] { Array(bytes[Place.tag..<Place.end]) }

    /// What is authenticated with the wrapped key: magic, version, kind, number of the slot, and how its key is derived.
    func associatedData(start: [UInt8], number: Int) -> [UInt8] {
        var place = [UInt8](repeating: 0, count: 4)
        place.setNumber(UInt64(number), at: 0, bytes: 4)
        return start + place + bytes[..<Place.nonce]
    }
}
