import JSONCoding

/// A member or an element of a container in one message's source.
struct JSONPiece {
    /// The key with its escapes resolved; empty for elements of an array.
    let key: [UInt8]
    /// The key as it stands, quotes included; empty for elements of an array.
    let keyText: Range<Int>
    let value: TolerantScanner.Value

    /// The value as it stands, the quotes of a string included.
    var text: Range<Int> {
        value.kind == .string ? value.range.lowerBound - 1..<value.range.upperBound + 1 : value.range
    }
}

/// Takes the containers of one message's source apart, strict or not.
enum JSONPieces {
    /// The members of the object, or the elements of the array, whose bracket stands at `start`; nil when its brackets, keys
    /// or colons cannot be understood.
    static func of(_ source: [UInt8], at start: Int, keyed: Bool) -> [JSONPiece]? {
        unsafe source.withUnsafeBufferPointer { bytes in
            var scanner = unsafe TolerantScanner(bytes)
            let view = scanner
            scanner.position = start
            scanner.skipWhiteSpace()
            guard scanner.byte(scanner.position) == UInt8(ascii: keyed ? "{" : "[") else { return nil }
            var found: [JSONPiece] = []
            let complete = scanner.elements(keyed: keyed, depth: 0, steppingOver: true) { key, value in
                let name = key.map { key in view.withBytes(key.range) { JSONText.unescape($0).bytes } } ?? []
                let place = key.map { $0.range.lowerBound - 1..<$0.range.upperBound + 1 } ?? 0..<0
                found.append(JSONPiece(key: name, keyText: place, value: value))
            }
            return complete ? found : nil
        }
    }
}
