import CryptoPrimitives

@testable import SophaxCore

/// Shares of the first check identity (its 64 private bytes are 00 to 3f) that were made in Python: logarithm tables for the
/// field, `cryptography` for the keys and the box, `shamir-mnemonic` for the words.
enum MadeShares {
    static let secret = Array(UInt8(0)...63)
    static let id = "6F9619FF-8B86-4011-B42D-00C04FC964FF"

    /// Three of five, as an app writes them.
    static let app = [
        appShare(1, "UuDc366mdvu3S35ngLf1tAR6P7kTLEkcvPaf3emV0+WAvjPBd3L3uhYlncVkwwpf0QbU3qMV7zC6rwjxmidpPg=="),
        appShare(2, "oB3dDkQfapS3cClSyBnOMaDiJLpKfScGzAtt7EiDZAkuMM8gsyYiVzr0kvisw6cnihv8kpHdOPWOlRHxJ3+9Qw=="),
        appShare(3, "8vwD0u68GmgIMl0+RKM1irSJCRBNRHgNaOToKr0LqfOOr97C4HHzygT4JRbkLYNXaywafwb94fIMAyM7gWXqQg=="),
        appShare(4, "SwBcl7g22OEoIk2LrtIhJD141e/zrX4pgUx3dRZYK/pz0/J41aHsmK+xWMZ3Tg6yyG7R8RNogLXdIEu7IXqXJA=="),
        appShare(5, "GeGCSxKVqB2XYDnnImjanykT+EX0lCEiJaPys+PQ5gDTTOOahvY9BZG97yg/oCrCKVk3HIRIWbJftnlxh2DAJQ=="),
    ]

