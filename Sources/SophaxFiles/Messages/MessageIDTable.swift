/// Finds message ids that stand twice in one document, without a copy of any of them.
///
/// An open-addressing table of places in the text. Equal hashes are compared byte by byte, so a duplicate is only said
/// when it is one; the hash is seeded, so a file cannot be made to collide.
struct MessageIDTable {
    private struct Place {
        var offset: UInt32
        var length: UInt32
    }

    private var places: [Place] = []
    /// The upper half of a hash beside the number of its place, which counts from 1; 0 is empty.
    private var slots: [UInt64] = []
    /// Ids that had escapes; their places count from the end of 32 bits.
    private var unescaped: [[UInt8]] = []
    private let seed: UInt64
    /// Slots made before anything is known of a document: 32 MiB.
    private static let largestFirstSize = 1 << 22

    init(seed: UInt64 = .random(in: .min ... .max)) {
        self.seed = seed
    }

    /// How many different ids.
    var count: Int { places.count }

    mutating func removeAll() {
        places.removeAll(keepingCapacity: true)
        unescaped.removeAll()
        slots = []
    }

    /// Files the id at `offset` of `text`; false when an equal one is there.
    mutating func insert(_ text: Span<UInt8>, offset: UInt32, length: UInt32) -> Bool {
        let id = text.extracting(Int(offset)..<Int(offset) + Int(length))
        return insert(id, Place(offset: offset, length: length), in: text)
    }

    /// Files an id that had escapes, given without them.
    mutating func insert(unescaped id: [UInt8], in text: Span<UInt8>) -> Bool {
        unescaped.append(id)
        let place = Place(offset: UInt32.max - UInt32(truncatingIfNeeded: unescaped.count - 1), length: .max)
        let isNew = insert(id.span, place, in: text)
        if !isNew { unescaped.removeLast() }
        return isNew
    }

    private mutating func insert(_ id: Span<UInt8>, _ place: Place, in text: Span<UInt8>) -> Bool {
        if places.count * 2 >= slots.count { grow(text) }
        let hash = hash(id)
        let mask = slots.count - 1
        var slot = Int(truncatingIfNeeded: hash) & mask
        let tag = hash & 0xFFFF_FFFF_0000_0000
        while slots[slot] != 0 {
            if slots[slot] & 0xFFFF_FFFF_0000_0000 == tag {
                let other = places[Int(slots[slot] & 0xFFFF_FFFF) - 1]
                if isEqual(other, id, text) { return false }
            }
            slot = (slot + 1) & mask
        }
        places.append(place)
        slots[slot] = tag | UInt64(places.count)
        return true
    }

    private func isEqual(_ place: Place, _ id: Span<UInt8>, _ text: Span<UInt8>) -> Bool {
        if place.length == .max {
            let stored = unescaped[Int(UInt32.max - place.offset)]
            return stored.count == id.count && id.indices.allSatisfy { stored[$0] == id[$0] }
        }
        guard Int(place.length) == id.count else { return false }
        let start = Int(place.offset)
        for index in id.indices where text[start + index] != id[index] { return false }
        return true
    }

    private mutating func grow(_ text: Span<UInt8>) {
        // Messages of the apps take more than 200 bytes each: with room for these at once, most documents never grow.
        let expected = (text.count / 150).nextPowerOfTwo
        let size = max(1024, slots.count * 2, min(expected, Self.largestFirstSize))
        slots = Array(repeating: 0, count: size)
        for (number, place) in places.enumerated() {
            let value: UInt64
            if place.length == .max {
                let id = unescaped[Int(UInt32.max - place.offset)]
                value = hash(id.span)
            } else {
                value = hash(text.extracting(Int(place.offset)..<Int(place.offset) + Int(place.length)))
            }
            var slot = Int(truncatingIfNeeded: value) & (size - 1)
            while slots[slot] != 0 { slot = (slot + 1) & (size - 1) }
            slots[slot] = value & 0xFFFF_FFFF_0000_0000 | UInt64(number + 1)
        }
    }

    /// Eight bytes at a time through a widening multiplication, seeded.
    private func hash(_ id: Span<UInt8>) -> UInt64 {
        var state = seed ^ UInt64(truncatingIfNeeded: id.count)
        let bytes = unsafe id.bytes
        var index = 0
        while id.count - index >= 8 {
            let word = unsafe bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self)
            state = mix(state ^ word)
            index += 8
        }
        var rest: UInt64 = 0
        while index < id.count {
            rest = rest << 8 | UInt64(id[index])
            index += 1
        }
        return mix(mix(state ^ rest) &+ seed)
    }

    private func mix(_ value: UInt64) -> UInt64 {
        let product = value.multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
        return product.high ^ product.low
    }
}

extension Int {
    /// The smallest power of two that is not below; 1 for 0 and below.
    fileprivate var nextPowerOfTwo: Int {
        self <= 1 ? 1 : 1 << (Int.bitWidth - (self - 1).leadingZeroBitCount)
    }
}
