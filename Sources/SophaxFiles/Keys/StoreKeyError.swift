/// Why a key file gives no store key.
package enum StoreKeyError: Error, Hashable, Sendable {
    /// The file has no bytes.
    case empty

    /// Larger than any key file.
    case tooLarge(found: Int, ceiling: Int)

    /// Neither 32 raw bytes, 64 hex digits, 44 characters of base64, nor a JSON object.
    case wrongLength(found: Int)

    /// 64 characters that are not all hex digits.
    case notHexadecimal

    /// 44 characters that are not base64 of the standard alphabet with its padding.
    case notBase64

    /// Base64 of another number of bytes than 32.
    case wrongKeyLength(found: Int)

    /// Begins like a JSON object and is none; `offset` is where reading ended.
    case notJSON(offset: Int)

    /// A JSON object of keychain items without `storage.master`; `accounts` are the names it has, as in the file.
    case noStorageMaster(accounts: [ByteText])

    /// An item stands more than once.
    case repeatedItem(ByteText)

    /// The value of an item is no string of base64.
    case itemNotBase64(ByteText)

    /// `storage.master` has another number of bytes than 32.
    case itemWrongLength(found: Int)

    /// No guarded memory of this many bytes.
    case outOfMemory(requested: Int)
}
