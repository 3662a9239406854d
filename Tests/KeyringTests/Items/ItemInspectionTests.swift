import CryptoPrimitives
import JSONCoding
import SophaxCore
import Testing

@testable import Keyring

@Suite("What an item is, and whether its value fits")
struct ItemInspectionTests {
    private static let key = [UInt8](repeating: 0x11, count: 32)
    /// Seeds and the SHA3-256 of their public keys, by Python's `kyber-py` and `dilithium-py`.
    private static let lattice =
        Array(UInt8(0)..<64) + bytes("a24e16d8f8f9383a95b77050f4d9fd2f5733eec1d63ef3c23ebf9918173669a7")
    private static let signing =
        Array(UInt8(1)...32) + bytes("2fe3c3c8e3751136ef8d17166c2e7a0732b679ca76d3ec2a0632cec54ab58f16")

    private static let wing =
        [UInt8](repeating: 7, count: 32) + bytes("4c82604001ad0b7a4cbc022c322f5e757f09ba4a5b095c8af545caeeac6836c8")

    private static func bytes(_ hex: String) -> [UInt8] {
        let digits = Array(hex.utf8)
        return Hex.decode(digits.span) ?? []
    }

    private static let base64 = "ERERERERERERERERERERERERERERERERERERERERERE="
    /// 796000000.5 as 8 bytes, little-endian: 0x41C7B90580400000.
    private static let date: [UInt8] = [0x00, 0x00, 0x40, 0x80, 0x05, 0xB9, 0xC7, 0x41]
    private static let notANumber: [UInt8] = [0, 0, 0, 0, 0, 0, 0xF8, 0x7F]

    /// One account of each kind with values that fit and values that do not. Format: SophaxChat 5.1 to 5.5, 4.5, 4.7.
    private static let specimens: [(account: String, kind: ItemKind, good: [[UInt8]], bad: [([UInt8], ItemProblem)])] =
        raw32.map { account, kind in
            (
                account, kind, [key],
                [
                    (key + [0], .length(expected: 32, found: 33)), ([], .length(expected: 32, found: 0)),
                    (Array(key.dropLast()), .length(expected: 32, found: 31)),
                ]
            )
        } + others + texts

    private static let raw32: [(String, ItemKind)] = [
        ("identity.signing", .signingKey), ("identity.dh", .dhKey), ("spk.1738933701", .signedPreKey),
        ("otpk.0", .oneTimePreKey), ("otpk.4294967295", .oneTimePreKey), ("session.mac_key", .sessionMACKey),
        ("stale.session.mac_key", .sessionMACKey), ("storage.master", .storageKey),
        ("storage.master.next", .storageKey), ("storage.master.before-2026-05-01-2", .storageKey),
        ("group.key.E8EEABCD", .groupKey), ("keylog.mac", .keyLogMAC), ("settings.lock_pin", .pinHash),
        ("settings.lock_pin_v2", .pinHash), ("settings.security_alt", .pinHash),
        ("settings.security_alt_v2", .pinHash), ("settings.lock_pin_s_v2", .pinSalt),
        ("settings.security_alt_s_v2", .pinSalt), ("btmessage.identity.x25519", .btmessageEarlierKey),
        ("btmessage.groupKey.5E919B17", .btmessageGroupKey), ("lchat.privateKey.9f349d14", .lchatPrivateKey),
        ("lchat.threadKey.cdd25176", .lchatThreadKey), ("conet.streamKey.8847e244", .conetStreamKey),
    ]

