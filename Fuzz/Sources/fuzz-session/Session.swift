import CryptoPrimitives
import SophaxCore

/// Reads the input as a session blob and as a session's state; what was read must be written and read again as the same.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    do {
        let input = try SecretBytes(copying: bytes.span)
        try expectStable(input)
        let key = try SecretBytes(count: 32)
        guard let content = try? SessionBlob.read(input, macKey: key.copy()) else { return 0 }
        precondition(content.state.count == count - (content.form == .authenticated ? SessionBlob.codeLength : 0))
        let again = try SessionBlob.read(SessionBlob.seal(content.state, macKey: key), macKey: key.copy())
        precondition(again.verdict == .authentic && again.state.isEqual(to: content.state))
        try expectStable(content.state)
    } catch {
        fatalError("\(error)")
    }
    return 0
}

func expectStable(_ text: borrowing SecretBytes) throws {
    guard var session = try? RatchetSession(state: text) else { return }
    let first = try session.state()
    let summary = session.summary
    let second = try RatchetSession(state: first)
    precondition(second.summary == summary)
    let written = try second.state()
    precondition(written.isEqual(to: first), "the written state is another one")
    // A message that cannot open, and a sealed one where there is a chain: no state may trap.
    let box = [UInt8](repeating: 1, count: 200)
    let message = RatchetMessage(encryptedHeader: box, ciphertext: box)
    if (try? session.decrypt(message, ad: [box])) != nil { fatalError("a box of ones opened") }
    let kept = try session.state()
    precondition(kept.isEqual(to: first), "a message that did not open changed the state")
    _ = try? session.encrypt(box.span, ad: box)
    _ = try RatchetSession(state: session.state())
}
