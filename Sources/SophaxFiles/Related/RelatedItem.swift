import JSONCoding
import SystemIO

/// One thing of a related app in a file: a message, a key that was handed over, a frame.
package struct RelatedItem: Sendable {
    /// Where in the file it stands; everything is counted from 1.
    package enum Place: Hashable, Sendable {
        /// The file is this one thing.
        case whole
        case line(Int)
        /// In a JSON array.
        case element(Int)
        /// A frame of a stream.
        case frame(Int)
        /// Something of a thread; the name is that of the JSON key.
        case thread(Int, String)
    }

    package enum Content: Sendable {
        case envelope(BTMessageEnvelope)
        /// What an envelope carries, without one.
        case payload(BTMessagePayload)
        /// A message from one person to another, without anything around it.
        case sealed(BTMessageSealed)
        case record(BTMessageRecord)
        case threadKey(LChatThreadKey)
        /// Of lchat or of CoNET; what tells them apart is the key.
        case box([UInt8])
        case invite(LChatInvite)
        case openPGP([UInt8])
        case unreadable(RelatedProblem)
    }

    package let place: Place
    package let content: Content
    /// Bytes of it in the file, or of the box.
    package let size: Int
    /// The app that the user says it is of.
    package var given: RelatedApp?

    /// A key that is handed over, and opens other things.
    package var bringsKey: Bool {
        switch content {
        case .threadKey: true
        case .envelope(let envelope): envelope.kind == .groupKey
        case .payload(let payload): payload.kind == .groupKey
        case .sealed, .record, .box, .invite, .openPGP, .unreadable: false
        }
    }

    /// The app, as far as the content or the user says it.
    package var app: RelatedApp? {
        switch content {
        case .envelope, .payload, .sealed, .record: .btmessage
        case .threadKey, .invite: .lchat
        case .openPGP: .openPGP
        case .box:
            switch place {
            case .thread: .lchat
            default: given
            }
        case .unreadable: nil
        }
    }
}

/// The raw values are the words in JSON and on the command line.
package enum RelatedApp: String, CaseIterable, Hashable, Sendable {
    case btmessage, lchat, conet
    /// An OpenPGP message, of which nothing says that it is CoNET's.
    case openPGP = "openpgp"
}

/// Why there is nothing at a place of a file.
package enum RelatedProblem: Error, Equatable, Sendable {
    case format(FormatError)
    case notBase64
    /// JSON, and nothing of these apps.
    case unknownObject
    /// A thread key is `04 ‖ X ‖ Y ‖ …` of 125 bytes, and this is not.
    case notAThreadKey
    case boxLength(found: Int)
    /// Longer than anything of the apps.
    case tooLong(limit: Int)
}

/// Why a file gives nothing of the related apps.
package enum RelatedFileError: Error, Equatable, Sendable {
    case file(FileError)
    case format(FormatError)
    case tooMany(limit: Int)
    /// Keys of a related app, and no messages.
    case keys
    /// A history fragment, as the user says.
    case historyFragment
}

/// What the user says a file is, where its content does not.
package enum RelatedFileKind: String, CaseIterable, Sendable {
    case lchat, conet
    case conetHistory = "conet-history"

    var app: RelatedApp? {
        switch self {
        case .lchat: .lchat
        case .conet: .conet
        case .conetHistory: nil
        }
    }
}
