import JSONCoding
import SophaxCore

/// A bundle of prekeys as it was found: alone, or inside a message or a device link.
package struct PreKeyBundleFile: Sendable {
    /// What the text was.
    package enum Source: String, Sendable, CaseIterable {
        /// The object of format SophaxChat 8.1.
        case bundle
        /// The first message between two apps, 8.8, or its payload.
        case hello
        /// The message that begins a session, 8.2, or its payload.
        case initiateSession = "initiate-session"
        /// The text of the QR code that links a device, 7.8, or the message with it.
        case deviceLink = "device-link"
    }

    package let source: Source
    package let bundle: PreKeyBundle
    /// The bundle's own object, byte by byte.
    package let sourceJSON: [UInt8]
    /// The envelope, when the text was a whole message.
    package let message: WireMessage?
    /// Of a device link: how the device calls itself, UTF-8.
    package let deviceLabel: [UInt8]?
    /// Of a device link: when it ends, seconds since 2001; nil for no end.
    package let linkExpiry: Double?

    /// The largest text that is read: what the first app versions took as one message. Format: SophaxChat 8.9.
    package static let sizeCeiling = 4 << 20

    /// Peer ids that the text itself gives the owner of the keys, and what calls him so.
    package var claimedPeerIDs: [(name: String, id: PeerID)] {
        let sender = message.map { [(name: "senderID", id: $0.senderID)] } ?? []
        return sender + (bundle.claimedPeerID.map { [(name: "peerID", id: $0)] } ?? [])
    }

    /// Reads any of the texts that hold a bundle.
    ///
    /// - Throws: `.tooLarge` above `sizeCeiling`; `.notJSON`, `.notRecognised`, `.otherMessage`; `.field` where the apps'
    ///   own decoder would refuse a value, and for a key that stands twice.
    package static func read(_ bytes: [UInt8]) throws(PreKeyFileError) -> PreKeyBundleFile {
        guard bytes.count <= sizeCeiling else { throw .tooLarge(found: bytes.count, ceiling: sizeCeiling) }
        let object = try parsing { () throws(FormatError) in
            try JSONObject(withoutMark(bytes), ceiling: sizeCeiling)
        }
        // A bundle with keys of a message among those that are ignored is still a bundle.
        guard guess(from: object) != .bundle, object.has("type"), object.has("payload") else {
            return try read(object, as: nil, text: bytes, message: nil)
        }
        let message = try parsing { () throws(FormatError) in try WireMessage(object) }
        let source = try source(ofType: message.type)
        let payload = try parsing { () throws(FormatError) in
            try JSONObject(message.payload, ceiling: sizeCeiling)
        }
        return try read(payload, as: source, text: message.payload, message: message)
    }

    private static func parsing<T>(_ body: () throws(FormatError) -> T) throws(PreKeyFileError) -> T {
        do throws(FormatError) {
            return try body()
        } catch {
            throw PreKeyFileError(error)
        }
    }

    /// Reads what a message carries; `expected` is nil where nothing but the keys tells what it is.
    private static func read(
        _ object: JSONObject, as expected: Source?, text: [UInt8], message: WireMessage?
    ) throws(PreKeyFileError) -> PreKeyBundleFile {
        guard let source = expected ?? guess(from: object) else { throw .notRecognised }
        return try parsing { () throws(FormatError) in try PreKeyBundleFile(source, in: object, text, message) }
    }

    private init(
        _ source: Source, in object: JSONObject, _ text: [UInt8], _ message: WireMessage?
    ) throws(FormatError) {
        switch source {
        case .bundle:
            try self.init(source, object, text, message)
        case .hello, .deviceLink:
            let inner = try object.required("bundle", object.object("bundle"))
            try self.init(
                source, inner, object.source(of: "bundle") ?? [], message,
                deviceLabel: source == .deviceLink ? object.required("deviceLabel", object.text("deviceLabel")) : nil,
                linkExpiry: source == .deviceLink ? object.time("expiresAt") : nil)
        case .initiateSession:
            let inner = try object.required("senderBundle", object.object("senderBundle"))
            try self.init(source, inner, object.source(of: "senderBundle") ?? [], message)
        }
    }

    private init(
        _ source: Source, _ object: JSONObject, _ text: [UInt8], _ message: WireMessage?,
        deviceLabel: [UInt8]? = nil, linkExpiry: Double? = nil
    ) throws(FormatError) {
        bundle = try PreKeyBundle(object)
        self.source = source
        sourceJSON = text
        self.message = message
        self.deviceLabel = deviceLabel
        self.linkExpiry = linkExpiry
    }

    private static func guess(from object: JSONObject) -> Source? {
        if object.has("signingKeyPublic") || object.has("signedPreKeyPublic") { return .bundle }
        if object.has("senderBundle") { return .initiateSession }
        guard object.has("bundle") else { return nil }
        return object.has("deviceLabel") ? .deviceLink : .hello
    }

    private static func source(ofType type: [UInt8]) throws(PreKeyFileError) -> Source {
        for (name, source) in [
            ("hello", Source.hello), ("initiateSession", .initiateSession), ("deviceLinkRequest", .deviceLink),
        ] where type.elementsEqual(name.utf8) { return source }
        throw .otherMessage(type: type)
    }

    /// The text without a byte order mark, which editors put before it.
    private static func withoutMark(_ bytes: [UInt8]) -> [UInt8] {
        bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
    }
}
