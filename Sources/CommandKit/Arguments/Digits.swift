/// `text` with every Unicode decimal digit (Arabic, Persian, full-width, …) written as its ASCII digit; bytes that are not
/// UTF-8 stay as they are.
package func asciiDigits(_ text: [UInt8]) -> [UInt8] {
    guard text.contains(where: { $0 >= 0x80 }), let valid = String(validating: text, as: UTF8.self) else { return text }
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    for scalar in valid.unicodeScalars {
        if !scalar.isASCII, scalar.properties.numericType == .decimal, let value = scalar.properties.numericValue {
            result.append(UInt8(ascii: "0") + UInt8(value))
        } else {
            result.append(contentsOf: Array(String(scalar).utf8))
        }
    }
    return result
}
