# fish completion for sxkey. Generated from the command specification; do not edit.

# True when the words so far, options aside, begin with the arguments; with -x when they are no more than these.
function __sxkey_at
    set -l exact no
    if test "$argv[1]" = -x
        set exact yes
        set -e argv[1]
    end
    set -l words
    set -l skip no
    for word in (commandline -opc)[2..-1]
        if test $skip = yes
            set skip no
            continue
        end
        switch $word
            case '--color' '--out' '-o' '--to' '--recipient' '-r' '--new-passphrase-file' '--new-passphrase-fd' '--argon2-memory' '--argon2-passes' '--argon2-lanes' '--store' '--key-file' '-k' '--identity' '--keyring' '--keyring-passphrase-file' '--keyring-passphrase-fd' '--keyring-key-file' '--jobs' '-j' '--kind' '--passphrase-file' '-p' '--passphrase-fd' '--since' '--until' '--from' '--grep' '--limit' '--format' '--filenames' '--timezone' '--with' '--new-key-file' '--key-out' '--name' '--keep' '--peer-ids' '--before' '--conversation' '--new-keyring-passphrase-file' '--new-keyring-passphrase-fd' '--new-keyring-key-file' '--slot' '--slot-passphrase-file' '--slot-key-file' '--drop-slot' '--expect' '--export' '--yes-destroy' '--signature' '--signer' '--form' '--tcp-address' '--at' '--peer' '--code' '--port' '--digits' '--ground' '--archive' '--new-archive-passphrase-file' '--new-archive-passphrase-fd' '--new-archive-key-file' '--archive-passphrase-file' '--archive-passphrase-fd' '--archive-key-file' '--id' '--words' '--people'
                set skip yes
            case '-?*'
            case help
                set -q words[1]; and set -a words $word
            case '*'
                set -a words $word
        end
    end
    if test $exact = yes; and test (count $words) -ne (count $argv)
        return 1
    end
    for index in (seq (count $argv))
        test "$words[$index]" = "$argv[$index]"; or return 1
    end
    return 0
end

complete -c sxkey -f
complete -c sxkey -n '__sxkey_at -x' -a bundle -d 'make, read, convert and compare encrypted backups: the apps\' exports and sxkey\'s own'
complete -c sxkey -n '__sxkey_at -x' -a store -d 'inspect, verify, export and change an app\'s message store'
complete -c sxkey -n '__sxkey_at -x' -a keyring -d 'keep identities, contacts and verified marks in one encrypted file'
complete -c sxkey -n '__sxkey_at -x' -a identity -d 'make, import, export and use identities'
complete -c sxkey -n '__sxkey_at -x' -a prekey -d 'the keys that others begin a session with'
complete -c sxkey -n '__sxkey_at -x' -a contact -d 'the people that you know, and their keys'
complete -c sxkey -n '__sxkey_at -x' -a safety -d 'compare safety numbers, and keep who is verified'
complete -c sxkey -n '__sxkey_at -x' -a archive -d 'keep all messages of all devices and exports in one encrypted file that can be searched'
complete -c sxkey -n '__sxkey_at -x' -a completions -d 'print shell completions'
complete -c sxkey -n '__sxkey_at -x' -a version -d 'show the version and what it is built on'
complete -c sxkey -n '__sxkey_at -x' -a help -d 'show help for a command'
complete -c sxkey -l json -d 'write one JSON document instead of text, also for an error'
complete -c sxkey -s q -l quiet -d 'no progress and no notes on standard error; errors stay'
complete -c sxkey -l color -x -a 'auto always never' -d 'style the output: auto (on a terminal without NO_COLOR), always or never'
complete -c sxkey -l no-color -d 'the same as --color never'
complete -c sxkey -s h -l help -d 'show this help and exit'
complete -c sxkey -l version -d 'show the version and exit'

complete -c sxkey -n '__sxkey_at -x bundle' -a create -d 'put an identity, its contacts and a store into one encrypted file'

complete -c sxkey -n '__sxkey_at -x bundle' -a info -d 'show what can be seen of a bundle without its passphrase'

complete -c sxkey -n '__sxkey_at -x bundle' -a verify -d 'open a bundle and check everything in it'

complete -c sxkey -n '__sxkey_at -x bundle' -a show -d 'show the messages of a bundle as a readable transcript'

complete -c sxkey -n '__sxkey_at -x bundle' -a export -d 'write the messages of a bundle to a file or folder that is not encrypted'

complete -c sxkey -n '__sxkey_at -x bundle' -a extract -d 'write what is in a bundle as files into a new folder'

complete -c sxkey -n '__sxkey_at -x bundle' -a restore -d 'bring back what a bundle holds: into the keyring, into a store, or both'

complete -c sxkey -n '__sxkey_at -x bundle' -a convert -d 'make a bundle of another kind, or of the newest version, from a bundle'

complete -c sxkey -n '__sxkey_at -x bundle' -a diff -d 'show what two bundles differ in'

complete -c sxkey -n '__sxkey_at -x bundle' -a merge -d 'make one bundle of two'

complete -c sxkey -n '__sxkey_at -x bundle' -a passwd -d 'change who can open a bundle'

complete -c sxkey -n '__sxkey_at bundle create' -s o -l out -r -F -d 'the bundle to write'
complete -c sxkey -n '__sxkey_at bundle create' -s f -l force -d 'overwrite an existing file'
complete -c sxkey -n '__sxkey_at bundle create' -l to -x -a 'sxb sophaxid sophaxbackup sxfe android' -d 'what to write (default: what the ending of the file\'s name says; sophaxchat-backup.bin is an Android backup)'
complete -c sxkey -n '__sxkey_at bundle create' -l lossy -d 'write it although the kind of file cannot hold all; what is lost is listed either way'
complete -c sxkey -n '__sxkey_at bundle create' -l no-verify -d 'do not read the new file back before it gets its name'
complete -c sxkey -n '__sxkey_at bundle create' -s r -l recipient -x -d 'encrypt for a contact or identity of the keyring (its name, peer id, or at least 8 hex digits of the fingerprint) or for an X25519 public key in base64, in place of a passphrase'
complete -c sxkey -n '__sxkey_at bundle create' -l new-passphrase-file -r -F -d 'read the new passphrase from a file; one line ending is taken off'
complete -c sxkey -n '__sxkey_at bundle create' -l new-passphrase-fd -x -d 'read the new passphrase from this open descriptor'
complete -c sxkey -n '__sxkey_at bundle create' -l argon2-memory -x -d 'memory that each guess at a new passphrase costs, in MiB (default: 256)'
complete -c sxkey -n '__sxkey_at bundle create' -l argon2-passes -x -d 'passes over that memory (default: 3)'
complete -c sxkey -n '__sxkey_at bundle create' -l argon2-lanes -x -d 'lanes of that memory (default: 4)'
complete -c sxkey -n '__sxkey_at bundle create' -l store -x -a '(__fish_complete_directories)' -d 'a message store to put in: the folder that holds sophax_messages and sophax_attachments, or sophax_messages itself'
complete -c sxkey -n '__sxkey_at bundle create' -l no-attachments -d 'leave the attachments of the store out'
complete -c sxkey -n '__sxkey_at bundle create' -l include-sessions -d 'put ratchet sessions in as well'
complete -c sxkey -n '__sxkey_at bundle create' -s k -l key-file -r -F -d 'the store\'s key: 32 raw bytes, hex, base64, or keychain items as JSON with storage.master'
complete -c sxkey -n '__sxkey_at bundle create' -l identity -x -d 'another identity than the current one: its name, a peer id, or at least 8 hex digits of its fingerprint'
complete -c sxkey -n '__sxkey_at bundle create' -l keyring -r -F -d 'the keyring (default: the one that SXKEY_KEYRING names, else sxkey/keyring.sxdb in XDG_DATA_HOME or ~/.local/share)'
complete -c sxkey -n '__sxkey_at bundle create' -l keyring-passphrase-file -r -F -d 'read the keyring\'s passphrase from a file; one line ending is taken off'
complete -c sxkey -n '__sxkey_at bundle create' -l keyring-passphrase-fd -x -d 'read the keyring\'s passphrase from this open descriptor'
complete -c sxkey -n '__sxkey_at bundle create' -l keyring-key-file -r -F -d 'the key file that opens the keyring: 32 raw bytes, hex or base64'
complete -c sxkey -n '__sxkey_at bundle create' -s j -l jobs -x -d 'threads to work with (default: all processors)'

complete -c sxkey -n '__sxkey_at bundle info' -l kind -x -a 'identity backup full-export android' -d 'what the file is; needed only for an Android backup under another name than sophaxchat-backup.bin'
complete -c sxkey -n '__sxkey_at bundle info' -F

complete -c sxkey -n '__sxkey_at bundle verify' -l kind -x -a 'identity backup full-export android' -d 'what the file is; needed only for an Android backup under another name than sophaxchat-backup.bin'
complete -c sxkey -n '__sxkey_at bundle verify' -s p -l passphrase-file -r -F -d 'read the passphrase from a file; one line ending is taken off'
complete -c sxkey -n '__sxkey_at bundle verify' -l passphrase-fd -x -d 'read the passphrase from this open descriptor'
complete -c sxkey -n '__sxkey_at bundle verify' -l keyring -r -F -d 'the keyring (default: the one that SXKEY_KEYRING names, else sxkey/keyring.sxdb in XDG_DATA_HOME or ~/.local/share)'
complete -c sxkey -n '__sxkey_at bundle verify' -l keyring-passphrase-file -r -F -d 'read the keyring\'s passphrase from a file; one line ending is taken off'
complete -c sxkey -n '__sxkey_at bundle verify' -l keyring-passphrase-fd -x -d 'read the keyring\'s passphrase from this open descriptor'
complete -c sxkey -n '__sxkey_at bundle verify' -l keyring-key-file -r -F -d 'the key file that opens the keyring: 32 raw bytes, hex or base64'
complete -c sxkey -n '__sxkey_at bundle verify' -s j -l jobs -x -d 'threads to work with (default: all processors)'
complete -c sxkey -n '__sxkey_at bundle verify' -F

complete -c sxkey -n '__sxkey_at bundle show' -l kind -x -a 'identity backup full-export android' -d 'what the file is; needed only for an Android backup under another name than sophaxchat-backup.bin'
complete -c sxkey -n '__sxkey_at bundle show' -s p -l passphrase-file -r -F -d 'read the passphrase from a file; one line ending is taken off'
complete -c sxkey -n '__sxkey_at bundle show' -l passphrase-fd -x -d 'read the passphrase from this open descriptor'
complete -c sxkey -n '__sxkey_at bundle show' -l keyring -r -F -d 'the keyring (default: the one that SXKEY_KEYRING names, else sxkey/keyring.sxdb in XDG_DATA_HOME or ~/.local/share)'
complete -c sxkey -n '__sxkey_at bundle show' -l keyring-passphrase-file -r -F -d 'read the keyring\'s passphrase from a file; one line ending is taken off'
complete -c sxkey -n '__sxkey_at bundle show' -l keyring-passphrase-fd -x -d 'read the keyring\'s passphrase from this open descriptor'
complete -c sxkey -n '__sxkey_at bundle show' -l keyring-key-file -r -F -d 'the key file that opens the keyring: 32 raw bytes, hex or base64'
complete -c sxkey -n '__sxkey_at bundle show' -s j -l jobs -x -d 'threads to work with (default: all processors)'
complete -c sxkey -n '__sxkey_at bundle show' -l since -x -d 'only messages from then on: 2026, 2026-05, 2026-05-01 or 2026-05-01T18:30'
complete -c sxkey -n '__sxkey_at bundle show' -l until -x -d 'only messages up to then, the named year, month, day or minute included'
complete -c sxkey -n '__sxkey_at bundle show' -l from -x -d 'only messages of this peer id, its beginning, or a contact\'s name; "me" for your own'
complete -c sxkey -n '__sxkey_at bundle show' -l sent -d 'only messages that were sent from here'
complete -c sxkey -n '__sxkey_at bundle show' -l received -d 'only messages that were received'
complete -c sxkey -n '__sxkey_at bundle show' -l has-attachment -d 'only messages with an attachment'
complete -c sxkey -n '__sxkey_at bundle show' -l edited -d 'only messages whose text was changed after they were sent'
complete -c sxkey -n '__sxkey_at bundle show' -l no-expiring -d 'leave out messages that were to disappear'
complete -c sxkey -n '__sxkey_at bundle show' -l grep -x -d 'only messages whose text holds this, whatever the case'
complete -c sxkey -n '__sxkey_at bundle show' -l limit -x -d 'at most the N newest messages of each conversation'
complete -c sxkey -n '__sxkey_at bundle show' -l newest-first -d 'newest message first (default: oldest first)'
complete -c sxkey -n '__sxkey_at bundle show' -F

complete -c sxkey -n '__sxkey_at bundle export' -l kind -x -a 'identity backup full-export android' -d 'what the file is; needed only for an Android backup under another name than sophaxchat-backup.bin'
complete -c sxkey -n '__sxkey_at bundle export' -s p -l passphrase-file -r -F -d 'read the passphrase from a file; one line ending is taken off'
complete -c sxkey -n '__sxkey_at bundle export' -l passphrase-fd -x -d 'read the passphrase from this open descriptor'
complete -c sxkey -n '__sxkey_at bundle export' -l keyring -r -F -d 'the keyring (default: the one that SXKEY_KEYRING names, else sxkey/keyring.sxdb in XDG_DATA_HOME or ~/.local/share)'
complete -c sxkey -n '__sxkey_at bundle export' -l keyring-passphrase-file -r -F -d 'read the keyring\'s passphrase from a file; one line ending is taken off'
complete -c sxkey -n '__sxkey_at bundle export' -l keyring-passphrase-fd -x -d 'read the keyring\'s passphrase from this open descriptor'
complete -c sxkey -n '__sxkey_at bundle export' -l keyring-key-file -r -F -d 'the key file that opens the keyring: 32 raw bytes, hex or base64'
complete -c sxkey -n '__sxkey_at bundle export' -s j -l jobs -x -d 'threads to work with (default: all processors)'
complete -c sxkey -n '__sxkey_at bundle export' -l format -x -a 'html jsonl json csv markdown text sqlite' -d 'what to write (default: jsonl)'
complete -c sxkey -n '__sxkey_at bundle export' -s o -l out -r -F -d 'the file to write; "-" is standard output; for html, and with --attachments, a folder'
complete -c sxkey -n '__sxkey_at bundle export' -s f -l force -d 'overwrite an existing file'
complete -c sxkey -n '__sxkey_at bundle export' -l attachments -d 'write the attachments as well, into a folder with the messages (html always does)'
complete -c sxkey -n '__sxkey_at bundle export' -l no-attachments -d 'html without attachments'
complete -c sxkey -n '__sxkey_at bundle export' -l filenames -x -a 'unix windows ascii' -d 'how attachments may be called (default: windows, which every system takes)'
complete -c sxkey -n '__sxkey_at bundle export' -l update -d 'add what is new to a folder that the same export made before'
complete -c sxkey -n '__sxkey_at bundle export' -l no-formula-guard -d 'csv: leave cells that a spreadsheet takes for formulas as they are'
complete -c sxkey -n '__sxkey_at bundle export' -l timezone -x -d 'show times in this zone of the tz database, such as Europe/Berlin (default: this machine\'s)'
complete -c sxkey -n '__sxkey_at bundle export' -l since -x -d 'only messages from then on: 2026, 2026-05, 2026-05-01 or 2026-05-01T18:30'
complete -c sxkey -n '__sxkey_at bundle export' -l until -x -d 'only messages up to then, the named year, month, day or minute included'
complete -c sxkey -n '__sxkey_at bundle export' -l from -x -d 'only messages of this peer id, its beginning, or a contact\'s name; "me" for your own'
complete -c sxkey -n '__sxkey_at bundle export' -l sent -d 'only messages that were sent from here'
complete -c sxkey -n '__sxkey_at bundle export' -l received -d 'only messages that were received'
complete -c sxkey -n '__sxkey_at bundle export' -l has-attachment -d 'only messages with an attachment'
complete -c sxkey -n '__sxkey_at bundle export' -l edited -d 'only messages whose text was changed after they were sent'
complete -c sxkey -n '__sxkey_at bundle export' -l no-expiring -d 'leave out messages that were to disappear'
complete -c sxkey -n '__sxkey_at bundle export' -l grep -x -d 'only messages whose text holds this, whatever the case'
complete -c sxkey -n '__sxkey_at bundle export' -l limit -x -d 'at most the N newest messages of each conversation'
complete -c sxkey -n '__sxkey_at bundle export' -l newest-first -d 'newest message first (default: oldest first)'
complete -c sxkey -n '__sxkey_at bundle export' -l with -x -d 'only this conversation: its id, the beginning of that, or a contact\'s name; may be given several times'
complete -c sxkey -n '__sxkey_at bundle export' -F

