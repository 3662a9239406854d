import CommandKit
import CryptoPrimitives
import SophaxFiles
import StoreChanges
import SystemIO

/// What all verbs take that change a store, and how they go about it.
struct StoreChangeOptions: Sendable {
    static let dryRun = OptionSpecification.flag("dry-run", "show what would be done, and do nothing")
    static let noKeep = OptionSpecification.flag(
        "no-keep", "remove the old folder after the new one is proven; refused when anything cannot be proven")
    static let specifications = StoreKeySource.options + [dryRun, noKeep, StoreArguments.jobs]

    let store: StoreArguments
    let isDryRun: Bool
    let keeps: Bool

    init(_ arguments: ParsedArguments) throws(UsageError) {
        store = try StoreArguments(arguments)
        let options = arguments.specification.options
        isDryRun = options.contains(Self.dryRun) && arguments.flag("dry-run")
        keeps = !(options.contains(Self.noKeep) && arguments.flag("no-keep"))
    }

    var path: FilePath { store.path }

    /// What a verb came to.
    enum Result {
        /// Nothing was done, by the user's wish.
        case planned(ChangePlan)
        case changed(ChangeOutcome, [Recovery])
    }

    /// Does what a verb that leaves the key as it is wants: takes the turn, settles what an interrupted run left, reads the
    /// key, plans, and changes.
    ///
    /// - Parameters:
    ///   - label: for the progress, such as "Migrating".
    ///   - dryRun: another answer than `--dry-run`'s, for verbs that only act when they are told to.
    ///   - makePlan: gets the unit as it is after that, and the key. A store with nothing to do gives nil: nothing is written.
    func change(
        _ verb: ChangeVerb, _ scope: ChangeUnit.Scope, label: TerminalText, dryRun: Bool? = nil, _ context: Context,
        makePlan: (ChangeUnit, OpenedStoreKey) throws(CommandError) -> ChangePlan?
    ) throws(CommandError) -> Result? {
        let unit = try unit(verb, scope)
        if dryRun ?? isDryRun {
            let opened = try store.source.read(context, opening: unit.store)
            return try makePlan(unit, opened).map { .planned($0) }
        }
        var turn = try turn(verb, unit)
        let recovered = try recover(&turn, verb, context)
        // What was finished may have put another folder under the name.
        let current = try self.unit(verb, scope)
        let opened = try store.source.read(context, opening: current.store)
        guard let plan = try makePlan(current, opened) else { return nil }
        let change = StoreChange(
            plan, oldKey: try opened.shared(), keeps: keeps, workers: store.workers(context),
            date: Self.date(context))
        return .changed(try run(change, turn, label: label, context), recovered)
    }

    // MARK: - The steps, for verbs that need more between them

    func unit(_ verb: ChangeVerb, _ scope: ChangeUnit.Scope) throws(CommandError) -> ChangeUnit {
        do throws(ChangeError) {
            return try ChangeUnit(of: path, scope)
        } catch {
            throw .change(error, verb, path)
        }
    }

    func turn(_ verb: ChangeVerb, _ unit: ChangeUnit) throws(CommandError) -> ChangeTurn {
        do throws(ChangeError) {
            return try ChangeTurn(for: unit)
        } catch {
            throw .change(error, verb, path)
        }
    }

    /// Settles what an interrupted run left, and says so.
    func recover(
        _ turn: inout ChangeTurn, _ verb: ChangeVerb, _ context: Context
    ) throws(CommandError) -> [Recovery] {
        let recovered: [Recovery]
        do throws(ChangeError) {
            recovered = try turn.recover()
        } catch {
            throw .change(error, verb, path)
        }
        for recovery in recovered {
            if let text = recovery.text { context.console.note("sxkey: \(text)") }
        }
        return recovered
    }

    func run(
        _ change: StoreChange, _ turn: consuming ChangeTurn, label: TerminalText, _ context: Context
    ) throws(CommandError) -> ChangeOutcome {
        let progress = context.progress
        progress.begin(label, total: change.plan.bytes, unit: .bytes)
        defer { progress.finish() }
        do throws(ChangeError) {
            return try change.run(turn, progress: { progress.advance(by: $0) })
        } catch {
            throw .change(error, change.plan.verb, path)
        }
    }

    /// Today as clocks here show it, for the name of the kept folder.
    static func date(_ context: Context) -> String {
        context.zone.time(at: context.now)?.date.dayText ?? "1970-01-01"
    }
}

extension OpenedStoreKey {
    /// The key for the threads of a change.
    func shared() throws(CommandError) -> SharedKey {
        try SharedKey(copying: key)
    }
}

extension Recovery {
    /// What is said of it; nil where nothing was left but a note.
    var text: TerminalText? {
        switch self {
        case .undone(let verb):
            "an interrupted \"store \(trusted: verb.rawValue)\" was undone: the store is as it was before it"
        case .finished(let verb, let kept?):
            "an interrupted \"store \(trusted: verb.rawValue)\" was finished: the folder as it was is \(quoted: kept)"
        case .finished(let verb, nil): "an interrupted \"store \(trusted: verb.rawValue)\" was finished"
        case .cleared: nil
        }
    }
}

extension StoreArguments {
    /// Says that a change of the store was interrupted, or is under way, and what to do.
    func noteInterrupted(_ context: Context) {
        Self.noteInterrupted(path, context)
    }

    static func noteInterrupted(_ path: FilePath, _ context: Context) {
        for change in InterruptedChange.look(around: path) {
            let verb = change.verb.rawValue
            if change.isRunning {
                context.console.note(
                    "sxkey: note: \"store \(trusted: verb)\" is changing \(quoted: change.place.path) now")
            } else {
                context.console.note(
                    "sxkey: note: \"store \(trusted: verb)\" of \(quoted: change.place.path) was interrupted; nothing is lost, and "
                        + "\"sxkey store \(trusted: verb) \(quoted: path)\" finishes or undoes it")
            }
        }
    }
}
