import SophaxCore
import SophaxFiles

/// Reads the input as a bundle of prekeys, a message or a device link, judges it, and writes what was read: the text must
/// read back as the same bundle.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    guard let file = try? PreKeyBundleFile.read(bytes) else { return 0 }
    let judgement = PreKeyJudgement(of: file, now: 1_780_000_000)
    precondition(judgement.age.seconds == 1_780_000_000 - file.bundle.unixTime)
    guard let alone = try? PreKeyBundleFile.read(file.sourceJSON), alone.bundle == file.bundle else {
        fatalError("the bundle's own text is not the bundle")
    }
    guard file.bundle.platform == .ios else { return 0 }
    guard let again = try? PreKeyBundleFile.read(PreKeyBundleText.json(file.bundle)).bundle,
        again == file.bundle, again.timestamp.bitPattern == file.bundle.timestamp.bitPattern
    else { fatalError("the written bundle is another one") }
    return 0
}