    private static func appShare(_ index: Int, _ data: String) -> String {
        let escaped = data.replacing("/", with: #"\/"#)
        return #"{"index":\#(index),"data":"\#(escaped)","threshold":3,"createdAt":796000000.25,"total":5,"#
            + #""id":"6F9619FF-8B86-4011-B42D-00C04FC964FF"}"#
    }

    /// Two of three with sxkey's check, written after the description in sxkey-formats(5).
    static let sxkey = [
        #"{"id":"6F9619FF-8B86-4011-B42D-00C04FC964FF","index":1,"threshold":2,"total":3,"data":"iugZn7t1fJnvD"#
            + #"/EF83t8L2TPgs/53W5jm8KNKizTmmWCv+4TPVZoAjCj+s+ejiW2zFfFR5yLqJARmT7utCwuNQ==","createdAt":796000000,""#
            + #"sxkey":{"version":1,"name":"Ana \u00e9\ud83d\ude00","fingerprint":"3619e750a2dd52ba978807b2a00df56d9"#
            + #"ae3354382899ca7fafa482ca86a3528","check":"ZjJBKWd+rfvZfONt3dgKxw=="}}"#,
        #"{"id":"6F9619FF-8B86-4011-B42D-00C04FC964FF","index":2,"threshold":2,"total":3,"data":"D8g0IGHl8iDdB"#
            + #"ecX6eHqT/i2KbDVnub/BbQveXyaDet/BqFDFsO6bRgmkfhTcDgG0/3H239SEWJqYjKKNx8eKw==","createdAt":796000000,""#
            + #"sxkey":{"version":1,"name":"Ana \u00e9\ud83d\ude00","fingerprint":"3619e750a2dd52ba978807b2a00df56d9"#
            + #"ae3354382899ca7fafa482ca86a3528","check":"YTBW1GDTqP7GLiiwOrP54Q=="}}"#,
        #"{"id":"6F9619FF-8B86-4011-B42D-00C04FC964FF","index":3,"threshold":2,"total":3,"data":"hSEvvN6ViL46A"#
            + #"xwZFpeYb4xouWw4Vp6Lhm+4SExUiZHdmG1zD7D0SACsQRzh0zOfL5swr9fsj8VDwjZfvw4OIQ==","createdAt":796000000,""#
            + #"sxkey":{"version":1,"name":"Ana \u00e9\ud83d\ude00","fingerprint":"3619e750a2dd52ba978807b2a00df56d9"#
            + #"ae3354382899ca7fafa482ca86a3528","check":"0wTC1EbUWRcA8Pwx+Yu3sQ=="}}"#,
    ]
    static let name = "Ana \u{E9}\u{1F600}"

    /// The first of these, sealed for the second check identity as an app seals it.
    static let held =
        #"{"shareID":"6F9619FF-8B86-4011-B42D-00C04FC964FF","ephemeralPublicKey":"ST6C/HRGSlkmiBdiPSBTxeuOLMSp"#
        + #"iLT+4XnsawENUx0=","encryptedShare":"AAECAwQFBgcICQoL3fpKiO/r7S0qB7oRsV0jdsxypGx3tSIh/fyVjGdeK4GX06NQ"#
        + #"6A8X3xsN9VK3MG338UNgl6/togssmAUXWcyuxwUeiruGIv+A3Gm4Y5Mh4AOKrpWxSfTZbl9jiiaye/30xjTJIecQMrITnCJ5Dz7h"#
        + #"F/EaQyewudrPhO056r2LdXN28AsXSDmhnm1OzCUN8XuyIsdAskeEfH3TSsE0Ds3v+1CemtdF4dSsEtJmddYsmjpcNAOQo398l505"#
        + #"vOSi0blzpyPjwIpxv1HnuBnlrYZKqhp1pAL4DTdAerbv6zMFYa89dyq/hec8bPTzlvFo5ehnncx5T3HVPbS+RGH305WQmyAvKwNv"#
        + #"Q60t/4+kPQiuPjMsy121/bi8KW60dK21fBpyIl+zd81GrIbMHqY5zU9DHpxPnkuqQFc0a5dKsvDAj+sTb+Q425TzX2V9Y5azQoox"#
        + #"6nxo1Vsdy1FA+OB2IULJKsk/zRNRfTiSXGvwk0U3LYggJ7TozqLLN/ph+DDUO9ZXow=="}"#

    /// Three of five as words.
    static let words = [
        "manual racism academic acne academic grownup dilemma regular promise playoff breathe exceed cause result "
            + "morning blanket vitamins military camera triumph wrist bracelet multiple plan adjust expand cowboy "
            + "literary surprise agency fact medical username guitar enlarge smirk wireless muscle alarm evil domain "
            + "literary burning staff says square deny scene element research parcel prevent march universe fumes "
            + "kidney grill lawsuit dramatic",
        "manual racism academic agree academic client prune stick exclude thunder rumor bike reject sled goat "
            + "aluminum helpful herd home resident spark treat golden speak mortgage gesture hesitate erode visual "
            + "beaver home survive hairy tricycle payroll depict revenue exclude quarter wisdom easel negative fishing "
            + "jury froth deal mother mustang metric destroy fiber duckling observe venture estate says either explain "
            + "cultural",
        "manual racism academic amazing acne grief fitness violence scout intimate mandate race depend blimp "
            + "repair that parcel national sheriff talent priority lyrics branch grief mixture verify suitable patent "
            + "require lunar blimp laser scramble scroll process frost negative patrol view crowd browser platform "
            + "belong grumpy provide dwarf album away cubic stick rhyme voice leaves extra deny justice plot frost "
            + "maximum",
        "manual racism academic arcade acne clothes snake much company dive famous trouble predator graduate "
            + "excuse writing dough havoc replace maximum leaves iris trip carve again tactics pacific hobo mild "
            + "mixture cricket crunch frequent else else parcel tactics join echo ocean calcium railroad garbage simple "
            + "daisy step pajamas elevator yelp firm estimate golden mustang exclude club scandal mason holy paces",
        "manual racism academic axle acne source relate explain nuclear radar frequent twin timely lawsuit "
            + "revenue exercise payroll home smear surprise kind amount quantity elbow modify junior golden chew "
            + "tactics knit flash radar triumph debut petition spine pregnant loan again ecology step firefly income "
            + "album hospital game forget traveler warn emission forbid chemical cage founder merit eclipse oven edge "
            + "academic",
    ]

    /// Two of three as words under the passphrase `TREZOR`, not extendable.
    static let lockedWords = [
        "python upgrade academic acid academic mustang being voter mother elder cards language crucial scatter "
            + "expect punish username findings crazy theater speak eyebrow facility numb wolf buyer elevator patent "
            + "plan garlic gravity organize flip insect story behavior wrote pickup sympathy beard glimpse pacific "
            + "dress dryer loud dilemma wavy advance punish judicial evaluate trouble hesitate surface admit solution "
            + "critical admit switch",
        "python upgrade academic agency academic mortgage tracks screw salt moment ruin depict glimpse privacy "
            + "spider express hobo harvest living news timely firefly cultural darkness shaft tricycle evening critical "
            + "cultural invasion priority fake music lips velvet sniff flavor educate mouse ecology smoking merchant "
            + "package romp desire percent idle born crystal upgrade regular verify wolf domain kidney home nervous "
            + "plastic spark",
    ]
}

/// All choices of `count` things among `total`.
func choices(of total: Int, count: Int) -> [[Int]] {
    (0..<1 << total).filter { $0.nonzeroBitCount == count }.map { bits in
        (0..<total).filter { bits >> $0 & 1 == 1 }
    }
}

/// A secret with the bytes of a text.
func secret(text: String) throws -> SecretBytes { try secret(Array(text.utf8)) }
