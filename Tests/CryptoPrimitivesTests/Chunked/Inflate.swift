/// Decompresses a zlib stream (RFC 1950, RFC 1951): the published vectors of chunked encryption have their long ciphertexts
/// in that form. Nil for what is not one; the checksum is compared.
func inflate(_ stream: [UInt8]) -> [UInt8]? {
    guard stream.count >= 6, stream[0] & 15 == 8, (Int(stream[0]) << 8 | Int(stream[1])).isMultiple(of: 31),
        stream[1] & 0x20 == 0
    else { return nil }
    var reader = BitReader(stream, from: 2)
    var output: [UInt8] = []
    var isLast = false
    while !isLast {
        guard let last = reader.bits(1), let type = reader.bits(2) else { return nil }
        isLast = last == 1
        switch type {
        case 0:
            guard reader.copyStored(to: &output) else { return nil }
        case 1:
            let lengths = (0..<288).map { $0 < 144 ? 8 : $0 < 256 ? 9 : $0 < 280 ? 7 : 8 }
            guard reader.copyCoded(to: &output, HuffmanCode(lengths), HuffmanCode(Array(repeating: 5, count: 30)))
            else { return nil }
        case 2:
            guard let (text, distance) = reader.codes(), reader.copyCoded(to: &output, text, distance) else {
                return nil
            }
        default: return nil
        }
    }
    guard let sum = reader.trailer(), sum == adler32(output) else { return nil }
    return output
}

private func adler32(_ bytes: [UInt8]) -> UInt32 {
    var (low, high): (UInt32, UInt32) = (1, 0)
    for byte in bytes {
        low = (low &+ UInt32(byte)) % 65_521
        high = (high &+ low) % 65_521
    }
    return high << 16 | low
}

/// A canonical prefix code (RFC 1951, 3.2.2), decoded bit by bit.
private struct HuffmanCode {
    private var counts = [Int](repeating: 0, count: 16)
    private var symbols: [Int] = []

    init(_ lengths: [Int]) {
        for length in lengths { counts[length] += 1 }
        counts[0] = 0
        for length in 1..<16 { symbols += lengths.indices.filter { lengths[$0] == length } }
    }

    func symbol(_ reader: inout BitReader) -> Int? {
        var (code, first, index) = (0, 0, 0)
        for length in 1..<16 {
            guard let bit = reader.bits(1) else { return nil }
            code |= bit
            if code - first < counts[length] { return symbols[index + code - first] }
            index += counts[length]
            first = (first + counts[length]) << 1
            code <<= 1
        }
        return nil
    }
}

private struct BitReader {
    private let bytes: [UInt8]
    private var position: Int
    private var held = 0
    private var heldCount = 0

    private static let lengthBases = [
        3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227,
        258,
    ]
    private static let lengthBits = [
        0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
    ]
    private static let distanceBases = [
        1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097,
        6145,
        8193, 12289, 16385, 24577,
    ]
    private static let order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

    init(_ bytes: [UInt8], from position: Int) {
        self.bytes = bytes
        self.position = position
    }

    mutating func bits(_ count: Int) -> Int? {
        while heldCount < count {
            guard position < bytes.count else { return nil }
            held |= Int(bytes[position]) << heldCount
            position += 1
            heldCount += 8
        }
        let value = held & (1 << count - 1)
        held >>= count
        heldCount -= count
        return value
    }

    mutating func copyStored(to output: inout [UInt8]) -> Bool {
        (held, heldCount) = (0, 0)
        guard let count = bits(16), let inverse = bits(16), count ^ 0xFFFF == inverse, position + count <= bytes.count
        else { return false }
        output += bytes[position..<(position + count)]
        position += count
        return true
    }

    mutating func codes() -> (text: HuffmanCode, distance: HuffmanCode)? {
        guard let texts = bits(5), let distances = bits(5), let count = bits(4) else { return nil }
        var lengths = [Int](repeating: 0, count: 19)
        for index in 0..<(count + 4) {
            guard let length = bits(3) else { return nil }
            lengths[Self.order[index]] = length
        }
        let code = HuffmanCode(lengths)
        var all: [Int] = []
        let total = texts + 257 + distances + 1
        while all.count < total {
            guard let symbol = code.symbol(&self) else { return nil }
            switch symbol {
            case 16:
                guard let last = all.last, let more = bits(2) else { return nil }
                all += Array(repeating: last, count: more + 3)
            case 17, 18:
                guard let more = bits(symbol == 17 ? 3 : 7) else { return nil }
                all += Array(repeating: 0, count: more + (symbol == 17 ? 3 : 11))
            default: all.append(symbol)
            }
        }
        guard all.count == total else { return nil }
        return (HuffmanCode(Array(all[..<(texts + 257)])), HuffmanCode(Array(all[(texts + 257)...])))
    }

    mutating func copyCoded(to output: inout [UInt8], _ text: HuffmanCode, _ distance: HuffmanCode) -> Bool {
        while true {
            guard let symbol = text.symbol(&self) else { return false }
            if symbol == 256 { return true }
            if symbol < 256 {
                output.append(UInt8(symbol))
                continue
            }
            guard symbol < 286, let more = bits(Self.lengthBits[symbol - 257]), let code = distance.symbol(&self),
                code < 30, let further = bits(max(0, code / 2 - 1))
            else { return false }
            let back = Self.distanceBases[code] + further
            guard back <= output.count else { return false }
            for _ in 0..<(Self.lengthBases[symbol - 257] + more) { output.append(output[output.count - back]) }
        }
    }

    /// The four bytes behind the last block.
    mutating func trailer() -> UInt32? {
        (held, heldCount) = (0, 0)
        guard position + 4 == bytes.count else { return nil }
        return bytes[position...].reduce(0) { $0 << 8 | UInt32($1) }
    }
}
