import Testing

@testable import CryptoPrimitives

@Test("a box that was sealed opens again")
func boxOpensAgain() throws {
    let text: [UInt8] = [97, 98, 99]
    let key = try SecretBytes(randomCount: 32)
    var aes = try AESGCM(key: key)
    let box = try aes.sealCombined(text.span)
    let opened = try aes.openCombined(box.span)
    let isSame = opened.isEqual(to: text.span)
    #expect(isSame)
}
