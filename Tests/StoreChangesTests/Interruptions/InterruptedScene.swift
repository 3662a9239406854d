import TestSupport

/// A folder in which a command changes a store, and is interrupted.
protocol InterruptedScene: Sendable {
    /// The folder before the first run.
    var path: String { get }
    /// Statuses of a run that comes to its end after interrupted ones.
    var goodStatuses: Set<Int32> { get }
    /// Runs the command with the recorder in `folder`, which is the scene's or a copy of it.
    func probe(_ folder: String, _ options: [String]) -> ChildProcess
    /// Holds after any interruption.
    func checkNothingLost(_ folder: String) throws
    /// Holds after a run that came to its end, whatever was before it.
    func checkCompleted(_ folder: String) throws
}

extension InterruptedScene {
    /// A run that nobody interrupts.
    func probeCopy() throws -> ChildProcess {
        let folder = TemporaryFolder()
        TreeNames.copy(path, to: folder.file("a"))
        let run = probe(folder.file("a"), [])
        guard goodStatuses.contains(run.status) else { throw Failure(text: "status \(run.status): \(run.errorText)") }
        return run
    }

    /// An interruption left `folder`: nothing is lost, and one more run completes.
    func checkNextRun(_ folder: String) throws {
        try checkNothingLost(folder)
        let run = probe(folder, [])
        guard goodStatuses.contains(run.status) else { throw Failure(text: "status \(run.status): \(run.errorText)") }
        try checkCompleted(folder)
    }
}
