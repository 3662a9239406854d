import CryptoPrimitives

/// Rules for names of entries (sxkey-formats(5), BUNDLE FILE, Archive).
enum EntryName {
    static let manifest = Array("manifest.json".utf8)
    static let signature = Array("signature.json".utf8)

    static let lengthCeiling = 1024
    static let componentCeiling = 255
    /// Components of a name: every folder of every name is held against all others, so a deep name costs its length
    /// once a component.
    static let depthCeiling = 8

    private static let slash = UInt8(ascii: "/")

    /// Error: `.name`.
    static func check(_ name: [UInt8]) throws(SXBArchiveFault) {
        guard (1...lengthCeiling).contains(name.count), let text = String(validating: name, as: UTF8.self) else {
            throw .name(name)
        }
        // Controls of both blocks would change what a terminal shows, a backslash separates on Windows.
        let isPlain = text.unicodeScalars.allSatisfy { scalar in
            scalar.value >= 0x20 && !(0x7F...0x9F).contains(scalar.value) && scalar != "\\"
        }
        guard isPlain else { throw .name(name) }
        let components = components(name)
        guard components.count <= depthCeiling else { throw .name(name) }
        for component in components {
            guard (1...componentCeiling).contains(component.count), !component.elementsEqual(".".utf8),
                !component.elementsEqual("..".utf8)
            else { throw .name(name) }
        }
    }

    static func components(_ name: [UInt8]) -> [ArraySlice<UInt8>] {
        name.split(separator: slash, omittingEmptySubsequences: false)
    }
}

/// The names of one archive: none twice, not even for a file system that does not tell capitals or Unicode forms apart, and
/// none that is a folder of another.
struct EntryNameTable {
    private enum Use: Equatable {
        case file([UInt8])
        case folder([UInt8])
    }

    private var uses: [[UInt8]: Use] = [:]

    /// Adds a name that `EntryName.check` takes. Error: `.collision`.
    mutating func add(_ name: [UInt8]) throws(SXBArchiveFault) {
        for (index, byte) in name.enumerated() where byte == UInt8(ascii: "/") {
            let folder = Array(name[..<index])
            let use = Use.folder(folder)
            let former = uses.updateValue(use, forKey: try Self.folded(folder))
            if let former, former != use { throw Self.collision(former, name) }
        }
        if let former = uses.updateValue(.file(name), forKey: try Self.folded(name)) {
            throw Self.collision(former, name)
        }
    }

    private static func collision(_ former: Use, _ name: [UInt8]) -> SXBArchiveFault {
        switch former {
        case .file(let other), .folder(let other): .collision(other, name)
        }
    }

    private static func folded(_ name: [UInt8]) throws(SXBArchiveFault) -> [UInt8] {
        if name.allSatisfy({ $0 < 0x80 }) {
            return name.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
        }
        do throws(UnicodeError) {
            return try UnicodeForm.caseFolded.normalized(name.span)
        } catch {
            throw .name(name)
        }
    }
}
