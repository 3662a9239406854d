import CommandKit
import CryptoPrimitives
import SophaxFiles
import SystemIO

/// What all store commands take.
struct StoreArguments: Sendable {
    static let folderOperand = OperandSpecification(
        "DIR", .folder, .one, "the folder that holds sophax_messages and sophax_attachments, or sophax_messages itself")
    static let jobs = OptionSpecification.value(
        "jobs", short: "j", "N", .number(1...256), "threads to work with (default: all processors)")

    let path: FilePath
    let keyFile: FilePath?
    let jobs: Int?

    init(path: FilePath, keyFile: FilePath?, jobs: Int?) {
        self.path = path
        self.keyFile = keyFile
        self.jobs = jobs
    }

    init(_ arguments: ParsedArguments) {
        path = arguments.operandPath("DIR")
        keyFile = arguments.path("key-file")
        jobs = arguments.number("jobs")
    }

    func folder() throws(CommandError) -> StoreFolder {
        do throws(StoreFolderError) {
            return try StoreFolder(at: path)
        } catch {
            throw .folder(error)
        }
    }

    func workers(_ context: Context) -> Int { jobs ?? context.workers }

    /// Reads all of a store, with progress; throws when the key opens nothing.
    func survey(
        _ folder: StoreFolder, key: borrowing SecretBytes, includingAttachments: Bool, _ context: Context
    ) throws(CommandError) -> StoreReport {
        let progress = context.progress
        let bytes =
            includingAttachments ? folder.totalBytes : folder.totalBytes - folder.attachments.reduce(0) { $0 + $1.size }
        progress.begin(includingAttachments ? "Verifying" : "Reading", total: bytes, unit: .bytes)
        let survey = StoreSurvey(
            folder, now: context.now, workers: workers(context), includesAttachments: includingAttachments)
        let report: StoreReport
        do throws(StoreFileFailure) {
            report = try survey.run(key: key) { progress.advance(by: $0) }
        } catch {
            throw .storeFile(error)
        }
        progress.finish()
        if report.isWrongKey { throw .wrongStoreKey(path) }
        return report
    }

    /// The conversations of a store whose id is or begins with `word`, or all of them.
    ///
    /// Ids come from file names here, so that nothing has to be read that is not wanted: an id is matched through the name
    /// that the app would give it.
    func conversations(in folder: StoreFolder, named word: [UInt8]?) throws(CommandError) -> [ConversationFiles] {
        let all = ConversationFiles.grouping(folder.conversations)
        guard let word else { return all }
        let wanted = word == Array("notes".utf8) ? ConversationID.notesToSelf : ConversationID(ByteText(word))
        let stems = StoreNameRule.allCases.map { $0.stem(for: wanted) }
        let exact = all.filter { group in group.files.contains { stems.contains($0.stem) } }
        if !exact.isEmpty { return exact }
        let beginning = all.filter { group in
            group.files.contains {
                $0.stem.bytes.starts(with: word) || $0.stem.bytes.starts(with: Array("group.".utf8) + word)
            }
        }
        let ids = beginning.map { ConversationID($0.files[$0.files.count - 1].stem) }
        if beginning.count > 1 { throw .severalConversations(word, matching: ids) }
        if beginning.isEmpty {
            throw .noConversation(word, known: all.prefix(5).map { ConversationID($0.files[$0.files.count - 1].stem) })
        }
        return beginning
    }
}

extension StoreFolder {
    /// All its files, for outputs that must be none of them.
    var identities: [FileIdentity] {
        (conversations + blobs + attachments).compactMap { try? fileStatus(at: $0.path).identity }
    }
}
