import JSONCoding

/// An element of a queue: what it says, or what is wrong with it and how it stood.
struct StoredElement<Value: WirePayloadBody & Sendable>: Sendable {
    let value: Result<Value, FormatError>
    /// Of one that cannot be read.
    private let source: [UInt8]

    init(_ value: Value) {
        self.value = .success(value)
        source = []
    }

    init(_ error: FormatError, source: [UInt8]) {
        value = .failure(error)
        self.source = source
    }

    var isDamaged: Bool {
        if case .failure = value { return true }
        return false
    }

    /// JSON.
    var text: [UInt8] {
        switch value {
        case .success(let value): value.json
        case .failure: source
        }
    }
}

/// The elements of an array that stands at `range` of a text, each an object.
struct JSONElements {
    private let buffer: PlaintextBuffer
    private let elements: [JSONMember]
    private let name: String

    /// `name` is how errors call the array; `limit` the number of elements that it may have.
    init(_ buffer: PlaintextBuffer, _ range: Range<Int>, name: String, limit: Int) throws(FormatError) {
        do throws(JSONMembers.Failure) {
            elements = try JSONMembers(strictArray: buffer, range, limit: limit).members
        } catch .tooManyMembers(let limit) {
            throw .field(name, .tooMany(limit: limit))
        } catch {
            throw FormatError(error)
        }
        self.buffer = buffer
        self.name = name
    }

    /// Reads every element for itself.
    func read<Value>(
        _ read: (JSONObject) throws(FormatError) -> Value
    ) -> [StoredElement<Value>] {
        elements.enumerated().map { index, element in
            do throws(FormatError) {
                let path = "\(name)[\(index)]"
                guard element.kind == .object else { throw .field(path, .wrongType) }
                return StoredElement(
                    try read(
                        JSONObject(buffer, element.value, path: path + ".", memberLimit: WireLimits.members)))
            } catch {
                return StoredElement(error, source: Self.source(of: element, in: buffer))
            }
        }
    }

    /// The members of the object that a whole text is, whatever their keys: one that stands twice is there twice.
    static func members(of json: [UInt8]) throws(FormatError) -> (PlaintextBuffer, [JSONMember]) {
        let buffer = try buffer(of: json)
        do throws(JSONMembers.Failure) {
            return (
                buffer, try JSONMembers(strictObject: buffer, 0..<buffer.count, limit: WireLimits.queuePeers).members
            )
        } catch {
            throw FormatError(error)
        }
    }

    /// The text of a queue.
    static func buffer(of json: [UInt8]) throws(FormatError) -> PlaintextBuffer {
        guard json.count <= WireLimits.queueBytes else {
            throw .tooLarge(found: json.count, ceiling: WireLimits.queueBytes)
        }
        do throws(OutOfMemory) {
            return try PlaintextBuffer(copying: json)
        } catch {
            throw .outOfMemory
        }
    }

    /// A value as it stands.
    static func source(of member: JSONMember, in buffer: PlaintextBuffer) -> [UInt8] {
        let quotes = member.kind == .string ? 1 : 0
        return buffer.bytes(in: member.value.lowerBound - quotes..<member.value.upperBound + quotes)
    }

    /// The array of these elements.
    static func text<Value>(of elements: [StoredElement<Value>]) -> [UInt8] {
        [UInt8(ascii: "[")] + elements.map(\.text).joined(separator: [UInt8(ascii: ",")]) + [UInt8(ascii: "]")]
    }
}
