import CommandKit

/// Keys of the apps that are related to SophaxChat.
enum RelatedNoun {
    static let related = CommandTable<Context, CommandError>.Noun(
        "related", "keys of btmessage, lchat and CoNET: show, keep, hand on, and test vectors",
        discussion: [
            "Messages of these apps are shown by \"sxkey wire inspect\", opened by \"sxkey wire open\" and taken into the archive by "
                + "\"sxkey archive import\", each told by its content. These commands are about the keys that this needs.",
            "Of btmessage that is the identity: a peer id and a private key of X-Wing, or of X25519 in its first versions; and the keys "
                + "of its groups. Of lchat the private key of P-256 that the keys of threads are wrapped for. Of CoNET the key of a mailbox "
                + "stream; its OpenPGP messages open with gpg, which has keys of its own, and its history fragments do not open: how their "
                + "keys are derived is not public.",
            "The post-quantum part is code of sxkey's own where libcrypto has none: it is held to published vectors, and nobody has "
                + "audited it.",
        ],
        [
            .init(RelatedShow.self), .init(RelatedImport.self), .init(RelatedExport.self), .init(RelatedWrap.self),
            .init(RelatedUnwrap.self), .init(RelatedVectors.self),
        ])
}
