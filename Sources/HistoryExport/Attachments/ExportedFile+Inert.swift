import SophaxFiles
import SystemIO

extension ExportedFile {
    /// Whether a browser that is sent to the file shows it, plays it, or keeps it, and does nothing else.
    ///
    /// `download` does not help: of files on the disk Chromium opens what it can, and runs what is in them. What it takes a
    /// file for goes by the ending, and for endings that it does not know by the beginning; so both have to be known ones.
    var isInert: Bool {
        let name = path.lastComponent.bytes
        guard !kind.isActive, let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > 0 else { return false }
        let ending = String(decoding: name[dot...], as: UTF8.self).lowercased()
        switch kind.group {
        case .program: return false
        case .text: return [".txt", ".text", ".csv", ".json"].contains(ending)
        case .image, .audio, .video, .document, .archive, .other: return kind.suffixes.contains(ending)
        }
    }
}
