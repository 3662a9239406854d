import TestSupport

/// The archive beside the sample that examples of help work on: what is in the sample's store, with the names of its keyring.
/// It opens with the passphrase of the exports, and with the file `archive.key`.
enum SampleArchive {
    static let fileName = "sample-archive.sxdb"
    static let keyFileName = "archive.key"
    static let key = [UInt8](repeating: 0x61, count: 32)

    /// Made by the built program: once, and then copied.
    static let bytes: [UInt8] = {
        do {
            let phone = try SamplePhone()
            try phone.write(key, to: keyFileName)
            try phone.write(SampleKeyring.made.bytes, to: SampleKeyring.fileName)
            try phone.write(SampleKeyring.key, to: SampleKeyring.keyFileName)
            let options = "--archive \(fileName) --archive-key-file \(keyFileName)"
            let run = phone.shell(
                "sxkey archive init --archive \(fileName) --new-archive-passphrase-file passphrase.txt --argon2-memory 19 "
                    + "--argon2-passes 1 && sxkey archive slot add --archive \(fileName) --archive-passphrase-file passphrase.txt "
                    + "--new-archive-key-file \(keyFileName) && sxkey archive import phone \(options) "
                    + "--keyring \(SampleKeyring.fileName) --keyring-key-file \(SampleKeyring.keyFileName)")
            return run.status == 0 ? fileBytes(phone.file(fileName)) ?? [] : run.errorOutput
        } catch {
            fatalError("no archive: \(error)")
        }
    }()
}