complete -c sxkey -n '__sxkey_at bundle extract' -l kind -x -a 'identity backup full-export android' -d 'what the file is; needed only for an Android backup under another name than sophaxchat-backup.bin'
complete -c sxkey -n '__sxkey_at bundle extract' -s p -l passphrase-file -r -F -d 'read the passphrase from a file; one line ending is taken off'
complete -c sxkey -n '__sxkey_at bundle extract' -l passphrase-fd -x -d 'read the passphrase from this open descriptor'
complete -c sxkey -n '__sxkey_at bundle extract' -l keyring -r -F -d 'the keyring (default: the one that SXKEY_KEYRING names, else sxkey/keyring.sxdb in XDG_DATA_HOME or ~/.local/share)'
complete -c sxkey -n '__sxkey_at bundle extract' -l keyring-passphrase-file -r -F -d 'read the keyring\'s passphrase from a file; one line ending is taken off'
complete -c sxkey -n '__sxkey_at bundle extract' -l keyring-passphrase-fd -x -d 'read the keyring\'s passphrase from this open descriptor'
complete -c sxkey -n '__sxkey_at bundle extract' -l keyring-key-file -r -F -d 'the key file that opens the keyring: 32 raw bytes, hex or base64'
complete -c sxkey -n '__sxkey_at bundle extract' -s j -l jobs -x -d 'threads to work with (default: all processors)'
complete -c sxkey -n '__sxkey_at bundle extract' -s o -l out -x -a '(__fish_complete_directories)' -d 'the folder to make'
complete -c sxkey -n '__sxkey_at bundle extract' -l reveal -d 'write private keys too, without encryption'
complete -c sxkey -n '__sxkey_at bundle extract' -F

complete -c sxkey -n '__sxkey_at bundle restore' -l kind -x -a 'identity backup full-export android' -d 'what the file is; needed only for an Android backup under another name than sophaxchat-backup.bin'
complete -c sxkey -n '__sxkey_at bundle restore' -s p -l passphrase-file -r -F -d 'read the passphrase from a file; one line ending is taken off'
complete -c sxkey -n '__sxkey_at bundle restore' -l passphrase-fd -x -d 'read the passphrase from this open descriptor'
complete -c sxkey -n '__sxkey_at bundle restore' -l keyring -r -F -d 'the keyring (default: the one that SXKEY_KEYRING names, else sxkey/keyring.sxdb in XDG_DATA_HOME or ~/.local/share)'
complete -c sxkey -n '__sxkey_at bundle restore' -l keyring-passphrase-file -r -F -d 'read the keyring\'s passphrase from a file; one line ending is taken off'
complete -c sxkey -n '__sxkey_at bundle restore' -l keyring-passphrase-fd -x -d 'read the keyring\'s passphrase from this open descriptor'
complete -c sxkey -n '__sxkey_at bundle restore' -l keyring-key-file -r -F -d 'the key file that opens the keyring: 32 raw bytes, hex or base64'
complete -c sxkey -n '__sxkey_at bundle restore' -s j -l jobs -x -d 'threads to work with (default: all processors)'
complete -c sxkey -n '__sxkey_at bundle restore' -l store -x -a '(__fish_complete_directories)' -d 'restore messages and attachments into this store, new or not'
complete -c sxkey -n '__sxkey_at bundle restore' -s k -l key-file -r -F -d 'the store\'s key: 32 raw bytes, hex, base64, or keychain items as JSON with storage.master'
complete -c sxkey -n '__sxkey_at bundle restore' -l new-key-file -r -F -d 'the key of the new store'
complete -c sxkey -n '__sxkey_at bundle restore' -l key-out -r -F -d 'make a random key for the new store, and write it to this file'
complete -c sxkey -n '__sxkey_at bundle restore' -l identity -x -d 'another identity than the current one: its name, a peer id, or at least 8 hex digits of its fingerprint'
complete -c sxkey -n '__sxkey_at bundle restore' -l name -x -d 'the name to keep the identity under (default: the name in the bundle)'
complete -c sxkey -n '__sxkey_at bundle restore' -l use -d 'make it the current identity'
complete -c sxkey -n '__sxkey_at bundle restore' -l include-sessions -d 'restore ratchet sessions, marked as stale'
complete -c sxkey -n '__sxkey_at bundle restore' -l no-attachments -d 'leave the attachments out'
complete -c sxkey -n '__sxkey_at bundle restore' -l dry-run -d 'show what would be done, and do nothing'
complete -c sxkey -n '__sxkey_at bundle restore' -l no-keep -d 'remove the old folder after the new one is proven; refused when anything cannot be proven'
complete -c sxkey -n '__sxkey_at bundle restore' -F

complete -c sxkey -n '__sxkey_at bundle convert' -s o -l out -r -F -d 'the bundle to write'
complete -c sxkey -n '__sxkey_at bundle convert' -s f -l force -d 'overwrite an existing file'
complete -c sxkey -n '__sxkey_at bundle convert' -l to -x -a 'sxb sophaxid sophaxbackup sxfe android' -d 'what to write (default: what the ending of the file\'s name says; sophaxchat-backup.bin is an Android backup)'
complete -c sxkey -n '__sxkey_at bundle convert' -l lossy -d 'write it although the kind of file cannot hold all; what is lost is listed either way'
complete -c sxkey -n '__sxkey_at bundle convert' -l no-verify -d 'do not read the new file back before it gets its name'
complete -c sxkey -n '__sxkey_at bundle convert' -s r -l recipient -x -d 'encrypt for a contact or identity of the keyring (its name, peer id, or at least 8 hex digits of the fingerprint) or for an X25519 public key in base64, in place of a passphrase'
complete -c sxkey -n '__sxkey_at bundle convert' -l new-passphrase-file -r -F -d 'read the new passphrase from a file; one line ending is taken off'
complete -c sxkey -n '__sxkey_at bundle convert' -l new-passphrase-fd -x -d 'read the new passphrase from this open descriptor'
complete -c sxkey -n '__sxkey_at bundle convert' -l argon2-memory -x -d 'memory that each guess at a new passphrase costs, in MiB (default: 256)'
complete -c sxkey -n '__sxkey_at bundle convert' -l argon2-passes -x -d 'passes over that memory (default: 3)'
complete -c sxkey -n '__sxkey_at bundle convert' -l argon2-lanes -x -d 'lanes of that memory (default: 4)'
complete -c sxkey -n '__sxkey_at bundle convert' -l kind -x -a 'identity backup full-export android' -d 'what the file is; needed only for an Android backup under another name than sophaxchat-backup.bin'
complete -c sxkey -n '__sxkey_at bundle convert' -s p -l passphrase-file -r -F -d 'read the passphrase from a file; one line ending is taken off'
complete -c sxkey -n '__sxkey_at bundle convert' -l passphrase-fd -x -d 'read the passphrase from this open descriptor'
complete -c sxkey -n '__sxkey_at bundle convert' -l keyring -r -F -d 'the keyring (default: the one that SXKEY_KEYRING names, else sxkey/keyring.sxdb in XDG_DATA_HOME or ~/.local/share)'
complete -c sxkey -n '__sxkey_at bundle convert' -l keyring-passphrase-file -r -F -d 'read the keyring\'s passphrase from a file; one line ending is taken off'
complete -c sxkey -n '__sxkey_at bundle convert' -l keyring-passphrase-fd -x -d 'read the keyring\'s passphrase from this open descriptor'
complete -c sxkey -n '__sxkey_at bundle convert' -l keyring-key-file -r -F -d 'the key file that opens the keyring: 32 raw bytes, hex or base64'
complete -c sxkey -n '__sxkey_at bundle convert' -s j -l jobs -x -d 'threads to work with (default: all processors)'
complete -c sxkey -n '__sxkey_at bundle convert' -l identity -x -d 'another identity than the current one: its name, a peer id, or at least 8 hex digits of its fingerprint'
complete -c sxkey -n '__sxkey_at bundle convert' -F

complete -c sxkey -n '__sxkey_at bundle diff' -l kind -x -a 'identity backup full-export android' -d 'what the file is; needed only for an Android backup under another name than sophaxchat-backup.bin'
complete -c sxkey -n '__sxkey_at bundle diff' -s p -l passphrase-file -r -F -d 'read the passphrase from a file; one line ending is taken off; once for each input that has one, in their order'
complete -c sxkey -n '__sxkey_at bundle diff' -l passphrase-fd -x -d 'read the passphrase from this open descriptor; once for each input that has one, in their order'
complete -c sxkey -n '__sxkey_at bundle diff' -l keyring -r -F -d 'the keyring (default: the one that SXKEY_KEYRING names, else sxkey/keyring.sxdb in XDG_DATA_HOME or ~/.local/share)'
complete -c sxkey -n '__sxkey_at bundle diff' -l keyring-passphrase-file -r -F -d 'read the keyring\'s passphrase from a file; one line ending is taken off'
complete -c sxkey -n '__sxkey_at bundle diff' -l keyring-passphrase-fd -x -d 'read the keyring\'s passphrase from this open descriptor'
complete -c sxkey -n '__sxkey_at bundle diff' -l keyring-key-file -r -F -d 'the key file that opens the keyring: 32 raw bytes, hex or base64'
complete -c sxkey -n '__sxkey_at bundle diff' -s j -l jobs -x -d 'threads to work with (default: all processors)'
complete -c sxkey -n '__sxkey_at bundle diff' -l limit -x -d 'name at most N of each kind (default: 10; --json 1000)'
complete -c sxkey -n '__sxkey_at bundle diff' -F

complete -c sxkey -n '__sxkey_at bundle merge' -s o -l out -r -F -d 'the bundle to write'
complete -c sxkey -n '__sxkey_at bundle merge' -s f -l force -d 'overwrite an existing file'
complete -c sxkey -n '__sxkey_at bundle merge' -l to -x -a 'sxb sophaxid sophaxbackup sxfe android' -d 'what to write (default: what the ending of the file\'s name says; sophaxchat-backup.bin is an Android backup)'
complete -c sxkey -n '__sxkey_at bundle merge' -l lossy -d 'write it although the kind of file cannot hold all; what is lost is listed either way'
complete -c sxkey -n '__sxkey_at bundle merge' -l no-verify -d 'do not read the new file back before it gets its name'
complete -c sxkey -n '__sxkey_at bundle merge' -s r -l recipient -x -d 'encrypt for a contact or identity of the keyring (its name, peer id, or at least 8 hex digits of the fingerprint) or for an X25519 public key in base64, in place of a passphrase'
complete -c sxkey -n '__sxkey_at bundle merge' -l new-passphrase-file -r -F -d 'read the new passphrase from a file; one line ending is taken off'
complete -c sxkey -n '__sxkey_at bundle merge' -l new-passphrase-fd -x -d 'read the new passphrase from this open descriptor'
complete -c sxkey -n '__sxkey_at bundle merge' -l argon2-memory -x -d 'memory that each guess at a new passphrase costs, in MiB (default: 256)'
complete -c sxkey -n '__sxkey_at bundle merge' -l argon2-passes -x -d 'passes over that memory (default: 3)'
complete -c sxkey -n '__sxkey_at bundle merge' -l argon2-lanes -x -d 'lanes of that memory (default: 4)'
complete -c sxkey -n '__sxkey_at bundle merge' -l kind -x -a 'identity backup full-export android' -d 'what the file is; needed only for an Android backup under another name than sophaxchat-backup.bin'
complete -c sxkey -n '__sxkey_at bundle merge' -s p -l passphrase-file -r -F -d 'read the passphrase from a file; one line ending is taken off; once for each input that has one, in their order'
complete -c sxkey -n '__sxkey_at bundle merge' -l passphrase-fd -x -d 'read the passphrase from this open descriptor; once for each input that has one, in their order'
complete -c sxkey -n '__sxkey_at bundle merge' -l keyring -r -F -d 'the keyring (default: the one that SXKEY_KEYRING names, else sxkey/keyring.sxdb in XDG_DATA_HOME or ~/.local/share)'
complete -c sxkey -n '__sxkey_at bundle merge' -l keyring-passphrase-file -r -F -d 'read the keyring\'s passphrase from a file; one line ending is taken off'
complete -c sxkey -n '__sxkey_at bundle merge' -l keyring-passphrase-fd -x -d 'read the keyring\'s passphrase from this open descriptor'
complete -c sxkey -n '__sxkey_at bundle merge' -l keyring-key-file -r -F -d 'the key file that opens the keyring: 32 raw bytes, hex or base64'
complete -c sxkey -n '__sxkey_at bundle merge' -s j -l jobs -x -d 'threads to work with (default: all processors)'
complete -c sxkey -n '__sxkey_at bundle merge' -l identity -x -d 'another identity than the current one: its name, a peer id, or at least 8 hex digits of its fingerprint'
complete -c sxkey -n '__sxkey_at bundle merge' -F

complete -c sxkey -n '__sxkey_at bundle passwd' -l kind -x -a 'identity backup full-export android' -d 'what the file is; needed only for an Android backup under another name than sophaxchat-backup.bin'
complete -c sxkey -n '__sxkey_at bundle passwd' -s p -l passphrase-file -r -F -d 'read the passphrase from a file; one line ending is taken off'
complete -c sxkey -n '__sxkey_at bundle passwd' -l passphrase-fd -x -d 'read the passphrase from this open descriptor'
complete -c sxkey -n '__sxkey_at bundle passwd' -l keyring -r -F -d 'the keyring (default: the one that SXKEY_KEYRING names, else sxkey/keyring.sxdb in XDG_DATA_HOME or ~/.local/share)'
complete -c sxkey -n '__sxkey_at bundle passwd' -l keyring-passphrase-file -r -F -d 'read the keyring\'s passphrase from a file; one line ending is taken off'
complete -c sxkey -n '__sxkey_at bundle passwd' -l keyring-passphrase-fd -x -d 'read the keyring\'s passphrase from this open descriptor'
complete -c sxkey -n '__sxkey_at bundle passwd' -l keyring-key-file -r -F -d 'the key file that opens the keyring: 32 raw bytes, hex or base64'
complete -c sxkey -n '__sxkey_at bundle passwd' -s j -l jobs -x -d 'threads to work with (default: all processors)'
complete -c sxkey -n '__sxkey_at bundle passwd' -s r -l recipient -x -d 'encrypt for a contact or identity of the keyring (its name, peer id, or at least 8 hex digits of the fingerprint) or for an X25519 public key in base64, in place of a passphrase'
complete -c sxkey -n '__sxkey_at bundle passwd' -l new-passphrase-file -r -F -d 'read the new passphrase from a file; one line ending is taken off'
complete -c sxkey -n '__sxkey_at bundle passwd' -l new-passphrase-fd -x -d 'read the new passphrase from this open descriptor'
complete -c sxkey -n '__sxkey_at bundle passwd' -l argon2-memory -x -d 'memory that each guess at a new passphrase costs, in MiB (default: 256)'
complete -c sxkey -n '__sxkey_at bundle passwd' -l argon2-passes -x -d 'passes over that memory (default: 3)'
complete -c sxkey -n '__sxkey_at bundle passwd' -l argon2-lanes -x -d 'lanes of that memory (default: 4)'
complete -c sxkey -n '__sxkey_at bundle passwd' -l keep -x -d 'of a .sxb, keep this recipient'
complete -c sxkey -n '__sxkey_at bundle passwd' -s o -l out -r -F -d 'write the new file there, and leave FILE as it is'
complete -c sxkey -n '__sxkey_at bundle passwd' -s f -l force -d 'with --out, overwrite an existing file'
complete -c sxkey -n '__sxkey_at bundle passwd' -F

