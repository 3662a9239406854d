import Testing

@testable import SophaxCore

/// Messages that this implementation has sealed, with the system's nonces, and the states behind them. The program in Python
/// of `IndependentTranscripts` has opened every one of them and had the same states; they are kept as it saw them.
@Suite("Ratchet messages of this implementation that another one has opened")
struct OwnTranscriptTests {
    @Test("open here as they did there, and leave the states that were the same there")
    func deliveries() throws {
        let (aliceKeys, bobKeys) = (SecretQueue(hashesFrom: 1), SecretQueue(hashesFrom: 101))
        var parties = try Parties(aliceKeys: aliceKeys.source)
        // What was sent behind each delivery, so that counters and chains are those of then.
        let sent = ["a0": ("b", 2), "b1": ("a", 2), "b0": ("b", 1)]
        for _ in 0..<3 { _ = try parties.aliceSends("") }
        for delivery in Self.deliveries {
            let message = RatchetMessage(encryptedHeader: delivery.header, ciphertext: delivery.body)
            let plaintext =
                delivery.receiver == "a"
                ? try parties.alice.decrypt(message, ad: [Parties.ad], random: aliceKeys.source)
                : try parties.bob.decrypt(message, ad: [Parties.ad], random: bobKeys.source)
            #expect(String(decoding: plaintext, as: UTF8.self) == delivery.text)
            guard let (who, count) = sent[delivery.text] else { continue }
            for _ in 0..<count { _ = who == "a" ? try parties.aliceSends("") : try parties.bobSends("") }
        }
        #expect(try AppState(parties.alice.stateText()) == AppState(Array(Self.aliceEnd.utf8)))
        #expect(try AppState(parties.bob.stateText()) == AppState(Array(Self.bobEnd.utf8)))
    }

    /// In the order of delivery; headers bound and not.
    private static let deliveries = IndependentTranscripts.deliveries(of: deliveryText)

    private static let deliveryText = """
        b a1
        1082083117ae4c1b97966bb546f99199b218ebaaea7b43c296ac05a1b2186043ed0f69954c02e5a30b00a410e0b546ecbcbaf80c
        c173e455dd7430022925e8ac711c2f64455b704d91fa05bc7ce22a9c23fb9f63c58d92070e4b932d6e50a7096b8fde41b972d950
        15bb887604c7fa71dc3bad1b31fa868b6cee5c1f06a8f58de0aeebe12ed801e94a
        -
        78df6467c0d0d5e7b3b4c7254e5248864eacbdf7ef9cc4de497aac5d29ed

        b a0
        dcd501fb610ceb3e72bd311eff68eab839fa55dea67bae7f48a807775ba657a9e98c416213caad677dee50f71a50b5bd5646532f
        fba9b9ef2f31a0dc14acf947d34014b9a98071646c0b713c92d95595be171fb62e66003079c0c56adf185fda989de8e2147a6b9f
        5f2c641fd398102e9def53e7f024a34633bd3e0ab080f489deeff53fc8b32a0eb7
        -
        a3ebccbb32ac63f770d0a93360f8d1aa37550e1ad6289463f8a745704bbc

        a b1
        ac2278460732b1e36a3ffc96acb6048ec0deb312ab4a2a1963d35fd01d34dbd3d3914c7651c6369fea4557f6df0efbb9de7277ff
        530c51043e2ea23c886ce0f19d48a617e1e32aa1d0d899512145bc20a65fda4bf853c1623dc072dd456fe2b45ce24497acc96814
        a633ad60e2fd7258f82266dc86ad10badd8d42b460d6973281e0f7c2090bf2274b
        -
        d59fcb3630016f704603848502e335ebd0964ec9e04862029fc461d5aed6

        b a4
        9bb294c5d7d0ba971953823a14faecbde79ea54954b02ddff03cff81c84715e03eb6b8321509ffee85ee3f63b0a4ec10dee887b3
        20d3bfbcb6b56c31f18e273ae2efc18d47fdd7f00054027bf31bb5945be0d56c1ef99bb01cb76475f0fc6cd7a168d0a8dee1ed33
        230e80634e5825a996222ef670a84325b84879afa8e4d985d593cc4d478e58d844
        -
        7d4c49373f1e862f7e8c97f351501a2d55c00449afc011b6db4fcedee811

        b a2
        41dc3f98b5d50160795c5b6fcd8f18a23ab774d151988f4c9c41773c186b2bedfbeefc07b761befd5dab3d237bd543165fe2cc01
        e1fc60a76f8e0603b12de617423a511d04355b140e375a9274c544172ccb39bcddd5f3bf1a4d5ed285f56a0e1ea3e5c776701c99
        a1c5edb05ba29e6f888499abb8528b046a122ec2231fa155221ec089c45ad3609c
        -
        1fb8dc65f3cc5a6001ec1f8c1b55c88a688f2c6e3027fed2b7b8f0cb95e6

        b a3
        5d98f0f7ee9cc1e617fd3e6e7dff4a7607a639f9037f0f32987a924c0bd0c505271b2b19f7e0b6d28afcc3a52face2ca22c8edf5
        2121795641041f2fbe6c826ac04f3855a5bd6c895255064ffd2ef7c641ae9e32cdc38df37988d59746f6de8f4ac575580abf1782
        a3b2699c0e05bb518a87fca3d57e433a19a24b522db8b0e045396e318f78d8c74b
        -
        6c6375478bc63e127c03d83cedd3e8f94bbb79b5628da9edd568717aa1fb

        a b0
        1b8f357cd66e219e23b30ae0774b1b54dee3bf4df2c2f627c9237a76e4880088c3a0bdc14d9ae703f7ff9f550ada42fb896aaa2d
        80454d688570c4bfadf3e24b99739ed992b43bc400af1136bf4de9baf1d26b011f25559b8b088c1d3e25092b9a7f62b36cc238f1
        c4fe9b5b9af089c21c7551a9ae1a02bb0602cd4b5d9792253bfda3c73045a0ee33
        -
        e149c04a1e6448a6a982ad7f3bfcc3c9dc4fe647bd2754adec9be8ccf4f3

        a b2
        caf1d29dfbcd15e86d562a030e5ba850a839edb5cd28b74d9081536ca0a0220f011d7fd1d4391619966c919b08ffa9b7dd2ce9cd
        fcccefbc929b895c477c627219cb9a99955978a514f6c527dbfa249ac91067bdb118bb59c9b45b3ef1d9ab5f86e00362f85a5156
        a91ad6dd5798f4ac7553b70fb63fad9d1751c1297b60f2410c5a7f59326b55c6f0
        -
        d54d60c51548929e87af9e7b945e7399c28d05b9e6a1dc4a535220aa2798
        """

