import Glibc

/// The long campaigns, of which the usual test run takes samples: `make check-long` sets SXKEY_LONG.
package enum LongTests {
    package static let areWanted = getenv("SXKEY_LONG") != nil
}
