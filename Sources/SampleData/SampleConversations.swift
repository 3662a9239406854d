import SophaxCore

/// The people of the sample and what they wrote. Ana owns the phone.
struct SampleConversations {
    /// 2026-05-08, in seconds since 2001.
    static let start: Double = 800_000_000

    let bob: PeerID
    let carla: PeerID
    let groupID: String
    /// The picture that Bob sent.
    let pictureID: String
    private(set) var direct: [SampleMessage] = []
    private(set) var group: [SampleMessage] = []
    /// The same group in the file that the first apps wrote, with one message that both files have.
    private(set) var olderGroup: [SampleMessage] = []
    private(set) var notes: [SampleMessage] = []
    /// From before `isEdited`: newer apps cannot read it.
    private(set) var old: [SampleMessage] = []

    init(bob: PeerID, carla: PeerID, _ randomness: inout SampleRandomness) {
        self.bob = bob
        self.carla = carla
        groupID = randomness.uuid()
        pictureID = randomness.uuid()
        addDirect(&randomness)
        addGroup(&randomness)
        addNotes(&randomness)
        addOld(&randomness)
    }

    private mutating func addDirect(_ randomness: inout SampleRandomness) {
        let ids = (0..<11).map { _ in randomness.uuid() }
        let (me, him) = ("me", bob.text)
        func message(_ index: Int, _ sender: String, _ body: String, after seconds: Double) -> SampleMessage {
            SampleMessage(
                id: ids[index], conversation: bob.text, sender: sender == me ? nil : him, body: body,
                time: Self.start + seconds)
        }
        var photo = message(2, him, "📷 Photo", after: 95.25)
        photo.attachment = (pictureID, "image/png", "sea.png")
        var wow = message(3, me, "wow, where is that?", after: 140)
        wow.replyTo = ids[2]
        var beach = message(4, him, "The beach behind the old lighthouse. Come along on Saturday!", after: 171.5)
        beach.isEdited = true
        beach.editedAfter = 62
        beach.reactions = [(bob.text, "🌊")]
        var train = message(6, him, "The 8:14 from platform 3.\nBring a jumper, it is windy.", after: 260)
        train.replyTo = ids[5]
        var code = message(7, him, "the door code is 4711, this message disappears", after: 300)
        code.expiresAt = Self.start + 3900
        var bread = message(8, me, "I bring bread 🥖 and the good cheese", after: 355.75)
        bread.reactions = [(bob.text, "❤️")]
        var lost = message(9, me, "are you there already?", after: 173_100)
        lost.status = "failed"
        direct = [
            message(0, him, "Hi Ana! 👋", after: 0), message(1, me, "Bob! Back from the coast?", after: 41), photo, wow,
            beach, message(5, me, "Sure! Which train?", after: 204.5), train, code, bread, lost,
            message(10, him, "just getting off the train 🚂", after: 173_400.5),
        ]
    }

    private mutating func addGroup(_ randomness: inout SampleRandomness) {
        let ids = (0..<8).map { _ in randomness.uuid() }
        func message(_ index: Int, _ sender: PeerID?, _ body: String, day: Double) -> SampleMessage {
            SampleMessage(
                id: ids[index], conversation: "group." + groupID, sender: sender?.text, body: body,
                time: Self.start + day * 86_400, isGroup: true)
        }
        var older = [
            message(0, carla, "I made a group for the climbing hall", day: -60),
            message(1, nil, "great idea", day: -59.9), message(2, bob, "Thursdays?", day: -59.5),
            message(3, carla, "Thursdays it is", day: -59.25),
        ]
        for index in older.indices { older[index].isEdited = nil }
        olderGroup = older
        var shoes = message(5, nil, "Has anybody seen my blue shoes?", day: 1.5)
        shoes.readBy = [bob.text, carla.text]
        var found = message(6, carla, "In my bag. Sorry! 🙈", day: 1.51)
        found.replyTo = ids[5]
        found.reactions = [(bob.text, "😂")]
        group = [
            message(3, carla, "Thursdays it is", day: -59.25), message(4, bob, "see you at seven", day: 1.25), shoes,
            found,
            message(7, bob, "naïve question: is the hall open on holidays?", day: 2),
        ]
    }

    private mutating func addNotes(_ randomness: inout SampleRandomness) {
        let bodies = [
            "milk, eggs, coffee", "return the library books (due 20 May)", "present for Carla: map of the moon?",
        ]
        for (index, body) in bodies.enumerated() {
            notes.append(
                SampleMessage(
                    id: randomness.uuid(), conversation: "__note_to_self__", body: body,
                    time: Self.start + Double(index) * 90_000, status: "delivered"))
        }
    }

    private mutating func addOld(_ randomness: inout SampleRandomness) {
        let lines: [(PeerID?, String)] = [
            (carla, "Is this the app you meant?"), (nil, "Yes! Compare the safety number when we meet"),
            (carla, "25 digits?"), (nil, "30. I read, you check"), (carla, "It fits ✅"), (nil, "good night 🌙"),
        ]
        for (index, (sender, body)) in lines.enumerated() {
            old.append(
                SampleMessage(
                    id: randomness.uuid(), conversation: carla.text, sender: sender?.text, body: body,
                    time: Self.start - 5_000_000 + Double(index) * 47.5, isEdited: nil))
        }
    }
}
