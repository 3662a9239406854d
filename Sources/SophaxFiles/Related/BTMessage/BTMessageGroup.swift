import JSONCoding

/// A group of btmessage, as its preferences and its envelopes tell of it.
package struct BTMessageGroup: Hashable, Sendable {
    package let id: [UInt8]
    package let name: [UInt8]
    package let members: [[UInt8]]
    /// Only the preferences say it.
    package let creator: [UInt8]?

    package init(id: [UInt8], name: [UInt8], members: [[UInt8]], creator: [UInt8]?) {
        self.id = id
        self.name = name
        self.members = members
        self.creator = creator
    }

    /// One of `btmessage.groups`: `{id, name, memberIDs, creatorID}`.
    init(_ object: JSONObject) throws(FormatError) {
        id = try object.boundedText("id")
        name = try object.boundedText("name", limit: RelatedLimits.nameBytes)
        members = try object.memberIDs("memberIDs")
        creator = object.has("creatorID") ? try object.boundedText("creatorID") : nil
    }

    package var json: [UInt8] {
        var text = JSONObjectText()
        text.add("id", text: id)
        text.add("name", text: name)
        text.add("memberIDs", texts: members)
        text.add("creatorID", text: creator)
        return text.finished
    }
}
