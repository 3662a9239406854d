import CArgon2

/// Why Argon2id gave no key.
package enum Argon2Error: Error, Equatable, Sendable {
    case memoryKiB(allowed: ClosedRange<UInt32>, found: UInt32)
    case passes(allowed: ClosedRange<UInt32>, found: UInt32)
    case lanes(allowed: ClosedRange<UInt32>, found: UInt32)
    /// Memory times passes, in KiB, is more than is allowed.
    case work(maximumKiB: UInt64, found: UInt64)
    case saltLength(allowed: ClosedRange<Int>, found: Int)
    case outputLength(allowed: ClosedRange<Int>, found: Int)
    case passphraseLength(maximum: Int, found: Int)
    /// The working memory could not be had.
    case workingMemory(requestedKiB: UInt32)
    /// The guarded memory for the key could not be had.
    case memory(SecretMemoryError)
    /// libargon2 failed with this code although its arguments were right.
    case library(code: Int32)
}

/// Argon2id, version 0x13 (RFC 9106), through libargon2, one thread a lane.
package enum Argon2id {
    /// What a derivation costs; a value of this type is always within the bounds.
    package struct Parameters: Hashable, Sendable {
        package static let memoryKiBBounds: ClosedRange<UInt32> = (19 << 10)...(2 << 20)
        package static let passesBounds: ClosedRange<UInt32> = 1...16
        package static let lanesBounds: ClosedRange<UInt32> = 1...16
        /// The most memory times passes, in KiB: 16 GiB. A file with several key slots sums them against it.
        package static let maximumWorkKiB: UInt64 = 16 << 20

        package let memoryKiB: UInt32
        package let passes: UInt32
        package let lanes: UInt32

        /// What a new key slot costs unless the user says otherwise: 256 MiB, 3 passes, 4 lanes.
        package static let standard = Parameters(uncheckedMemoryKiB: 256 << 10, passes: 3, lanes: 4)

        /// Memory times passes, in KiB.
        package var workKiB: UInt64 { UInt64(memoryKiB) * UInt64(passes) }

        /// Checks all bounds; nothing is allocated before.
        package init(memoryKiB: UInt32, passes: UInt32, lanes: UInt32) throws(Argon2Error) {
            guard Self.memoryKiBBounds.contains(memoryKiB) else {
                throw .memoryKiB(allowed: Self.memoryKiBBounds, found: memoryKiB)
            }
            guard Self.passesBounds.contains(passes) else {
                throw .passes(allowed: Self.passesBounds, found: passes)
            }
            guard Self.lanesBounds.contains(lanes) else {
                throw .lanes(allowed: Self.lanesBounds, found: lanes)
            }
            self.init(uncheckedMemoryKiB: memoryKiB, passes: passes, lanes: lanes)
            guard workKiB <= Self.maximumWorkKiB else {
                throw .work(maximumKiB: Self.maximumWorkKiB, found: workKiB)
            }
        }

        /// Published test vectors are far below the floors; nothing else may use this.
        init(uncheckedMemoryKiB memoryKiB: UInt32, passes: UInt32, lanes: UInt32) {
            self.memoryKiB = memoryKiB
            self.passes = passes
            self.lanes = lanes
        }
    }

    package static let saltLengthBounds = 16...64
    package static let outputLengthBounds = 16...1024
    package static let maximumPassphraseLength = 1 << 20

    /// `length` bytes from a passphrase, which may be empty.
    package static func derive(
        passphrase: borrowing SecretBytes,
        salt: Span<UInt8>,
        parameters: Parameters,
        length: Int
    ) throws(Argon2Error) -> SecretBytes {
        let none: SecretBytes
        do { none = try SecretBytes(count: 0) } catch { throw .memory(error) }
        return try derive(
            passphrase: passphrase, salt: salt, secret: none, data: Span(), parameters: parameters, length: length)
    }

    /// As above, with the two further inputs of RFC 9106, 3.1, which only its test vector uses.
    static func derive(
        passphrase: borrowing SecretBytes,
        salt: Span<UInt8>,
        secret: borrowing SecretBytes,
        data: Span<UInt8>,
        parameters: Parameters,
        length: Int
    ) throws(Argon2Error) -> SecretBytes {
        guard saltLengthBounds.contains(salt.count) else {
            throw .saltLength(allowed: saltLengthBounds, found: salt.count)
        }
        guard outputLengthBounds.contains(length) else {
            throw .outputLength(allowed: outputLengthBounds, found: length)
        }
        guard passphrase.count <= maximumPassphraseLength else {
            throw .passphraseLength(maximum: maximumPassphraseLength, found: passphrase.count)
        }
        var key: SecretBytes
        do { key = try SecretBytes(count: length) } catch { throw .memory(error) }
        let status = unsafe key.withUnsafeMutableBytes { target in
            unsafe passphrase.withUnsafeBytes { passphrase in
                unsafe secret.withUnsafeBytes { secret in
                    unsafe salt.withCPointer { saltStart in
                        unsafe data.withCPointer { dataStart in
                            // libargon2 takes its inputs as not const; without the flags that clear them it only reads.
                            var context = unsafe Argon2_Context(
                                out: target.cPointer, outlen: UInt32(target.count),
                                pwd: UnsafeMutablePointer(mutating: passphrase.cPointer),
                                pwdlen: UInt32(passphrase.count),
                                salt: UnsafeMutablePointer(mutating: saltStart), saltlen: UInt32(salt.count),
                                secret: UnsafeMutablePointer(mutating: secret.cPointer),
                                secretlen: UInt32(secret.count),
                                ad: UnsafeMutablePointer(mutating: dataStart), adlen: UInt32(data.count),
                                t_cost: parameters.passes, m_cost: parameters.memoryKiB,
                                lanes: parameters.lanes, threads: parameters.lanes,
                                version: ARGON2_VERSION_13.rawValue,
                                allocate_cbk: nil, free_cbk: nil, flags: 0)
                            return unsafe argon2id_ctx(&context)
                        }
                    }
                }
            }
        }
        switch status {
        case ARGON2_OK.rawValue: return key
        case ARGON2_MEMORY_ALLOCATION_ERROR.rawValue: throw .workingMemory(requestedKiB: parameters.memoryKiB)
        default: throw .library(code: status)
        }
    }
}
