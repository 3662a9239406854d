import CryptoPrimitives
import Glibc
import SophaxCore

// Begins sessions and seals and opens messages, and prints a line for each kind of work: its name, seconds, processor
// seconds, how many.
//
// usage: protocol-bench ROUNDS

let rounds = CommandLine.arguments.count == 2 ? Int(CommandLine.arguments[1]) ?? 0 : 0
guard rounds > 0 else { fatalError("usage: protocol-bench ROUNDS") }
let text = [UInt8](repeating: UInt8(ascii: "m"), count: 200)
let ad = Array("3619e750a2dd52ba978807b2a00df56dce04d757588b607db7dd1e31c428b180SophaxChat_v1".utf8)
let now = 1_780_000_000.0

try measure()

func measure() throws {
    let alice = try person(1)
    let bob = try person(3)
    let (signedKey, oneTimeKey) = ([UInt8](repeating: 5, count: 32), [UInt8](repeating: 6, count: 32))
    let signed = try pair(1, signedKey)
    let oneTime = try pair(2, oneTimeKey)
    let bundle = try PreKeyBundle(
        signedBy: bob, signedPreKey: signed.publicPreKey, oneTimePreKey: oneTime.publicPreKey,
        timestamp: now - PreKeyBundle.epoch2001)
    let own = try PreKeyBundle(
        signedBy: alice, signedPreKey: signed.publicPreKey, oneTimePreKey: nil, timestamp: now - PreKeyBundle.epoch2001)
    let requirements = BundleRequirements.newest(now: now)

    let agreements = rounds / 20
    try timed("initiate", agreements) {
        for _ in 0..<agreements {
            let session = try X3DH.initiate(identity: alice, bundle: bundle, requirements: requirements)
            _ = try RatchetSession(initiator: session)
        }
    }
    let initiated = try X3DH.initiate(identity: alice, bundle: bundle, requirements: requirements)
    let request = initiated.request(senderBundle: own)
    // Taking the two pairs from where they are kept, with their public keys, is part of answering.
    try timed("respond", agreements) {
        for _ in 0..<agreements {
            let session = try X3DH.respond(
                identity: bob, to: request, signedPreKey: pair(1, signedKey), oneTimePreKey: pair(2, oneTimeKey),
                requirements: requirements)
            _ = try RatchetSession(responder: session, signedPreKey: signed)
        }
    }

    let accepted = try X3DH.respond(
        identity: bob, to: request, signedPreKey: pair(1, signedKey), oneTimePreKey: pair(2, oneTimeKey),
        requirements: requirements)
    var sender = try RatchetSession(initiator: initiated)
    var receiver = try RatchetSession(responder: accepted, signedPreKey: signed)
    _ = try receiver.decrypt(sender.encrypt(text.span, ad: ad), ad: [ad])
    var messages: [RatchetMessage] = []
    messages.reserveCapacity(rounds)
    try timed("encrypt", rounds) {
        for _ in 0..<rounds { messages.append(try sender.encrypt(text.span, ad: ad)) }
    }
    try timed("decrypt", rounds) {
        for message in messages {
            guard try receiver.decrypt(message, ad: [ad]).count == text.count else { fatalError("another text") }
        }
    }
    // Every message begins a chain.
    try timed("turn", agreements) {
        for _ in 0..<agreements / 2 {
            _ = try sender.decrypt(receiver.encrypt(text.span, ad: ad), ad: [ad])
            _ = try receiver.decrypt(sender.encrypt(text.span, ad: ad), ad: [ad])
        }
    }
    let states = rounds / 10
    try timed("write a state", states) {
        for _ in 0..<states where try receiver.state().count < 500 { fatalError("no state") }
    }
    let state = try receiver.state()
    try timed("read a state", states) {
        for _ in 0..<states { _ = try RatchetSession(state: state) }
    }
}

func person(_ seed: UInt8) throws -> Identity {
    let (signing, dh) = ([UInt8](repeating: seed, count: 32), [UInt8](repeating: seed + 1, count: 32))
    return try Identity(
        signingSeed: SecretBytes(copying: signing.span), dhPrivate: SecretBytes(copying: dh.span), username: "ana")
}

func pair(_ id: UInt32, _ key: [UInt8]) throws -> PreKeyPair {
    try PreKeyPair(id: id, privateKey: SecretBytes(copying: key.span))
}

func timed(_ name: String, _ count: Int, _ work: () throws -> Void) rethrows {
    let start = (clock(CLOCK_MONOTONIC), clock(CLOCK_PROCESS_CPUTIME_ID))
    try work()
    let end = (clock(CLOCK_MONOTONIC), clock(CLOCK_PROCESS_CPUTIME_ID))
    print("\(name)\t\(end.0 - start.0)\t\(end.1 - start.1)\t\(count)")
}

func clock(_ id: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(id, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
