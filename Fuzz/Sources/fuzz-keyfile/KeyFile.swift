// A key file of any bytes, and the same bytes as a passphrase in all the forms that are tried.

import CryptoPrimitives
import SophaxFiles

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = Array(UnsafeBufferPointer(start: bytes, count: count))
    do {
        let secret = try SecretBytes(copying: input.span)
        if let key = try? StoreKey.read(secret) {
            precondition(key.count == StoreKey.length)
        }
        guard let forms = try? PassphraseForm.forms(of: secret) else { return 0 }
        precondition(!forms.isEmpty && forms.count <= PassphraseForm.Kind.allCases.count)
        for (index, form) in forms.enumerated() {
            precondition(form.bytes.count > 0)
            for other in forms[..<index] { precondition(!form.bytes.isEqual(to: other.bytes)) }
        }
        let kept = PassphraseTrimming.kept(of: input.span)
        precondition(kept.lowerBound >= 0 && kept.upperBound <= count)
    } catch {
        fatalError("\(error)")
    }
    return 0
}
