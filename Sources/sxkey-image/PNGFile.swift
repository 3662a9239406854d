/// The chunks of a PNG file (ISO/IEC 15948, 5), looked at before a decoder sees them.
struct PNGFile {
    let width: Int
    let height: Int
    /// The file with nothing in it but what the picture is made of: text, profiles and times never reach the decoder.
    let essence: [UInt8]

    static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    private static let kept: Set<[UInt8]> = [
        Array("IHDR".utf8), Array("PLTE".utf8), Array("tRNS".utf8), Array("IDAT".utf8), Array("IEND".utf8),
    ]
    private static let imageHeader = Array("IHDR".utf8)
    private static let imageEnd = Array("IEND".utf8)
    private static let animation = Array("acTL".utf8)

    /// `bytes` begin with the signature.
    init(_ bytes: [UInt8]) throws(PictureProblem) {
        var essence = Self.signature
        essence.reserveCapacity(bytes.count)
        var size: (width: Int, height: Int)?
        var position = Self.signature.count
        while true {
            // Length, type, data and checksum.
            guard bytes.count - position >= 12 else { throw .truncated }
            let length = Self.number(bytes, position)
            guard length <= Int(Int32.max) else { throw .damaged }
            guard length <= bytes.count - position - 12 else { throw .truncated }
            let type = Array(bytes[position + 4..<position + 8])
            let data = position + 8
            let end = data + length + 4
            if size == nil {
                guard type == Self.imageHeader, length == 13 else { throw .damaged }
                size = (Self.number(bytes, data), Self.number(bytes, data + 4))
            } else if type == Self.imageHeader {
                throw .damaged
            }
            if type == Self.animation { throw .animated }
            if Self.kept.contains(type) { essence += bytes[position..<end] }
            position = end
            if type == Self.imageEnd { break }
        }
        guard let size, size.width > 0, size.height > 0 else { throw .damaged }
        width = size.width
        height = size.height
        self.essence = essence
    }

    private static func number(_ bytes: [UInt8], _ position: Int) -> Int {
        bytes[position..<position + 4].reduce(0) { $0 << 8 | Int($1) }
    }
}