complete -c sxkey -n '__sxkey_at -x store' -a info -d 'show what a message store holds'

complete -c sxkey -n '__sxkey_at -x store' -a verify -d 'check every message and attachment of a store'

complete -c sxkey -n '__sxkey_at -x store' -a show -d 'show the messages of a store as a readable transcript'

complete -c sxkey -n '__sxkey_at -x store' -a export -d 'write decrypted messages to a file or folder that is not encrypted'

complete -c sxkey -n '__sxkey_at -x store' -a attachment -d 'decrypt one attachment of a store, or all of them'

complete -c sxkey -n '__sxkey_at -x store' -a rekey -d 'encrypt a store under a new key'

complete -c sxkey -n '__sxkey_at -x store' -a migrate -d 'write the messages of a store as the newest apps read them'

complete -c sxkey -n '__sxkey_at -x store' -a repair -d 'mend what of a store can be mended with proof'

complete -c sxkey -n '__sxkey_at -x store' -a prune -d 'remove messages from a store: expired ones, old ones, whole conversations'

complete -c sxkey -n '__sxkey_at -x store' -a salvage -d 'decrypt what is left of damaged files, without proof, into a folder of its own'

complete -c sxkey -n '__sxkey_at -x store' -a merge -d 'unite two stores in a new one, by the ids of messages'

complete -c sxkey -n '__sxkey_at store info' -s k -l key-file -r -F -d 'the store\'s key: 32 raw bytes, hex, base64, or keychain items as JSON with storage.master'
complete -c sxkey -n '__sxkey_at store info' -l identity -x -d 'another identity than the current one: its name, a peer id, or at least 8 hex digits of its fingerprint'
complete -c sxkey -n '__sxkey_at store info' -l keyring -r -F -d 'the keyring (default: the one that SXKEY_KEYRING names, else sxkey/keyring.sxdb in XDG_DATA_HOME or ~/.local/share)'
complete -c sxkey -n '__sxkey_at store info' -l keyring-passphrase-file -r -F -d 'read the keyring\'s passphrase from a file; one line ending is taken off'
complete -c sxkey -n '__sxkey_at store info' -l keyring-passphrase-fd -x -d 'read the keyring\'s passphrase from this open descriptor'
complete -c sxkey -n '__sxkey_at store info' -l keyring-key-file -r -F -d 'the key file that opens the keyring: 32 raw bytes, hex or base64'
complete -c sxkey -n '__sxkey_at store info' -s j -l jobs -x -d 'threads to work with (default: all processors)'
complete -c sxkey -n '__sxkey_at store info' -a '(__fish_complete_directories)'

complete -c sxkey -n '__sxkey_at store verify' -s k -l key-file -r -F -d 'the store\'s key: 32 raw bytes, hex, base64, or keychain items as JSON with storage.master'
complete -c sxkey -n '__sxkey_at store verify' -l identity -x -d 'another identity than the current one: its name, a peer id, or at least 8 hex digits of its fingerprint'
complete -c sxkey -n '__sxkey_at store verify' -l keyring -r -F -d 'the keyring (default: the one that SXKEY_KEYRING names, else sxkey/keyring.sxdb in XDG_DATA_HOME or ~/.local/share)'
complete -c sxkey -n '__sxkey_at store verify' -l keyring-passphrase-file -r -F -d 'read the keyring\'s passphrase from a file; one line ending is taken off'
complete -c sxkey -n '__sxkey_at store verify' -l keyring-passphrase-fd -x -d 'read the keyring\'s passphrase from this open descriptor'
complete -c sxkey -n '__sxkey_at store verify' -l keyring-key-file -r -F -d 'the key file that opens the keyring: 32 raw bytes, hex or base64'
complete -c sxkey -n '__sxkey_at store verify' -s j -l jobs -x -d 'threads to work with (default: all processors)'
complete -c sxkey -n '__sxkey_at store verify' -a '(__fish_complete_directories)'

complete -c sxkey -n '__sxkey_at store show' -s k -l key-file -r -F -d 'the store\'s key: 32 raw bytes, hex, base64, or keychain items as JSON with storage.master'
complete -c sxkey -n '__sxkey_at store show' -l identity -x -d 'another identity than the current one: its name, a peer id, or at least 8 hex digits of its fingerprint'
complete -c sxkey -n '__sxkey_at store show' -l keyring -r -F -d 'the keyring (default: the one that SXKEY_KEYRING names, else sxkey/keyring.sxdb in XDG_DATA_HOME or ~/.local/share)'
complete -c sxkey -n '__sxkey_at store show' -l keyring-passphrase-file -r -F -d 'read the keyring\'s passphrase from a file; one line ending is taken off'
complete -c sxkey -n '__sxkey_at store show' -l keyring-passphrase-fd -x -d 'read the keyring\'s passphrase from this open descriptor'
complete -c sxkey -n '__sxkey_at store show' -l keyring-key-file -r -F -d 'the key file that opens the keyring: 32 raw bytes, hex or base64'
complete -c sxkey -n '__sxkey_at store show' -l since -x -d 'only messages from then on: 2026, 2026-05, 2026-05-01 or 2026-05-01T18:30'
complete -c sxkey -n '__sxkey_at store show' -l until -x -d 'only messages up to then, the named year, month, day or minute included'
complete -c sxkey -n '__sxkey_at store show' -l from -x -d 'only messages of this peer id, its beginning, or a contact\'s name; "me" for your own'
complete -c sxkey -n '__sxkey_at store show' -l sent -d 'only messages that were sent from here'
complete -c sxkey -n '__sxkey_at store show' -l received -d 'only messages that were received'
complete -c sxkey -n '__sxkey_at store show' -l has-attachment -d 'only messages with an attachment'
complete -c sxkey -n '__sxkey_at store show' -l edited -d 'only messages whose text was changed after they were sent'
complete -c sxkey -n '__sxkey_at store show' -l no-expiring -d 'leave out messages that were to disappear'
complete -c sxkey -n '__sxkey_at store show' -l grep -x -d 'only messages whose text holds this, whatever the case'
complete -c sxkey -n '__sxkey_at store show' -l limit -x -d 'at most the N newest messages of each conversation'
complete -c sxkey -n '__sxkey_at store show' -l newest-first -d 'newest message first (default: oldest first)'
complete -c sxkey -n '__sxkey_at store show' -a '(__fish_complete_directories)'

complete -c sxkey -n '__sxkey_at store export' -s k -l key-file -r -F -d 'the store\'s key: 32 raw bytes, hex, base64, or keychain items as JSON with storage.master'
complete -c sxkey -n '__sxkey_at store export' -l identity -x -d 'another identity than the current one: its name, a peer id, or at least 8 hex digits of its fingerprint'
complete -c sxkey -n '__sxkey_at store export' -l keyring -r -F -d 'the keyring (default: the one that SXKEY_KEYRING names, else sxkey/keyring.sxdb in XDG_DATA_HOME or ~/.local/share)'
complete -c sxkey -n '__sxkey_at store export' -l keyring-passphrase-file -r -F -d 'read the keyring\'s passphrase from a file; one line ending is taken off'
complete -c sxkey -n '__sxkey_at store export' -l keyring-passphrase-fd -x -d 'read the keyring\'s passphrase from this open descriptor'
complete -c sxkey -n '__sxkey_at store export' -l keyring-key-file -r -F -d 'the key file that opens the keyring: 32 raw bytes, hex or base64'
complete -c sxkey -n '__sxkey_at store export' -l format -x -a 'html jsonl json csv markdown text sqlite' -d 'what to write (default: jsonl)'
complete -c sxkey -n '__sxkey_at store export' -s o -l out -r -F -d 'the file to write; "-" is standard output; for html, and with --attachments, a folder'
complete -c sxkey -n '__sxkey_at store export' -s f -l force -d 'overwrite an existing file'
complete -c sxkey -n '__sxkey_at store export' -l attachments -d 'write the attachments as well, into a folder with the messages (html always does)'
complete -c sxkey -n '__sxkey_at store export' -l no-attachments -d 'html without attachments'
complete -c sxkey -n '__sxkey_at store export' -l filenames -x -a 'unix windows ascii' -d 'how attachments may be called (default: windows, which every system takes)'
complete -c sxkey -n '__sxkey_at store export' -l update -d 'add what is new to a folder that the same export made before'
complete -c sxkey -n '__sxkey_at store export' -l no-formula-guard -d 'csv: leave cells that a spreadsheet takes for formulas as they are'
complete -c sxkey -n '__sxkey_at store export' -l timezone -x -d 'show times in this zone of the tz database, such as Europe/Berlin (default: this machine\'s)'
complete -c sxkey -n '__sxkey_at store export' -l since -x -d 'only messages from then on: 2026, 2026-05, 2026-05-01 or 2026-05-01T18:30'
complete -c sxkey -n '__sxkey_at store export' -l until -x -d 'only messages up to then, the named year, month, day or minute included'
complete -c sxkey -n '__sxkey_at store export' -l from -x -d 'only messages of this peer id, its beginning, or a contact\'s name; "me" for your own'
complete -c sxkey -n '__sxkey_at store export' -l sent -d 'only messages that were sent from here'
complete -c sxkey -n '__sxkey_at store export' -l received -d 'only messages that were received'
complete -c sxkey -n '__sxkey_at store export' -l has-attachment -d 'only messages with an attachment'
complete -c sxkey -n '__sxkey_at store export' -l edited -d 'only messages whose text was changed after they were sent'
complete -c sxkey -n '__sxkey_at store export' -l no-expiring -d 'leave out messages that were to disappear'
complete -c sxkey -n '__sxkey_at store export' -l grep -x -d 'only messages whose text holds this, whatever the case'
complete -c sxkey -n '__sxkey_at store export' -l limit -x -d 'at most the N newest messages of each conversation'
complete -c sxkey -n '__sxkey_at store export' -l newest-first -d 'newest message first (default: oldest first)'
complete -c sxkey -n '__sxkey_at store export' -l with -x -d 'only this conversation: its id, the beginning of that, or a contact\'s name; may be given several times'
complete -c sxkey -n '__sxkey_at store export' -s j -l jobs -x -d 'threads to work with (default: all processors)'
complete -c sxkey -n '__sxkey_at store export' -a '(__fish_complete_directories)'

complete -c sxkey -n '__sxkey_at store attachment' -s k -l key-file -r -F -d 'the store\'s key: 32 raw bytes, hex, base64, or keychain items as JSON with storage.master'
complete -c sxkey -n '__sxkey_at store attachment' -l identity -x -d 'another identity than the current one: its name, a peer id, or at least 8 hex digits of its fingerprint'
complete -c sxkey -n '__sxkey_at store attachment' -l keyring -r -F -d 'the keyring (default: the one that SXKEY_KEYRING names, else sxkey/keyring.sxdb in XDG_DATA_HOME or ~/.local/share)'
complete -c sxkey -n '__sxkey_at store attachment' -l keyring-passphrase-file -r -F -d 'read the keyring\'s passphrase from a file; one line ending is taken off'
complete -c sxkey -n '__sxkey_at store attachment' -l keyring-passphrase-fd -x -d 'read the keyring\'s passphrase from this open descriptor'
complete -c sxkey -n '__sxkey_at store attachment' -l keyring-key-file -r -F -d 'the key file that opens the keyring: 32 raw bytes, hex or base64'
complete -c sxkey -n '__sxkey_at store attachment' -l all -d 'all attachments, into the folder of --out'
complete -c sxkey -n '__sxkey_at store attachment' -s o -l out -r -F -d 'the file to write, "-" for standard output; with --all a folder'
complete -c sxkey -n '__sxkey_at store attachment' -s f -l force -d 'overwrite an existing file'
complete -c sxkey -n '__sxkey_at store attachment' -a '(__fish_complete_directories)'

complete -c sxkey -n '__sxkey_at store rekey' -l new-key-file -r -F -d 'the new key: 32 raw bytes, hex, base64, or keychain items as JSON'
complete -c sxkey -n '__sxkey_at store rekey' -s o -l out -r -F -d 'write a random new key to this file, which must not exist'
complete -c sxkey -n '__sxkey_at store rekey' -l messages-only -d 'leave attachments aside: they keep the old key'
complete -c sxkey -n '__sxkey_at store rekey' -s k -l key-file -r -F -d 'the store\'s key: 32 raw bytes, hex, base64, or keychain items as JSON with storage.master'
complete -c sxkey -n '__sxkey_at store rekey' -l identity -x -d 'another identity than the current one: its name, a peer id, or at least 8 hex digits of its fingerprint'
complete -c sxkey -n '__sxkey_at store rekey' -l keyring -r -F -d 'the keyring (default: the one that SXKEY_KEYRING names, else sxkey/keyring.sxdb in XDG_DATA_HOME or ~/.local/share)'
complete -c sxkey -n '__sxkey_at store rekey' -l keyring-passphrase-file -r -F -d 'read the keyring\'s passphrase from a file; one line ending is taken off'
complete -c sxkey -n '__sxkey_at store rekey' -l keyring-passphrase-fd -x -d 'read the keyring\'s passphrase from this open descriptor'
complete -c sxkey -n '__sxkey_at store rekey' -l keyring-key-file -r -F -d 'the key file that opens the keyring: 32 raw bytes, hex or base64'
complete -c sxkey -n '__sxkey_at store rekey' -l dry-run -d 'show what would be done, and do nothing'
complete -c sxkey -n '__sxkey_at store rekey' -l no-keep -d 'remove the old folder after the new one is proven; refused when anything cannot be proven'
complete -c sxkey -n '__sxkey_at store rekey' -s j -l jobs -x -d 'threads to work with (default: all processors)'
complete -c sxkey -n '__sxkey_at store rekey' -a '(__fish_complete_directories)'

