import JSONCoding

/// A bundle of prekeys inside a message, with its exact JSON, so that what is passed on is what came.
public struct CarriedBundle: Hashable, Sendable {
    public let bundle: PreKeyBundle
    /// The bundle's object as it stood, or as it is written for the apps of its platform.
    public let json: [UInt8]

    /// A bundle of one's own.
    public init(_ bundle: PreKeyBundle) {
        self.bundle = bundle
        json = bundle.json
    }

    package init(_ object: JSONObject) throws(FormatError) {
        bundle = try PreKeyBundle(object)
        json = object.buffer.bytes(in: object.range)
    }
}
