import Testing

@testable import CryptoPrimitives

/// What the Python packages kyber-py 1.2.0 and dilithium-py 1.5.1 make of seeds that SHAKE-256 gives for a text.
@Suite("ML-KEM-768 and ML-DSA-65 beside Python")
struct PythonCrossTests {
    /// SHA3-256 of public key, long private key, ciphertext, secret, and the secret of a changed ciphertext.
    private static let kem = [
        "cf9ff72d4a206dbe6423db2d827e18c8ece216fc56ac60b03c0947cd4973332a",
        "89476d26694d91b0a18936068ca953cba6588cb5796ee582a50c7d9c4cd23421",
        "87ef81fbe52279c3c218065eb4b6d01f5822212a2fc35bea2d525badcb1ab749",
        "e040ca3ab945af582ba54afdb17fcf04a49baaca1947b5571631b28ea9b079cf",
        "ffddeef7a9f85ecf46a3389b61e28330690cfe1f3282b04387b03b4d6b0cca92",
        "241c6f9b3aed82f303b1ca9943cd83b3c2ef72bb798b3950f46ee482ae39fd81",
        "a9a7adcb3bd8389d23c622ad19f41d5f11445780f82d654432eb69ee6c8457d3",
        "c80d1a3babd1fe205aacc1a297a111c111211eef19d74cc506ba20d1b98bf8ff",
        "85a85f2f2aeb388a94a6a4068e55726e18d19ca01f8297569490d959e2343a2c",
        "d180acce2194af2cf54823adfe110ef25248113fb144e20cd79992571d32cbc1",
        "03c336bcad48e4e8ffd30ff14ff96fc6fa514f2ef0f934c686e018c4197d718e",
        "62fe6f9655bcd1039ec4c73fd41c7da06fbe5ba3fc21eb3bd5fa7f6a1e537585",
        "ea493e5185d488e9398b8d5a899fe24dca117d136de41657688d42a1b4e728d6",
        "637da255c1dae3b807e987e2e27588341deaaff3df268cf3b7e360220ef97adb",
        "8007e8710add00ffb2c887fd99f85516fc35b33aeab81296e92b70d7d330935a",
        "59a65df320faea6fa5751ed4dfb7d155eaa450497ad5d1153211c247b361df34",
        "b708ccf830ec79fdab20745a227faff8a79cf58775d601e040bf83f3be4e1567",
        "b522688f4fed3c9fe876942a69f73881ca01eea797ee0a5e91caa405eed4c8d6",
        "b3e3728dac12f75cdc59194af15d3424b3bd66095fb74325041e88785c6a8c84",
        "ae9d909f9ba6daa033d7d65b7de1c8032fb67b853843e5c0fc5faba5f8573e5c",
        "0e66e76ff8cd1a2e083226d48482e1fd11527fb711ae961279d56338c31ac9bc",
        "4c42deb759e79a06034ea3b9f88ada1f50580be15e8da2fbdbf9b7ac1e33b105",
        "5ffbd3bb5d06ce277d28d178b33721000ad98f2e9b026852f527bd7c18fa36fb",
        "175ac0e1e151931a2aacd2e6ec8f74a36a7c24667f1c4281430ebf99c22a872e",
    ]

    @Test("24 random key pairs and secrets are those of kyber-py", arguments: providers)
    func kyber(engine: NamedProvider) throws {
        for (number, expected) in Self.kem.enumerated() {
            let drawn = draw("ML-KEM-768 \(number)", 96)
            let seed = try SecretBytes(copying: drawn.span.extracting(first: 64))
            let key = try MLKEM768.publicKey(ofSeed: seed, provider: engine.provider)
            let made = try MLKEM768.encapsulate(
                to: key.span, random: fixedRandom(Array(drawn[64...])), provider: engine.provider)
            var changed = made.ciphertext
            changed[number * 45] ^= 1 << UInt8(number % 8)
            let rejected = try opened(changed, seed, engine.provider)
            let expanded = try LongMLKEMKey.bytes(ofSeed: seed)
            let all = key + expanded + made.ciphertext + made.secret.exposed + rejected
            #expect(SHA3_256.hash(all.span) == bytes(expected), "case \(number)")
        }
    }

