import Archive
import History
import HistoryExport
import Keyring
import PortableBundle
import QRCodes
import SQLiteDatabase
import SophaxCore
import SophaxFiles
import StoreChanges
import SystemIO

/// Why a command ended without doing what it was asked for.
package enum CommandError: Error {
    /// An input, or a folder that is made.
    case file(FileError)
    /// The output: standard output or the file of `--out`.
    case output(FileError)
    case folder(StoreFolderError)
    /// `option` is what the options that give it begin with.
    case secret(SecretInputError, what: String, option: String = "passphrase")
    /// A new passphrase was typed in two ways.
    case passphrasesDiffer(what: String)
    /// The file of the keyring or of an archive.
    case sealed(SealedError, SealedFileKind, FilePath)
    case sealedAccess(SealedAccessError)
    case keyring(KeyringError, FilePath)
    case keyringAccess(KeyringAccessError)
    case identity(IdentityFailure)
    case shares(ShareFailure)
    case storeKey(StoreKeyError, FilePath, KeyFileUse = .storeKey)
    /// Not one file of the store authenticates.
    case wrongStoreKey(FilePath)
    /// None of the files that were asked for authenticates, though the key opens others.
    case damaged([StoreFile], in: FilePath)
    /// No file of the store can be read at all; why not one of them.
    case nothingReadable(FilePath, StoreFileFailure)
    case storeFile(StoreFileFailure)
    /// An output that would lie in a folder of the store.
    case insideStore(FilePath)
    /// No conversation has such an id; `known` are some that there are.
    case noConversation([UInt8], known: [ConversationID])
    case severalConversations([UInt8], matching: [ConversationID])
    case noAttachment([UInt8])
    case attachment(ByteText, StoreFileFailure)
    case noAttachmentFolder(FilePath)
    /// A store was not changed.
    case change(ChangeError, ChangeVerb, FilePath)
    case rekey(RekeyFailure)
    /// Peer ids of 16 digits whose other 16 nobody knows.
    case unknownPeers([ByteText], FilePath)
    /// Long peer ids that share their first 16 digits, and would be one with 16.
    case alikePeers([ByteText], FilePath)
    case bundle(BundleError, FilePath)
    case bundleContent(BundleContentError, FilePath)
    case bundleFailure(BundleFailure)
    /// What is in a bundle or store, whose path it is, cannot be moved.
    case entries(EntryError, FilePath)
    case archive(ArchiveError, FilePath)
    /// A signal ended an import in an orderly way; its number.
    case importInterrupted(Int32, isDryRun: Bool)
    /// The archive that an import goes into is one of its sources.
    case importsItself(FilePath)
    /// No message of the archive has this id.
    case noMessage([UInt8])
    /// A source of history cannot be read to its end.
    case history(HistoryError, FilePath)
    /// An export of messages that did not come about, for a reason of its own.
    case export(ExportError)
    /// What was exported changed while it was read.
    case sourceChanged(FilePath)
    /// An output that would lie in a folder of the store that is exported.
    case outputInside(FilePath)
    /// A name that more than one person has.
    case severalPeople([UInt8], [Fingerprint])
    /// A file that is nothing that messages come from.
    case notHistory(FilePath)
    case keyFileCount(given: Int, wanted: [FilePath])
    /// An archive among the sources that only key files open, and none was given.
    case sourceKeyFile(FilePath)
    /// A folder that is made as an output.
    case folderOutput(FileError)
    /// A picture that was not read or not made.
    case image(ImageError)
    /// An identity export, where messages were asked for.
    case noMessages(FilePath)
    /// A file that gives no wire messages.
    case capture(CaptureError, FilePath)
    case preKeyFile(PreKeyFileError, FilePath)
    case preKey(PreKeyError)
    case contact(ContactFailure)
    case safety(SafetyFailure)
    case session(SessionFailure)
    case code(QRCodeError)
    /// A file with keys of a related app that gives none.
    case relatedKey(RelatedKeyError, FilePath)
    /// A file of a related app that gives nothing.
    case relatedFile(RelatedFileError, FilePath)
    case related(RelatedProgramFailure)
    /// Keys of groups that were not shown, made or taken.
    case group(GroupFailure)
}
