import TestSupport

/// An identity of btmessage and a message for it, for the examples of help.
enum SampleRelated {
    static let keyFileName = "btmessage.json"
    static let messageFileName = "chat.json"

    static let keyFile = RelatedVectors.items
    static let message = RelatedVectors.envelopes[0]
}
