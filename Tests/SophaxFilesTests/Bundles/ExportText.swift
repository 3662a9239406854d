/// Texts of exports, as the apps write them.
enum ExportText {
    static let signing = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
    static let dh = "ICEiIyQlJicoKSorLC0uLzAxMjM0NTY3ODk6Ozw9Pj8="
    static let fingerprint = "3619e750a2dd52ba978807b2a00df56d9ae3354382899ca7fafa482ca86a3528"

    static let identity = identity()

    static func identity(signing: String = signing, dh: String = dh) -> String {
        #"{"signingKeyPrivate":"\#(signing)","dhKeyPrivate":"\#(dh)","username":"alice","exportedAt":796000000}"#
    }

    static func backup(peers: String = "[]", messages: String = "{}", extra: String = "") -> String {
        #"{"version":1,"createdAt":796000000,"username":"alice","peers":\#(peers),"messages":\#(messages)\#(extra)}"#
    }

    static let withFingerprint = #","identityFingerprint":"\#(fingerprint)""#

    static func fullExport(backup: String) -> String {
        String(identity.dropLast()) + #","backup":\#(backup)}"#
    }

    static func android(peers: String = "[]", ids: String = "[]", messages: String = "{}") -> String {
        let (peers, ids, messages) = (quoted(peers), quoted(ids), quoted(messages))
        return
            #"{"version":"1","username":"alice","peers":\#(peers),"conversationIDs":\#(ids),"messages":\#(messages)}"#
    }

    private static func quoted(_ text: String) -> String {
        "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }

    /// A message as the newest app writes it, with changes.
    static func message(
        _ id: String, peer: String, body: String = "hi", edited: String = #","isEdited":false"#, extra: String = ""
    ) -> String {
        #"{"id":"\#(id)","peerID":"\#(peer)","direction":"received","body":"\#(body)","timestamp":795000001"#
            + #","status":"read"\#(edited)\#(extra)}"#
    }
}
