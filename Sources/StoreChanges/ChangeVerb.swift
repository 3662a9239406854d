import SystemIO

/// What is done to a store; the raw value is the verb of the command line and part of the kept folder's name.
package enum ChangeVerb: String, CaseIterable, Hashable, Sendable {
    case rekey
    case migrate
    case repair
    case merge
    case prune
    case restore

    /// The name that the folder as it was gets beside the changed one: `NAME.before-VERB-DATE`, with a number when that
    /// name is taken.
    ///
    /// - Parameter date: the day, as `yyyy-MM-dd`.
    package func keptName(of folder: FilePath, date: String, number: Int = 1) -> FilePath {
        folder.appendingSuffix(".before-\(rawValue)-\(date)" + (number > 1 ? "-\(number)" : ""))
    }
}