complete -c sxkey -n '__sxkey_at store migrate' -l peer-ids -x -a '16 32' -d 'write all peer ids with 16 or 32 digits'
complete -c sxkey -n '__sxkey_at store migrate' -s k -l key-file -r -F -d 'the store\'s key: 32 raw bytes, hex, base64, or keychain items as JSON with storage.master'
complete -c sxkey -n '__sxkey_at store migrate' -l identity -x -d 'another identity than the current one: its name, a peer id, or at least 8 hex digits of its fingerprint'
complete -c sxkey -n '__sxkey_at store migrate' -l keyring -r -F -d 'the keyring (default: the one that SXKEY_KEYRING names, else sxkey/keyring.sxdb in XDG_DATA_HOME or ~/.local/share)'
complete -c sxkey -n '__sxkey_at store migrate' -l keyring-passphrase-file -r -F -d 'read the keyring\'s passphrase from a file; one line ending is taken off'
complete -c sxkey -n '__sxkey_at store migrate' -l keyring-passphrase-fd -x -d 'read the keyring\'s passphrase from this open descriptor'
complete -c sxkey -n '__sxkey_at store migrate' -l keyring-key-file -r -F -d 'the key file that opens the keyring: 32 raw bytes, hex or base64'
complete -c sxkey -n '__sxkey_at store migrate' -l dry-run -d 'show what would be done, and do nothing'
complete -c sxkey -n '__sxkey_at store migrate' -l no-keep -d 'remove the old folder after the new one is proven; refused when anything cannot be proven'
complete -c sxkey -n '__sxkey_at store migrate' -s j -l jobs -x -d 'threads to work with (default: all processors)'
complete -c sxkey -n '__sxkey_at store migrate' -a '(__fish_complete_directories)'

complete -c sxkey -n '__sxkey_at store repair' -s k -l key-file -r -F -d 'the store\'s key: 32 raw bytes, hex, base64, or keychain items as JSON with storage.master'
complete -c sxkey -n '__sxkey_at store repair' -l identity -x -d 'another identity than the current one: its name, a peer id, or at least 8 hex digits of its fingerprint'
complete -c sxkey -n '__sxkey_at store repair' -l keyring -r -F -d 'the keyring (default: the one that SXKEY_KEYRING names, else sxkey/keyring.sxdb in XDG_DATA_HOME or ~/.local/share)'
complete -c sxkey -n '__sxkey_at store repair' -l keyring-passphrase-file -r -F -d 'read the keyring\'s passphrase from a file; one line ending is taken off'
complete -c sxkey -n '__sxkey_at store repair' -l keyring-passphrase-fd -x -d 'read the keyring\'s passphrase from this open descriptor'
complete -c sxkey -n '__sxkey_at store repair' -l keyring-key-file -r -F -d 'the key file that opens the keyring: 32 raw bytes, hex or base64'
complete -c sxkey -n '__sxkey_at store repair' -l dry-run -d 'show what would be done, and do nothing'
complete -c sxkey -n '__sxkey_at store repair' -l no-keep -d 'remove the old folder after the new one is proven; refused when anything cannot be proven'
complete -c sxkey -n '__sxkey_at store repair' -s j -l jobs -x -d 'threads to work with (default: all processors)'
complete -c sxkey -n '__sxkey_at store repair' -a '(__fish_complete_directories)'

complete -c sxkey -n '__sxkey_at store prune' -l expired -d 'messages that should have disappeared by now'
complete -c sxkey -n '__sxkey_at store prune' -l before -x -d 'messages from before then: 2026, 2026-05, 2026-05-01 or 2026-05-01T18:30'
complete -c sxkey -n '__sxkey_at store prune' -l conversation -x -d 'messages of this conversation: its id or the beginning of it, "notes" for notes to self'
complete -c sxkey -n '__sxkey_at store prune' -l orphaned-attachments -d 'attachments that no message refers to'
complete -c sxkey -n '__sxkey_at store prune' -l apply -d 'do it; without it only the plan is shown'
complete -c sxkey -n '__sxkey_at store prune' -s k -l key-file -r -F -d 'the store\'s key: 32 raw bytes, hex, base64, or keychain items as JSON with storage.master'
complete -c sxkey -n '__sxkey_at store prune' -l identity -x -d 'another identity than the current one: its name, a peer id, or at least 8 hex digits of its fingerprint'
complete -c sxkey -n '__sxkey_at store prune' -l keyring -r -F -d 'the keyring (default: the one that SXKEY_KEYRING names, else sxkey/keyring.sxdb in XDG_DATA_HOME or ~/.local/share)'
complete -c sxkey -n '__sxkey_at store prune' -l keyring-passphrase-file -r -F -d 'read the keyring\'s passphrase from a file; one line ending is taken off'
complete -c sxkey -n '__sxkey_at store prune' -l keyring-passphrase-fd -x -d 'read the keyring\'s passphrase from this open descriptor'
complete -c sxkey -n '__sxkey_at store prune' -l keyring-key-file -r -F -d 'the key file that opens the keyring: 32 raw bytes, hex or base64'
complete -c sxkey -n '__sxkey_at store prune' -l dry-run -d 'show what would be done, and do nothing'
complete -c sxkey -n '__sxkey_at store prune' -l no-keep -d 'remove the old folder after the new one is proven; refused when anything cannot be proven'
complete -c sxkey -n '__sxkey_at store prune' -s j -l jobs -x -d 'threads to work with (default: all processors)'
complete -c sxkey -n '__sxkey_at store prune' -a '(__fish_complete_directories)'

complete -c sxkey -n '__sxkey_at store salvage' -s k -l key-file -r -F -d 'the store\'s key: 32 raw bytes, hex, base64, or keychain items as JSON with storage.master'
complete -c sxkey -n '__sxkey_at store salvage' -l identity -x -d 'another identity than the current one: its name, a peer id, or at least 8 hex digits of its fingerprint'
complete -c sxkey -n '__sxkey_at store salvage' -l keyring -r -F -d 'the keyring (default: the one that SXKEY_KEYRING names, else sxkey/keyring.sxdb in XDG_DATA_HOME or ~/.local/share)'
complete -c sxkey -n '__sxkey_at store salvage' -l keyring-passphrase-file -r -F -d 'read the keyring\'s passphrase from a file; one line ending is taken off'
complete -c sxkey -n '__sxkey_at store salvage' -l keyring-passphrase-fd -x -d 'read the keyring\'s passphrase from this open descriptor'
complete -c sxkey -n '__sxkey_at store salvage' -l keyring-key-file -r -F -d 'the key file that opens the keyring: 32 raw bytes, hex or base64'
complete -c sxkey -n '__sxkey_at store salvage' -l unauthenticated -d 'needed: I know that nothing that comes out is proven'
complete -c sxkey -n '__sxkey_at store salvage' -s o -l out -x -a '(__fish_complete_directories)' -d 'the folder to make, outside the store'
complete -c sxkey -n '__sxkey_at store salvage' -l attachments -d 'damaged attachments as well'
complete -c sxkey -n '__sxkey_at store salvage' -s j -l jobs -x -d 'threads to work with (default: all processors)'
complete -c sxkey -n '__sxkey_at store salvage' -a '(__fish_complete_directories)'

complete -c sxkey -n '__sxkey_at store merge' -s o -l out -x -a '(__fish_complete_directories)' -d 'make the new store here; the folder must not exist'
complete -c sxkey -n '__sxkey_at store merge' -l new-key-file -r -F -d 'the key of the new store: 32 raw bytes, hex, base64, or keychain items as JSON'
complete -c sxkey -n '__sxkey_at store merge' -l dry-run -d 'show what would be done, and do nothing'
complete -c sxkey -n '__sxkey_at store merge' -s j -l jobs -x -d 'threads to work with (default: all processors)'
complete -c sxkey -n '__sxkey_at store merge' -s k -l key-file -r -F -d 'the key of each store, twice in the order of the stores: 32 raw bytes, hex, base64, or keychain items as JSON'
complete -c sxkey -n '__sxkey_at store merge' -l identity -x -d 'another identity than the current one: its name, a peer id, or at least 8 hex digits of its fingerprint'
complete -c sxkey -n '__sxkey_at store merge' -l keyring -r -F -d 'the keyring (default: the one that SXKEY_KEYRING names, else sxkey/keyring.sxdb in XDG_DATA_HOME or ~/.local/share)'
complete -c sxkey -n '__sxkey_at store merge' -l keyring-passphrase-file -r -F -d 'read the keyring\'s passphrase from a file; one line ending is taken off'
complete -c sxkey -n '__sxkey_at store merge' -l keyring-passphrase-fd -x -d 'read the keyring\'s passphrase from this open descriptor'
complete -c sxkey -n '__sxkey_at store merge' -l keyring-key-file -r -F -d 'the key file that opens the keyring: 32 raw bytes, hex or base64'
complete -c sxkey -n '__sxkey_at store merge' -a '(__fish_complete_directories)'

complete -c sxkey -n '__sxkey_at -x keyring' -a init -d 'make an empty keyring'

complete -c sxkey -n '__sxkey_at -x keyring' -a info -d 'show what can be seen of the keyring without its secret'

complete -c sxkey -n '__sxkey_at -x keyring' -a verify -d 'prove that everything in the keyring is whole'

complete -c sxkey -n '__sxkey_at -x keyring' -a passwd -d 'change a passphrase or key file of the keyring'

complete -c sxkey -n '__sxkey_at -x keyring' -a rekey -d 'make a new master key and encrypt everything anew'

complete -c sxkey -n '__sxkey_at -x keyring' -a slot -d 'add, remove'
complete -c sxkey -n '__sxkey_at -x keyring slot' -a add -d 'let another passphrase or key file open the keyring'
complete -c sxkey -n '__sxkey_at -x keyring slot' -a remove -d 'take a passphrase or key file away from the keyring'

complete -c sxkey -n '__sxkey_at -x keyring' -a backup -d 'write a copy of the keyring, and prove it'

complete -c sxkey -n '__sxkey_at keyring init' -l keyring -r -F -d 'the keyring (default: the one that SXKEY_KEYRING names, else sxkey/keyring.sxdb in XDG_DATA_HOME or ~/.local/share)'
complete -c sxkey -n '__sxkey_at keyring init' -l new-keyring-passphrase-file -r -F -d 'read the keyring\'s new passphrase from a file; one line ending is taken off'
complete -c sxkey -n '__sxkey_at keyring init' -l new-keyring-passphrase-fd -x -d 'read the keyring\'s new passphrase from this open descriptor'
complete -c sxkey -n '__sxkey_at keyring init' -l new-keyring-key-file -r -F -d 'a key file that opens the keyring from now on: 32 random bytes, which must be there already'
complete -c sxkey -n '__sxkey_at keyring init' -l argon2-memory -x -d 'memory that each guess at a new passphrase costs, in MiB (default: 256)'
complete -c sxkey -n '__sxkey_at keyring init' -l argon2-passes -x -d 'passes over that memory (default: 3)'
complete -c sxkey -n '__sxkey_at keyring init' -l argon2-lanes -x -d 'lanes of that memory (default: 4)'

complete -c sxkey -n '__sxkey_at keyring info' -l keyring -r -F -d 'the keyring (default: the one that SXKEY_KEYRING names, else sxkey/keyring.sxdb in XDG_DATA_HOME or ~/.local/share)'

complete -c sxkey -n '__sxkey_at keyring verify' -l keyring -r -F -d 'the keyring (default: the one that SXKEY_KEYRING names, else sxkey/keyring.sxdb in XDG_DATA_HOME or ~/.local/share)'
complete -c sxkey -n '__sxkey_at keyring verify' -l keyring-passphrase-file -r -F -d 'read the keyring\'s passphrase from a file; one line ending is taken off'
complete -c sxkey -n '__sxkey_at keyring verify' -l keyring-passphrase-fd -x -d 'read the keyring\'s passphrase from this open descriptor'
complete -c sxkey -n '__sxkey_at keyring verify' -l keyring-key-file -r -F -d 'the key file that opens the keyring: 32 raw bytes, hex or base64'

complete -c sxkey -n '__sxkey_at keyring passwd' -l slot -x -d 'the slot to change (default: the one that was opened)'
complete -c sxkey -n '__sxkey_at keyring passwd' -l keyring -r -F -d 'the keyring (default: the one that SXKEY_KEYRING names, else sxkey/keyring.sxdb in XDG_DATA_HOME or ~/.local/share)'
complete -c sxkey -n '__sxkey_at keyring passwd' -l keyring-passphrase-file -r -F -d 'read the keyring\'s passphrase from a file; one line ending is taken off'
complete -c sxkey -n '__sxkey_at keyring passwd' -l keyring-passphrase-fd -x -d 'read the keyring\'s passphrase from this open descriptor'
complete -c sxkey -n '__sxkey_at keyring passwd' -l keyring-key-file -r -F -d 'the key file that opens the keyring: 32 raw bytes, hex or base64'
complete -c sxkey -n '__sxkey_at keyring passwd' -l new-keyring-passphrase-file -r -F -d 'read the keyring\'s new passphrase from a file; one line ending is taken off'
complete -c sxkey -n '__sxkey_at keyring passwd' -l new-keyring-passphrase-fd -x -d 'read the keyring\'s new passphrase from this open descriptor'
complete -c sxkey -n '__sxkey_at keyring passwd' -l new-keyring-key-file -r -F -d 'a key file that opens the keyring from now on: 32 random bytes, which must be there already'
complete -c sxkey -n '__sxkey_at keyring passwd' -l argon2-memory -x -d 'memory that each guess at a new passphrase costs, in MiB (default: 256)'
complete -c sxkey -n '__sxkey_at keyring passwd' -l argon2-passes -x -d 'passes over that memory (default: 3)'
complete -c sxkey -n '__sxkey_at keyring passwd' -l argon2-lanes -x -d 'lanes of that memory (default: 4)'

complete -c sxkey -n '__sxkey_at keyring rekey' -l slot-passphrase-file -x -d 'the file with the passphrase of slot N'
complete -c sxkey -n '__sxkey_at keyring rekey' -l slot-key-file -x -d 'the key file of slot N'
complete -c sxkey -n '__sxkey_at keyring rekey' -l drop-slot -x -d 'leave this slot out of the new file'
complete -c sxkey -n '__sxkey_at keyring rekey' -l keyring -r -F -d 'the keyring (default: the one that SXKEY_KEYRING names, else sxkey/keyring.sxdb in XDG_DATA_HOME or ~/.local/share)'
complete -c sxkey -n '__sxkey_at keyring rekey' -l keyring-passphrase-file -r -F -d 'read the keyring\'s passphrase from a file; one line ending is taken off'
complete -c sxkey -n '__sxkey_at keyring rekey' -l keyring-passphrase-fd -x -d 'read the keyring\'s passphrase from this open descriptor'
complete -c sxkey -n '__sxkey_at keyring rekey' -l keyring-key-file -r -F -d 'the key file that opens the keyring: 32 raw bytes, hex or base64'

complete -c sxkey -n '__sxkey_at keyring slot add' -l keyring -r -F -d 'the keyring (default: the one that SXKEY_KEYRING names, else sxkey/keyring.sxdb in XDG_DATA_HOME or ~/.local/share)'
complete -c sxkey -n '__sxkey_at keyring slot add' -l keyring-passphrase-file -r -F -d 'read the keyring\'s passphrase from a file; one line ending is taken off'
complete -c sxkey -n '__sxkey_at keyring slot add' -l keyring-passphrase-fd -x -d 'read the keyring\'s passphrase from this open descriptor'
complete -c sxkey -n '__sxkey_at keyring slot add' -l keyring-key-file -r -F -d 'the key file that opens the keyring: 32 raw bytes, hex or base64'
complete -c sxkey -n '__sxkey_at keyring slot add' -l new-keyring-passphrase-file -r -F -d 'read the keyring\'s new passphrase from a file; one line ending is taken off'
complete -c sxkey -n '__sxkey_at keyring slot add' -l new-keyring-passphrase-fd -x -d 'read the keyring\'s new passphrase from this open descriptor'
complete -c sxkey -n '__sxkey_at keyring slot add' -l new-keyring-key-file -r -F -d 'a key file that opens the keyring from now on: 32 random bytes, which must be there already'
complete -c sxkey -n '__sxkey_at keyring slot add' -l argon2-memory -x -d 'memory that each guess at a new passphrase costs, in MiB (default: 256)'
complete -c sxkey -n '__sxkey_at keyring slot add' -l argon2-passes -x -d 'passes over that memory (default: 3)'
complete -c sxkey -n '__sxkey_at keyring slot add' -l argon2-lanes -x -d 'lanes of that memory (default: 4)'

