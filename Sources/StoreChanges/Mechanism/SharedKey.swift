import CryptoPrimitives

/// The key of a store on its way to several threads. A class, since the key itself cannot be copied.
package final class SharedKey: Sendable {
    /// 32 bytes.
    package let bytes: SecretBytes

    package init(_ bytes: consuming SecretBytes) {
        self.bytes = bytes
    }
}
