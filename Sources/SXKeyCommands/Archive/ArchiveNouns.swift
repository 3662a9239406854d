import CommandKit

/// The noun `archive` of the command table.
enum ArchiveNouns {
    static let archive = CommandTable<Context, CommandError>.Noun(
        "archive", "keep all messages of all devices and exports in one encrypted file that can be searched",
        discussion: [
            "The archive is one encrypted file with the messages and attachments of message stores, bundles of every kind and other "
                + "archives, each message once, with every version of it and where it came from. Its pages are encrypted, the index for "
                + "searching too; like the keyring it has up to eight slots, each a passphrase or a key file.",
            "It is the file that --archive names, else the one that the variable SXKEY_ARCHIVE names, else sxkey/archive.sxdb in "
                + "XDG_DATA_HOME or ~/.local/share. A warning is given when others have access to it.",
        ],
        [
            .init(ArchiveInit.self), .init(ArchiveInfo.self), .init(ArchiveImport.self), .init(ArchiveList.self),
            .init(ArchiveShow.self), .init(ArchiveSearch.self), .init(ArchiveStats.self), .init(ArchiveExport.self),
            .init(ArchiveVerify.self),
            .init(ArchiveRemove.self), .init(ArchiveCompact.self), .init(ArchiveBackup.self),
            .init(ArchivePasswd.self), .init(ArchiveSlotAdd.self), .init(ArchiveSlotRemove.self),
            .init(ArchiveRekey.self),
        ])
}
