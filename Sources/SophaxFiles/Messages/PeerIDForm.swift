import SophaxCore

/// In which of the two lengths peer ids are to be written: app versions disagree (formats section 7.1).
///
/// The first 16 digits of an id are always known; the other 16 only from somebody's longer id or keys.
package struct PeerIDForm: Sendable {
    /// What an id is in this form.
    package enum Answer: Equatable, Sendable {
        /// It has this form, or is no peer id at all.
        case same
        case changed([UInt8])
        /// It is shorter, and nobody knows the rest of it, or two have its beginning.
        case unknown
    }

    /// 16 digits: what Android has, and some iOS versions.
    package static let short = PeerIDForm(digits: 16, rests: [:])

    package let digits: Int
    /// The first 16 digits → 32 digits; nil where two people begin alike.
    private let rests: [[UInt8]: [UInt8]?]

    private init(digits: Int, rests: [[UInt8]: [UInt8]?]) {
        self.digits = digits
        self.rests = rests
    }

    /// 32 digits, where `known` has an id of 32 or 64 digits that begins alike.
    package static func long(known: some Sequence<PeerID>) -> PeerIDForm {
        var rests: [[UInt8]: [UInt8]?] = [:]
        for id in known where id.form == .hex32 || id.form == .hex64 {
            let long = Array(id.bytes.prefix(32))
            let short = Array(id.bytes.prefix(16))
            if let other = rests[short] {
                if other != long { rests[short] = .some(nil) }
            } else {
                rests[short] = long
            }
        }
        return PeerIDForm(digits: 32, rests: rests)
    }

    /// The id in this form.
    package func answer(for id: [UInt8]) -> Answer {
        guard let count = PeerID(bytes: id).form.digits, count != digits else { return .same }
        if count > digits { return .changed(Array(id.prefix(digits))) }
        return rests[id].flatMap { $0 }.map { .changed($0) } ?? .unknown
    }

    /// The id in this form where that is known, else as it is.
    package func id(_ id: [UInt8]) -> [UInt8] {
        if case .changed(let changed) = answer(for: id) { return changed }
        return id
    }

    /// The conversation with its id in this form; groups and notes have no peer id.
    package func conversation(_ conversation: ConversationID) -> ConversationID {
        ConversationID(ByteText(id(conversation.text.bytes)))
    }
}

extension PeerIDForm {
    /// A message's own object with all its peer ids in this form, and not a byte changed elsewhere.
    static func rewriting(_ source: [UInt8], _ form: PeerIDForm) -> [UInt8] {
        guard let object = MessageObject(source) else { return source }
        // Texts to replace, from the first on.
        var places: [(range: Range<Int>, id: [UInt8])] = []
        func look(at id: [UInt8]?, _ range: Range<Int>) {
            if let id, case .changed(let changed) = form.answer(for: id) { places.append((range, changed)) }
        }
        for (index, member) in object.members.enumerated() {
            guard let field = object.fields[index], field.holdsPeers else { continue }
            switch member.value.kind {
            case .string: look(at: object.text(member), member.text)
            case .array: for piece in object.pieces(member) { look(at: object.text(piece), piece.text) }
            case .object: for piece in object.pieces(member) { look(at: piece.key, piece.keyText) }
            default: break
            }
        }
        guard !places.isEmpty else { return source }
        var result: [UInt8] = []
        result.reserveCapacity(source.count)
        var position = 0
        for place in places {
            result += source[position..<place.range.lowerBound]
            result.append(UInt8(ascii: "\""))
            result += place.id
            result.append(UInt8(ascii: "\""))
            position = place.range.upperBound
        }
        result += source[position...]
        return result
    }
}