    /// SHA3-256 of public key and signature; every second one is not hedged.
    private static let dsa = [
        "3fffd305a588360df0931360a6625857c1ad4a0f42a964cd41e8b9caa726c17f",
        "5863736589c68d15018ebc998458b8a7eb4288ad02f0d01622ae6c8ed3e0847c",
        "6d0fb059742fe4507e625926d5e9bb2d3a2a8d154b387829ee298a44eae4e3bc",
        "a38d6b9916a17661bd519523e679e5d7326bca58f35d353fb81bafc325f28fd3",
        "f0629ece97990750c5256edc6f156271fca84631869d06663b65e66d08febb69",
        "56ec6e6f223c598d9554c3bf3aaf7f45f127ab283798a2ef29d0b4b475255884",
        "f4f14099f2bfd861cca8a9485006615d713b74e82d1f23a34c658398db166be3",
        "7936bc41076fb19cf5cd550448f734bd7a8968f34f6ca14b37bd74276851883b",
        "8a3c44e21c4ad09d2b53bb596ca5b58d20b02f4853d5a9530606b4ef591f2667",
        "bf1b1a2b923556d3b8b366b89673ce40501c71dccc1ef69f2109ba2e6af32f40",
        "be6f998fa35cd089bc096a7b736813df27a6ba1e3c912e06a4ad413bcd44b148",
        "443dae7c9188787da58dd6de2ba525c92ae2ed5150272f91eeda6c68f4018e64",
        "4c165e9cb6f9edb98f2e4d998204775ce1a7c2bbdd5179e39eba65a08e0baed5",
        "fec43c9f9a19ad5b7442540140f7a5df2a2528e3272e7b67c6f208651353d0c7",
        "1016d8df557e2f8b010413b6e41ce4668b7068d18d255a4e97f07453c906cbdc",
        "28c6459504f4f0e4746b81be5747d9e66c7e9375c92053fc2f4e33e6cc44585e",
    ]

    @Test("16 random key pairs and signatures are those of dilithium-py", arguments: providers)
    func dilithium(engine: NamedProvider) throws {
        for (number, expected) in Self.dsa.enumerated() {
            let drawn = draw("ML-DSA-65 \(number)", 64 + number * 20)
            let seed = try SecretBytes(copying: drawn.span.extracting(first: 32))
            let message = Array(drawn[64..<(64 + number * 17)])
            let context = Array(drawn[(64 + number * 17)...])
            let hedge: MLDSA65.Hedge =
                number.isMultiple(of: 2) ? .deterministic : .random(fixedRandom(Array(drawn[32..<64])))
            let key = try MLDSA65.publicKey(ofSeed: seed, provider: engine.provider)
            let signature = try MLDSA65.sign(
                message.span, seed: seed, context: context.span, hedge: hedge, provider: engine.provider)
            let all = key + signature
            #expect(SHA3_256.hash(all.span) == bytes(expected), "case \(number)")
        }
    }

    /// Seeds whose noise polynomials need more bytes than are drawn at first, as one key in 13,000 does: what an
    /// implementation of FIPS 204 in Python, checked with dilithium-py, makes of them. No published vector is like that.
    private static let longDraws = [
        (
            first: [0x4f, 0x27] as [UInt8], key: "a667a37ffa29ddea3de5973c9aae6bbe6ee302a9352df28bdb1630f37e46b8aa",
            signature: "3c18d2ee5d65b0672a11e91a33817e9ddd592a575b6d96d416640a5d84e98150"
        ),
        (
            first: [0x74, 0x39], key: "42a4e7598462af6f7cd7b0865066dc263e59cfb5b14dd156515d188e293053f2",
            signature: "e94a33d4a71adb1e55a17d1cc18229ab4fb07f62c937409f7f5f82001bc0999f"
        ),
        (
            first: [0xf6, 0x70], key: "a4d79e841a0d9095b1432026d46376236f3513a2f548914e03a533e998b71aac",
            signature: "cbd307498ad30a1479f68cc3c0eb31376714c8e1bc56657d8486e7ae9deef1f5"
        ),
    ]

    @Test("an ML-DSA-65 seed whose noise needs a second draw gives the key that it should", arguments: providers)
    func secondDraw(engine: NamedProvider) throws {
        let message = Array("a message to be signed".utf8)
        for expected in Self.longDraws {
            let seed = expected.first + [UInt8](repeating: 0, count: 30)
            let secret = try SecretBytes(copying: seed.span)
            let key = try MLDSA65.publicKey(ofSeed: secret, provider: engine.provider)
            #expect(SHA256.hash(key.span) == bytes(expected.key))
            let signature = try MLDSA65.sign(
                message.span, seed: secret, hedge: .deterministic, provider: engine.provider)
            #expect(SHA256.hash(signature.span) == bytes(expected.signature))
        }
    }

    private func draw(_ label: String, _ count: Int) -> [UInt8] {
        let text = Array(label.utf8)
        return SHAKE256.hash(text.span, length: count)
    }
}
