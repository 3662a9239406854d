import JSONCoding

/// Two copies of a message of a related app: as an envelope that went through the mesh, which changes it on the way, or as the
/// record that a device keeps of it.
///
/// What is compared is what a person sees of it: who says to have sent it, when, and what it says. Its id and conversation are
/// the same already. How it came is kept with each copy.
struct RelatedMeeting {
    private let first: Copy
    private let second: Copy

    /// Nil unless both are of a related app.
    init?(_ first: MessageMeeting.Side, _ second: MessageMeeting.Side) {
        guard let one = Copy(first), let other = Copy(second) else { return nil }
        self.first = one
        self.second = other
    }

    /// The first key in which they are two messages; nil where they are one.
    var difference: String? {
        if first.sender != second.sender { return "senderID" }
        if first.milliseconds != second.milliseconds { return "timestamp" }
        if first.body != second.body || first.binary != second.binary { return "body" }
        return nil
    }

    /// Nil where both say equally much.
    var secondIsBetter: Bool? { first.rank == second.rank ? nil : first.rank < second.rank }

    private struct Copy {
        let sender: [UInt8]?
        let milliseconds: Double?
        let body: [UInt8]?
        let binary: [UInt8]?
        /// A direction counts most, then the device's own record, then that it arrived.
        let rank: Int

        init?(_ side: MessageMeeting.Side) {
            let message = side.message
            guard side.isStrict, let conversation = message.conversation,
                RelatedNames.isRelated(conversation.text.bytes),
                let object = try? JSONObject(side.json, ceiling: RelatedLimits.itemBytes * 4),
                let related = (try? object.object("related")) ?? nil
            else { return nil }
            sender = message.text(.senderID)?.bytes
            milliseconds = message.time.map { ($0.unixSeconds * 1_000).rounded() }
            body = message.body?.bytes
            binary = (try? related.data("binary")) ?? nil
            let arrived = message.status?.bytes == Array("delivered".utf8)
            rank = (message.has(.direction) ? 4 : 0) + (related.has("record") ? 2 : 0) + (arrived ? 1 : 0)
        }
    }
}
