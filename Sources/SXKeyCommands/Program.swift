import CommandKit
import SystemIO

/// The program: its commands, and the way from the arguments to the exit status.
package enum Program {
    package static let name = "sxkey"

    package static let table = CommandTable<Context, CommandError>([
        .init(
            "bundle", "make, read, convert and compare encrypted backups: the apps' exports and sxkey's own",
            discussion: [
                "A bundle is one encrypted file: an export of an app (an identity, a message backup, or both), or a .sxb of sxkey, which "
                    + "can hold everything, attachments too. These commands open every kind and version that the apps ever wrote. They never "
                    + "change a bundle, but for passwd."
            ],
            [
                .init(BundleCreate.self), .init(BundleInfo.self), .init(BundleVerify.self), .init(BundleShow.self),
                .init(BundleExport.self), .init(BundleExtract.self), .init(BundleRestore.self),
                .init(BundleConvert.self), .init(BundleDiff.self), .init(BundleMerge.self), .init(BundlePasswd.self),
            ]),
        .init(
            "store", "inspect, verify, export and change an app's message store",
            discussion: [
                "A message store is the folder that an app keeps its conversations in, one encrypted file each, with the "
                    + "attachments beside it. Most of these commands only read it. Those that change it make a new folder beside the old "
                    + "one, prove it, and exchange the two names in one step; the old folder stays unless --no-keep is given."
            ],
            [
                .init(StoreInfo.self), .init(StoreVerify.self), .init(StoreShow.self), .init(StoreExport.self),
                .init(StoreAttachment.self), .init(StoreRekey.self), .init(StoreMigrate.self), .init(StoreRepair.self),
                .init(StorePrune.self), .init(StoreSalvageCommand.self), .init(StoreMergeCommand.self),
            ]),
        .init(
            "keyring", "keep identities, contacts and verified marks in one encrypted file",
            discussion: [
                "The keyring is one encrypted file with the private keys of one's identities, their prekeys, the contacts and the "
                    + "safety numbers that were verified. It has up to eight slots; each holds the same master key, wrapped under a "
                    + "passphrase or a key file of its own.",
                "It is the file that --keyring names, else the one that the variable SXKEY_KEYRING names, else sxkey/keyring.sxdb in "
                    + "XDG_DATA_HOME or ~/.local/share. A warning is given when others have access to it.",
                "All items of an app's keychain go in and out with the identity that they belong to: sxkey identity import takes a dump of "
                    + "a keychain, and sxkey identity export --format keychain-json writes one.",
            ],
            [
                .init(KeyringInit.self), .init(KeyringInfo.self), .init(KeyringVerify.self),
                .init(KeyringPasswd.self), .init(KeyringRekey.self), .init(KeyringSlotAdd.self),
                .init(KeyringSlotRemove.self), .init(KeyringBackup.self),
            ]),
        .init(
            "identity", "make, import, export and use identities",
            discussion: [
                "An identity is a pair of private keys, Ed25519 and X25519, with a name. What others know it by (peer id, fingerprint, "
                    + "safety numbers, onion address) is computed from the public halves, so it stays the same wherever the keys go. "
                    + "Identities live in the keyring (sxkey-keyring(1)); one of them is the current one, which commands use unless "
                    + "--identity names another."
            ],
            [
                .init(IdentityNew.self), .init(IdentityList.self), .init(IdentityShow.self), .init(IdentityUse.self),
                .init(IdentityRename.self), .init(IdentityImport.self), .init(IdentityExport.self),
                .init(IdentityRemove.self), .init(IdentitySign.self), .init(IdentityVerify.self),
                .init(IdentitySplit.self), .init(IdentityCombine.self), .init(IdentityShareCommand.self),
            ]),
        .init(
            "prekey", "the keys that others begin a session with",
            discussion: [
                "Somebody who wants to write first needs a bundle of prekeys: the identity keys, a signed prekey that is replaced "
                    + "every week, and a one-time prekey for this session alone."
            ],
            [
                .init(PreKeyInfo.self), .init(PreKeyRotate.self), .init(PreKeyReplenish.self),
                .init(PreKeyPublish.self), .init(PreKeyVerify.self),
            ]),
        PeopleNouns.contact,
        PeopleNouns.safety,
        SessionNoun.session,
        WireNoun.wire,
        GroupNoun.group,
        ArchiveNouns.archive,
        RelatedNoun.related,
        .init("completions", "print shell completions", [.init(CompletionsCommand.self)]),
        .init("version", "show the version and what it is built on", [.init(VersionCommand.self)]),
    ])

    package static let specification = ProgramSpecification(
        name: name,
        version: Version.number,
        date: Version.date,
        summary: "keys, backups and history of SophaxChat, offline",
        discussion: [
            "sxkey is the tool beside a SophaxChat app: it opens every export the apps ever wrote, and keeps, audits and "
                + "changes the stored history. It works offline, changes only what its verbs say, and says nothing that it did "
                + "not prove."
        ],
        nouns: table.specifications,
        environment: [
            ("HOME", "where .local/share/sxkey is, with the keyring and the archive, unless others are named"),
            ("NO_COLOR", "when set, output has no colour (see --color)"),
            ("SXKEY_ARCHIVE", "the archive, unless --archive names one"),
            ("SXKEY_KEYRING", "the keyring, unless --keyring names one"),
            ("TZ", "the time zone of dates that people read and type"),
            ("XDG_DATA_HOME", "the folder to use in place of ~/.local/share, when it is absolute"),
        ]
    )

    /// Runs the program and ends the process.
    package static func main() -> Never {
        occupyClosedStandardStreams()
        ProcessSettings.protectSecrets()
        Interrupts.begin()
        ProcessSettings.exit(run(ProcessSettings.arguments()).rawValue)
    }

    /// Runs one command line.
    package static func run(_ arguments: [[UInt8]]) -> ExitStatus {
        let request: Request
        do throws(UsageError) {
            request = try ArgumentParser(specification).parse(arguments)
        } catch {
            return fail(ErrorMessage(program: name, error), Console(GlobalOptions(scanning: arguments)))
        }
        switch request {
        case .programHelp(let globals): return show(HelpText(specification), globals)
        case .nounHelp(let noun, let globals): return show(HelpText(noun, of: specification), globals)
        case .commandHelp(let command, let globals): return show(HelpText(command, of: specification), globals)
        case .version(let globals): return finish(Console(globals), .success) { $0.present(VersionReport()) }
        case .command(let arguments): return run(arguments, Context.live(arguments.globals))
        }
    }

    /// Runs a command in a context; tests bring their own.
    package static func run(_ arguments: ParsedArguments, _ context: Context) -> ExitStatus {
        do throws(UsageError) {
            let command = try table.prepare(arguments)
            do throws(CommandError) {
                let status = try command.run(context)
                return finish(context.console, status)
            } catch {
                context.progress.finish()
                if case .output(let failure) = error {
                    if failure.kind == .closedPipe { return .closedPipe }
                    // Handing on the rest of an output that failed would say the same again.
                    if failure == context.console.output.failure {
                        context.console.report(error.message)
                        return error.message.exit
                    }
                }
                return fail(error.message, context.console)
            }
        } catch {
            return fail(ErrorMessage(program: name, error), context.console)
        }
    }

    private static func show(_ help: HelpText, _ globals: GlobalOptions) -> ExitStatus {
        finish(Console(globals), .success) { $0.present(help) }
    }

    private static func fail(_ message: ErrorMessage, _ console: Console) -> ExitStatus {
        console.report(message)
        return finish(console, message.exit)
    }

    /// Writes what is buffered; output that did not arrive is a failure of its own.
    private static func finish(
        _ console: Console, _ status: ExitStatus, _ body: (Console) -> Void = { _ in }
    ) -> ExitStatus {
        body(console)
        do throws(FileError) {
            try console.finish()
            return status
        } catch {
            if error.kind == .closedPipe { return .closedPipe }
            console.report(CommandError.output(error).message)
            return .failure
        }
    }
}
