import SystemIO

/// Turns what the files say, one by one and against each other, into findings.
struct StoreJudge {
    let folder: StoreFolder
    let includesAttachments: Bool
    private var findings = FindingList()

    init(folder: StoreFolder, includesAttachments: Bool) {
        self.folder = folder
        self.includesAttachments = includesAttachments
    }

    mutating func findings(
        conversations: [ConversationSummary], blobs: [StoreFileReport], attachments: [StoreFileReport]
    ) -> FindingList {
        for conversation in conversations {
            for report in conversation.files { judge(report, of: conversation) }
            if conversation.onlyInOrphan > 0, let orphan = conversation.files.first(where: \.isOrphan) {
                findings.add(
                    Finding(
                        .orphanedFile, conversation: conversation.id, item: orphan.file.stem,
                        detail: "\(conversation.onlyInOrphan) messages stand only there"))
            }
        }
        for blob in blobs {
            if let failure = blob.failure {
                addFailure(failure, blob.file, damaged: .damagedFile)
            } else if blob.blobEntries == nil {
                findings.add(
                    Finding(.unreadableContent, item: blob.file.stem, detail: "authentic, but not as the format says"))
            } else if let entries = blob.blobEntries, entries > 0, blob.file.kind == .blob(.refusedMessages) {
                findings.add(
                    Finding(
                        .keptAside, item: blob.file.stem,
                        detail: entries == 1 ? "1 entry" : "\(entries) entries"))
            }
        }
        for file in folder.foreign { findings.add(Finding(.foreignFile, item: file.stem)) }
        judgeNonces(conversations.flatMap(\.files) + blobs + attachments)
        if includesAttachments { judgeAttachments(attachments, conversations) }
        return findings
    }

    private mutating func judge(_ report: StoreFileReport, of conversation: ConversationSummary) {
        if let failure = report.failure {
            addFailure(failure, report.file, damaged: .damagedFile)
            return
        }
        switch report.outcome {
        case .notMessages:
            findings.add(Finding(.notMessages, item: report.file.stem, detail: "authentic, but no list of messages"))
        case .tolerant(let problems):
            findings.add(problems, conversation: conversation.id, item: report.file.stem)
        case .strict, .stopped, nil: break
        }
        // What newer apps cannot decode endangers nothing where they do not look.
        let own = report.tally.findings.without(report.isOrphan ? [.missingIsEdited, .unreadableByApps] : [])
        findings.add(contentsOf: own.inConversation(conversation.id))
        judgeName(report)
    }

    /// Names are not bound to contents (formats section 6.1): a file may have been swapped for another.
    private mutating func judgeName(_ report: StoreFileReport) {
        let ids = report.tally.conversations.map(\.id)
        let colliding = ids.filter { StoreNameRule.v1.stem(for: $0) == report.file.stem }
        if colliding.count > 1 {
            findings.add(
                Finding(
                    .nameCollision, conversation: colliding[0], item: report.file.stem,
                    detail: "\(colliding.count) conversations share this file name"))
        }
        for id in ids where !StoreNameRule.allCases.contains(where: { $0.stem(for: id) == report.file.stem }) {
            findings.add(
                Finding(
                    .unexpectedName, conversation: id, item: report.file.stem,
                    detail: "the app would not keep this conversation under this name"))
        }
    }

    private mutating func addFailure(_ failure: StoreFileFailure, _ file: StoreFile, damaged: Finding.Kind) {
        switch failure {
        case .notAuthentic: findings.add(Finding(damaged, item: file.stem, detail: "authentication failed"))
        case .tooShort(let found):
            findings.add(Finding(damaged, item: file.stem, detail: "\(found) bytes are too few for any text"))
        case .file(let error): findings.add(Finding(.unreadableFile, item: file.stem, detail: error.reason))
        case .outOfMemory(let requested):
            findings.add(Finding(.unreadableFile, item: file.stem, detail: "no memory for \(requested) bytes"))
        case .changing: findings.add(Finding(.unreadableFile, item: file.stem, detail: "it changes while it is read"))
        case .cipher: findings.add(Finding(.unreadableFile, item: file.stem, detail: "the cipher failed"))
        }
    }

    /// Two texts under one key and nonce give away their difference and the authentication key (NIST SP 800-38D, 8).
    private mutating func judgeNonces(_ reports: [StoreFileReport]) {
        var seen: [[UInt8]: StoreFileReport] = [:]
        for report in reports where report.isAuthentic {
            guard let other = seen[report.nonce] else {
                seen[report.nonce] = report
                continue
            }
            let isCopy = other.tag == report.tag && other.file.size == report.file.size
            findings.add(
                Finding(
                    isCopy ? .identicalCopy : .nonceReuse, item: report.file.stem,
                    detail: isCopy
                        ? "the same bytes as \(other.file.path.lastComponent.text)"
                        : "the same nonce as \(other.file.path.lastComponent.text), for another text"))
        }
    }

    private mutating func judgeAttachments(_ attachments: [StoreFileReport], _ conversations: [ConversationSummary]) {
        for report in attachments {
            if let failure = report.failure { addFailure(failure, report.file, damaged: .damagedAttachment) }
        }
        var referred: [ByteText: ConversationID] = [:]
        var ids: [ByteText: ByteText] = [:]
        for conversation in conversations {
            for id in conversation.files.flatMap(\.tally.attachments.keys) {
                let name = attachmentFileName(for: id)
                referred[name] = conversation.id
                ids[name] = id
            }
        }
        guard folder.attachmentsPath != nil else {
            if !referred.isEmpty {
                findings.add(
                    Finding(
                        .noAttachmentFolder,
                        detail: "\(referred.count) attachments are referred to, but there is no folder to look in"))
            }
            return
        }
        let there = Set(attachments.map(\.file.stem))
        for (name, conversation) in referred.sorted(by: { $0.key < $1.key }) where !there.contains(name) {
            findings.add(Finding(.missingAttachment, conversation: conversation, item: ids[name]))
        }
        for report in attachments where referred[report.file.stem] == nil {
            findings.add(
                Finding(.orphanedAttachment, item: report.file.stem, detail: "no readable message refers to it"))
        }
    }
}
