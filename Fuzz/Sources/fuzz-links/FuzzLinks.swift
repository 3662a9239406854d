import SophaxCore

/// Reads the input as a link and as a safety number. A link that was read is written, and must read back as the same; a
/// number is compared, and what is said of it must hold.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    switch try? ContactLink(parsing: bytes) {
    case .card(let card):
        guard let text = card.text else { break }
        guard case .card(let again) = try? ContactLink(parsing: Array(text.utf8)),
            again.peerID == card.peerID, again.onion == card.onion, again.port == card.port
        else { fatalError("the written card is another one") }
    case .invite(let invite):
        guard case .invite(let again) = try? ContactLink(parsing: Array(invite.text.utf8)), again.keys == invite.keys,
            again.name.utf8.elementsEqual(invite.name.utf8)
        else { fatalError("the written link is another one") }
    case nil: break
    }
    guard let typed = try? TypedSafetyNumber(cleaning: [bytes]) else { return 0 }
    guard let mine = try? IdentityPublicKeys(signing: Array(0..<32), dh: Array(32..<64)),
        let theirs = try? IdentityPublicKeys(signing: Array(64..<96), dh: Array(96..<128))
    else { fatalError("no keys") }
    let pair = SafetyNumberPair(mine: mine, theirs: theirs)
    let comparison = SafetyComparison(typed, with: pair, others: [mine])
    if case .same(let proof) = comparison {
        let digits = pair.number(proof).text.utf8.filter { $0 != 0x20 }
        precondition(digits.elementsEqual(typed.digits))
    }
    return 0
}
