public struct SecretBytes: ~Copyable { public let count = 0
 package func withUnsafeBytes<R, E: Error>(_ b: (UnsafeRawBufferPointer) throws(E) -> R) throws(E) -> R { unsafe try b(UnsafeRawBufferPointer(start: nil, count: 0)) } }
