import CryptoPrimitives
import JSONCoding

/// The text of one share. A class, so that several can be handed over in an array.
package final class ShareText: Sendable {
    package let text: SecretBytes
    /// Which of the inputs it came from, counted from 0.
    package let source: Int

    package init(_ text: consuming SecretBytes, source: Int = 0) {
        self.text = text
        self.source = source
    }

    /// Whether it is words, and not JSON.
    package var isWords: Bool {
        text.withSpan { text in
            let first = text.indices.first { !isBlank(text[$0]) }
            return first.map { text[$0] != UInt8(ascii: "{") && text[$0] != UInt8(ascii: "[") } ?? true
        }
    }
}

/// Space, tab, CR, LF.
func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

/// Why parts do not give a text, and the input, counted from 0, that the first of them is in.
package struct ShareTextProblem: Error, Equatable, Sendable {
    package let error: ShareTextError
    package let source: Int
}

/// Why nothing was found in a text, or not all of it.
package enum ShareTextError: Error, Equatable, Sendable {
    case tooLarge(found: Int, ceiling: Int)
    /// More lines than pages of words have.
    case tooManyLines(limit: Int)
    /// More shares and parts of QR codes than are taken.
    case tooManyPieces(limit: Int)
    /// Nothing but blanks.
    case empty
    /// A page whose share does not end.
    case openBlock
    /// A line that begins as a part of a QR code and is none.
    case badPart(line: Int)
    /// Two different parts with the same number and tag.
    case contradictoryParts(tag: [UInt8], part: Int)
    /// Parts that are still needed.
    case missingParts(tag: [UInt8], missing: [Int], of: Int)
    /// All parts are there, and what they give is not what was cut into them.
    case damagedParts(tag: [UInt8])
    case memory(SecretMemoryError)
}

/// A share as somebody gave it.
package enum GivenShare: Sendable {
    case plain(IdentityShare)
    case sealed(HeldShare)
    case words(WordShare)
}

/// Why a text is no share.
package enum GivenShareError: Error, Equatable, Sendable {
    case words(WordShareError)
    case json(IdentityShareError)
    case sealed(HeldShareError)
    /// JSON, but none of the forms that shares have.
    case notAShare
}

extension GivenShare {
    /// What a text holds: one share, also in a message between apps, or a list that may have shares of several people, as an app
    /// keeps it (`sss.shares`), alone or in keychain items.
    package struct Content: Sendable {
        package let shares: [GivenShare]
        package let isList: Bool
        /// Elements of a list that are no shares: place, counted from 0, and why.
        package var faults: [(place: Int, error: IdentityShareError)] = []
    }

    package static func read(_ text: ShareText) throws(GivenShareError) -> Content {
        if text.isWords {
            do throws(WordShareError) { return one(.words(try WordShare(text.text))) } catch { throw .words(error) }
        }
        let first = text.text.withSpan { text in text.indices.first { !isBlank(text[$0]) }.map { text[$0] } }
        if first == UInt8(ascii: "[") { return try list(text.text) }
        let object: JSONObject
        do throws(FormatError) {
            object = try JSONObject(secret: text.text, ceiling: IdentityShare.maximumListText)
        } catch {
            throw .json(.format(error))
        }
        var held: SecretBytes?
        do throws(FormatError) { held = try object.secret("sss.shares") } catch { throw .json(.format(error)) }
        if let items = held.take() { return try list(items) }
        if object.has("payload"), object.has("type") { return try message(object) }
        if HeldShare.isSealed(object) {
            do throws(HeldShareError) { return one(.sealed(try HeldShare.read(object))) } catch { throw .sealed(error) }
        }
        guard object.has("data") || object.has("index") else { throw .notAShare }
        do throws(IdentityShareError) { return one(.plain(try IdentityShare.read(object))) } catch {
            throw .json(error)
        }
    }

    /// The share that a message of the apps brings. Whether the message is by whom it says counts for nothing here.
    private static func message(_ object: JSONObject) throws(GivenShareError) -> Content {
        let payload: JSONObject
        do throws(FormatError) {
            let message = try WireMessage(object)
            switch try message.readPayload() {
            case .sssShareDelivery, .sssShareResponse: break
            default: throw FormatError.field("type", .unknownWord)
            }
            payload = try JSONObject(message.payload, ceiling: HeldShare.maximumText)
        } catch {
            if case .field("type", .unknownWord) = error { throw .notAShare }
            throw .json(.format(error))
        }
        do throws(HeldShareError) { return one(.sealed(try HeldShare.read(payload))) } catch { throw .sealed(error) }
    }

    private static func one(_ share: GivenShare) -> Content { Content(shares: [share], isList: false) }

    private static func list(_ text: borrowing SecretBytes) throws(GivenShareError) -> Content {
        do throws(IdentityShareError) {
            let list = try IdentityShare.readList(text)
            return Content(shares: list.shares.map { .plain($0) }, isList: true, faults: list.faults)
        } catch {
            throw .json(error)
        }
    }
}
