import JSONCoding
import SophaxCore
import SystemIO

/// One message of a file of captured or queued messages, or what is wrong at its place.
package struct CapturedItem: Sendable {
    /// Where in the file it stands; lines, frames and places are counted from 1.
    package enum Place: Hashable, Sendable {
        /// The file is this one message.
        case whole
        case line(Int)
        /// `offset` is where its length stands, bytes from the beginning of the file.
        case frame(Int, offset: Int)
        /// A message in the queue for somebody.
        case waiting(for: PeerID, Int)
        /// All that is in the queue for somebody, which is no list.
        case waitingList(for: PeerID)
        /// A message that is held for somebody else.
        case held(Int)
    }

    package enum Content: Sendable {
        case message(WireMessage)
        /// Not a whole message: what a relay holds of one.
        case held(StoreAndForwardPayload)
        case unreadable(CaptureProblem)
    }

    package let place: Place
    package let content: Content
    /// Bytes of the message's JSON in the file; nil where that cannot be said.
    package let size: Int?
    /// Of a queue: the id that the app files the message under.
    package var queueID: [UInt8]?
}

/// Why there is no message at a place of a file.
package enum CaptureProblem: Error, Equatable, Sendable {
    case format(FormatError)
    case frame(FrameError)
    /// Longer than any message; it was stepped over.
    case lineTooLong(limit: Int)
    /// JSON, and a thing of another kind.
    case foreign(ForeignFile)
}

/// What a file is that has no wire messages in it, as far as its beginning and its keys tell.
package enum ForeignFile: String, Hashable, Sendable, CaseIterable {
    case appExport = "app-export"
    case portableBundle = "sxb"
    case sealedDatabase = "sealed-database"
    case preKeyBundle = "prekey-bundle"
    case keychain
    /// A sealed message without the envelope around it.
    case sealedMessage = "sealed-message"
    /// What a message carries, without the envelope around it.
    case payload
    case btmessage
    case conet
    case otherJSON = "other-json"
    case binary
}

/// Why a file gives no messages at all.
package enum CaptureError: Error, Equatable, Sendable {
    case file(FileError)
    case empty
    case foreign(ForeignFile)
    /// JSON that is none, or a queue that has more than any queue.
    case format(FormatError)
    /// Neither text nor frames, and it was not decrypted.
    case encrypted
    /// The key does not open it, or it is damaged: the format cannot tell them apart.
    case notAuthentic
    case cipher
}
