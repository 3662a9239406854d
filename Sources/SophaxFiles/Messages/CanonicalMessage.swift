/// One message in its one canonical spelling: two messages say the same exactly when their canonical bytes are equal.
///
/// Keys are sorted by bytes at every level, without white space; strings have as few escapes as can be; numbers are spelled
/// by value, so that equal doubles have equal text, bit for bit; unknown keys are kept. What the app takes a missing key for
/// is written out (`isEdited` on iOS, `status` on Android), and a null or an empty `reactions`, which say nothing, are left
/// out. What is not strict JSON stays as it stands: bytes that are not UTF-8 and lone surrogates differ from U+FFFD.
package struct CanonicalMessage: Hashable, Sendable {
    package let bytes: [UInt8]

    /// The canonical form of a message; with `peerIDs`, all peer ids in that form.
    package init(_ message: StoredMessage, peerIDs: PeerIDForm? = nil) {
        self.init(
            source: message.sourceJSON, platform: message.isAndroid ? .android : .ios, peerIDs: peerIDs)
    }

    /// The canonical form of a message's own object.
    package init(source: [UInt8], platform: MessagePlatform = .ios, peerIDs: PeerIDForm? = nil) {
        guard let object = MessageObject(source) else {
            bytes = source
            return
        }
        let isAndroid = object.isAndroid(platform)
        let members = JSONCopy.sorted(object.members.filter { !Self.saysNothing($0, object) })
        let filling: (name: [UInt8], value: [UInt8]) = isAndroid ? Self.status : Self.isEdited
        var isFilled = members.contains { $0.key == filling.name }
        var copy = JSONCopy(.canonical)
        copy.append(UInt8(ascii: "{"))
        var isFirst = true
        func comma() {
            if !isFirst { copy.append(UInt8(ascii: ",")) }
            isFirst = false
        }
        func fill() {
            isFilled = true
            comma()
            copy.append(UInt8(ascii: "\""))
            copy.append(filling.name)
            copy.append("\":".utf8)
            copy.append(filling.value)
        }
        for member in members {
            if !isFilled, filling.name.lexicographicallyPrecedes(member.key) { fill() }
            comma()
            copy.appendKey(member, of: source)
            if let peerIDs, Self.appendPeers(member, of: object, peerIDs, to: &copy) { continue }
            copy.append(member, of: source)
        }
        if !isFilled { fill() }
        copy.append(UInt8(ascii: "}"))
        bytes = copy.output
    }

    private static let isEdited = (name: Array("isEdited".utf8), value: Array("false".utf8))
    private static let status = (name: Array("status".utf8), value: Array("\"sending\"".utf8))

    /// A null of a known key, and reactions of nobody.
    private static func saysNothing(_ member: JSONPiece, _ object: MessageObject) -> Bool {
        guard let field = MessageObject.field(member.key) else { return false }
        if member.value.kind == .null { return true }
        return field == .reactions && member.value.kind == .object && object.pieces(member).isEmpty
    }

    /// A value with its peer ids in another form; false where it has none.
    static func appendPeers(
        _ member: JSONPiece, of object: MessageObject, _ form: PeerIDForm, to copy: inout JSONCopy
    ) -> Bool {
        guard let field = MessageObject.field(member.key), field.holdsPeers else { return false }
        switch member.value.kind {
        case .string:
            guard let id = object.text(member), case .changed(let changed) = form.answer(for: id) else { return false }
            copy.appendString(changed[...])
        case .array:
            copy.append(UInt8(ascii: "["))
            for (number, piece) in object.pieces(member).enumerated() {
                if number > 0 { copy.append(UInt8(ascii: ",")) }
                if let id = object.text(piece), case .changed(let changed) = form.answer(for: id) {
                    copy.appendString(changed[...])
                } else {
                    copy.append(piece, of: object.source)
                }
            }
            copy.append(UInt8(ascii: "]"))
        case .object:
            copy.append(UInt8(ascii: "{"))
            let pieces = object.pieces(member).map { (id: form.id($0.key), piece: $0) }
            // Ids that changed may sort otherwise.
            let order = pieces.indices.sorted {
                pieces[$0].id == pieces[$1].id ? $0 < $1 : pieces[$0].id.lexicographicallyPrecedes(pieces[$1].id)
            }
            for (number, index) in order.enumerated() {
                if number > 0 { copy.append(UInt8(ascii: ",")) }
                if pieces[index].id != pieces[index].piece.key {
                    copy.appendString(pieces[index].id[...])
                    copy.append(UInt8(ascii: ":"))
                } else {
                    copy.appendKey(pieces[index].piece, of: object.source)
                }
                copy.append(pieces[index].piece, of: object.source)
            }
            copy.append(UInt8(ascii: "}"))
        default: return false
        }
        return true
    }
}
