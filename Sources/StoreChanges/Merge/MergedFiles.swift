import SophaxFiles
import SystemIO

/// The files of a merged store besides its conversations: attachments, blobs, what cannot be read, and what nobody knows.
struct MergedFiles {
    private(set) var files: [PlannedFile] = []
    private(set) var attachments = StoreMerge.FileTally()
    private(set) var others = StoreMerge.FileTally()
    private(set) var damaged: [FilePath] = []
    private(set) var notCarried: [FilePath] = []

    private let first: MergeInput
    private let second: MergeInput
    private let reports: [StoreReport]
    private let workers: Int
    /// What has each name so far; nil for a conversation that is written anew.
    private var taken: [FilePath: MergedFile?] = [:]

    init(
        _ first: MergeInput, _ second: MergeInput, _ one: StoreReport, _ two: StoreReport,
        _ unions: [ConversationUnion], workers: Int
    ) {
        self.first = first
        self.second = second
        self.workers = workers
        reports = [one, two]
        for union in unions { taken[union.target] = .some(nil) }
    }

    mutating func build() throws(ChangeError) {
        for (number, input) in [first, second].enumerated() {
            let isSecond = number == 1
            for summary in reports[number].conversations {
                for report in summary.files { try addConversation(report, input, isSecond) }
            }
            for blob in reports[number].blobs {
                let wanted = StoreFolder.messagesName.appending(blob.file.path.lastComponent)
                if !blob.isAuthentic { damaged.append(blob.file.path) }
                try add(MergedFile(source: blob.file, key: input.key, isSecond: isSecond), as: wanted, \.others)
            }
            try addAttachments(input, isSecond)
            for file in input.folder.foreign { try addForeign(file, input, isSecond) }
        }
    }

    // MARK: Conversations that cannot be merged

    /// A file that does not authenticate comes along as it is; one with elements that are no messages, besides.
    private mutating func addConversation(
        _ report: StoreFileReport, _ input: MergeInput, _ isSecond: Bool
    ) throws(ChangeError) {
        let name = StoreFolder.messagesName.appending(report.file.path.lastComponent)
        let file = MergedFile(source: report.file, key: input.key, isSecond: isSecond)
        guard report.isAuthentic else {
            damaged.append(report.file.path)
            try add(file, as: name, \.others, suffix: ".unproven")
            return
        }
        guard let outcome = report.outcome else { return }
        switch outcome {
        case .notMessages: try add(file, as: name, \.others, suffix: ".original")
        case .tolerant(let problems) where problems.losses > 0:
            try add(file, as: name.appendingSuffix(".original"), \.others, suffix: ".original")
        default: break
        }
    }

    // MARK: Attachments

    private mutating func addAttachments(_ input: MergeInput, _ isSecond: Bool) throws(ChangeError) {
        let wanted = input.folder.attachments.map { file in
            (
                target: StoreFolder.attachmentsName.appending(file.path.lastComponent),
                file: MergedFile(source: file, key: input.key, isSecond: isSecond)
            )
        }
        // Most have their names for themselves, or are in both stores: those are compared on all threads.
        let pairs = wanted.compactMap { entry in
            (taken[entry.target] ?? nil).map { (target: entry.target, first: $0, second: entry.file) }
        }
        let compared = try parallelMap(pairs, workers: workers) { pair throws(ChangeError) in
            try FileComparison.compare(pair.first, pair.second)
        }
        var known: [FilePath: FileComparison] = [:]
        for (pair, result) in zip(pairs, compared) { known[pair.target] = result }
        for entry in wanted { try add(entry.file, as: entry.target, \.attachments, known: known[entry.target]) }
    }

    // MARK: What nobody knows

    private mutating func addForeign(_ file: StoreFile, _ input: MergeInput, _ isSecond: Bool) throws(ChangeError) {
        let isAttachment = file.path.parent.lastComponent == input.folder.attachmentsPath?.lastComponent
        let folder = isAttachment ? StoreFolder.attachmentsName : StoreFolder.messagesName
        let place = folder.appending(file.path.lastComponent)
        let status = try onDisk(try fileStatus(at: file.path, followingLinks: false))
        switch status.kind {
        case .regular:
            try add(MergedFile(source: file, key: input.key, isSecond: isSecond), as: place, \.others)
        case .folder:
            for entry in try onDisk(try FolderTree.entries(of: file.path)) where entry.kind != .folder {
                let path = file.path.appending(entry.path)
                guard entry.kind == .regular else {
                    notCarried.append(path)
                    continue
                }
                let inner = StoreFile(foreign: path, size: entry.size)
                try add(
                    MergedFile(source: inner, key: input.key, isSecond: isSecond), as: place.appending(entry.path),
                    \.others)
            }
        default: notCarried.append(file.path)
        }
    }

    // MARK: Names

    /// Gives a file its name, or the next one that is free; a file with the same content is there already.
    private mutating func add(
        _ file: MergedFile, as wanted: FilePath, _ tally: WritableKeyPath<MergedFiles, StoreMerge.FileTally>,
        suffix: String = ".second", known: FileComparison? = nil
    ) throws(ChangeError) {
        var name = wanted
        var number = 1
        while let other = taken[name] {
            if let other {
                let result: FileComparison
                if let known, name == wanted {
                    result = known
                } else {
                    result = try FileComparison.compare(other, file)
                }
                switch result {
                case .same:
                    if file.isSecond {
                        self[keyPath: tally].alreadyThere += 1
                        return
                    }
                case .different: break
                case .onlySecond where file.isSecond:
                    try giveWay(other, name, to: file)
                    self[keyPath: tally].new += 1
                    return
                case .onlySecond: break
                }
            }
            name = wanted.appendingSuffix(suffix + (number > 1 ? "-\(number)" : ""))
            number += 1
        }
        put(file, name)
        if !file.isSecond {
            self[keyPath: tally].first += 1
        } else if name == wanted {
            self[keyPath: tally].new += 1
        } else {
            self[keyPath: tally].conflicting.append(name)
        }
    }

    /// The first store's file does not authenticate, the second's does: the good one gets the name.
    private mutating func giveWay(_ bad: MergedFile, _ name: FilePath, to good: MergedFile) throws(ChangeError) {
        files.removeAll { $0.target == name }
        var other = name.appendingSuffix(".unproven")
        var number = 2
        while taken[other] != nil {
            other = name.appendingSuffix(".unproven-\(number)")
            number += 1
        }
        put(bad, other)
        put(good, name)
    }

    private mutating func put(_ file: MergedFile, _ name: FilePath) {
        taken[name] = file
        // An earlier merge may have left a file of the store under a name that no app gives; anything else is no such file.
        let isUnknown = file.source.kind == .foreign && !opens(file)
        files.append(
            PlannedFile(
                name,
                isUnknown
                    ? .carry(from: file.source.path, .unknown) : .reseal(from: file.source, key: file.key)))
    }

    private func opens(_ file: MergedFile) -> Bool {
        guard var reader = try? StoreFileReader(key: file.key.bytes) else { return false }
        return (try? reader.open(file.source)) != nil
    }
}
