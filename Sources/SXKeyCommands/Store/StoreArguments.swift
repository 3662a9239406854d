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
    let source: StoreKeySource
    let jobs: Int?

    init(_ arguments: ParsedArguments) throws(UsageError) {
        path = arguments.operandPath("DIR")
        source = try StoreKeySource(arguments)
        let hasJobs = arguments.specification.options.contains(Self.jobs)
        jobs = hasJobs ? arguments.number("jobs") : nil
    }

    func folder() throws(CommandError) -> StoreFolder {
        do throws(StoreFolderError) {
            return try StoreFolder(at: path)
        } catch {
            throw .folder(error)
        }
    }

    /// What an output must not be: a file of the store, the key's, or the keyring.
    func inputs(of folder: StoreFolder, _ context: Context) -> [FileIdentity] {
        let files = folder.conversations + folder.blobs + folder.attachments
        return files.compactMap { try? fileStatus(at: $0.path).identity } + source.inputs(context)
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

    /// Whether the key opens any file of the store but those in `tried`; the smallest are tried first.
    ///
    /// A tag that does not fit says "another key, or damaged"; one that fits elsewhere says which.
    func opensAnother(
        of folder: StoreFolder, than tried: [StoreFile], key: borrowing SecretBytes
    ) throws(CommandError) -> Bool {
        let known = Set(tried.map(\.path))
        let others = (folder.conversations + folder.blobs + folder.attachments).filter { !known.contains($0.path) }
        do throws(StoreFileFailure) {
            var reader = try StoreFileReader(key: key)
            for file in others.sorted(by: { $0.size < $1.size }) where (try? reader.open(file)) != nil { return true }
            return false
        } catch {
            throw .storeFile(error)
        }
    }

    /// Says why not one of some files could be opened: the key is another one, they are damaged, or not readable here.
    func nothingOpened(
        _ failures: [(file: StoreFile, failure: StoreFileFailure)], of folder: StoreFolder, key: borrowing SecretBytes
    ) throws(CommandError) -> CommandError {
        guard failures.contains(where: { $0.failure == .notAuthentic }) else {
            return .nothingReadable(path, failures.first?.failure ?? .cipher)
        }
        let files = failures.map(\.file)
        return try opensAnother(of: folder, than: files, key: key) ? .damaged(files, in: path) : .wrongStoreKey(path)
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