complete -c sxkey -n '__sxkey_at keyring slot remove' -l keyring -r -F -d 'the keyring (default: the one that SXKEY_KEYRING names, else sxkey/keyring.sxdb in XDG_DATA_HOME or ~/.local/share)'
complete -c sxkey -n '__sxkey_at keyring slot remove' -l keyring-passphrase-file -r -F -d 'read the keyring\'s passphrase from a file; one line ending is taken off'
complete -c sxkey -n '__sxkey_at keyring slot remove' -l keyring-passphrase-fd -x -d 'read the keyring\'s passphrase from this open descriptor'
complete -c sxkey -n '__sxkey_at keyring slot remove' -l keyring-key-file -r -F -d 'the key file that opens the keyring: 32 raw bytes, hex or base64'

complete -c sxkey -n '__sxkey_at keyring backup' -s o -l out -r -F -d 'where to write the copy'
complete -c sxkey -n '__sxkey_at keyring backup' -l keyring -r -F -d 'the keyring (default: the one that SXKEY_KEYRING names, else sxkey/keyring.sxdb in XDG_DATA_HOME or ~/.local/share)'
complete -c sxkey -n '__sxkey_at keyring backup' -l keyring-passphrase-file -r -F -d 'read the keyring\'s passphrase from a file; one line ending is taken off'
complete -c sxkey -n '__sxkey_at keyring backup' -l keyring-passphrase-fd -x -d 'read the keyring\'s passphrase from this open descriptor'
complete -c sxkey -n '__sxkey_at keyring backup' -l keyring-key-file -r -F -d 'the key file that opens the keyring: 32 raw bytes, hex or base64'
complete -c sxkey -n '__sxkey_at keyring backup' -l new-keyring-passphrase-file -r -F -d 'read the keyring\'s new passphrase from a file; one line ending is taken off'
complete -c sxkey -n '__sxkey_at keyring backup' -l new-keyring-passphrase-fd -x -d 'read the keyring\'s new passphrase from this open descriptor'
complete -c sxkey -n '__sxkey_at keyring backup' -l new-keyring-key-file -r -F -d 'a key file that opens the keyring from now on: 32 random bytes, which must be there already'
complete -c sxkey -n '__sxkey_at keyring backup' -l argon2-memory -x -d 'memory that each guess at a new passphrase costs, in MiB (default: 256)'
complete -c sxkey -n '__sxkey_at keyring backup' -l argon2-passes -x -d 'passes over that memory (default: 3)'
complete -c sxkey -n '__sxkey_at keyring backup' -l argon2-lanes -x -d 'lanes of that memory (default: 4)'

complete -c sxkey -n '__sxkey_at -x identity' -a new -d 'make a new identity'

complete -c sxkey -n '__sxkey_at -x identity' -a list -d 'list the identities of the keyring'

complete -c sxkey -n '__sxkey_at -x identity' -a show -d 'show an identity in every form that the apps know it by'

complete -c sxkey -n '__sxkey_at -x identity' -a use -d 'make an identity the current one'

complete -c sxkey -n '__sxkey_at -x identity' -a rename -d 'give an identity another name'

complete -c sxkey -n '__sxkey_at -x identity' -a import -d 'take an identity from an export into the keyring'

complete -c sxkey -n '__sxkey_at -x identity' -a export -d 'write an identity to a file, and prove that the file holds it'

complete -c sxkey -n '__sxkey_at -x identity' -a remove -d 'take an identity out of the keyring, when it is safe elsewhere'

complete -c sxkey -n '__sxkey_at -x identity' -a sign -d 'sign a file with an identity'

complete -c sxkey -n '__sxkey_at -x identity' -a verify -d 'verify the signature of a file, and say who made it'

complete -c sxkey -n '__sxkey_at identity new' -l use -d 'make it the current one'
complete -c sxkey -n '__sxkey_at identity new' -l keyring -r -F -d 'the keyring (default: the one that SXKEY_KEYRING names, else sxkey/keyring.sxdb in XDG_DATA_HOME or ~/.local/share)'
complete -c sxkey -n '__sxkey_at identity new' -l keyring-passphrase-file -r -F -d 'read the keyring\'s passphrase from a file; one line ending is taken off'
complete -c sxkey -n '__sxkey_at identity new' -l keyring-passphrase-fd -x -d 'read the keyring\'s passphrase from this open descriptor'
complete -c sxkey -n '__sxkey_at identity new' -l keyring-key-file -r -F -d 'the key file that opens the keyring: 32 raw bytes, hex or base64'

complete -c sxkey -n '__sxkey_at identity list' -l keyring -r -F -d 'the keyring (default: the one that SXKEY_KEYRING names, else sxkey/keyring.sxdb in XDG_DATA_HOME or ~/.local/share)'
complete -c sxkey -n '__sxkey_at identity list' -l keyring-passphrase-file -r -F -d 'read the keyring\'s passphrase from a file; one line ending is taken off'
complete -c sxkey -n '__sxkey_at identity list' -l keyring-passphrase-fd -x -d 'read the keyring\'s passphrase from this open descriptor'
complete -c sxkey -n '__sxkey_at identity list' -l keyring-key-file -r -F -d 'the key file that opens the keyring: 32 raw bytes, hex or base64'

complete -c sxkey -n '__sxkey_at identity show' -l reveal -d 'show the two private identity keys in hex as well'
complete -c sxkey -n '__sxkey_at identity show' -l keyring -r -F -d 'the keyring (default: the one that SXKEY_KEYRING names, else sxkey/keyring.sxdb in XDG_DATA_HOME or ~/.local/share)'
complete -c sxkey -n '__sxkey_at identity show' -l keyring-passphrase-file -r -F -d 'read the keyring\'s passphrase from a file; one line ending is taken off'
complete -c sxkey -n '__sxkey_at identity show' -l keyring-passphrase-fd -x -d 'read the keyring\'s passphrase from this open descriptor'
complete -c sxkey -n '__sxkey_at identity show' -l keyring-key-file -r -F -d 'the key file that opens the keyring: 32 raw bytes, hex or base64'

complete -c sxkey -n '__sxkey_at identity use' -l keyring -r -F -d 'the keyring (default: the one that SXKEY_KEYRING names, else sxkey/keyring.sxdb in XDG_DATA_HOME or ~/.local/share)'
complete -c sxkey -n '__sxkey_at identity use' -l keyring-passphrase-file -r -F -d 'read the keyring\'s passphrase from a file; one line ending is taken off'
complete -c sxkey -n '__sxkey_at identity use' -l keyring-passphrase-fd -x -d 'read the keyring\'s passphrase from this open descriptor'
complete -c sxkey -n '__sxkey_at identity use' -l keyring-key-file -r -F -d 'the key file that opens the keyring: 32 raw bytes, hex or base64'

complete -c sxkey -n '__sxkey_at identity rename' -l keyring -r -F -d 'the keyring (default: the one that SXKEY_KEYRING names, else sxkey/keyring.sxdb in XDG_DATA_HOME or ~/.local/share)'
complete -c sxkey -n '__sxkey_at identity rename' -l keyring-passphrase-file -r -F -d 'read the keyring\'s passphrase from a file; one line ending is taken off'
complete -c sxkey -n '__sxkey_at identity rename' -l keyring-passphrase-fd -x -d 'read the keyring\'s passphrase from this open descriptor'
complete -c sxkey -n '__sxkey_at identity rename' -l keyring-key-file -r -F -d 'the key file that opens the keyring: 32 raw bytes, hex or base64'

complete -c sxkey -n '__sxkey_at identity import' -s p -l passphrase-file -r -F -d 'read the passphrase from a file; one line ending is taken off'
complete -c sxkey -n '__sxkey_at identity import' -l passphrase-fd -x -d 'read the passphrase from this open descriptor'
complete -c sxkey -n '__sxkey_at identity import' -l name -x -d 'the name to keep it under (default: the name in the file)'
complete -c sxkey -n '__sxkey_at identity import' -l expect -x -d 'refuse an identity whose fingerprint does not begin with these 8 or more hex digits'
complete -c sxkey -n '__sxkey_at identity import' -l use -d 'make it the current one'
complete -c sxkey -n '__sxkey_at identity import' -l dry-run -d 'show what would be done, and change nothing'
complete -c sxkey -n '__sxkey_at identity import' -l keyring -r -F -d 'the keyring (default: the one that SXKEY_KEYRING names, else sxkey/keyring.sxdb in XDG_DATA_HOME or ~/.local/share)'
complete -c sxkey -n '__sxkey_at identity import' -l keyring-passphrase-file -r -F -d 'read the keyring\'s passphrase from a file; one line ending is taken off'
complete -c sxkey -n '__sxkey_at identity import' -l keyring-passphrase-fd -x -d 'read the keyring\'s passphrase from this open descriptor'
complete -c sxkey -n '__sxkey_at identity import' -l keyring-key-file -r -F -d 'the key file that opens the keyring: 32 raw bytes, hex or base64'
complete -c sxkey -n '__sxkey_at identity import' -F

complete -c sxkey -n '__sxkey_at identity export' -l format -x -a 'sophaxid-v2 sophaxid-v1 keychain-json' -d 'what to write (default: sophaxid-v2)'
complete -c sxkey -n '__sxkey_at identity export' -l reveal -d 'write private keys without encryption, with --format keychain-json'
complete -c sxkey -n '__sxkey_at identity export' -s o -l out -r -F -d 'the file to write; "-" is standard output'
complete -c sxkey -n '__sxkey_at identity export' -s f -l force -d 'overwrite an existing file'
complete -c sxkey -n '__sxkey_at identity export' -l new-passphrase-file -r -F -d 'read the new passphrase from a file; one line ending is taken off'
complete -c sxkey -n '__sxkey_at identity export' -l new-passphrase-fd -x -d 'read the new passphrase from this open descriptor'
complete -c sxkey -n '__sxkey_at identity export' -l keyring -r -F -d 'the keyring (default: the one that SXKEY_KEYRING names, else sxkey/keyring.sxdb in XDG_DATA_HOME or ~/.local/share)'
complete -c sxkey -n '__sxkey_at identity export' -l keyring-passphrase-file -r -F -d 'read the keyring\'s passphrase from a file; one line ending is taken off'
complete -c sxkey -n '__sxkey_at identity export' -l keyring-passphrase-fd -x -d 'read the keyring\'s passphrase from this open descriptor'
complete -c sxkey -n '__sxkey_at identity export' -l keyring-key-file -r -F -d 'the key file that opens the keyring: 32 raw bytes, hex or base64'

complete -c sxkey -n '__sxkey_at identity remove' -l export -r -F -d 'the export, when it is not where it was written to'
complete -c sxkey -n '__sxkey_at identity remove' -l yes-destroy -x -d 'remove it although nothing brings it back'
complete -c sxkey -n '__sxkey_at identity remove' -l dry-run -d 'say whether it could be removed, and change nothing'
complete -c sxkey -n '__sxkey_at identity remove' -s p -l passphrase-file -r -F -d 'read the passphrase from a file; one line ending is taken off'
complete -c sxkey -n '__sxkey_at identity remove' -l passphrase-fd -x -d 'read the passphrase from this open descriptor'
complete -c sxkey -n '__sxkey_at identity remove' -l keyring -r -F -d 'the keyring (default: the one that SXKEY_KEYRING names, else sxkey/keyring.sxdb in XDG_DATA_HOME or ~/.local/share)'
complete -c sxkey -n '__sxkey_at identity remove' -l keyring-passphrase-file -r -F -d 'read the keyring\'s passphrase from a file; one line ending is taken off'
complete -c sxkey -n '__sxkey_at identity remove' -l keyring-passphrase-fd -x -d 'read the keyring\'s passphrase from this open descriptor'
complete -c sxkey -n '__sxkey_at identity remove' -l keyring-key-file -r -F -d 'the key file that opens the keyring: 32 raw bytes, hex or base64'

complete -c sxkey -n '__sxkey_at identity sign' -s o -l out -r -F -d 'where to write the signature (default: FILE.sxsig)'
complete -c sxkey -n '__sxkey_at identity sign' -l force -d 'overwrite a signature that is there'
complete -c sxkey -n '__sxkey_at identity sign' -l identity -x -d 'another identity than the current one: its name, a peer id, or at least 8 hex digits of its fingerprint'
complete -c sxkey -n '__sxkey_at identity sign' -l keyring -r -F -d 'the keyring (default: the one that SXKEY_KEYRING names, else sxkey/keyring.sxdb in XDG_DATA_HOME or ~/.local/share)'
complete -c sxkey -n '__sxkey_at identity sign' -l keyring-passphrase-file -r -F -d 'read the keyring\'s passphrase from a file; one line ending is taken off'
complete -c sxkey -n '__sxkey_at identity sign' -l keyring-passphrase-fd -x -d 'read the keyring\'s passphrase from this open descriptor'
complete -c sxkey -n '__sxkey_at identity sign' -l keyring-key-file -r -F -d 'the key file that opens the keyring: 32 raw bytes, hex or base64'
complete -c sxkey -n '__sxkey_at identity sign' -F

complete -c sxkey -n '__sxkey_at identity verify' -l signature -r -F -d 'the signature (default: the file\'s name with .sxsig at the end)'
complete -c sxkey -n '__sxkey_at identity verify' -l signer -x -d 'the 64 hex digits of whoever must have signed; the keyring is not opened'
complete -c sxkey -n '__sxkey_at identity verify' -l keyring -r -F -d 'the keyring (default: the one that SXKEY_KEYRING names, else sxkey/keyring.sxdb in XDG_DATA_HOME or ~/.local/share)'
complete -c sxkey -n '__sxkey_at identity verify' -l keyring-passphrase-file -r -F -d 'read the keyring\'s passphrase from a file; one line ending is taken off'
complete -c sxkey -n '__sxkey_at identity verify' -l keyring-passphrase-fd -x -d 'read the keyring\'s passphrase from this open descriptor'
complete -c sxkey -n '__sxkey_at identity verify' -l keyring-key-file -r -F -d 'the key file that opens the keyring: 32 raw bytes, hex or base64'
complete -c sxkey -n '__sxkey_at identity verify' -F

complete -c sxkey -n '__sxkey_at -x prekey' -a info -d 'show the prekeys of an identity, and how old they are'

complete -c sxkey -n '__sxkey_at -x prekey' -a rotate -d 'replace the signed prekey of an identity'

complete -c sxkey -n '__sxkey_at -x prekey' -a replenish -d 'refill the one-time prekeys of an identity'

complete -c sxkey -n '__sxkey_at -x prekey' -a publish -d 'write a bundle of prekeys for somebody who wants to write first'

complete -c sxkey -n '__sxkey_at -x prekey' -a verify -d 'judge the bundle of prekeys that somebody handed out'

complete -c sxkey -n '__sxkey_at prekey info' -l identity -x -d 'another identity than the current one: its name, a peer id, or at least 8 hex digits of its fingerprint'
complete -c sxkey -n '__sxkey_at prekey info' -l keyring -r -F -d 'the keyring (default: the one that SXKEY_KEYRING names, else sxkey/keyring.sxdb in XDG_DATA_HOME or ~/.local/share)'
complete -c sxkey -n '__sxkey_at prekey info' -l keyring-passphrase-file -r -F -d 'read the keyring\'s passphrase from a file; one line ending is taken off'
complete -c sxkey -n '__sxkey_at prekey info' -l keyring-passphrase-fd -x -d 'read the keyring\'s passphrase from this open descriptor'
complete -c sxkey -n '__sxkey_at prekey info' -l keyring-key-file -r -F -d 'the key file that opens the keyring: 32 raw bytes, hex or base64'

