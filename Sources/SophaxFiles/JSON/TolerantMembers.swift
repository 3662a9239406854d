import JSONCoding

extension JSONMembers {
    /// The members of the object in `range` of `buffer`; what is not strict JSON is repaired and noted.
    package init(object buffer: PlaintextBuffer, _ range: Range<Int>) throws(Failure) {
        try self.init(buffer, range, keyed: true, otherwise: Self.tolerantly)
    }

    /// The elements of the array in `range` of `buffer`; what is not strict JSON is repaired and noted.
    package init(array buffer: PlaintextBuffer, _ range: Range<Int>) throws(Failure) {
        try self.init(buffer, range, keyed: false, otherwise: Self.tolerantly)
    }

    private static func tolerantly(
        _ buffer: PlaintextBuffer, _ range: Range<Int>, keyed: Bool
    ) throws(Failure) -> JSONMembers {
        unsafe try buffer.withUnsafeBytes(in: range) { text throws(Failure) in
            unsafe try tolerantly(text.assumingMemoryBound(to: UInt8.self), range.lowerBound, keyed)
        }
    }

    private static func tolerantly(
        _ text: UnsafeBufferPointer<UInt8>, _ base: Int, _ keyed: Bool
    ) throws(Failure) -> JSONMembers {
        var scanner = unsafe TolerantScanner(text)
        scanner.skipWhiteSpace()
        guard scanner.byte(scanner.position) == UInt8(ascii: keyed ? "{" : "[") else { throw .unexpected(offset: base) }
        var found: [JSONMember] = []
        let view = unsafe TolerantScanner(text)
        let complete = scanner.elements(keyed: keyed, depth: 0, steppingOver: true) { key, value in
            guard found.count <= maximumMembers else { return }
            let name = key.map { key in view.withBytes(key.range) { JSONText.unescape($0).bytes } } ?? []
            found.append(
                JSONMember(
                    key: name, kind: JSONMember.Kind(value.kind),
                    value: value.range.lowerBound + base..<value.range.upperBound + base, escaped: value.escaped))
        }
        guard found.count <= maximumMembers else { throw .tooManyMembers(limit: maximumMembers) }
        guard complete else { throw .unexpected(offset: base + scanner.position) }
        scanner.skipWhiteSpace()
        if scanner.position < text.count { scanner.note(.trailingBytes, at: scanner.position) }
        let problems = scanner.problems.map { TextProblem($0.kind, at: $0.offset + base) }
        return JSONMembers(members: found, problems: problems)
    }
}

extension JSONMember.Kind {
    init(_ kind: TolerantScanner.Value.Kind) {
        switch kind {
        case .object: self = .object
        case .array: self = .array
        case .string: self = .string
        case .number: self = .number
        case .bool: self = .bool
        case .null: self = .null
        case .invalid: self = .invalid
        }
    }
}