    private static let others: [(account: String, kind: ItemKind, good: [[UInt8]], bad: [([UInt8], ItemProblem)])] = [
        (
            "settings.lock_pin_s", .firstPINSalt, [Array(key.prefix(16))],
            [(key, .length(expected: 16, found: 32))]
        ),
        ("settings.security_alt_s", .firstPINSalt, [Array(key.prefix(16))], [([], .length(expected: 16, found: 0))]),
        (
            "btmessage.identity.xwing", .btmessageKey, [key + key],
            [(key, .length(expected: 64, found: 32)), (key + key + [0], .length(expected: 64, found: 65))]
        ),
        (
            "btmessage.identity.peerID", .btmessagePeerID, [Array("89316C2B-6FC1-4416-888E-F0BD9960D62F".utf8)],
            [([0xFF], .notUTF8)]
        ),
        (
            "btmessage.groups", .btmessageGroups, [Array("{}".utf8)],
            [([], .notJSON(offset: 0)), (Array("[]".utf8), .notJSON(offset: 0))]
        ),
        (
            "user.username", .username, [Array("Zoë".utf8), []],
            [([0xFF], .notUTF8), ([0x61, 0xED, 0xA0, 0x80], .notUTF8)]
        ),
        (
            "identity.avatar", .avatar, [[0xFF, 0xD8, 0xFF, 0xE0]],
            [([0x89, 0x50, 0x4E, 0x47], .notJPEG), ([], .notJPEG)]
        ),
        (
            "identity.pq", .mlKEMKey, [lattice],
            [
                ([], .length(expected: 96, found: 0)), (Array(lattice.prefix(64)), .length(expected: 96, found: 64)),
                ([1] + lattice.dropFirst(), .seedMismatch), (lattice.dropLast() + [0], .seedMismatch),
            ]
        ),
        (
            "identity.mldsa", .mlDSAKey, [signing],
            [
                ([], .unknownLayout), (key, .unknownLayout), (signing.dropLast() + [0], .unknownLayout),
                ([UInt8](repeating: 1, count: 4_032), .unknownLayout),
            ]
        ),
        (
            "identity.mldsa.public", .mlDSAPublicKey, [[UInt8](repeating: 1, count: 1_952)],
            [(key, .length(expected: 1_952, found: 32))]
        ),
        (
            "identity.xwing", .recipientKey, [wing],
            [(lattice, .length(expected: 64, found: 96)), (wing.dropLast() + [0], .seedMismatch)]
        ),
        ("identity.xwing.before-0badf00d", .recipientKey, [wing], [(key, .length(expected: 64, found: 32))]),
        ("identity.xwing.damaged-0badf00d", .damagedKey, [[1], wing], [([], .empty)]),
        ("identity.pq.damaged-0badf00d", .damagedKey, [[1], lattice], [([], .empty)]),
        ("pqspk.7", .postQuantumPreKey, [lattice], [(key, .length(expected: 96, found: 32))]),
        ("mls.state.E8EEABCD", .mlsState, [[1]], [([], .empty)]),
        ("spk.current_id", .signedPreKeyID, [[0xC5, 5, 0xA6, 0x67]], [([1, 2, 3], .length(expected: 4, found: 3))]),
        ("pqspk.current_id", .postQuantumPreKeyID, [[0, 0, 0, 0]], [([], .length(expected: 4, found: 0))]),
        (
            "spk.created_at", .signedPreKeyDate, [date],
            [(notANumber, .notFinite), ([0], .length(expected: 8, found: 1))]
        ),
        ("settings.applock", .appLock, [[0], [1]], [([2], .notAFlag), ([], .length(expected: 1, found: 0))]),
        (
            "settings.unlock_attempts", .unlockAttempts, [[0, 0, 0, 3] + date],
            [([0, 0, 0, 3] + notANumber, .notFinite), (date, .length(expected: 12, found: 8))]
        ),
        (
            "session.08c4cab788bd5f92", .session, [],
            [
                (Array("{}".utf8), .session(.notASession)),
                (Array(#"{"sendMessageCount":0}"#.utf8), .field("sendingRatchetPublicKey", .missing)),
                (key + key, .session(.notASession)), ([], .session(.notASession)),
            ]
        ),
        ("stale.session.08c4cab788bd5f92", .staleSession, [], [(key, .session(.notASession))]),
    ]

    private static let texts: [(account: String, kind: ItemKind, good: [[UInt8]], bad: [([UInt8], ItemProblem)])] = [
        json(
            "skd.mine.E8EE", .ownSenderKey,
            [
                #"{"chainKey":"\#(base64)","iteration":0}"#,
                #"{"chainKey":"\#(base64)","iteration":4294967295,"messageCount":3,"createdAt":796000000.5,"receivedAt":1}"#,
            ],
            [
                (#"{"chainKey":"\#(base64)"}"#, .field("iteration", .missing)),
                (#"{"chainKey":"ERE=","iteration":0}"#, .field("chainKey", .wrongLength(expected: 32, found: 2))),
                (#"{"chainKey":"\#(base64)","iteration":4294967296}"#, .field("iteration", .outOfRange)),
                (#"{"chainKey":"\#(base64)","iteration":0,"createdAt":true}"#, .field("createdAt", .wrongType)),
                ("[]", .notJSON(offset: 0)),
            ]),
        json(
            "skd.peers.E8EE", .peerSenderKeys,
            ["{}", #"{"08c4":{"chainKey":"\#(base64)","iteration":9}}"#],
            [
                (#"{"08c4":{"chainKey":"\#(base64)"}}"#, .field("08c4.iteration", .missing)),
                (#"{"08c4":1}"#, .field("08c4", .wrongType)),
            ]),
        json(
            "skd.skipped.all", .skippedGroupKeys,
            ["{}", #"{"E8EE/08c4":{"3":{"keyData":"\#(base64)","storedAt":796000000}}}"#],
            [
                (
                    #"{"E8EE/08c4":{"3":{"keyData":"\#(base64)"}}}"#, .field("E8EE/08c4.3.storedAt", .missing)
                ), (#"{"E8EE/08c4":[]}"#, .field("E8EE/08c4", .wrongType)),
            ]),
        json(
            "verified.peers", .verifiedPeers, [#"{"08c4":"54723 08556"}"#, "{}"],
            [(#"{"08c4":5}"#, .field("08c4", .wrongType))]),
        json(
            "pinned.messages", .pinnedMessages, [#"{"group.E8EE":"21B9"}"#], [(#"{"a":null}"#, .field("a", .wrongType))]
        ),
        json("peer.aliases", .peerAliases, [#"{"08c4":"Ali"}"#], [("{", .notJSON(offset: 0))]),
        json(
            "blocked.peers", .blockedPeers,
            [
                #"{"ids":["a"],"names":{"a":"A"}}"#, #"{"ids":[],"names_keys":["a"],"names_vals":["A"]}"#,
            ],
            [
                (
                    #"{"ids":[],"names_keys":["a"],"names_vals":[]}"#,
                    .field("names_vals", .wrongLength(expected: 1, found: 0))
                ), (#"{"ids":[]}"#, .field("names_keys", .missing)), (#"{"names":{}}"#, .field("ids", .missing)),
            ]),
        json(
            "linked.devices", .linkedDevices, [#"["a","b"]"#, "[]"],
            [("[1]", .field("[0]", .wrongType)), ("{}", .notJSON(offset: 0))]),
        json("trustedWipePeers", .trustedWipePeers, [#"["a"]"#], [(#"["a",null]"#, .field("[1]", .wrongType))]),
        json(
            "wipe.seen_ids", .seenWipes, [#"[{"id":"a","seenAt":796000000}]"#, #"["a"]"#],
            [(#"[{"id":"a"}]"#, .field("[0].seenAt", .missing)), ("[1]", .field("[0]", .wrongType))]),
        json(
            "sss.shares", .heldShares,
            [#"[{"id":"A","index":1,"threshold":2,"total":3,"data":"\#(base64)","createdAt":796000000}]"#],
            [
                (
                    #"[{"id":"A","index":256,"threshold":2,"total":3,"data":"\#(base64)","createdAt":796000000}]"#,
                    .field("[0].index", .outOfRange)
                )
            ]),
        json(
            "sss.manifest", .shareManifest,
            [#"{"shareID":"A","threshold":2,"holderPeerIDs":["a","b"],"createdAt":796000000}"#],
            [(#"{"shareID":"A","threshold":2,"createdAt":796000000}"#, .field("holderPeerIDs", .missing))]),
    ]

    private static func json(
        _ account: String, _ kind: ItemKind, _ good: [String], _ bad: [(String, ItemProblem)]
    ) -> (account: String, kind: ItemKind, good: [[UInt8]], bad: [([UInt8], ItemProblem)]) {
        (account, kind, good.map { Array($0.utf8) }, bad.map { (Array($0.0.utf8), $0.1) })
    }

    @Test("every kind is told by its account, takes what an app writes, and says what is wrong with anything else")
    func shapes() throws {
        for specimen in Self.specimens {
            let account = try account(specimen.account)
            #expect(account.kind == specimen.kind, "\(specimen.account)")
            for value in specimen.good {
                let problem = ItemInspection.problem(of: try secretBytes(value), as: account)
                #expect(problem == nil, "\(specimen.account): \(String(decoding: value, as: UTF8.self))")
            }
            for (value, expected) in specimen.bad {
                let problem = ItemInspection.problem(of: try secretBytes(value), as: account)
                #expect(problem == expected, "\(specimen.account): \(String(decoding: value, as: UTF8.self))")
            }
        }
        #expect(Set(Self.specimens.map(\.kind)) == Set(ItemKind.allCases))
    }

    @Test("names that only look like an app's are of no kind, and nothing is said of their values")
    func unknown() throws {
        for name in [
            "otpk.", "otpk.01", "otpk.4294967296", "otpk.-1", "spk.x", "session.", "Storage.master", "group.key",
        ] {
            let account = try account(name)
            #expect(account.kind == nil, "\(name)")
            let problem = ItemInspection.problem(of: try secretBytes([1]), as: account)
            #expect(problem == nil)
        }
    }

    @Test("an account is made of an id and gives it back; an id that makes no name gives none")
    func subjects() throws {
        let id = PeerID("08c4cab788bd5f92f16ff0814022b379")
        #expect(ItemAccount.session(id)?.text == "session.08c4cab788bd5f92f16ff0814022b379")
        #expect(ItemAccount.session(id)?.subject == id.bytes)
        #expect(ItemAccount.staleSession(id)?.subject == id.bytes)
        #expect(ItemAccount.staleSession(id)?.isStale == true && ItemAccount.session(id)?.isStale == false)
        #expect(ItemAccount.peerSenderKeys(Array("E8".utf8))?.subject == Array("E8".utf8))
        #expect(ItemAccount.oneTimePreKey(7).subject == Array("7".utf8))
        #expect(ItemAccount.storageMaster.subject == [])
        #expect(ItemAccount.session(PeerID(bytes: [0xFF])) == nil)
        #expect(ItemAccount.groupKey([UInt8](repeating: 0x61, count: ItemAccount.maximumLength)) == nil)
    }

    @Test("a list with one entry more than the ceiling is refused")
    func ceiling() throws {
        func list(_ count: Int) -> [UInt8] {
            Array("[\(Array(repeating: "\"a\"", count: count).joined(separator: ","))]".utf8)
        }
        let account = ItemAccount.linkedDevices
        let fits = ItemInspection.problem(of: try secretBytes(list(ItemText.maximumEntries)), as: account)
        let tooMany = ItemInspection.problem(of: try secretBytes(list(ItemText.maximumEntries + 1)), as: account)
        #expect(fits == nil)
        #expect(tooMany == .field("", .tooMany(limit: ItemText.maximumEntries)))
    }
}