complete -c sxkey -n '__sxkey_at prekey rotate' -l if-due -d 'only when it is 7 days old, or there is none'
complete -c sxkey -n '__sxkey_at prekey rotate' -l dry-run -d 'show what would be done, and change nothing'
complete -c sxkey -n '__sxkey_at prekey rotate' -l identity -x -d 'another identity than the current one: its name, a peer id, or at least 8 hex digits of its fingerprint'
complete -c sxkey -n '__sxkey_at prekey rotate' -l keyring -r -F -d 'the keyring (default: the one that SXKEY_KEYRING names, else sxkey/keyring.sxdb in XDG_DATA_HOME or ~/.local/share)'
complete -c sxkey -n '__sxkey_at prekey rotate' -l keyring-passphrase-file -r -F -d 'read the keyring\'s passphrase from a file; one line ending is taken off'
complete -c sxkey -n '__sxkey_at prekey rotate' -l keyring-passphrase-fd -x -d 'read the keyring\'s passphrase from this open descriptor'
complete -c sxkey -n '__sxkey_at prekey rotate' -l keyring-key-file -r -F -d 'the key file that opens the keyring: 32 raw bytes, hex or base64'

complete -c sxkey -n '__sxkey_at prekey replenish' -l all -d 'also when there are 10 or more'
complete -c sxkey -n '__sxkey_at prekey replenish' -l dry-run -d 'show what would be done, and change nothing'
complete -c sxkey -n '__sxkey_at prekey replenish' -l identity -x -d 'another identity than the current one: its name, a peer id, or at least 8 hex digits of its fingerprint'
complete -c sxkey -n '__sxkey_at prekey replenish' -l keyring -r -F -d 'the keyring (default: the one that SXKEY_KEYRING names, else sxkey/keyring.sxdb in XDG_DATA_HOME or ~/.local/share)'
complete -c sxkey -n '__sxkey_at prekey replenish' -l keyring-passphrase-file -r -F -d 'read the keyring\'s passphrase from a file; one line ending is taken off'
complete -c sxkey -n '__sxkey_at prekey replenish' -l keyring-passphrase-fd -x -d 'read the keyring\'s passphrase from this open descriptor'
complete -c sxkey -n '__sxkey_at prekey replenish' -l keyring-key-file -r -F -d 'the key file that opens the keyring: 32 raw bytes, hex or base64'

complete -c sxkey -n '__sxkey_at prekey publish' -l without-one-time -d 'leave the one-time prekey out, for a bundle that several people get'
complete -c sxkey -n '__sxkey_at prekey publish' -l form -x -a 'v0 v2' -d 'what the signature is over: v2 (default), or v0 for earlier iOS versions: the signed prekey alone'
complete -c sxkey -n '__sxkey_at prekey publish' -l tcp-address -x -d 'where you can be reached, put into the bundle as it is'
complete -c sxkey -n '__sxkey_at prekey publish' -l dry-run -d 'show what would be done, and change nothing'
complete -c sxkey -n '__sxkey_at prekey publish' -s o -l out -r -F -d 'the file to write; "-" is standard output'
complete -c sxkey -n '__sxkey_at prekey publish' -s f -l force -d 'overwrite an existing file'
complete -c sxkey -n '__sxkey_at prekey publish' -l identity -x -d 'another identity than the current one: its name, a peer id, or at least 8 hex digits of its fingerprint'
complete -c sxkey -n '__sxkey_at prekey publish' -l keyring -r -F -d 'the keyring (default: the one that SXKEY_KEYRING names, else sxkey/keyring.sxdb in XDG_DATA_HOME or ~/.local/share)'
complete -c sxkey -n '__sxkey_at prekey publish' -l keyring-passphrase-file -r -F -d 'read the keyring\'s passphrase from a file; one line ending is taken off'
complete -c sxkey -n '__sxkey_at prekey publish' -l keyring-passphrase-fd -x -d 'read the keyring\'s passphrase from this open descriptor'
complete -c sxkey -n '__sxkey_at prekey publish' -l keyring-key-file -r -F -d 'the key file that opens the keyring: 32 raw bytes, hex or base64'

complete -c sxkey -n '__sxkey_at prekey verify' -l at -x -d 'judge the age at this time (default: now)'
complete -c sxkey -n '__sxkey_at prekey verify' -l any-age -d 'the age does not change the exit status, for bundles that were stored'
complete -c sxkey -n '__sxkey_at prekey verify' -F

complete -c sxkey -n '__sxkey_at -x contact' -a add -d 'add a person, or note that one was seen again'

complete -c sxkey -n '__sxkey_at -x contact' -a list -d 'list the contacts and whether they are verified'

complete -c sxkey -n '__sxkey_at -x contact' -a show -d 'show all that is known of a contact'

complete -c sxkey -n '__sxkey_at -x contact' -a rename -d 'call a contact something else'

complete -c sxkey -n '__sxkey_at -x contact' -a replace-key -d 'link another key to a contact, because you know that it is the same person'

complete -c sxkey -n '__sxkey_at -x contact' -a block -d 'mark a contact as blocked'

complete -c sxkey -n '__sxkey_at -x contact' -a unblock -d 'take the mark of a blocked contact away'

complete -c sxkey -n '__sxkey_at -x contact' -a remove -d 'take a contact out, with its keys, its verified mark and its history'

complete -c sxkey -n '__sxkey_at -x contact' -a history -d 'show what happened to a contact'

complete -c sxkey -n '__sxkey_at -x contact' -a card -d 'show your own contact card, as a link or as a QR code'

complete -c sxkey -n '__sxkey_at contact add' -l name -x -d 'call the contact so, instead of what the source says'
complete -c sxkey -n '__sxkey_at contact add' -l all -d 'of a backup, take all contacts'
complete -c sxkey -n '__sxkey_at contact add' -l peer -x -d 'of a backup, take only the contact of this name or peer id'
complete -c sxkey -n '__sxkey_at contact add' -l kind -x -a 'identity backup full-export android' -d 'what the file is; needed only for an Android backup under another name than sophaxchat-backup.bin'
complete -c sxkey -n '__sxkey_at contact add' -s p -l passphrase-file -r -F -d 'read the passphrase from a file; one line ending is taken off'
complete -c sxkey -n '__sxkey_at contact add' -l passphrase-fd -x -d 'read the passphrase from this open descriptor'
complete -c sxkey -n '__sxkey_at contact add' -s j -l jobs -x -d 'threads to work with (default: all processors)'
complete -c sxkey -n '__sxkey_at contact add' -l keyring -r -F -d 'the keyring (default: the one that SXKEY_KEYRING names, else sxkey/keyring.sxdb in XDG_DATA_HOME or ~/.local/share)'
complete -c sxkey -n '__sxkey_at contact add' -l keyring-passphrase-file -r -F -d 'read the keyring\'s passphrase from a file; one line ending is taken off'
complete -c sxkey -n '__sxkey_at contact add' -l keyring-passphrase-fd -x -d 'read the keyring\'s passphrase from this open descriptor'
complete -c sxkey -n '__sxkey_at contact add' -l keyring-key-file -r -F -d 'the key file that opens the keyring: 32 raw bytes, hex or base64'
complete -c sxkey -n '__sxkey_at contact add' -F

complete -c sxkey -n '__sxkey_at contact list' -l keyring -r -F -d 'the keyring (default: the one that SXKEY_KEYRING names, else sxkey/keyring.sxdb in XDG_DATA_HOME or ~/.local/share)'
complete -c sxkey -n '__sxkey_at contact list' -l keyring-passphrase-file -r -F -d 'read the keyring\'s passphrase from a file; one line ending is taken off'
complete -c sxkey -n '__sxkey_at contact list' -l keyring-passphrase-fd -x -d 'read the keyring\'s passphrase from this open descriptor'
complete -c sxkey -n '__sxkey_at contact list' -l keyring-key-file -r -F -d 'the key file that opens the keyring: 32 raw bytes, hex or base64'

complete -c sxkey -n '__sxkey_at contact show' -l keyring -r -F -d 'the keyring (default: the one that SXKEY_KEYRING names, else sxkey/keyring.sxdb in XDG_DATA_HOME or ~/.local/share)'
complete -c sxkey -n '__sxkey_at contact show' -l keyring-passphrase-file -r -F -d 'read the keyring\'s passphrase from a file; one line ending is taken off'
complete -c sxkey -n '__sxkey_at contact show' -l keyring-passphrase-fd -x -d 'read the keyring\'s passphrase from this open descriptor'
complete -c sxkey -n '__sxkey_at contact show' -l keyring-key-file -r -F -d 'the key file that opens the keyring: 32 raw bytes, hex or base64'

complete -c sxkey -n '__sxkey_at contact rename' -l keyring -r -F -d 'the keyring (default: the one that SXKEY_KEYRING names, else sxkey/keyring.sxdb in XDG_DATA_HOME or ~/.local/share)'
complete -c sxkey -n '__sxkey_at contact rename' -l keyring-passphrase-file -r -F -d 'read the keyring\'s passphrase from a file; one line ending is taken off'
complete -c sxkey -n '__sxkey_at contact rename' -l keyring-passphrase-fd -x -d 'read the keyring\'s passphrase from this open descriptor'
complete -c sxkey -n '__sxkey_at contact rename' -l keyring-key-file -r -F -d 'the key file that opens the keyring: 32 raw bytes, hex or base64'

complete -c sxkey -n '__sxkey_at contact replace-key' -l yes -d 'do not ask'
complete -c sxkey -n '__sxkey_at contact replace-key' -l peer -x -d 'of a backup, take only the contact of this name or peer id'
complete -c sxkey -n '__sxkey_at contact replace-key' -l kind -x -a 'identity backup full-export android' -d 'what the file is; needed only for an Android backup under another name than sophaxchat-backup.bin'
complete -c sxkey -n '__sxkey_at contact replace-key' -s p -l passphrase-file -r -F -d 'read the passphrase from a file; one line ending is taken off'
complete -c sxkey -n '__sxkey_at contact replace-key' -l passphrase-fd -x -d 'read the passphrase from this open descriptor'
complete -c sxkey -n '__sxkey_at contact replace-key' -s j -l jobs -x -d 'threads to work with (default: all processors)'
complete -c sxkey -n '__sxkey_at contact replace-key' -l keyring -r -F -d 'the keyring (default: the one that SXKEY_KEYRING names, else sxkey/keyring.sxdb in XDG_DATA_HOME or ~/.local/share)'
complete -c sxkey -n '__sxkey_at contact replace-key' -l keyring-passphrase-file -r -F -d 'read the keyring\'s passphrase from a file; one line ending is taken off'
complete -c sxkey -n '__sxkey_at contact replace-key' -l keyring-passphrase-fd -x -d 'read the keyring\'s passphrase from this open descriptor'
complete -c sxkey -n '__sxkey_at contact replace-key' -l keyring-key-file -r -F -d 'the key file that opens the keyring: 32 raw bytes, hex or base64'
complete -c sxkey -n '__sxkey_at contact replace-key' -F

complete -c sxkey -n '__sxkey_at contact block' -l keyring -r -F -d 'the keyring (default: the one that SXKEY_KEYRING names, else sxkey/keyring.sxdb in XDG_DATA_HOME or ~/.local/share)'
complete -c sxkey -n '__sxkey_at contact block' -l keyring-passphrase-file -r -F -d 'read the keyring\'s passphrase from a file; one line ending is taken off'
complete -c sxkey -n '__sxkey_at contact block' -l keyring-passphrase-fd -x -d 'read the keyring\'s passphrase from this open descriptor'
complete -c sxkey -n '__sxkey_at contact block' -l keyring-key-file -r -F -d 'the key file that opens the keyring: 32 raw bytes, hex or base64'

complete -c sxkey -n '__sxkey_at contact unblock' -l keyring -r -F -d 'the keyring (default: the one that SXKEY_KEYRING names, else sxkey/keyring.sxdb in XDG_DATA_HOME or ~/.local/share)'
complete -c sxkey -n '__sxkey_at contact unblock' -l keyring-passphrase-file -r -F -d 'read the keyring\'s passphrase from a file; one line ending is taken off'
complete -c sxkey -n '__sxkey_at contact unblock' -l keyring-passphrase-fd -x -d 'read the keyring\'s passphrase from this open descriptor'
complete -c sxkey -n '__sxkey_at contact unblock' -l keyring-key-file -r -F -d 'the key file that opens the keyring: 32 raw bytes, hex or base64'

complete -c sxkey -n '__sxkey_at contact remove' -l yes -d 'do not ask'
complete -c sxkey -n '__sxkey_at contact remove' -l keyring -r -F -d 'the keyring (default: the one that SXKEY_KEYRING names, else sxkey/keyring.sxdb in XDG_DATA_HOME or ~/.local/share)'
complete -c sxkey -n '__sxkey_at contact remove' -l keyring-passphrase-file -r -F -d 'read the keyring\'s passphrase from a file; one line ending is taken off'
complete -c sxkey -n '__sxkey_at contact remove' -l keyring-passphrase-fd -x -d 'read the keyring\'s passphrase from this open descriptor'
complete -c sxkey -n '__sxkey_at contact remove' -l keyring-key-file -r -F -d 'the key file that opens the keyring: 32 raw bytes, hex or base64'

complete -c sxkey -n '__sxkey_at contact history' -l keyring -r -F -d 'the keyring (default: the one that SXKEY_KEYRING names, else sxkey/keyring.sxdb in XDG_DATA_HOME or ~/.local/share)'
complete -c sxkey -n '__sxkey_at contact history' -l keyring-passphrase-file -r -F -d 'read the keyring\'s passphrase from a file; one line ending is taken off'
complete -c sxkey -n '__sxkey_at contact history' -l keyring-passphrase-fd -x -d 'read the keyring\'s passphrase from this open descriptor'
complete -c sxkey -n '__sxkey_at contact history' -l keyring-key-file -r -F -d 'the key file that opens the keyring: 32 raw bytes, hex or base64'

complete -c sxkey -n '__sxkey_at contact card' -l format -x -a 'link meet terminal svg png' -d 'how to show it (default: link)'
complete -c sxkey -n '__sxkey_at contact card' -l code -x -a 'add meet' -d 'the link in a QR code (default: add)'
complete -c sxkey -n '__sxkey_at contact card' -l port -x -d 'the port in the card (default: 25519)'
complete -c sxkey -n '__sxkey_at contact card' -l digits -x -a '16 32 64' -d 'digits of the peer id: 16 for Android and some iOS versions (default: 32)'
complete -c sxkey -n '__sxkey_at contact card' -l identity -x -d 'another identity than the current one: its name, a peer id, or at least 8 hex digits of its fingerprint'
complete -c sxkey -n '__sxkey_at contact card' -s o -l out -r -F -d 'the file to write; "-" is standard output'
complete -c sxkey -n '__sxkey_at contact card' -s f -l force -d 'overwrite an existing file'
complete -c sxkey -n '__sxkey_at contact card' -l ground -x -a 'dark light' -d 'the terminal\'s background, for a QR code in it (default: dark)'
complete -c sxkey -n '__sxkey_at contact card' -l keyring -r -F -d 'the keyring (default: the one that SXKEY_KEYRING names, else sxkey/keyring.sxdb in XDG_DATA_HOME or ~/.local/share)'
complete -c sxkey -n '__sxkey_at contact card' -l keyring-passphrase-file -r -F -d 'read the keyring\'s passphrase from a file; one line ending is taken off'
complete -c sxkey -n '__sxkey_at contact card' -l keyring-passphrase-fd -x -d 'read the keyring\'s passphrase from this open descriptor'
complete -c sxkey -n '__sxkey_at contact card' -l keyring-key-file -r -F -d 'the key file that opens the keyring: 32 raw bytes, hex or base64'

