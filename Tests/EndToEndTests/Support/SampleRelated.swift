import TestSupport

/// An identity of btmessage and a message for it, for the examples of help.
enum SampleRelated {
    static let keyFileName = "btmessage.json"
    static let messageFileName = "chat.json"

    static let keyFile = RelatedVectors.items
    static let threadKeyFileName = "thread.key"
    static let threadsFileName = "threads.json"
    static let privateKeyFileName = "lchat.pem"
    static let threadKey = RelatedVectors.threadKey
    static let threads = #"{"threads":[{"wrapped":"\#(RelatedVectors.wrapped)"}]}"#
    static let privateKey = RelatedVectors.pem
    static let message = RelatedVectors.envelopes[0]
}
