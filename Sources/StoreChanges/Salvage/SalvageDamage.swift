/// What seems to have happened to a file whose tag does not fit. A guess from the text: nothing here is proven.
package struct SalvageDamage: Equatable, Sendable {
    /// The raw value is the `reason` of `sxkey-formats(5)`.
    package enum Kind: String, CaseIterable, Sendable {
        /// The text ends in the middle; the tag and what stood before it are gone.
        case cutOff = "cut-off"
        /// The text is whole as far as can be seen, but of the tag behind it bytes are missing.
        case tagCutOff = "tag-cut-off"
        /// Behind the end of the list stand more bytes than a tag has.
        case bytesAppended = "bytes-appended"
        /// As long as it should be: bytes were changed, some place in it. Which letters these are cannot be known.
        case altered = "altered"
        /// Noise under this key: the key belongs to other files, or the nonce at the beginning is damaged.
        case noise = "noise"
        /// Too short for any text.
        case nothingLeft = "nothing-left"
    }

    package let kind: Kind
    /// Bytes from the start of the decrypted text to where damage was first seen; nil where the text does not show it.
    package let offset: Int?

    package init(_ kind: Kind, at offset: Int? = nil) {
        self.kind = kind
        self.offset = offset
    }

    /// Something of the file can be read.
    package var leavesText: Bool {
        switch kind {
        case .cutOff, .tagCutOff, .bytesAppended, .altered: true
        case .noise, .nothingLeft: false
        }
    }
}
