import JSONCoding

/// Who holds the shares of an identity: `sss.manifest` of the apps. Format: SophaxChat 4.7 (`SSSBackupManifest`).
package struct ShareManifest: Hashable, Sendable {
    package let shareID: [UInt8]
    package let threshold: Int
    /// The holder of share i stands at place i - 1.
    package let holders: [PeerID]
    /// Seconds since 2001.
    package let createdAt: Double

    /// The text is shorter.
    package static let maximumText = 65_536

    package init(shareID: [UInt8], threshold: Int, holders: [PeerID], createdAt: Double) {
        self.shareID = shareID
        self.threshold = threshold
        self.holders = holders
        self.createdAt = createdAt
    }

    package init(_ text: [UInt8]) throws(FormatError) {
        let object = try JSONObject(text, ceiling: Self.maximumText)
        shareID = try object.required("shareID", object.text("shareID"))
        threshold = Int(try object.required("threshold", object.integer("threshold", highest: 255)))
        holders = try object.required("holderPeerIDs", object.texts("holderPeerIDs", limit: 255)).map {
            PeerID(bytes: $0)
        }
        createdAt = try object.required("createdAt", object.double("createdAt"))
    }

    package var text: [UInt8] {
        var text = JSONObjectText()
        text.add("shareID", text: shareID)
        text.add("threshold", integer: threshold)
        text.add("holderPeerIDs", texts: holders.map(\.bytes))
        text.add("createdAt", number: createdAt)
        return text.finished
    }
}
