import JSONCoding

@testable import SophaxCore

/// Reads the input as the JSON of a header and of a message: what the quick reader takes, the JSON library takes for the
/// same, and what was read is written and read again as the same.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    let object = try? JSONObject(bytes, ceiling: 1 << 20)
    let slowly = object.flatMap { try? RatchetHeader($0) }
    let header = RatchetHeader(text: bytes)
    precondition(header == (count <= RatchetHeader.longestText ? slowly : nil), "two readers, two headers")
    if let header {
        precondition(RatchetHeader(text: header.json) == header)
        for spelling in header.spellings { precondition(RatchetHeader(text: spelling) == header) }
    }
    if let message = object.flatMap({ try? RatchetMessage($0) }) {
        guard let again = try? RatchetMessage(JSONObject(message.json, ceiling: 2 << 20)), again == message else {
            fatalError("the written message is another one")
        }
    }
    return 0
}
