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
