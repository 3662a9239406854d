/// Sessions between two implementations that share nothing: these were made by a program of 150 lines in Python with its
/// package `cryptography`, written from the format document alone (SophaxChat 4.6, 8.2 to 8.4).
///
/// Alice is the first of the document's check identities, Bob the second; Bob's prekeys are the bytes 80…9f and a0…bf,
/// Alice's ephemeral key c0…df. Ratchet keys are SHA-256 of one byte: 1, 2, … for Alice, 101, 102, … for Bob.
enum IndependentTranscripts {
    /// A message that was delivered: to whom, what it says, header and body.
    struct Delivery: Sendable {
        let receiver: String
        let text: String
        let header: [UInt8]
        let body: [UInt8]
    }

    /// In the order of delivery. Headers are bound or not and have their keys in all orders; `a6` is never delivered; `b2`
    /// alone has associated data of the short ids.
    static let deliveries = deliveries(of: deliveryText)

    /// Records of receiver and text, header, `-`, body.
    static func deliveries(of text: String) -> [Delivery] {
        text.split(separator: "\n\n").map { record in
            let lines = record.split(separator: "\n")
            let parts = lines.dropFirst().joined().split(separator: "-").map { bytes(hex: String($0)) }
            return Delivery(
                receiver: String(lines[0].prefix(1)), text: String(lines[0].dropFirst(2)), header: parts[0],
                body: parts[1])
        }
    }

    private static let deliveryText = """
        b a2
        e1a082f04c285331d732e0f8b9ef96a98c9110d36a702d838e4e5895c5d8cb1d04a0228bf9329db122d6e80d6231bb514972a441
        22b73f9da12bc2cb3277c16e32591ee2e3097eafb909bd46c166b81baba46e0dcee94d4f457ef6605ac504ae06ee35c2279f0f0f
        b4d569c348ab106c57833f04ef860d53a3aa5bccb13558f7c6ee7e945e5e230b28
        -
        08597301b36ae3aab32e384dcf91dc3702f950b0709066b9c3cc270ebe6c

        b a0
        d6e1b29c4b7400237140a3b9459818ef1db77f22215ac72badb0499a8aeb450ba5442962fdf44bbf902fc20cd355628c89d2c85b
        b50033c71b9ff9298a30d495de346161005dfad3e7e4baa6b6f2782be8dbfae2647fad3d87416646aa05529314ad1b87af33d50c
        5cc374b70c0ed852a1963defb895d6613ff5ee3ed14ac642ca0e4d405bbab384c6
        -
        6810036d4b46e46cdf2c90c60072ec6226362cdcc1070389a40ddfb7ef08

        a b1
        e14888e80398103a4dc7c103e5ab644fa61650147fd1e805745913bf7bdd658d8b2163091a115a3a06b82aac3d932bafb26bf7ca
        4e46270ce0d57da43d5a719d8d308d2312df868fecc4c45c60ce54b26759462397fcc855bef2cc69910002fb46a0124fd35a4b22
        147deaeed164d89e313c5e35d8dab8887ce4924a82a5d6c25cf810216ddf768b3e119c80
        -
        f393e9ec8050933b223e9a58ff71b169ca14982f9b3c2f244ed7d17b20b0

        b a5
        c3b2b776eeeab5908ffa67ee048b78fa2a0042000826d9046cf7cfbea94f039fda2d796629fe19d67b0dfaf551eaa6be542ffcd1
        849758b4ad16c6389dfe5232b7034cf8d31cb2fa4dd57cc121b4600b8810555f245d0dfe12ff142bfd949a4a0931fe9e1bd61fbe
        7e0a4788f30444489cd92e6978c83f5e5ebf0881e2dc680aeb950107e9ef915fc91b26
        -
        454fcb1ec8b26a9db20c1b92e2467abd71b0086ad97b53f3b79557a537d4

        b a3 ü
        9f69265bc6985541cd7847eae25bd9a2344d2bf018fcfd13912307d51db53e674fc0855ecc4e32d542a76e03cb6d340d8d6c870d
        8923ab00caede237fe158467c03dae1354b12876dde02216f2e9408a3b4b9b8e6a825e112421791fe08d4acc9883a3dfe509d444
        2545d39fe0965cf1998e6862f78cc9dd2362b1fee80f98803331cb62be5fad645c
        -
        ddc5855572be20d40daa8412cf1587e0bbedd35826cdd7bad5f52bafc442b9f2b4

        a b2
        3358a204529d373e03166cdf4a0e6110187a15d05eaf617ed7184d21bdd4be578104e07a812ff1aa4dabccd67fb0e568362c5849
        919705c5feada3ac6a65ae4edb1cd7dd39bc334f197db6d5d77b766d759d1b108e84dc0eafc42f2917ed6336a9ee550314fe4501
        2be93f251a861ccef9a64e7ba43dc347e45792914f4beeb2f068177658dfb57324412f10
        -
        ebe190c8ab874d7b0fbec4e05d103a464b39e48985994a3dc911ef110496

        a b3
        9faaef8be0d1387116e4ec1dea56c95cc487168d36e5ec89e3ca7be91a036c66dcc1b0a3804662667de32de1355ebb486a32d773
        e8fe6771310e428df5a17a563ffd604fdf5752620078725489648727e1aee2d71c9e182fb9836d6784169d29004fd9ae49fa407a
        d7dc0619bbb30d19e9beff9cca42915290073e06457c322a78d50990ef4eb566cb4a
        -
        dc362736b4020e835f56ef100ed7a735ba43439846b079077ab65fc47eba

        b a1
        e0f5c778f8282d183bf77cc3a714751c6c812f0b2bd8389e4952e5071a41c4d4f2261c1680a684125874591ef1713fbd64dc1c43
        e495ade1e40e836761257c05690f068ae1e3fe1f9fce192f33ee090ffe6f84c6a66cb5826ab3523f95add2df909e6e752269ae6d
        0b1cf922ddc1154ba8d526171c113aadb7dc73c646d59a68a5f19295e9b2806e95
        -
        fb8455583bc475920cd10a6d9d6d145869f4340d625532fe6920738be2f9

        b a4
        69d03ea8b83040e53311505ede866f2e1f38b79848042097a271b06a89196a21f59830061a31729eac32fe4146f1180cb47ac251
        180b749a8326b828d5965b1eb7db9a7f9277b21a84560d0f914844d2ed8c348369289eb96aa99fb653e48907807b0b3ab64c4d7e
        c6814bfeddfd29bd5b787210dd120648236c9f9d196faf2d8582dbfc7fbab3d90cc6f9
        -
        ff012afe65fe01f1b89a9db3edcbd546df2e2b9de7f73c8ded6b1f050b73

        b a7
        a30a7fd3af99031a95326a8e8b6fa68e0d3d51b818f54a2c73bdc4e617137b7551643109423c462ce1bffa74fb5a2d583e225ffe
        ff255ae7af57e9b05c8c5d8e79f2940a2c34ae176fd2dad667b1b88074f2d683e7e361e0fbed160f695a805b66a84caba4ede7bd
        e1b1a06ece712ac52a614831cd97b980abb564c108b298a46d0a144c1b9e75dbc8
        -
        c6f0d9c5c75c47180afa502e66b711a29afc67489ca42dede25e53c012af
        """

