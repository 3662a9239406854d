import CommandKit
import CryptoPrimitives
import JSONCoding
import SophaxCore
import SophaxFiles
import SystemIO

/// Messages as JSON, an object each.
struct WireJSON {
    private let question: WireQuestion
    private let context: Context
    private let path: FilePath
    private let looker: WireLooker

    init(_ question: WireQuestion, _ context: Context, _ path: FilePath, _ looker: WireLooker) {
        self.question = question
        self.context = context
        self.path = path
        self.looker = looker
    }

    func write(_ shown: ShownMessage, _ item: CapturedItem, to json: inout JSONWriter) {
        json.object { json in
            write(item, to: &json)
            writeMembers(of: shown, to: &json)
        }
    }

    func write(_ held: StoreAndForwardPayload, _ inner: InnerMessage?, _ item: CapturedItem, to json: inout JSONWriter)
    {
        json.object { json in
            write(item, to: &json)
            json.member("size", item.size)
            json.member("payload") { json in json.raw(held.json) }
            write(inner.map { [$0] } ?? [], to: &json)
        }
    }

    func write(_ problem: CaptureProblem, _ item: CapturedItem, to json: inout JSONWriter) {
        json.object { json in
            write(item, to: &json)
            json.member("size", item.size)
            json.member("problem") { json in write(problem.code, problem.sentence, to: &json) }
        }
    }

    /// Where it is.
    private func write(_ item: CapturedItem, to json: inout JSONWriter) {
        json.member("path", path.bytes)
        switch item.place {
        case .whole: break
        case .line(let number): json.member("line", number)
        case .frame(let number, let offset):
            json.member("frame", number)
            json.member("offset", offset)
        case .waiting(let recipient, let number):
            json.member("recipient", recipient.bytes)
            json.member("number", number)
        case .waitingList(let recipient): json.member("recipient", recipient.bytes)
        case .held(let number): json.member("number", number)
        }
        if let id = item.queueID { json.member("queueID", id) }
    }

    private func write(_ code: String, _ text: String, to json: inout JSONWriter) {
        json.object { json in
            json.member("code", code)
            json.member("text", text)
        }
    }

    private func writeMembers(of shown: ShownMessage, to json: inout JSONWriter) {
        let message = shown.message
        json.member("type", message.type)
        json.member("senderID", message.senderID.bytes)
        json.member("senderName", looker.name(of: message.senderID))
        json.member("time", RFC3339.format(unixSeconds: message.time.unixSeconds))
        json.member("timestamp", message.timestamp)
        json.member("platform", message.time.platform.name)
        json.member("ageSeconds", context.now - message.time.unixSeconds)
        json.member("size", shown.size)
        json.member("knownType", WireType(message.type) != nil)
        json.member("signature") { json in shown.proof.writeJSON(to: &json) }
        json.member("findings") { json in
            json.array(shown.findings) { json, finding in json.value(finding.rawValue) }
        }
        switch shown.payload {
        case .failure(let error):
            json.member("payload") { json in json.null() }
            json.member("problem") { json in write("bad-payload", error.sentence, to: &json) }
        case .success:
            json.member("payload") { json in write(payload: message.payload, to: &json) }
        }
        if question == .open { writeOutcome(of: shown, to: &json) }
        write(shown.inner, to: &json)
    }

    /// The payload as it stands, when it is JSON; else in base64.
    private func write(payload: [UInt8], to json: inout JSONWriter) {
        guard StrictJSON.isObject(payload) else { return json.value(Base64.encode(payload.span)) }
        // A line stays a line.
        json.raw(payload.map { $0 == 0x0A || $0 == 0x0D ? 0x20 : $0 })
    }

    private func write(_ inner: [InnerMessage], to json: inout JSONWriter) {
        guard !inner.isEmpty else { return }
        json.member("inner") { json in
            json.array(inner) { json, inner in
                json.object { json in
                    json.member("wrapping", inner.wrapping.rawValue)
                    json.member("id", inner.id)
                    switch inner.content {
                    case .success(let message): writeMembers(of: message, to: &json)
                    case .failure(let failure): write(failure, to: &json)
                    }
                }
            }
        }
    }

    // MARK: - Plaintext

    private func writeOutcome(of shown: ShownMessage, to json: inout JSONWriter) {
        switch shown.outcome {
        case .clear: json.member("outcome", "clear")
        case .nested: json.member("outcome", "nested")
        case .notOpened(let failure): write(failure, to: &json)
        case .opened(let plaintext):
            json.member("outcome", "opened")
            json.member("plaintext") { json in write(plaintext, to: &json) }
        }
    }

    private func write(_ failure: WireOpenFailure, to json: inout JSONWriter) {
        json.member("outcome", "not-opened")
        json.member("problem") { json in write(failure.code, failure.sentence, to: &json) }
    }

    private func write(_ plaintext: WirePlaintext, to json: inout JSONWriter) {
        json.object { json in
            switch plaintext {
            case .repeated: json.member("repeated", true)
            case .group(let message):
                json.member("form", message.form.name)
                json.member("body", message.body)
                write(attachment: message.attachment, to: &json)
                if message.isAttachmentDamaged { json.member("attachmentDamaged", true) }
            case .content(let content, let session):
                json.member("session", session.rawValue)
                json.member("kind", content.kind.word)
                json.member("body", content.body)
                json.member("time", RFC3339.format(unixSeconds: content.timestamp.unixSeconds))
                json.member("replyToID", content.replyToID)
                json.member("expiresAt", content.expiresAt.flatMap { RFC3339.format(unixSeconds: $0.unixSeconds) })
                if let edit = content.editPayload {
                    json.member("edit") { json in
                        json.object { json in
                            json.member("messageID", edit.messageID)
                            json.member("newBody", edit.newBody)
                        }
                    }
                }
                json.member("attachmentMimeType", content.attachmentMimeType)
                json.member("attachmentFilename", content.attachmentFilename)
                write(attachment: content.attachmentData, to: &json)
                if let shared = SharedGroupKey(content) { write(shared, to: &json) }
            }
        }
    }

    private func write(attachment: [UInt8]?, to json: inout JSONWriter) {
        json.member("attachmentSize", attachment?.count)
        json.member("attachmentData", attachment.map { Base64.encode($0.span) })
    }

    /// The keys themselves are not shown.
    private func write(_ shared: SharedGroupKey, to json: inout JSONWriter) {
        json.member("groupKey") { json in
            json.object { json in
                json.member("groupID", shared.groupID)
                json.member("groupName", shared.groupName)
                json.member("members", shared.memberCount)
                json.member("iteration", shared.iteration.map { Int($0) })
            }
        }
    }
}
