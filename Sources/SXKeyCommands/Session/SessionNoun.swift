import CommandKit

/// The sessions with other people.
enum SessionNoun {
    static let session = CommandTable<Context, CommandError>.Noun(
        "session", "look at the ratchet sessions with other people",
        discussion: [
            "A session is the state of the ratchet that encrypts the messages between two people: private keys and counters that move on with "
                + "every message. It is no backup of anything: a session that was put back is behind the other side's, and going on "
                + "with it uses keys twice. So these commands look at sessions and change none.",
            "They read the sessions of an identity of the keyring, those in the dump of an app's keychain that --keychain names, or one in "
                + "a file of its own.",
        ],
        [.init(SessionList.self), .init(SessionShow.self), .init(SessionVerify.self)])
}
