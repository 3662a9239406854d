import CryptoPrimitives
import Foundation
import SophaxCore

// Two daemons in one process talk, and write what they keep to a folder: two-parties FOLDER

guard CommandLine.arguments.count == 2, let path = CommandLine.arguments.last, !path.hasPrefix("-") else {
    print("usage: two-parties FOLDER")
    exit(2)
}
let folder = URL(fileURLWithPath: path)
guard !FileManager.default.fileExists(atPath: folder.path) else {
    print("two-parties: \(path) is there already")
    exit(1)
}

// Time and randomness are the daemon's: the core reads no clock.
var now = Date().timeIntervalSinceReferenceDate.rounded()
func uuid() -> String { UUID().uuidString }

let ana = try Party(name: "Ana")
let bob = try Party(name: "Bob")
print("Ana is \(ana.peerID.text), Bob is \(bob.peerID.text)")

// Hello: both say which keys they have.
var toBob = Connection()
var toAna = Connection()
let anasBundle = try Party.bundle(in: toBob.carryOne(ana.hello(at: now)))
let bobsBundle = try Party.bundle(in: toAna.carryOne(bob.hello(at: now)))
print("Hello: both know each other's keys, and prekeys to begin with")
let (ofAna, ofBob) = (anasBundle.identityKeys, bobsBundle.identityKeys)

func keep(_ party: Party, _ peer: Party, _ id: String, _ body: String, isSent: Bool, at time: Double) {
    party.keep(
        StoredMessage(id: id, conversation: peer.peerID.text, isSent: isSent, body: body, time: time, sender: nil))
}

// X3DH: Ana begins, Bob answers.
let greeting = "Hello Bob, this is Ana"
let firstID = uuid()
let first = try toBob.carryOne(
    ana.initiate(
        with: bobsBundle, of: bob.identity.fingerprint, saying: greeting, at: now))
let received = try bob.respond(to: first, at: now)
guard received == greeting else { throw PartyError.unexpected(received) }
keep(ana, bob, firstID, greeting, isSent: true, at: now)
keep(bob, ana, uuid(), received, isSent: false, at: now)
print("X3DH: Bob reads \"\(received)\", and his one-time prekey is gone")

// Ratchet: in both directions, through sealed sender, the second of three messages last.
@MainActor func send(
    _ sender: Party, to recipient: Party, _ keys: (own: IdentityPublicKeys, peer: IdentityPublicKeys),
    _ texts: [String], order: [Int], over connection: inout Connection
) throws {
    var wires: [(id: String, wire: WireMessage)] = []
    for text in texts {
        now += 1
        let id = uuid()
        let message = try sender.encrypt(sender.content(text, at: now), for: keys.peer.fingerprint)
        wires.append((id, try sender.seal(message, id: id, for: keys.peer, at: now)))
        keep(sender, recipient, id, text, isSent: true, at: now)
    }
    for index in order {
        let arrived = try connection.carryOne(wires[index].wire)
        let text = try recipient.text(of: recipient.open(arrived, from: keys.own))
        guard text == texts[index] else { throw PartyError.unexpected(text) }
        keep(recipient, sender, wires[index].id, text, isSent: false, at: now)
    }
}
let asAna = (own: ofAna, peer: ofBob)
let asBob = (own: ofBob, peer: ofAna)
try send(bob, to: ana, asBob, ["Hello Ana! 👋", "Good to hear you"], order: [0, 1], over: &toAna)
try send(ana, to: bob, asAna, ["one", "two", "three"], order: [0, 2, 1], over: &toBob)
print("Ratchet and sealed sender: five messages, one of them overtaken, all open")

// Group: each hands the other a sender key through the session.
let group = GroupID(uuid())
for (sender, recipient, keys) in [(ana, bob, asAna), (bob, ana, asBob)] {
    let plaintext = try sender.beginGroup(group, at: now)
    let message = try sender.encrypt(plaintext, for: keys.peer.fingerprint)
    try recipient.joinGroup(
        recipient.decrypt(message, from: keys.own.fingerprint), of: sender.peerID, at: now)
}
for (sender, recipient, keys, text) in [
    (ana, bob, asAna, "Welcome to the group"), (bob, ana, asBob, "Thank you"), (ana, bob, asAna, "See you on Saturday"),
] {
    now += 1
    let id = uuid()
    let wire = try sender.groupMessage(text, id: id, in: group, at: now)
    let opened = try recipient.openGroupMessage(wire, from: keys.own, at: now)
    guard opened == text else { throw PartyError.unexpected(opened) }
    for (party, isSent) in [(sender, true), (recipient, false)] {
        party.keep(
            StoredMessage(
                id: id, conversation: String(decoding: group.conversation, as: UTF8.self), isSent: isSent, body: text,
                time: now, sender: isSent ? nil : sender.peerID.text))
    }
}
print("Group \(group.text): three messages, both ways")

// What is kept: two stores, two keychains, and a message to Bob that never arrived.
now += 1
let lost = "This one is still on its way"
let undelivered = try ana.seal(
    ana.encrypt(ana.content(lost, at: now), for: ofBob.fingerprint), id: uuid(), for: ofBob, at: now)
for (party, peer, peerName) in [(ana, ofBob, bob.name), (bob, ofAna, ana.name)] {
    let own = folder.appending(path: party.name.lowercased())
    try party.write(to: own, peer: peer.fingerprint, called: peerName, group: group)
    // Whatever was written reads back.
    if let state = try party.session?.state() {
        let reloaded = try party.loadSession(SessionBlob.seal(state, macKey: party.macKey))
        guard reloaded.summary == party.session?.summary else { throw PartyError.unexpected("another session") }
    }
}
var encoder = FrameEncoder(limit: .ios)
// What Bob would have got: a connection of Ana's, which begins with her hello.
let frames = try encoder.encode(ana.hello(at: now)) + encoder.encode(undelivered)
try bob.write(Data(frames), to: folder.appending(path: "bob").appending(path: "undelivered.frames"))
print("Written to \(path): ana and bob, each with a message store and keychain.json")
