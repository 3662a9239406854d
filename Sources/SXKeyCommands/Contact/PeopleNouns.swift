import CommandKit

/// The nouns that are about other people.
enum PeopleNouns {
    static let contact = CommandTable<Context, CommandError>.Noun(
        "contact", "the people that you know, and their keys",
        discussion: [
            "A contact is a person with the keys that you linked to it. A peer id is the hash of the keys, so other keys are another "
                + "peer id, and a name alone never links anything."
        ],
        [
            .init(ContactAdd.self), .init(ContactList.self), .init(ContactShow.self), .init(ContactRename.self),
            .init(ContactReplaceKey.self), .init(ContactBlock.self), .init(ContactUnblock.self),
            .init(ContactRemove.self), .init(ContactHistory.self), .init(ContactCardCommand.self),
        ])

    static let safety = CommandTable<Context, CommandError>.Noun(
        "safety", "compare safety numbers, and keep who is verified",
        discussion: [
            "Two people who see the same safety number hold each other's keys, and nobody sits between them. Compare it face to "
                + "face or on a call, not in a message."
        ],
        [
            .init(SafetyShow.self), .init(SafetyCompare.self), .init(SafetyMark.self), .init(SafetyUnmark.self),
            .init(SafetyList.self), .init(SafetyScan.self),
        ])
}