    private static let aliceEnd = #"""
        {"sendingRatchetPrivateKey":"CE/tCLl4r019GWp0RqhrWACeY2thHbFiEbZamq3/KcU=",
        "sendingRatchetPublicKey":"v9e7hrrRMoreSR+EQi+g2JmmMvRHeOrM2ltyWI+mCH4=",
        "receivingRatchetPublicKey":"5fYZurntT+ZDYQrB4tUhVEviIX/0Wfl6odkF+JPN5lk=",
        "rootKey":{"rawData":"/SiyAgne9zhWdd4nFxu/x9Zyj1tL6U5VdGyDRBYbg/s="},
        "sendingChainKey":{"rawData":"Gti33vHXLW+VJH6l9U8lH4BwlTdlEd56n1GEcTtmKN8="},
        "receivingChainKey":{"rawData":"mHzb4Oz39nwHKYJ9Z3XgWshz3eYydQb9HSc/3ooTwHU="},
        "sendingHeaderKey":{"rawData":"ZkctA+ML5d48xyaeiiNwOVRRTu0EzE4S2cTR5FyzR0s="},
        "receivingHeaderKey":{"rawData":"eROau9JUCGdCgFu4MuedU0Nr70oJHX+vA1/MHxvp9Gs="},
        "nextSendingHeaderKey":{"rawData":"6yOOXIbKPYHcn1Caj/33lDSivvVpo1V9/+U1hLpvO9E="},
        "nextReceivingHeaderKey":{"rawData":"wwYGAwg2c2hdlcihKjghrto3Qw5abt5wfZRFjFw9gik="},
        "sendMessageCount":0,
        "receiveMessageCount":1,
        "previousSendingChainLength":2,
        "skippedKeyBundles":{}}
        """#

    private static let bobEnd = #"""
        {"sendingRatchetPrivateKey":"JS8QyDYQ68oaBZwLroJV66L5W+TR17z6idckioLZ8RE=",
        "sendingRatchetPublicKey":"5fYZurntT+ZDYQrB4tUhVEviIX/0Wfl6odkF+JPN5lk=",
        "receivingRatchetPublicKey":"7NHLi7Wi0L7TA7dTpCH/2/IGsq3dSMdiJ4NPB8n7PQA=",
        "rootKey":{"rawData":"pNUFXlTZXdyt+eIdZrsJeo//b+tlbf0yjfq9AwR+naQ="},
        "sendingChainKey":{"rawData":"mHzb4Oz39nwHKYJ9Z3XgWshz3eYydQb9HSc/3ooTwHU="},
        "receivingChainKey":{"rawData":"lKXhhq5l6l1DywoP5KzNeYhO77OwsPwPYDD06wEF+1A="},
        "sendingHeaderKey":{"rawData":"eROau9JUCGdCgFu4MuedU0Nr70oJHX+vA1/MHxvp9Gs="},
        "receivingHeaderKey":{"rawData":"wI4wVQgiEwuKBb9fs6bvXkq9DPYaiTydTm7dqVzB/l0="},
        "nextSendingHeaderKey":{"rawData":"wwYGAwg2c2hdlcihKjghrto3Qw5abt5wfZRFjFw9gik="},
        "nextReceivingHeaderKey":{"rawData":"ZkctA+ML5d48xyaeiiNwOVRRTu0EzE4S2cTR5FyzR0s="},
        "sendMessageCount":1,
        "receiveMessageCount":2,
        "previousSendingChainLength":2,
        "skippedKeyBundles":{}}
        """#
}