complete -c sxkey -n '__sxkey_at -x safety' -a show -d 'show the safety numbers of a contact and of yourself, as each app shows them'

complete -c sxkey -n '__sxkey_at -x safety' -a compare -d 'compare a number that a phone shows with those of a contact\'s key'

complete -c sxkey -n '__sxkey_at -x safety' -a mark -d 'mark a contact as verified, after the numbers were compared'

complete -c sxkey -n '__sxkey_at -x safety' -a unmark -d 'take the verified mark of a contact away'

complete -c sxkey -n '__sxkey_at -x safety' -a list -d 'list who is verified, since when and by which number'

complete -c sxkey -n '__sxkey_at -x safety' -a scan -d 'read the QR code of a safety number from a picture, and compare it'

complete -c sxkey -n '__sxkey_at safety show' -l qr -d 'show the QR code in the terminal'
complete -c sxkey -n '__sxkey_at safety show' -l svg -d 'draw the QR code as SVG'
complete -c sxkey -n '__sxkey_at safety show' -l png -d 'draw the QR code as PNG'
complete -c sxkey -n '__sxkey_at safety show' -l form -x -a 'ios-v0 ios-v1 android-mine android-theirs android-own' -d 'the number in the QR code (default: ios-v0)'
complete -c sxkey -n '__sxkey_at safety show' -s o -l out -r -F -d 'the file to write; "-" is standard output'
complete -c sxkey -n '__sxkey_at safety show' -s f -l force -d 'overwrite an existing file'
complete -c sxkey -n '__sxkey_at safety show' -l ground -x -a 'dark light' -d 'the terminal\'s background, for a QR code in it (default: dark)'
complete -c sxkey -n '__sxkey_at safety show' -l identity -x -d 'another identity than the current one: its name, a peer id, or at least 8 hex digits of its fingerprint'
complete -c sxkey -n '__sxkey_at safety show' -l keyring -r -F -d 'the keyring (default: the one that SXKEY_KEYRING names, else sxkey/keyring.sxdb in XDG_DATA_HOME or ~/.local/share)'
complete -c sxkey -n '__sxkey_at safety show' -l keyring-passphrase-file -r -F -d 'read the keyring\'s passphrase from a file; one line ending is taken off'
complete -c sxkey -n '__sxkey_at safety show' -l keyring-passphrase-fd -x -d 'read the keyring\'s passphrase from this open descriptor'
complete -c sxkey -n '__sxkey_at safety show' -l keyring-key-file -r -F -d 'the key file that opens the keyring: 32 raw bytes, hex or base64'

complete -c sxkey -n '__sxkey_at safety compare' -l identity -x -d 'another identity than the current one: its name, a peer id, or at least 8 hex digits of its fingerprint'
complete -c sxkey -n '__sxkey_at safety compare' -l keyring -r -F -d 'the keyring (default: the one that SXKEY_KEYRING names, else sxkey/keyring.sxdb in XDG_DATA_HOME or ~/.local/share)'
complete -c sxkey -n '__sxkey_at safety compare' -l keyring-passphrase-file -r -F -d 'read the keyring\'s passphrase from a file; one line ending is taken off'
complete -c sxkey -n '__sxkey_at safety compare' -l keyring-passphrase-fd -x -d 'read the keyring\'s passphrase from this open descriptor'
complete -c sxkey -n '__sxkey_at safety compare' -l keyring-key-file -r -F -d 'the key file that opens the keyring: 32 raw bytes, hex or base64'

complete -c sxkey -n '__sxkey_at safety mark' -l form -x -a 'ios-v0 ios-v1 android-mine android-theirs android-own' -d 'the number that you have compared, as "sxkey safety show" names it'
complete -c sxkey -n '__sxkey_at safety mark' -l identity -x -d 'another identity than the current one: its name, a peer id, or at least 8 hex digits of its fingerprint'
complete -c sxkey -n '__sxkey_at safety mark' -l keyring -r -F -d 'the keyring (default: the one that SXKEY_KEYRING names, else sxkey/keyring.sxdb in XDG_DATA_HOME or ~/.local/share)'
complete -c sxkey -n '__sxkey_at safety mark' -l keyring-passphrase-file -r -F -d 'read the keyring\'s passphrase from a file; one line ending is taken off'
complete -c sxkey -n '__sxkey_at safety mark' -l keyring-passphrase-fd -x -d 'read the keyring\'s passphrase from this open descriptor'
complete -c sxkey -n '__sxkey_at safety mark' -l keyring-key-file -r -F -d 'the key file that opens the keyring: 32 raw bytes, hex or base64'

complete -c sxkey -n '__sxkey_at safety unmark' -l keyring -r -F -d 'the keyring (default: the one that SXKEY_KEYRING names, else sxkey/keyring.sxdb in XDG_DATA_HOME or ~/.local/share)'
complete -c sxkey -n '__sxkey_at safety unmark' -l keyring-passphrase-file -r -F -d 'read the keyring\'s passphrase from a file; one line ending is taken off'
complete -c sxkey -n '__sxkey_at safety unmark' -l keyring-passphrase-fd -x -d 'read the keyring\'s passphrase from this open descriptor'
complete -c sxkey -n '__sxkey_at safety unmark' -l keyring-key-file -r -F -d 'the key file that opens the keyring: 32 raw bytes, hex or base64'

complete -c sxkey -n '__sxkey_at safety list' -l keyring -r -F -d 'the keyring (default: the one that SXKEY_KEYRING names, else sxkey/keyring.sxdb in XDG_DATA_HOME or ~/.local/share)'
complete -c sxkey -n '__sxkey_at safety list' -l keyring-passphrase-file -r -F -d 'read the keyring\'s passphrase from a file; one line ending is taken off'
complete -c sxkey -n '__sxkey_at safety list' -l keyring-passphrase-fd -x -d 'read the keyring\'s passphrase from this open descriptor'
complete -c sxkey -n '__sxkey_at safety list' -l keyring-key-file -r -F -d 'the key file that opens the keyring: 32 raw bytes, hex or base64'

complete -c sxkey -n '__sxkey_at safety scan' -l identity -x -d 'another identity than the current one: its name, a peer id, or at least 8 hex digits of its fingerprint'
complete -c sxkey -n '__sxkey_at safety scan' -l keyring -r -F -d 'the keyring (default: the one that SXKEY_KEYRING names, else sxkey/keyring.sxdb in XDG_DATA_HOME or ~/.local/share)'
complete -c sxkey -n '__sxkey_at safety scan' -l keyring-passphrase-file -r -F -d 'read the keyring\'s passphrase from a file; one line ending is taken off'
complete -c sxkey -n '__sxkey_at safety scan' -l keyring-passphrase-fd -x -d 'read the keyring\'s passphrase from this open descriptor'
complete -c sxkey -n '__sxkey_at safety scan' -l keyring-key-file -r -F -d 'the key file that opens the keyring: 32 raw bytes, hex or base64'
complete -c sxkey -n '__sxkey_at safety scan' -F

complete -c sxkey -n '__sxkey_at -x archive' -a init -d 'make an empty archive'

complete -c sxkey -n '__sxkey_at -x archive' -a info -d 'show what can be seen of the archive without its secret, and with it what is inside'

complete -c sxkey -n '__sxkey_at -x archive' -a import -d 'take messages and attachments into the archive'

complete -c sxkey -n '__sxkey_at -x archive' -a list -d 'list the conversations of the archive'

complete -c sxkey -n '__sxkey_at -x archive' -a show -d 'show messages of the archive as a readable transcript'

complete -c sxkey -n '__sxkey_at -x archive' -a search -d 'find messages of the archive by their words'

complete -c sxkey -n '__sxkey_at -x archive' -a stats -d 'count the messages of the archive by month, person, hour, word and attachment'

complete -c sxkey -n '__sxkey_at -x archive' -a verify -d 'prove that what is in the archive is whole'

complete -c sxkey -n '__sxkey_at -x archive' -a remove -d 'take messages out of the archive for good'

complete -c sxkey -n '__sxkey_at -x archive' -a compact -d 'give back the room that removed messages and attachments left'

complete -c sxkey -n '__sxkey_at -x archive' -a backup -d 'write a copy of the archive, and prove it'

complete -c sxkey -n '__sxkey_at -x archive' -a passwd -d 'change a passphrase or key file of the archive'

complete -c sxkey -n '__sxkey_at -x archive' -a slot -d 'add, remove'
complete -c sxkey -n '__sxkey_at -x archive slot' -a add -d 'let another passphrase or key file open the archive'
complete -c sxkey -n '__sxkey_at -x archive slot' -a remove -d 'take a passphrase or key file away from the archive'

complete -c sxkey -n '__sxkey_at -x archive' -a rekey -d 'make a new master key and encrypt everything anew'

complete -c sxkey -n '__sxkey_at archive init' -l archive -r -F -d 'the archive (default: the one that SXKEY_ARCHIVE names, else sxkey/archive.sxdb in XDG_DATA_HOME or ~/.local/share)'
complete -c sxkey -n '__sxkey_at archive init' -l new-archive-passphrase-file -r -F -d 'read the archive\'s new passphrase from a file; one line ending is taken off'
complete -c sxkey -n '__sxkey_at archive init' -l new-archive-passphrase-fd -x -d 'read the archive\'s new passphrase from this open descriptor'
complete -c sxkey -n '__sxkey_at archive init' -l new-archive-key-file -r -F -d 'a key file that opens the archive from now on: 32 random bytes, which must be there already'
complete -c sxkey -n '__sxkey_at archive init' -l argon2-memory -x -d 'memory that each guess at a new passphrase costs, in MiB (default: 256)'
complete -c sxkey -n '__sxkey_at archive init' -l argon2-passes -x -d 'passes over that memory (default: 3)'
complete -c sxkey -n '__sxkey_at archive init' -l argon2-lanes -x -d 'lanes of that memory (default: 4)'

complete -c sxkey -n '__sxkey_at archive info' -l inside -d 'open the archive and show what it holds; asks for its passphrase'
complete -c sxkey -n '__sxkey_at archive info' -l archive -r -F -d 'the archive (default: the one that SXKEY_ARCHIVE names, else sxkey/archive.sxdb in XDG_DATA_HOME or ~/.local/share)'
complete -c sxkey -n '__sxkey_at archive info' -l archive-passphrase-file -r -F -d 'read the archive\'s passphrase from a file; one line ending is taken off'
complete -c sxkey -n '__sxkey_at archive info' -l archive-passphrase-fd -x -d 'read the archive\'s passphrase from this open descriptor'
complete -c sxkey -n '__sxkey_at archive info' -l archive-key-file -r -F -d 'the key file that opens the archive: 32 raw bytes, hex or base64'

complete -c sxkey -n '__sxkey_at archive import' -l no-attachments -d 'messages only'
complete -c sxkey -n '__sxkey_at archive import' -l dry-run -d 'read and compare, and show the counts, without changing the archive'
complete -c sxkey -n '__sxkey_at archive import' -l archive -r -F -d 'the archive (default: the one that SXKEY_ARCHIVE names, else sxkey/archive.sxdb in XDG_DATA_HOME or ~/.local/share)'
complete -c sxkey -n '__sxkey_at archive import' -l archive-passphrase-file -r -F -d 'read the archive\'s passphrase from a file; one line ending is taken off'
complete -c sxkey -n '__sxkey_at archive import' -l archive-passphrase-fd -x -d 'read the archive\'s passphrase from this open descriptor'
complete -c sxkey -n '__sxkey_at archive import' -l archive-key-file -r -F -d 'the key file that opens the archive: 32 raw bytes, hex or base64'
complete -c sxkey -n '__sxkey_at archive import' -l kind -x -a 'identity backup full-export android' -d 'what the file is; needed only for an Android backup under another name than sophaxchat-backup.bin'
complete -c sxkey -n '__sxkey_at archive import' -s k -l key-file -r -F -d 'the key of a store, or the key file of another archive; once for each of those, in their order'
complete -c sxkey -n '__sxkey_at archive import' -l identity -x -d 'another identity than the current one: its name, a peer id, or at least 8 hex digits of its fingerprint'
complete -c sxkey -n '__sxkey_at archive import' -s p -l passphrase-file -r -F -d 'read the passphrase from a file; one line ending is taken off; once for each input that has one, in their order'
complete -c sxkey -n '__sxkey_at archive import' -l passphrase-fd -x -d 'read the passphrase from this open descriptor; once for each input that has one, in their order'
complete -c sxkey -n '__sxkey_at archive import' -l keyring -r -F -d 'the keyring (default: the one that SXKEY_KEYRING names, else sxkey/keyring.sxdb in XDG_DATA_HOME or ~/.local/share)'
complete -c sxkey -n '__sxkey_at archive import' -l keyring-passphrase-file -r -F -d 'read the keyring\'s passphrase from a file; one line ending is taken off'
complete -c sxkey -n '__sxkey_at archive import' -l keyring-passphrase-fd -x -d 'read the keyring\'s passphrase from this open descriptor'
complete -c sxkey -n '__sxkey_at archive import' -l keyring-key-file -r -F -d 'the key file that opens the keyring: 32 raw bytes, hex or base64'
complete -c sxkey -n '__sxkey_at archive import' -s j -l jobs -x -d 'threads to work with (default: all processors)'
complete -c sxkey -n '__sxkey_at archive import' -F

complete -c sxkey -n '__sxkey_at archive list' -l archive -r -F -d 'the archive (default: the one that SXKEY_ARCHIVE names, else sxkey/archive.sxdb in XDG_DATA_HOME or ~/.local/share)'
complete -c sxkey -n '__sxkey_at archive list' -l archive-passphrase-file -r -F -d 'read the archive\'s passphrase from a file; one line ending is taken off'
complete -c sxkey -n '__sxkey_at archive list' -l archive-passphrase-fd -x -d 'read the archive\'s passphrase from this open descriptor'
complete -c sxkey -n '__sxkey_at archive list' -l archive-key-file -r -F -d 'the key file that opens the archive: 32 raw bytes, hex or base64'

complete -c sxkey -n '__sxkey_at archive show' -l id -x -d 'the message with this id'
complete -c sxkey -n '__sxkey_at archive show' -l source -d 'with --id: the exact source JSON of every version, and where it came from'
complete -c sxkey -n '__sxkey_at archive show' -l since -x -d 'only messages from then on: 2026, 2026-05, 2026-05-01 or 2026-05-01T18:30'
complete -c sxkey -n '__sxkey_at archive show' -l until -x -d 'only messages up to then, the named year, month, day or minute included'
complete -c sxkey -n '__sxkey_at archive show' -l from -x -d 'only messages of this peer id, its beginning, or a contact\'s name; "me" for your own'
complete -c sxkey -n '__sxkey_at archive show' -l sent -d 'only messages that were sent from here'
complete -c sxkey -n '__sxkey_at archive show' -l received -d 'only messages that were received'
complete -c sxkey -n '__sxkey_at archive show' -l has-attachment -d 'only messages with an attachment'
complete -c sxkey -n '__sxkey_at archive show' -l edited -d 'only messages whose text was changed after they were sent'
complete -c sxkey -n '__sxkey_at archive show' -l no-expiring -d 'leave out messages that were to disappear'
complete -c sxkey -n '__sxkey_at archive show' -l grep -x -d 'only messages whose text holds this, whatever the case'
complete -c sxkey -n '__sxkey_at archive show' -l limit -x -d 'at most the N newest messages of each conversation'
complete -c sxkey -n '__sxkey_at archive show' -l newest-first -d 'newest message first (default: oldest first)'
complete -c sxkey -n '__sxkey_at archive show' -l archive -r -F -d 'the archive (default: the one that SXKEY_ARCHIVE names, else sxkey/archive.sxdb in XDG_DATA_HOME or ~/.local/share)'
complete -c sxkey -n '__sxkey_at archive show' -l archive-passphrase-file -r -F -d 'read the archive\'s passphrase from a file; one line ending is taken off'
complete -c sxkey -n '__sxkey_at archive show' -l archive-passphrase-fd -x -d 'read the archive\'s passphrase from this open descriptor'
complete -c sxkey -n '__sxkey_at archive show' -l archive-key-file -r -F -d 'the key file that opens the archive: 32 raw bytes, hex or base64'

