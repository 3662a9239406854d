import SystemIO

extension InputFile {
    /// Fills `piece` as far as the file goes, and gives the number of bytes.
    mutating func fill(_ piece: inout [UInt8]) throws(FileError) -> Int {
        let result: Result<Int, FileError> = unsafe piece.withUnsafeMutableBytes { buffer in
            do throws(FileError) { return .success(unsafe try readFully(into: buffer)) } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }
}
