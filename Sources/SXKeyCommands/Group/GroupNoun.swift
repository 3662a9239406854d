import CommandKit

/// The keys of group chats.
enum GroupNoun {
    static let group = CommandTable<Context, CommandError>.Noun(
        "group", "keys of group chats: show, make, replace, hand on, and open messages with them",
        discussion: [
            "Each member of a group encrypts with a sender key of its own, which moves on with every message and never back: a key opens "
                + "the next message and all later ones. Members hand their keys to each other through their sessions. Groups of the first "
                + "app version share one key instead. Newer groups can be of MLS: those are named, and not opened.",
            "The keys are items of an identity in the keyring, under the names that the apps have for them.",
        ],
        [
            .init(GroupList.self), .init(GroupShow.self), .init(GroupNew.self), .init(GroupRotate.self),
            .init(GroupRemove.self), .init(GroupImport.self), .init(GroupExport.self), .init(GroupOpen.self),
        ])
}
