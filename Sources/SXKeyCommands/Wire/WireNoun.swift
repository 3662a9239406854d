import CommandKit

/// The noun that is about messages on their way.
enum WireNoun {
    static let wire = CommandTable<Context, CommandError>.Noun(
        "wire", "look into messages that were captured, queued or held",
        discussion: [
            "A wire message is what one app sends another: JSON with a type, a payload, a sender, a time and a signature. These commands "
                + "take them from wherever they were kept, and change nothing."
        ],
        [.init(WireInspect.self), .init(WireVerify.self), .init(WireOpen.self)])
}
