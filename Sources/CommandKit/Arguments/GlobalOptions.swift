/// The options that every command takes.
package struct GlobalOptions: Hashable, Sendable {
    package enum Color: String, Hashable, Sendable, CaseIterable {
        case auto, always, never
    }

    package var json = false
    package var quiet = false
    package var color = Color.auto

    package init(json: Bool = false, quiet: Bool = false, color: Color = .auto) {
        self.json = json
        self.quiet = quiet
        self.color = color
    }

    /// What can be known of them when the command line is wrong: enough to report the error in the wanted form.
    package init(scanning arguments: [[UInt8]]) {
        for argument in arguments {
            if argument == Array("--".utf8) { break }
            if argument == Array("--json".utf8) { json = true }
            if argument == Array("--no-color".utf8) { color = .never }
        }
    }

    package static let help = OptionSpecification.flag("help", short: "h", "show this help and exit")
    package static let version = OptionSpecification.flag("version", "show the version and exit")
    package static let specifications: [OptionSpecification] = [
        .flag("json", "write one JSON document instead of text, also for an error"),
        .flag("quiet", short: "q", "no progress and no notes on standard error; errors stay"),
        .value(
            "color", "WHEN", .choice(Color.allCases.map(\.rawValue)),
            "style the output: auto (on a terminal without NO_COLOR), always or never"),
        .flag("no-color", "the same as --color never"),
        help,
        version,
    ]
}
