import JSONCoding

/// A message of the Double Ratchet as it goes over the wire: an encrypted header and an encrypted body.
///
/// Sessions of the first app versions (v0) sent the header in clear; such a message has a `plainHeader` and an empty
/// `encryptedHeader`. Nothing is authenticated by reading it. Format: SophaxChat 4.6 and 8.3.
public struct RatchetMessage: Hashable, Sendable {
    /// ChaChaPoly box (nonce ‖ ciphertext ‖ tag) of the header's JSON; empty in v0.
    public let encryptedHeader: [UInt8]

    /// The header of a v0 message; nil in v1.
    public let plainHeader: RatchetHeader?

    /// ChaChaPoly box (nonce ‖ ciphertext ‖ tag) of the plaintext.
    public let ciphertext: [UInt8]

    /// Members of the JSON that this version does not know.
    package let unknown: [JSONField]

    /// A v1 message.
    public init(encryptedHeader: [UInt8], ciphertext: [UInt8]) {
        self.init(encryptedHeader: encryptedHeader, plainHeader: nil, ciphertext: ciphertext, unknown: [])
    }

    /// A v0 message.
    public init(header: RatchetHeader, ciphertext: [UInt8]) {
        self.init(encryptedHeader: [], plainHeader: header, ciphertext: ciphertext, unknown: [])
    }

    package init(
        encryptedHeader: [UInt8], plainHeader: RatchetHeader?, ciphertext: [UInt8], unknown: [JSONField]
    ) {
        self.encryptedHeader = encryptedHeader
        self.plainHeader = plainHeader
        self.ciphertext = ciphertext
        self.unknown = unknown
    }
}

extension RatchetMessage {
    /// Reads a message of either version; an encrypted header counts where both stand, and the other is kept as it stands.
    package init(_ object: JSONObject) throws(FormatError) {
        let ciphertext = try object.required("ciphertext", object.data("ciphertext"))
        if object.has("header"), !object.has("encryptedHeader") {
            let header = try RatchetHeader(object.required("header", object.object("header")))
            self.init(
                encryptedHeader: [], plainHeader: header, ciphertext: ciphertext,
                unknown: object.unknown(besides: ["header", "ciphertext"]))
            return
        }
        self.init(
            encryptedHeader: try object.required("encryptedHeader", object.data("encryptedHeader")), plainHeader: nil,
            ciphertext: ciphertext, unknown: object.unknown(besides: ["encryptedHeader", "ciphertext"]))
    }

    /// The message's JSON, unknown members at the end.
    package var json: [UInt8] {
        var text = JSONObjectText()
        if let plainHeader {
            text.add("header", json: plainHeader.json)
        } else {
            text.add("encryptedHeader", data: encryptedHeader)
        }
        text.add("ciphertext", data: ciphertext)
        text.add(unknown)
        return text.finished
    }
}

extension RatchetMessage {
    /// The longest body that is sealed or opened, in bytes: more than the largest frame of any app holds.
    public static let longestBody = 16 << 20

    /// The longest body of a v0 session: each spelling of the header that the sender may have had is a try over all of it.
    public static let longestPlainBody = 4 << 20
}