    /// Alice's state behind the last delivery.
    static let aliceEnd = #"""
        {"nextReceivingHeaderKey":{"rawData":"wwYGAwg2c2hdlcihKjghrto3Qw5abt5wfZRFjFw9gik="},
        "nextSendingHeaderKey":{"rawData":"6yOOXIbKPYHcn1Caj/33lDSivvVpo1V9/+U1hLpvO9E="},
        "previousSendingChainLength":2,
        "receiveMessageCount":1,
        "receivingChainKey":{"rawData":"mHzb4Oz39nwHKYJ9Z3XgWshz3eYydQb9HSc/3ooTwHU="},
        "receivingHeaderKey":{"rawData":"eROau9JUCGdCgFu4MuedU0Nr70oJHX+vA1/MHxvp9Gs="},
        "receivingRatchetPublicKey":"5fYZurntT+ZDYQrB4tUhVEviIX/0Wfl6odkF+JPN5lk=",
        "rootKey":{"rawData":"/SiyAgne9zhWdd4nFxu/x9Zyj1tL6U5VdGyDRBYbg/s="},
        "sendMessageCount":2,
        "sendingChainKey":{"rawData":"0OSOWif2ET7eD6TCbsgI1j2bfmpYEtBooGiyOPjtDH8="},
        "sendingHeaderKey":{"rawData":"ZkctA+ML5d48xyaeiiNwOVRRTu0EzE4S2cTR5FyzR0s="},
        "sendingRatchetPrivateKey":"CE/tCLl4r019GWp0RqhrWACeY2thHbFiEbZamq3/KcU=",
        "sendingRatchetPublicKey":"v9e7hrrRMoreSR+EQi+g2JmmMvRHeOrM2ltyWI+mCH4=",
        "skippedKeyBundles":{"9qRojCiEGkMy0QFfcYcAONrVL7ohfxKGox8p4EH7vbQ=":{"0":{"rawData":"GTQcZXCaV4kcmsDuDDue4ubKXgTvcjj/ln3qC2cSe+w="}}}}
        """#

    /// Bob's state behind the last delivery.
    static let bobEnd = #"""
        {"nextReceivingHeaderKey":{"rawData":"6yOOXIbKPYHcn1Caj/33lDSivvVpo1V9/+U1hLpvO9E="},
        "nextSendingHeaderKey":{"rawData":"SiY8xWspd1PoVWFmFfvfHmZNDJdshhJ7cwo3LMveHMs="},
        "previousSendingChainLength":1,
        "receiveMessageCount":2,
        "receivingChainKey":{"rawData":"0OSOWif2ET7eD6TCbsgI1j2bfmpYEtBooGiyOPjtDH8="},
        "receivingHeaderKey":{"rawData":"ZkctA+ML5d48xyaeiiNwOVRRTu0EzE4S2cTR5FyzR0s="},
        "receivingRatchetPublicKey":"v9e7hrrRMoreSR+EQi+g2JmmMvRHeOrM2ltyWI+mCH4=",
        "rootKey":{"rawData":"QSvBbgmR1W6VCBUcYv+bUcqElEh70TQeqK0QN15GFDA="},
        "sendMessageCount":0,
        "sendingChainKey":{"rawData":"aloxpJp4HE0FR/OiG0Cy2mwgyvVyBT3cxBK2/xG2Ebs="},
        "sendingHeaderKey":{"rawData":"wwYGAwg2c2hdlcihKjghrto3Qw5abt5wfZRFjFw9gik="},
        "sendingRatchetPrivateKey":"zQqphWFHtsW0/yt9/uXaIKo4JTCZ7xtKZKztIzya/ik=",
        "sendingRatchetPublicKey":"J4D2cxaN0AQfKlBKfxUq+tp3/6uU4Z9qBR419oELG0w=",
        "skippedKeyBundles":{"ZkctA+ML5d48xyaeiiNwOVRRTu0EzE4S2cTR5FyzR0s=":{"0":{"rawData":"IMuabD1cXv1P3IV7S1STqZRGmv7DPjGGxbo+5NonyqQ="}}}}
        """#

    /// Bob's state in a session of the first version (v0), behind its first two messages.
    static let oldBobStart = #"""
        {"previousSendingChainLength":0,
        "receiveMessageCount":4,
        "receivingChainKey":{"rawData":"EtyCaUEkVmwgQn3Z1wP7eTNNiirFA4wGRLrduPk+Xlc="},
        "receivingRatchetPublicKey":"H77Pzt5WNqQGYAvjq4uN2MCH+IUJEO8Ivl5kulzl9QM=",
        "rootKey":{"rawData":"jkaRRNM8tNCM++HjPrawgano3WP1IYoGns5CuotGQ6M="},
        "sendMessageCount":1,
        "sendingChainKey":{"rawData":"Ozqu8jC+ceP55BAwsdzBUh6zMYvewfWTDGAjquuT9IM="},
        "sendingRatchetPrivateKey":"P3m7e0NbBTIWUdrv03TNxoHcBvqmXjdOODN7iMoEbeo=",
        "sendingRatchetPublicKey":"nI37e/u3yp+S9sR7qeBYPw5/Vel3eQlAe/cGxYaQjQI=",
        "skippedMessageKeys":[{"messageNumber":0,
        "ratchetKeyData":"H77Pzt5WNqQGYAvjq4uN2MCH+IUJEO8Ivl5kulzl9QM="},{"rawData":"tPkC0SDObcs24TJFoczgkj52w1WRhCoFoe1kK5NaUrg="},{"messageNumber":1,
        "ratchetKeyData":"H77Pzt5WNqQGYAvjq4uN2MCH+IUJEO8Ivl5kulzl9QM="},{"rawData":"fpR0d2t7pyfZCcRBaWeOZ8INcq4UDQSMGHcZfBu5hGE="},{"messageNumber":2,
        "ratchetKeyData":"H77Pzt5WNqQGYAvjq4uN2MCH+IUJEO8Ivl5kulzl9QM="},{"rawData":"1QWhsllkupbUiu452ydt50RISaDabW6Zzjr9c5a7gpo="}]}
        """#

    /// The same behind `oldDeliveries`.
    static let oldBobEnd = #"""
        {"previousSendingChainLength":1,
        "receiveMessageCount":2,
        "receivingChainKey":{"rawData":"lKXhhq5l6l1DywoP5KzNeYhO77OwsPwPYDD06wEF+1A="},
        "receivingRatchetPublicKey":"7NHLi7Wi0L7TA7dTpCH/2/IGsq3dSMdiJ4NPB8n7PQA=",
        "rootKey":{"rawData":"pNUFXlTZXdyt+eIdZrsJeo//b+tlbf0yjfq9AwR+naQ="},
        "sendMessageCount":0,
        "sendingChainKey":{"rawData":"eBw++0F7rfSvzVSBgb4CpAqZnDEv56WHihhpqA80VUY="},
        "sendingRatchetPrivateKey":"JS8QyDYQ68oaBZwLroJV66L5W+TR17z6idckioLZ8RE=",
        "sendingRatchetPublicKey":"5fYZurntT+ZDYQrB4tUhVEviIX/0Wfl6odkF+JPN5lk=",
        "skippedMessageKeys":[]}
        """#

    /// A message with its header in clear, delivered to Bob.
    struct OldDelivery: Sendable {
        let text: String
        let ratchetKey: String
        let previousChainLength: UInt32
        let messageNumber: UInt32
        let body: String
    }

    /// In the order of delivery. The header under each tag has another order of its keys; those of `old a5` and `old a6` have
    /// `/` as it is, the others escaped.
    static let oldDeliveries = [
        OldDelivery(
            text: "old a0", ratchetKey: "H77Pzt5WNqQGYAvjq4uN2MCH+IUJEO8Ivl5kulzl9QM=", previousChainLength: 0,
            messageNumber: 0,
            body: "d788847ba81fcfe7272d3bb6016d1079dfd6d6d1d1e87cfd55bb7d68e28ac7bd6707"),
        OldDelivery(
            text: "old a7", ratchetKey: "7NHLi7Wi0L7TA7dTpCH/2/IGsq3dSMdiJ4NPB8n7PQA=", previousChainLength: 6,
            messageNumber: 1,
            body: "d5de78774a22c2206621122c4c0322914d42a09f6a193bf1f0c629e817330890a73e"),
        OldDelivery(
            text: "old a1", ratchetKey: "H77Pzt5WNqQGYAvjq4uN2MCH+IUJEO8Ivl5kulzl9QM=", previousChainLength: 0,
            messageNumber: 1,
            body: "d957e56fae212439569137d25713cdb0eb2c3f785d46f83672653a7131013afa1718"),
        OldDelivery(
            text: "old a2", ratchetKey: "H77Pzt5WNqQGYAvjq4uN2MCH+IUJEO8Ivl5kulzl9QM=", previousChainLength: 0,
            messageNumber: 2,
            body: "b73f3edc10ac0fd8933e020f96fedbe5614a0c928eacfec7973985facb86b62b33c9"),
        OldDelivery(
            text: "old a4", ratchetKey: "H77Pzt5WNqQGYAvjq4uN2MCH+IUJEO8Ivl5kulzl9QM=", previousChainLength: 0,
            messageNumber: 4,
            body: "938a12b9cac7176147157b7f05a85970976abb799c39fca19d81484f5934104d797a"),
        OldDelivery(
            text: "old a5", ratchetKey: "H77Pzt5WNqQGYAvjq4uN2MCH+IUJEO8Ivl5kulzl9QM=", previousChainLength: 0,
            messageNumber: 5,
            body: "baa4f60743e85c8d58d193c3cc89b5a0dc81dacf247599f9401fa91ef27e850d5718"),
        OldDelivery(
            text: "old a6", ratchetKey: "7NHLi7Wi0L7TA7dTpCH/2/IGsq3dSMdiJ4NPB8n7PQA=", previousChainLength: 6,
            messageNumber: 0,
            body: "caf6b5950574e40b2346ed8ff55162e3ec310193c2320a5b1a2cc2136a72b0fe74b1"),
    ]
}