complete -c sxkey -n '__sxkey_at archive search' -l best -d 'the best first (default: the newest first)'
complete -c sxkey -n '__sxkey_at archive search' -l oldest -d 'the oldest first'
complete -c sxkey -n '__sxkey_at archive search' -l limit -x -d 'at most so many messages (default: 50)'
complete -c sxkey -n '__sxkey_at archive search' -l with -x -d 'only this conversation: its id, the beginning of that, or a contact\'s name; may be given several times'
complete -c sxkey -n '__sxkey_at archive search' -l since -x -d 'only messages from then on: 2026, 2026-05, 2026-05-01 or 2026-05-01T18:30'
complete -c sxkey -n '__sxkey_at archive search' -l until -x -d 'only messages up to then, the named year, month, day or minute included'
complete -c sxkey -n '__sxkey_at archive search' -l from -x -d 'only messages of this peer id, its beginning, or a contact\'s name; "me" for your own'
complete -c sxkey -n '__sxkey_at archive search' -l sent -d 'only messages that were sent from here'
complete -c sxkey -n '__sxkey_at archive search' -l received -d 'only messages that were received'
complete -c sxkey -n '__sxkey_at archive search' -l has-attachment -d 'only messages with an attachment'
complete -c sxkey -n '__sxkey_at archive search' -l edited -d 'only messages whose text was changed after they were sent'
complete -c sxkey -n '__sxkey_at archive search' -l no-expiring -d 'leave out messages that were to disappear'
complete -c sxkey -n '__sxkey_at archive search' -l timezone -x -d 'show times in this zone of the tz database, such as Europe/Berlin (default: this machine\'s)'
complete -c sxkey -n '__sxkey_at archive search' -l archive -r -F -d 'the archive (default: the one that SXKEY_ARCHIVE names, else sxkey/archive.sxdb in XDG_DATA_HOME or ~/.local/share)'
complete -c sxkey -n '__sxkey_at archive search' -l archive-passphrase-file -r -F -d 'read the archive\'s passphrase from a file; one line ending is taken off'
complete -c sxkey -n '__sxkey_at archive search' -l archive-passphrase-fd -x -d 'read the archive\'s passphrase from this open descriptor'
complete -c sxkey -n '__sxkey_at archive search' -l archive-key-file -r -F -d 'the key file that opens the archive: 32 raw bytes, hex or base64'

complete -c sxkey -n '__sxkey_at archive stats' -l words -x -d 'so many of the most used words (default: 15)'
complete -c sxkey -n '__sxkey_at archive stats' -l people -x -d 'so many people and conversations (default: 15)'
complete -c sxkey -n '__sxkey_at archive stats' -l with -x -d 'only this conversation: its id, the beginning of that, or a contact\'s name; may be given several times'
complete -c sxkey -n '__sxkey_at archive stats' -l since -x -d 'only messages from then on: 2026, 2026-05, 2026-05-01 or 2026-05-01T18:30'
complete -c sxkey -n '__sxkey_at archive stats' -l until -x -d 'only messages up to then, the named year, month, day or minute included'
complete -c sxkey -n '__sxkey_at archive stats' -l from -x -d 'only messages of this peer id, its beginning, or a contact\'s name; "me" for your own'
complete -c sxkey -n '__sxkey_at archive stats' -l sent -d 'only messages that were sent from here'
complete -c sxkey -n '__sxkey_at archive stats' -l received -d 'only messages that were received'
complete -c sxkey -n '__sxkey_at archive stats' -l has-attachment -d 'only messages with an attachment'
complete -c sxkey -n '__sxkey_at archive stats' -l edited -d 'only messages whose text was changed after they were sent'
complete -c sxkey -n '__sxkey_at archive stats' -l no-expiring -d 'leave out messages that were to disappear'
complete -c sxkey -n '__sxkey_at archive stats' -l timezone -x -d 'show times in this zone of the tz database, such as Europe/Berlin (default: this machine\'s)'
complete -c sxkey -n '__sxkey_at archive stats' -l archive -r -F -d 'the archive (default: the one that SXKEY_ARCHIVE names, else sxkey/archive.sxdb in XDG_DATA_HOME or ~/.local/share)'
complete -c sxkey -n '__sxkey_at archive stats' -l archive-passphrase-file -r -F -d 'read the archive\'s passphrase from a file; one line ending is taken off'
complete -c sxkey -n '__sxkey_at archive stats' -l archive-passphrase-fd -x -d 'read the archive\'s passphrase from this open descriptor'
complete -c sxkey -n '__sxkey_at archive stats' -l archive-key-file -r -F -d 'the key file that opens the archive: 32 raw bytes, hex or base64'

complete -c sxkey -n '__sxkey_at archive verify' -l quick -d 'header and pages only'
complete -c sxkey -n '__sxkey_at archive verify' -l full -d 'every source and attachment too'
complete -c sxkey -n '__sxkey_at archive verify' -l archive -r -F -d 'the archive (default: the one that SXKEY_ARCHIVE names, else sxkey/archive.sxdb in XDG_DATA_HOME or ~/.local/share)'
complete -c sxkey -n '__sxkey_at archive verify' -l archive-passphrase-file -r -F -d 'read the archive\'s passphrase from a file; one line ending is taken off'
complete -c sxkey -n '__sxkey_at archive verify' -l archive-passphrase-fd -x -d 'read the archive\'s passphrase from this open descriptor'
complete -c sxkey -n '__sxkey_at archive verify' -l archive-key-file -r -F -d 'the key file that opens the archive: 32 raw bytes, hex or base64'

complete -c sxkey -n '__sxkey_at archive remove' -l before -x -d 'messages from before then: 2026, 2026-05, 2026-05-01 or 2026-05-01T18:30'
complete -c sxkey -n '__sxkey_at archive remove' -l id -x -d 'the message with this id'
complete -c sxkey -n '__sxkey_at archive remove' -l dry-run -d 'show what would go, without removing it'
complete -c sxkey -n '__sxkey_at archive remove' -l yes -d 'do not ask'
complete -c sxkey -n '__sxkey_at archive remove' -l archive -r -F -d 'the archive (default: the one that SXKEY_ARCHIVE names, else sxkey/archive.sxdb in XDG_DATA_HOME or ~/.local/share)'
complete -c sxkey -n '__sxkey_at archive remove' -l archive-passphrase-file -r -F -d 'read the archive\'s passphrase from a file; one line ending is taken off'
complete -c sxkey -n '__sxkey_at archive remove' -l archive-passphrase-fd -x -d 'read the archive\'s passphrase from this open descriptor'
complete -c sxkey -n '__sxkey_at archive remove' -l archive-key-file -r -F -d 'the key file that opens the archive: 32 raw bytes, hex or base64'

complete -c sxkey -n '__sxkey_at archive compact' -l rebuild-index -d 'make the index for searching anew from the messages first'
complete -c sxkey -n '__sxkey_at archive compact' -l dry-run -d 'show what it would give back, without doing it'
complete -c sxkey -n '__sxkey_at archive compact' -l archive -r -F -d 'the archive (default: the one that SXKEY_ARCHIVE names, else sxkey/archive.sxdb in XDG_DATA_HOME or ~/.local/share)'
complete -c sxkey -n '__sxkey_at archive compact' -l archive-passphrase-file -r -F -d 'read the archive\'s passphrase from a file; one line ending is taken off'
complete -c sxkey -n '__sxkey_at archive compact' -l archive-passphrase-fd -x -d 'read the archive\'s passphrase from this open descriptor'
complete -c sxkey -n '__sxkey_at archive compact' -l archive-key-file -r -F -d 'the key file that opens the archive: 32 raw bytes, hex or base64'

complete -c sxkey -n '__sxkey_at archive backup' -s o -l out -r -F -d 'where to write the copy'
complete -c sxkey -n '__sxkey_at archive backup' -l archive -r -F -d 'the archive (default: the one that SXKEY_ARCHIVE names, else sxkey/archive.sxdb in XDG_DATA_HOME or ~/.local/share)'
complete -c sxkey -n '__sxkey_at archive backup' -l archive-passphrase-file -r -F -d 'read the archive\'s passphrase from a file; one line ending is taken off'
complete -c sxkey -n '__sxkey_at archive backup' -l archive-passphrase-fd -x -d 'read the archive\'s passphrase from this open descriptor'
complete -c sxkey -n '__sxkey_at archive backup' -l archive-key-file -r -F -d 'the key file that opens the archive: 32 raw bytes, hex or base64'
complete -c sxkey -n '__sxkey_at archive backup' -l new-archive-passphrase-file -r -F -d 'read the archive\'s new passphrase from a file; one line ending is taken off'
complete -c sxkey -n '__sxkey_at archive backup' -l new-archive-passphrase-fd -x -d 'read the archive\'s new passphrase from this open descriptor'
complete -c sxkey -n '__sxkey_at archive backup' -l new-archive-key-file -r -F -d 'a key file that opens the archive from now on: 32 random bytes, which must be there already'
complete -c sxkey -n '__sxkey_at archive backup' -l argon2-memory -x -d 'memory that each guess at a new passphrase costs, in MiB (default: 256)'
complete -c sxkey -n '__sxkey_at archive backup' -l argon2-passes -x -d 'passes over that memory (default: 3)'
complete -c sxkey -n '__sxkey_at archive backup' -l argon2-lanes -x -d 'lanes of that memory (default: 4)'

complete -c sxkey -n '__sxkey_at archive passwd' -l slot -x -d 'the slot to change (default: the one that was opened)'
complete -c sxkey -n '__sxkey_at archive passwd' -l archive -r -F -d 'the archive (default: the one that SXKEY_ARCHIVE names, else sxkey/archive.sxdb in XDG_DATA_HOME or ~/.local/share)'
complete -c sxkey -n '__sxkey_at archive passwd' -l archive-passphrase-file -r -F -d 'read the archive\'s passphrase from a file; one line ending is taken off'
complete -c sxkey -n '__sxkey_at archive passwd' -l archive-passphrase-fd -x -d 'read the archive\'s passphrase from this open descriptor'
complete -c sxkey -n '__sxkey_at archive passwd' -l archive-key-file -r -F -d 'the key file that opens the archive: 32 raw bytes, hex or base64'
complete -c sxkey -n '__sxkey_at archive passwd' -l new-archive-passphrase-file -r -F -d 'read the archive\'s new passphrase from a file; one line ending is taken off'
complete -c sxkey -n '__sxkey_at archive passwd' -l new-archive-passphrase-fd -x -d 'read the archive\'s new passphrase from this open descriptor'
complete -c sxkey -n '__sxkey_at archive passwd' -l new-archive-key-file -r -F -d 'a key file that opens the archive from now on: 32 random bytes, which must be there already'
complete -c sxkey -n '__sxkey_at archive passwd' -l argon2-memory -x -d 'memory that each guess at a new passphrase costs, in MiB (default: 256)'
complete -c sxkey -n '__sxkey_at archive passwd' -l argon2-passes -x -d 'passes over that memory (default: 3)'
complete -c sxkey -n '__sxkey_at archive passwd' -l argon2-lanes -x -d 'lanes of that memory (default: 4)'

complete -c sxkey -n '__sxkey_at archive slot add' -l archive -r -F -d 'the archive (default: the one that SXKEY_ARCHIVE names, else sxkey/archive.sxdb in XDG_DATA_HOME or ~/.local/share)'
complete -c sxkey -n '__sxkey_at archive slot add' -l archive-passphrase-file -r -F -d 'read the archive\'s passphrase from a file; one line ending is taken off'
complete -c sxkey -n '__sxkey_at archive slot add' -l archive-passphrase-fd -x -d 'read the archive\'s passphrase from this open descriptor'
complete -c sxkey -n '__sxkey_at archive slot add' -l archive-key-file -r -F -d 'the key file that opens the archive: 32 raw bytes, hex or base64'
complete -c sxkey -n '__sxkey_at archive slot add' -l new-archive-passphrase-file -r -F -d 'read the archive\'s new passphrase from a file; one line ending is taken off'
complete -c sxkey -n '__sxkey_at archive slot add' -l new-archive-passphrase-fd -x -d 'read the archive\'s new passphrase from this open descriptor'
complete -c sxkey -n '__sxkey_at archive slot add' -l new-archive-key-file -r -F -d 'a key file that opens the archive from now on: 32 random bytes, which must be there already'
complete -c sxkey -n '__sxkey_at archive slot add' -l argon2-memory -x -d 'memory that each guess at a new passphrase costs, in MiB (default: 256)'
complete -c sxkey -n '__sxkey_at archive slot add' -l argon2-passes -x -d 'passes over that memory (default: 3)'
complete -c sxkey -n '__sxkey_at archive slot add' -l argon2-lanes -x -d 'lanes of that memory (default: 4)'

complete -c sxkey -n '__sxkey_at archive slot remove' -l archive -r -F -d 'the archive (default: the one that SXKEY_ARCHIVE names, else sxkey/archive.sxdb in XDG_DATA_HOME or ~/.local/share)'
complete -c sxkey -n '__sxkey_at archive slot remove' -l archive-passphrase-file -r -F -d 'read the archive\'s passphrase from a file; one line ending is taken off'
complete -c sxkey -n '__sxkey_at archive slot remove' -l archive-passphrase-fd -x -d 'read the archive\'s passphrase from this open descriptor'
complete -c sxkey -n '__sxkey_at archive slot remove' -l archive-key-file -r -F -d 'the key file that opens the archive: 32 raw bytes, hex or base64'

complete -c sxkey -n '__sxkey_at archive rekey' -l slot-passphrase-file -x -d 'the file with the passphrase of slot N'
complete -c sxkey -n '__sxkey_at archive rekey' -l slot-key-file -x -d 'the key file of slot N'
complete -c sxkey -n '__sxkey_at archive rekey' -l drop-slot -x -d 'leave this slot out of the new file'
complete -c sxkey -n '__sxkey_at archive rekey' -l archive -r -F -d 'the archive (default: the one that SXKEY_ARCHIVE names, else sxkey/archive.sxdb in XDG_DATA_HOME or ~/.local/share)'
complete -c sxkey -n '__sxkey_at archive rekey' -l archive-passphrase-file -r -F -d 'read the archive\'s passphrase from a file; one line ending is taken off'
complete -c sxkey -n '__sxkey_at archive rekey' -l archive-passphrase-fd -x -d 'read the archive\'s passphrase from this open descriptor'
complete -c sxkey -n '__sxkey_at archive rekey' -l archive-key-file -r -F -d 'the key file that opens the archive: 32 raw bytes, hex or base64'

complete -c sxkey -n '__sxkey_at completions' -a 'bash zsh fish'

