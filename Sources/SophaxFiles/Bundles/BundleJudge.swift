import SophaxCore

/// Compares the parts of a bundle with each other, and with what the apps accept.
struct BundleJudge {
    let bundle: OpenedBundle
    private(set) var findings: BundleFindings

    init(bundle: OpenedBundle, findings: BundleFindings) {
        self.bundle = bundle
        self.findings = findings
    }

    mutating func judge(identity: BundleIdentity?, backup: BundleBackup?) {
        judgeHeader()
        if findings.isRefusedByApps {
            let message = bundle.header.kind == .backup ? "the app would say that the passphrase is wrong" : nil
            add(Finding(.unreadableByApps, detail: message))
        }
        if let stated = backup?.fingerprint, let keys = identity?.publicKeys, stated != keys.fingerprint {
            add(
                Finding(
                    .fingerprintMismatch, item: ByteText(stated.hex),
                    detail: "the keys in the same file have \(keys.fingerprint.hex)"))
        }
        if let backup { judge(backup.messages) }
    }

    private mutating func judgeHeader() {
        let header = bundle.header
        if header.isBelowIterationFloor, let iterations = header.iterations, let floor = header.kind.iterationFloor {
            add(Finding(.weakIterations, detail: "\(iterations) iterations; the app refuses fewer than \(floor)"))
        }
        if header.kind == .identity, header.version == 1 {
            add(Finding(.refusedByApps, detail: "apps that write version 2 refuse version 1"))
        }
        if header.kind == .backup {
            if !bundle.derivation.isExpected(forBackupVersion: header.version ?? 0, limits: bundle.limits) {
                let detail = "byte \(header.version ?? 0), but the key is made by \(bundle.derivation.name)"
                add(Finding(.versionByteMismatch, detail: detail))
            }
            if bundle.derivation != .pbkdf2(iterations: bundle.limits.backupIterations) {
                let detail = "made with \(bundle.derivation.name): newer apps say that the passphrase is wrong"
                add(Finding(.refusedByApps, detail: detail))
            }
        }
        if bundle.passphraseForm != .typed {
            add(Finding(.passphraseForm, detail: "opens \(bundle.passphraseForm.rawValue), not as typed"))
        }
    }

    private mutating func judge(_ messages: BundleMessages) {
        for list in messages.lists { judge(list) }
        for conversation in messages.conversations {
            for list in conversation.lists where !list.isCurrent(for: conversation.id) {
                if list.isOlder(for: conversation.id) {
                    add(
                        Finding(
                            .orphanedFile, conversation: conversation.id, item: list.key,
                            detail: "the name that the first apps gave the file; newer ones do not look at it"))
                } else {
                    add(Finding(.conversationKeyMismatch, conversation: conversation.id, item: list.key))
                }
            }
        }
        let attachments = messages.lists.reduce(0) { $0 + $1.withAttachment }
        if attachments > 0 {
            add(Finding(.attachmentsNotIncluded, detail: "messages that have one: \(attachments)"))
        }
    }

    private mutating func judge(_ list: BundleMessageList) {
        // A list of which nothing could be read is no empty one; what was lost is among its findings.
        if list.tally.messages == 0, list.lost == 0 {
            let detail =
                list.isBlob
                ? "no conversation: another file of the store"
                : "empty: the app could not read it, or it had no messages"
            add(Finding(.pseudoConversation, item: list.key, detail: detail))
        }
        let id = list.onlyConversation ?? list.idOfKey
        findings.list.add(contentsOf: list.tally.findings.inConversation(id))
    }

    private mutating func add(_ finding: Finding) {
        findings.list.add(finding)
    }
}

extension BundleKeyDerivation {
    /// In words, such as `PBKDF2, 720,000 iterations`.
    package var name: String {
        switch self {
        case .hkdf: "HKDF"
        case .pbkdf2(let iterations): "PBKDF2 with \(iterations) iterations"
        }
    }

    /// Whether an app is known, or said, to have written this derivation with this version byte.
    func isExpected(forBackupVersion version: UInt8, limits: BundleLimits) -> Bool {
        switch version {
        case 1: self == .hkdf || self == .pbkdf2(iterations: limits.olderBackupIterations)
        case 2:
            self == .pbkdf2(iterations: limits.olderBackupIterations)
                || self == .pbkdf2(iterations: limits.backupIterations)
        default: false
        }
    }
}
