import CryptoPrimitives

/// Which names a folder of attachments may have.
package enum FileNameStyle: String, Sendable, CaseIterable {
    /// Any but what Unix itself refuses, what hides a file and what looks like an option.
    case unix
    /// As Windows takes them too; the standard, for folders are copied.
    case windows
    /// As Windows takes them, in ASCII.
    case ascii

    /// What is left of a name: no folders, control characters, or marks that turn the direction of text; never hidden, never
    /// `.` or `..`. May be empty.
    package func safe(_ name: [UInt8]) -> [UInt8] {
        var kept = String.UnicodeScalarView()
        for scalar in String(decoding: plain(name), as: UTF8.self).unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .format, .surrogate, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse: continue
            default: break
            }
            kept.append(replaces(scalar) ? "_" : scalar)
        }
        if self != .unix {
            while let last = kept.last, last == "." || last == " " { kept.removeLast() }
        }
        // Not one by one from the front: that would move the rest each time, and a sender may write a million dots.
        kept = String.UnicodeScalarView(kept.drop { $0 == "." || $0 == " " || $0 == "-" })
        return Array((self != .unix && Self.isDevice(kept) ? "_" : "").utf8) + Array(String(kept).utf8)
    }

    private func replaces(_ scalar: Unicode.Scalar) -> Bool {
        switch self {
        case .unix: scalar == "/"
        case .windows: "/\\:*?\"<>|".unicodeScalars.contains(scalar)
        case .ascii: !scalar.isASCII || "/\\:*?\"<>|'`$&;!#%{}~^".unicodeScalars.contains(scalar)
        }
    }

    /// With letters taken from their accents where only ASCII may stay.
    private func plain(_ name: [UInt8]) -> [UInt8] {
        guard self == .ascii, name.contains(where: { $0 >= 0x80 }),
            let decomposed = try? UnicodeForm.nfd.normalized(name.span)
        else { return name }
        var kept = String.UnicodeScalarView()
        for scalar in String(decoding: decomposed, as: UTF8.self).unicodeScalars
        where scalar.properties.generalCategory != .nonspacingMark {
            kept.append(scalar)
        }
        return Array(String(kept).utf8)
    }

    /// Names that stand for a device of Windows, whatever follows the first dot.
    private static func isDevice(_ name: String.UnicodeScalarView) -> Bool {
        var stem = String.UnicodeScalarView(name.prefix { $0 != "." })
        while stem.last == " " { stem.removeLast() }
        let word = String(stem).uppercased()
        if ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"].contains(word) { return true }
        let scalars = Array(word.unicodeScalars)
        return scalars.count == 4 && (word.hasPrefix("COM") || word.hasPrefix("LPT"))
    }
}
