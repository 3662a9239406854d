import Testing

@testable import CryptoPrimitives

/// What each cipher must do, checked in every way it can be called.

func expectKnownAnswer<Cipher: AEADCipher & ~Copyable>(_ vector: AEADVector, _ cipher: inout Cipher) throws {
    let nonce = bytes(vector.nonce)
    let data = bytes(vector.data)
    let plaintext = bytes(vector.plaintext)
    let ciphertext = bytes(vector.ciphertext)
    let tag = bytes(vector.tag)
    let box = nonce + ciphertext + tag

    let sealed = try cipher.sealCombined(plaintext.span, nonce: nonce.span, authenticating: data.span)
    #expect(sealed == box)
    let opened = try cipher.openCombined(box.span, authenticating: data.span)
    #expect(opened.exposed == plaintext)
    let openedApart = try cipher.open(ciphertext.span, nonce: nonce.span, tag: tag.span, authenticating: data.span)
    #expect(openedApart.exposed == plaintext)

    var text = plaintext
    var textSpan = text.mutableSpan
    let newTag = try cipher.seal(inPlace: &textSpan, nonce: nonce.span, authenticating: data.span)
    let newText = textSpan.indices.map { textSpan[$0] }
    #expect(newText == ciphertext && newTag == tag)
    try cipher.open(inPlace: &textSpan, nonce: nonce.span, tag: tag.span, authenticating: data.span)
    let oldText = textSpan.indices.map { textSpan[$0] }
    #expect(oldText == plaintext)

    var whole = box
    var wholeSpan = whole.mutableSpan
    let range = try cipher.openCombined(inPlace: &wholeSpan, authenticating: data.span)
    #expect(range == 12..<(12 + plaintext.count))
    #expect(whole == nonce + plaintext + tag)
}

/// Flips each bit of the box and of the data.
func expectBitFlipsRefused<Cipher: AEADCipher & ~Copyable>(_ vector: AEADVector, _ cipher: inout Cipher) throws {
    let data = bytes(vector.data)
    let box = bytes(vector.nonce) + bytes(vector.ciphertext) + bytes(vector.tag)
    forEachBitFlip(of: box) { flipped, bit in
        #expect(throws: AEADError.notAuthentic, "bit \(bit)") {
            _ = try cipher.openCombined(flipped.span, authenticating: data.span)
        }
        expectWipedInPlace(flipped, data: data, &cipher)
    }
    forEachBitFlip(of: data) { flipped, bit in
        #expect(throws: AEADError.notAuthentic, "bit \(bit) of the data") {
            _ = try cipher.openCombined(box.span, authenticating: flipped.span)
        }
        expectWipedInPlace(box, data: flipped, &cipher)
    }
    let longerData = data + [0]
    expectWipedInPlace(box, data: longerData, &cipher)
    expectWipedInPlace(box, data: [], &cipher)
}

/// Opens a bad box in place and looks that no plaintext is left there.
private func expectWipedInPlace<Cipher: AEADCipher & ~Copyable>(
    _ bad: [UInt8], data: [UInt8], _ cipher: inout Cipher
) {
    var buffer = bad
    var span = buffer.mutableSpan
    var failure: AEADError?
    do {
        _ = try cipher.openCombined(inPlace: &span, authenticating: data.span)
    } catch {
        failure = error
    }
    #expect(failure == .notAuthentic)
    let wiped: [UInt8] = bad.prefix(12) + [UInt8](repeating: 0, count: bad.count - 28)
    let isWiped = buffer == wiped + Array(bad.suffix(16))
    #expect(isWiped)
}

func expectShortBoxesRefused<Cipher: AEADCipher & ~Copyable>(_ cipher: inout Cipher) throws {
    for count in 0..<28 {
        let short = [UInt8](repeating: 0xEE, count: count)
        let refusal = AEADError.tooShort(minimum: 28, found: count)
        #expect(throws: refusal) { _ = try cipher.openCombined(short.span) }
        var buffer = short
        var span = buffer.mutableSpan
        var failure: AEADError?
        do {
            _ = try cipher.openCombined(inPlace: &span)
        } catch {
            failure = error
        }
        #expect(failure == refusal)
        #expect(buffer == short)
    }
    let nothing: [UInt8] = []
    let empty = try cipher.sealCombined(nothing.span)
    #expect(empty.count == 28)
    let opened = try cipher.openCombined(empty.span)
    #expect(opened.exposed == [])
    let zeros = [UInt8](repeating: 0, count: 28)
    #expect(throws: AEADError.notAuthentic) { _ = try cipher.openCombined(zeros.span) }
}

func expectTruncationsRefused<Cipher: AEADCipher & ~Copyable>(_ vector: AEADVector, _ cipher: inout Cipher) throws {
    let data = bytes(vector.data)
    let box = bytes(vector.nonce) + bytes(vector.ciphertext) + bytes(vector.tag)
    for count in 28..<box.count {
        let cut = Array(box[..<count])
        let cutInFront = Array(box[(box.count - count)...])
        #expect(throws: AEADError.notAuthentic) { _ = try cipher.openCombined(cut.span, authenticating: data.span) }
        #expect(throws: AEADError.notAuthentic) {
            _ = try cipher.openCombined(cutInFront.span, authenticating: data.span)
        }
    }
    let longer = box + [0]
    #expect(throws: AEADError.notAuthentic) { _ = try cipher.openCombined(longer.span, authenticating: data.span) }
}
