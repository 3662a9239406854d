import SystemIO

/// A file with everything in it and no name yet.
struct WrittenFile: ~Copyable {
    private var output: OutputFile
    /// Bytes.
    let length: Int

    init(output: consuming OutputFile, length: Int) {
        self.output = output
        self.length = length
    }

    /// Opens the file for reading.
    mutating func reopen() throws(SXBError) -> InputFile {
        do throws(FileError) { return try output.reopen() } catch { throw .file(error) }
    }

    /// Makes it last, and gives it its name.
    consuming func commit() throws(SXBError) {
        do throws(FileError) { try output.commit() } catch { throw .file(error) }
    }
}
