import CommandKit
import CryptoPrimitives
import SophaxCore
import SophaxFiles
import SystemIO

/// `--out` of the commands that write keys: a new file, never standard output.
struct GroupKeyTarget: Sendable {
    static let options = ExportTarget.options.map { option in
        option.name == "out"
            ? OptionSpecification.value("out", short: "o", "FILE", .file, "the file to write", isRequired: true)
            : option
    }

    let path: FilePath
    private let replacing: Bool

    init(_ arguments: ParsedArguments) throws(UsageError) {
        path = arguments.requiredPath("out")
        replacing = arguments.flag("force")
        if path == "-" { throw .other("keys are not written to standard output", hint: "name a file with --out") }
    }

    /// The file, once it was found that it may be written.
    func checked(notSameAs inputs: [FileIdentity]) throws(CommandError) -> GroupKeyFile {
        do throws(FileError) {
            try OutputFile.check(path, replacing: replacing, notSameAs: inputs)
        } catch {
            throw .output(error)
        }
        return GroupKeyFile(path, replacing: replacing, inputs: inputs)
    }
}

/// A new file with keys in it: 0600, there only when it is whole.
///
/// A class, so that it can be written inside of a transaction of the keyring and appear behind it.
final class GroupKeyFile {
    let path: FilePath
    private let replacing: Bool
    private let inputs: [FileIdentity]
    private var file: OutputFile?
    private var written: SecretBytes?

    fileprivate init(_ path: FilePath, replacing: Bool, inputs: [FileIdentity]) {
        self.path = path
        self.replacing = replacing
        self.inputs = inputs
        file = nil
        written = nil
    }

    /// Writes all of it beside its place.
    func write(_ bytes: consuming SecretBytes) throws(CommandError) {
        do throws(FileError) {
            var output = try OutputFile(creatingAt: path, replacing: replacing, notSameAs: inputs)
            try bytes.withSpan { (bytes) throws(FileError) in try output.writeUnbuffered(bytes) }
            file = consume output
        } catch {
            throw .output(error)
        }
        written = consume bytes
    }

    /// Makes the file appear after the keyring was changed: an error says that it was, and how to write the key again.
    func commit(afterChangeOf group: GroupID, isInvite: Bool) throws(CommandError) {
        do throws(CommandError) {
            try commit()
        } catch {
            throw .group(.fileAfterChange(error.message, group, isInvite: isInvite))
        }
    }

    /// Makes the file appear, and reads it back.
    func commit() throws(CommandError) {
        guard let output = file.take(), let written = written.take() else { return }
        do throws(FileError) {
            try output.commit()
        } catch {
            throw .output(error)
        }
        let found = try IdentityExport.read(path)
        guard found.isEqual(to: written) else {
            try? removeFile(path)
            throw .group(.exportProof(path))
        }
    }
}
