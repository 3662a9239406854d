@testable import SophaxCore

/// A payload of every type with every member that the format has, and some that it does not have. Times are numbers,
/// as on iOS.
enum WireSpecimens {
    /// The JSON of a payload; strings hold what needs escapes.
    static let all: [(type: WireType, json: String, app: any AppPayload.Type)] = [
        (
            .hello,
            #"""
            {"bundle":{"signingKeyPublic":"AQgPFh0kKzI5QEdOVVxjanF4f4aNlJuiqbC3vsXM09o=","dhIdentityKe\#
            yPublic":"AgkQFx4lLDM6QUhPVl1ka3J5gIeOlZyjqrG4v8bN1Ns=","signedPreKeyPublic":"AwoRGB8mLTQ7\#
            QklQV15lbHN6gYiPlp2kq7K5wMfO1dw=","signedPreKeySignature":"BAsSGSAnLjU8Q0pRWF9mbXR7gomQl56\#
            lrLO6wcjP1t3k6/L5AAcOFRwjKjE4P0ZNVFtiaXB3foWMk5qhqK+2vQ==","signedPreKeyId":3241306249,"on\#
            eTimePreKeyPublic":"BQwTGiEoLzY9REtSWWBnbnV8g4qRmJ+mrbS7wsnQ194=","oneTimePreKeyId":7,"use\#
            rname":"Zoë / \"Z\"","timestamp":817695221.1040164,"newInBundle":true},"addedLater":{"deep\#
            ":[1,null,"\\u00e9"]}}
            """#, AppHelloPayload.self
        ),
        (
            .initiateSession,
            #"""
            {"senderBundle":{"signingKeyPublic":"AQgPFh0kKzI5QEdOVVxjanF4f4aNlJuiqbC3vsXM09o=","dhIden\#
            tityKeyPublic":"AgkQFx4lLDM6QUhPVl1ka3J5gIeOlZyjqrG4v8bN1Ns=","signedPreKeyPublic":"AwoRGB\#
            8mLTQ7QklQV15lbHN6gYiPlp2kq7K5wMfO1dw=","signedPreKeySignature":"BAsSGSAnLjU8Q0pRWF9mbXR7g\#
            omQl56lrLO6wcjP1t3k6/L5AAcOFRwjKjE4P0ZNVFtiaXB3foWMk5qhqK+2vQ==","signedPreKeyId":32413062\#
            49,"oneTimePreKeyPublic":"BQwTGiEoLzY9REtSWWBnbnV8g4qRmJ+mrbS7wsnQ194=","oneTimePreKeyId":\#
            7,"username":"Zoë / \"Z\"","timestamp":817695221.1040164,"newInBundle":true},"ephemeralPub\#
            licKey":"EhkgJy41PENKUVhfZm10e4KJkJeepayzusHIz9bd5Os=","usedSignedPreKeyId":4294967295,"us\#
            edOneTimePreKeyId":4294967295,"initialMessage":{"encryptedHeader":"Bg0UGyIpMDc+RUxTWmFob3Z\#
            9hIuSmaCnrrW8w8rR2N/m7fT7AgkQFx4lLDM6QUhPVl1ka3J5gIeOlZyjqrG4v8bN1Nvi6fD3/gUMExohKC82PURLU\#
            llgZ251","ciphertext":"Bw4VHCMqMTg/Rk1UW2JpcHd+hYyTmqGor7a9xMvS2eDn7vX8AwoRGB8mLTQ7QklQV15\#
            lbHN6gYiPlp2kq7K5wMfO1dzj6g==","newInRatchet":[1]},"pqEncapsulatedKey":"ERgfJi00O0JJUFdeZW\#
            xzeoGIj5adpKuyucDHztXc4+rx+P8GDRQbIg==","usedPQPreKeyId":4294967295,"addedLater":{"deep":[\#
            1,null,"\\u00e9"]}}
            """#, AppInitiateSessionPayload.self
        ),
        (
            .sessionAck,
            #"""
            {"addedLater":{"deep":[1,null,"\\u00e9"]}}
            """#, AppSessionAckPayload.self
        ),
        (
            .message,
            #"""
            {"ratchetMessage":{"encryptedHeader":"Bg0UGyIpMDc+RUxTWmFob3Z9hIuSmaCnrrW8w8rR2N/m7fT7AgkQ\#
            Fx4lLDM6QUhPVl1ka3J5gIeOlZyjqrG4v8bN1Nvi6fD3/gUMExohKC82PURLUllgZ251","ciphertext":"Bw4VHC\#
            MqMTg/Rk1UW2JpcHd+hYyTmqGor7a9xMvS2eDn7vX8AwoRGB8mLTQ7QklQV15lbHN6gYiPlp2kq7K5wMfO1dzj6g==\#
            ","newInRatchet":[1]},"messageID":"E190B447-27EB-48EC-BF50-08A05A4BDB51","addedLater":{"de\#
            ep":[1,null,"\\u00e9"]}}
            """#, AppChatMessagePayload.self
        ),
        (
            .ack,
            #"""
            {"messageID":"E190B447-27EB-48EC-BF50-08A05A4BDB51","status":"failed","addedLater":{"deep"\#
            :[1,null,"\\u00e9"]}}
            """#, AppAckPayload.self
        ),
        (
            .typing,
            #"""
            {"isTyping":true,"addedLater":{"deep":[1,null,"\\u00e9"]}}
            """#, AppTypingPayload.self
        ),
        (
            .readReceipt,
            #"""
            {"messageIDs":["A","B"],"addedLater":{"deep":[1,null,"\\u00e9"]}}
            """#, AppReadReceiptPayload.self
        ),
        (
            .reaction,
            #"""
            {"targetMessageID":"E190B447-27EB-48EC-BF50-08A05A4BDB51","emoji":"👍🏽","addedLater":{"deep\#
            ":[1,null,"\\u00e9"]}}
            """#, AppReactionPayload.self
        ),
        (
            .sealed,
            #"""
            {"ephemeralPublicKey":"CA8WHSQrMjlAR05VXGNqcXh/ho2Um6KpsLe+xczT2uE=","encryptedPayload":"C\#
            RAXHiUsMzpBSE9WXWRrcnmAh46VnKOqsbi/xs3U2+Lp8Pf+BQwTGiEoLzY9REtSWWBnbnV8g4qRmJ+mrbS7wsnQ197\#
            l7PP6AQgPFh0kKzI5QEdOVVxjanF4f4aNlJuiqbC3","newInSealed":"x"}
            """#, AppSealedMessage.self
        ),
        (
            .relay,
            #"""
            {"id":"E190B447-27EB-48EC-BF50-08A05A4BDB51","targetPeerID":"08c4cab788bd5f92f16ff0814022b\#
            379","originPeerID":"08c4cab788bd5f92f16ff0814022b379","ttl":3,"hopCount":3,"message":{"ty\#
            pe":"ack","payload":"eyJtZXNzYWdlSUQiOiJBIiwic3RhdHVzIjoiZGVsaXZlcmVkIn0=","senderID":"08c\#
            4cab788bd5f92f16ff0814022b379","timestamp":817695221.25,"signature":"ChEYHyYtNDtCSVBXXmVsc\#
            3qBiI+WnaSrsrnAx87V3OPq8fj/Bg0UGyIpMDc+RUxTWmFob3Z9hIuSmaCnrrW8ww==","newInWire":1.5},"add\#
            edLater":{"deep":[1,null,"\\u00e9"]}}
            """#, AppRelayPayload.self
        ),
        (
            .groupMessage,
            #"""
            {"groupID":"E8EEABCD-D69B-4E6D-999A-612230CBB467","messageID":"E190B447-27EB-48EC-BF50-08A\#
            05A4BDB51","senderPeerID":"08c4cab788bd5f92f16ff0814022b379","senderUsername":"text é\n\u0\#
            001","timestamp":817695221.1173118,"ciphertext":"ChEYHyYtNDtCSVBXXmVsc3qBiI+WnaSrsrnAx87V3\#
            OPq8fj/Bg0UGw==","attachmentCiphertext":"FBsiKTA3PkVMU1phaG92fYSLkpmgp661vMPK0djf5u30+wIJE\#
            BceJQ==","attachmentMimeType":"text é\n\u0001","attachmentFilename":"text é\n\u0001","audi\#
            oDuration":4.5,"senderKeyIteration":4294967295,"expiresAt":817695221.1173118,"replyToID":"\#
            E190B447-27EB-48EC-BF50-08A05A4BDB51","senderAvatarData":"EBceJSwzOkFIT1ZdZGtyeYCHjpWco6qx\#
            uL/GzdTb4unw9/4FDBMaIQ==","addedLater":{"deep":[1,null,"\\u00e9"]}}
            """#, AppGroupMessagePayload.self
        ),
        (
            .groupReaction,
            #"""
            {"groupID":"E8EEABCD-D69B-4E6D-999A-612230CBB467","targetMessageID":"E190B447-27EB-48EC-BF\#
            50-08A05A4BDB51","emoji":"👍🏽","addedLater":{"deep":[1,null,"\\u00e9"]}}
            """#, AppGroupReactionPayload.self
        ),
        (
            .groupReadReceipt,
            #"""
            {"groupID":"E8EEABCD-D69B-4E6D-999A-612230CBB467","targetMessageID":"E190B447-27EB-48EC-BF\#
            50-08A05A4BDB51","isRead":true,"addedLater":{"deep":[1,null,"\\u00e9"]}}
            """#, AppGroupReadReceiptPayload.self
        ),
        (
            .groupMemberLeft,
            #"""
            {"groupID":"E8EEABCD-D69B-4E6D-999A-612230CBB467","leavingPeerID":"08c4cab788bd5f92f16ff08\#
            14022b379","remainingMemberIDs":["08c4cab788bd5f92f16ff0814022b379","64b66560c6772ad669c8a\#
            7ea44956351"],"addedLater":{"deep":[1,null,"\\u00e9"]}}
            """#, AppGroupMemberLeftPayload.self
        ),
        (
            .groupDeleted,
            #"""
            {"groupID":"E8EEABCD-D69B-4E6D-999A-612230CBB467","deletedByPeerID":"08c4cab788bd5f92f16ff\#
            0814022b379","addedLater":{"deep":[1,null,"\\u00e9"]}}
            """#, AppGroupDeletedPayload.self
        ),
        (
            .groupEditMessage,
            #"""
            {"groupID":"E8EEABCD-D69B-4E6D-999A-612230CBB467","messageID":"E190B447-27EB-48EC-BF50-08A\#
            05A4BDB51","newBody":"text é\n\u0001","editedAt":817695221.1173118,"addedLater":{"deep":[1\#
            ,null,"\\u00e9"]}}
            """#, AppGroupEditMessagePayload.self
        ),
        (
            .editMessage,
            #"""
            {"ratchetMessage":{"encryptedHeader":"Bg0UGyIpMDc+RUxTWmFob3Z9hIuSmaCnrrW8w8rR2N/m7fT7AgkQ\#
            Fx4lLDM6QUhPVl1ka3J5gIeOlZyjqrG4v8bN1Nvi6fD3/gUMExohKC82PURLUllgZ251","ciphertext":"Bw4VHC\#
            MqMTg/Rk1UW2JpcHd+hYyTmqGor7a9xMvS2eDn7vX8AwoRGB8mLTQ7QklQV15lbHN6gYiPlp2kq7K5wMfO1dzj6g==\#
            ","newInRatchet":[1]},"messageID":"E190B447-27EB-48EC-BF50-08A05A4BDB51","addedLater":{"de\#
            ep":[1,null,"\\u00e9"]}}
            """#, AppChatMessagePayload.self
        ),
        (
            .senderKeyRequest,
            #"""
            {"groupID":"E8EEABCD-D69B-4E6D-999A-612230CBB467","targetPeerID":"08c4cab788bd5f92f16ff081\#
            4022b379","addedLater":{"deep":[1,null,"\\u00e9"]}}
            """#, AppSenderKeyRequestPayload.self
        ),
        (
            .storeAndForward,
            #"""
            {"targetPeerID":"08c4cab788bd5f92f16ff0814022b379","messageID":"E190B447-27EB-48EC-BF50-08\#
            A05A4BDB51","sealed":{"ephemeralPublicKey":"CA8WHSQrMjlAR05VXGNqcXh/ho2Um6KpsLe+xczT2uE=",\#
            "encryptedPayload":"CRAXHiUsMzpBSE9WXWRrcnmAh46VnKOqsbi/xs3U2+Lp8Pf+BQwTGiEoLzY9REtSWWBnbn\#
            V8g4qRmJ+mrbS7wsnQ197l7PP6AQgPFh0kKzI5QEdOVVxjanF4f4aNlJuiqbC3","newInSealed":"x"},"expire\#
            sAt":817695221.1173118,"addedLater":{"deep":[1,null,"\\u00e9"]}}
            """#, AppStoreAndForwardPayload.self
        ),
        (
            .storeAndForwardDelivery,
            #"""
            {"items":[{"messageID":"E190B447-27EB-48EC-BF50-08A05A4BDB51","sealed":{"ephemeralPublicKe\#
            y":"CA8WHSQrMjlAR05VXGNqcXh/ho2Um6KpsLe+xczT2uE=","encryptedPayload":"CRAXHiUsMzpBSE9WXWRr\#
            cnmAh46VnKOqsbi/xs3U2+Lp8Pf+BQwTGiEoLzY9REtSWWBnbnV8g4qRmJ+mrbS7wsnQ197l7PP6AQgPFh0kKzI5QE\#
            dOVVxjanF4f4aNlJuiqbC3","newInSealed":"x"},"addedLater":{"deep":[1,null,"\\u00e9"]}}],"add\#
            edLater":{"deep":[1,null,"\\u00e9"]}}
            """#, AppStoreAndForwardDeliveryPayload.self
        ),
        (
            .deadDrop,
            #"""
            {"id":"E190B447-27EB-48EC-BF50-08A05A4BDB51","targetPeerID":"08c4cab788bd5f92f16ff0814022b\#
            379","sealed":{"ephemeralPublicKey":"CA8WHSQrMjlAR05VXGNqcXh/ho2Um6KpsLe+xczT2uE=","encryp\#
            tedPayload":"CRAXHiUsMzpBSE9WXWRrcnmAh46VnKOqsbi/xs3U2+Lp8Pf+BQwTGiEoLzY9REtSWWBnbnV8g4qRm\#
            J+mrbS7wsnQ197l7PP6AQgPFh0kKzI5QEdOVVxjanF4f4aNlJuiqbC3","newInSealed":"x"},"expiresAt":81\#
            7695221.1173118,"addedLater":{"deep":[1,null,"\\u00e9"]}}
            """#, AppDeadDropPayload.self
        ),
        (
            .channelAnnouncement,
            #"""
            {"groupID":"E8EEABCD-D69B-4E6D-999A-612230CBB467","groupName":"text é\n\u0001","creatorID"\#
            :"08c4cab788bd5f92f16ff0814022b379","memberCount":4294967295,"timestamp":817695221.1173118\#
            ,"addedLater":{"deep":[1,null,"\\u00e9"]}}
            """#, AppChannelAnnouncementPayload.self
        ),
        (
            .mlsWelcome,
            #"""
            {"groupID":"E8EEABCD-D69B-4E6D-999A-612230CBB467","groupName":"text é\n\u0001","memberIDs"\#
            :["08c4cab788bd5f92f16ff0814022b379","64b66560c6772ad669c8a7ea44956351"],"creatorID":"08c4\#
            cab788bd5f92f16ff0814022b379","welcomeBytes":"DBMaISgvNj1ES1JZYGdudXyDipGYn6attLvCydDX3uXs\#
            8/oBCA8WHQ==","ratchetTreeBytes":"EBceJSwzOkFIT1ZdZGtyeYCHjpWco6qxuL/GzdTb4unw9/4FDBMaIQ==\#
            ","cryptoVersion":"mls","addedLater":{"deep":[1,null,"\\u00e9"]}}
            """#, AppMLSWelcomePayload.self
        ),
        (
            .mlsCommit,
            #"""
            {"groupID":"E8EEABCD-D69B-4E6D-999A-612230CBB467","epoch":18446744073709551615,"commitByte\#
            s":"CxIZICcuNTxDSlFYX2ZtdHuCiZCXnqWss7rByM/W3eTr8vkABw4VHA==","coordinatorID":"08c4cab788b\#
            d5f92f16ff0814022b379","addedLater":{"deep":[1,null,"\\u00e9"]}}
            """#, AppMLSCommitPayload.self
        ),
        (
            .mlsMessage,
            #"""
            {"groupID":"E8EEABCD-D69B-4E6D-999A-612230CBB467","messageID":"E190B447-27EB-48EC-BF50-08A\#
            05A4BDB51","senderPeerID":"08c4cab788bd5f92f16ff0814022b379","senderUsername":"text é\n\u0\#
            001","timestamp":817695221.1173118,"ciphertext":"ChEYHyYtNDtCSVBXXmVsc3qBiI+WnaSrsrnAx87V3\#
            OPq8fj/Bg0UGw==","expiresAt":817695221.1173118,"replyToID":"E190B447-27EB-48EC-BF50-08A05A\#
            4BDB51","attachmentCiphertext":"FBsiKTA3PkVMU1phaG92fYSLkpmgp661vMPK0djf5u30+wIJEBceJQ==",\#
            "mimeType":"text é\n\u0001","audioDuration":4.5,"senderAvatarData":"EBceJSwzOkFIT1ZdZGtyeY\#
            CHjpWco6qxuL/GzdTb4unw9/4FDBMaIQ==","addedLater":{"deep":[1,null,"\\u00e9"]}}
            """#, AppMLSMessagePayload.self
        ),
        (
            .mlsCommitRequest,
            #"""
            {"groupID":"E8EEABCD-D69B-4E6D-999A-612230CBB467","action":"remove","keyPackage":"ChEYHyYt\#
            NDtCSVBXXmVsc3qBiI+WnaSrsrnAx87V3OPq8fj/Bg0UGw==","targetPeerID":"08c4cab788bd5f92f16ff081\#
            4022b379","addedLater":{"deep":[1,null,"\\u00e9"]}}
            """#, AppMLSCommitRequestPayload.self
        ),
        (
            .mlsReaction,
            #"""
            {"groupID":"E8EEABCD-D69B-4E6D-999A-612230CBB467","messageID":"E190B447-27EB-48EC-BF50-08A\#
            05A4BDB51","senderPeerID":"08c4cab788bd5f92f16ff0814022b379","targetMessageID":"E190B447-2\#
            7EB-48EC-BF50-08A05A4BDB51","ciphertext":"ChEYHyYtNDtCSVBXXmVsc3qBiI+WnaSrsrnAx87V3OPq8fj/\#
            Bg0UGw==","timestamp":817695221.1173118,"addedLater":{"deep":[1,null,"\\u00e9"]}}
            """#, AppMLSReactionPayload.self
        ),
        (
            .mlsCoordinatorHandoff,
            #"""
            {"groupID":"E8EEABCD-D69B-4E6D-999A-612230CBB467","fromCoordinatorID":"08c4cab788bd5f92f16\#
            ff0814022b379","newCoordinatorID":"08c4cab788bd5f92f16ff0814022b379","addedLater":{"deep":\#
            [1,null,"\\u00e9"]}}
            """#, AppMLSCoordinatorHandoffPayload.self
        ),
        (
            .mlsGroupEditMessage,
            #"""
            {"groupID":"E8EEABCD-D69B-4E6D-999A-612230CBB467","messageID":"E190B447-27EB-48EC-BF50-08A\#
            05A4BDB51","ciphertext":"ChEYHyYtNDtCSVBXXmVsc3qBiI+WnaSrsrnAx87V3OPq8fj/Bg0UGw==","edited\#
            At":817695221.1173118,"addedLater":{"deep":[1,null,"\\u00e9"]}}
            """#, AppMLSGroupEditMessagePayload.self
        ),
        (
            .deviceLinkRequest,
            #"""
            {"deviceLabel":"text é\n\u0001","bundle":{"signingKeyPublic":"AQgPFh0kKzI5QEdOVVxjanF4f4aN\#
            lJuiqbC3vsXM09o=","dhIdentityKeyPublic":"AgkQFx4lLDM6QUhPVl1ka3J5gIeOlZyjqrG4v8bN1Ns=","si\#
            gnedPreKeyPublic":"AwoRGB8mLTQ7QklQV15lbHN6gYiPlp2kq7K5wMfO1dw=","signedPreKeySignature":"\#
            BAsSGSAnLjU8Q0pRWF9mbXR7gomQl56lrLO6wcjP1t3k6/L5AAcOFRwjKjE4P0ZNVFtiaXB3foWMk5qhqK+2vQ==",\#
            "signedPreKeyId":3241306249,"oneTimePreKeyPublic":"BQwTGiEoLzY9REtSWWBnbnV8g4qRmJ+mrbS7wsn\#
            Q194=","oneTimePreKeyId":7,"username":"Zoë / \"Z\"","timestamp":817695221.1040164,"newInBu\#
            ndle":true},"expiresAt":817695221.1173118,"addedLater":{"deep":[1,null,"\\u00e9"]}}
            """#, AppDeviceLinkPayload.self
        ),
        (
            .deviceSyncMessage,
            #"""
            {"conversationID":"E190B447-27EB-48EC-BF50-08A05A4BDB51","messageJSON":"CxIZICcuNTxDSlFYX2\#
            ZtdHuCiZCXnqWss7rByM/W3eTr8vkABw4VHA==","direction":"sent","addedLater":{"deep":[1,null,"\\#
            \u00e9"]}}
            """#, AppDeviceSyncPayload.self
        ),
        (
            .sssShareDelivery,
            #"""
            {"shareID":"E190B447-27EB-48EC-BF50-08A05A4BDB51","ephemeralPublicKey":"EhkgJy41PENKUVhfZm\#
            10e4KJkJeepayzusHIz9bd5Os=","encryptedShare":"DhUcIyoxOD9GTVRbYmlwd36FjJOaoaivtr3Ey9LZ4Ofu\#
            9fwDChEYHw==","senderPeerID":"08c4cab788bd5f92f16ff0814022b379","threshold":3,"total":3,"a\#
            ddedLater":{"deep":[1,null,"\\u00e9"]}}
            """#, AppShareDeliveryPayload.self
        ),
        (
            .sssShareRequest,
            #"""
            {"shareID":"E190B447-27EB-48EC-BF50-08A05A4BDB51","requesterDHPublicKey":"FBsiKTA3PkVMU1ph\#
            aG92fYSLkpmgp661vMPK0djf5u0=","addedLater":{"deep":[1,null,"\\u00e9"]}}
            """#, AppShareRequestPayload.self
        ),
        (
            .sssShareResponse,
            #"""
            {"shareID":"E190B447-27EB-48EC-BF50-08A05A4BDB51","ephemeralPublicKey":"EhkgJy41PENKUVhfZm\#
            10e4KJkJeepayzusHIz9bd5Os=","encryptedShare":"DhUcIyoxOD9GTVRbYmlwd36FjJOaoaivtr3Ey9LZ4Ofu\#
            9fwDChEYHw==","addedLater":{"deep":[1,null,"\\u00e9"]}}
            """#, AppShareResponsePayload.self
        ),
        (
            .remoteWipe,
            #"""
            {"requestID":"E190B447-27EB-48EC-BF50-08A05A4BDB51","issuedAt":817695221.1173118,"addedLat\#
            er":{"deep":[1,null,"\\u00e9"]}}
            """#, AppRemoteWipePayload.self
        ),
        (
            .dhtPing,
            #"""
            {"senderNodeID":"08c4cab788bd5f92f16ff0814022b379","addedLater":{"deep":[1,null,"\\u00e9"]\#
            }}
            """#, AppDHTPingPayload.self
        ),
        (
            .dhtPong,
            #"""
            {"senderNodeID":"08c4cab788bd5f92f16ff0814022b379","addedLater":{"deep":[1,null,"\\u00e9"]\#
            }}
            """#, AppDHTPingPayload.self
        ),
        (
            .dhtFindNode,
            #"""
            {"targetNodeID":"08c4cab788bd5f92f16ff0814022b379","addedLater":{"deep":[1,null,"\\u00e9"]\#
            }}
            """#, AppDHTFindNodePayload.self
        ),
        (
            .dhtFindNodeResp,
            #"""
            {"closestNodes":[{"nodeID":"08c4cab788bd5f92f16ff0814022b379","onionAddress":"abcdefghij.o\#
            nion","port":25519,"addedLater":{"deep":[1,null,"\\u00e9"]}}],"addedLater":{"deep":[1,null\#
            ,"\\u00e9"]}}
            """#, AppDHTFindNodeResponsePayload.self
        ),
        (
            .dhtStore,
            #"""
            {"nodeID":"08c4cab788bd5f92f16ff0814022b379","bundle":{"signingKeyPublic":"AQgPFh0kKzI5QEd\#
            OVVxjanF4f4aNlJuiqbC3vsXM09o=","dhIdentityKeyPublic":"AgkQFx4lLDM6QUhPVl1ka3J5gIeOlZyjqrG4\#
            v8bN1Ns=","signedPreKeyPublic":"AwoRGB8mLTQ7QklQV15lbHN6gYiPlp2kq7K5wMfO1dw=","signedPreKe\#
            ySignature":"BAsSGSAnLjU8Q0pRWF9mbXR7gomQl56lrLO6wcjP1t3k6/L5AAcOFRwjKjE4P0ZNVFtiaXB3foWMk\#
            5qhqK+2vQ==","signedPreKeyId":3241306249,"oneTimePreKeyPublic":"BQwTGiEoLzY9REtSWWBnbnV8g4\#
            qRmJ+mrbS7wsnQ194=","oneTimePreKeyId":7,"username":"Zoë / \"Z\"","timestamp":817695221.104\#
            0164,"newInBundle":true},"expiresAt":817695221.1173118,"addedLater":{"deep":[1,null,"\\u00\#
            e9"]}}
            """#, AppDHTStorePayload.self
        ),
        (
            .dhtFindValue,
            #"""
            {"targetNodeID":"08c4cab788bd5f92f16ff0814022b379","peerIDPrefix":"08c4cab788bd5f92f16ff08\#
            14022b379","addedLater":{"deep":[1,null,"\\u00e9"]}}
            """#, AppDHTFindValuePayload.self
        ),
        (
            .dhtFindValueResp,
            #"""
            {"bundle":{"signingKeyPublic":"AQgPFh0kKzI5QEdOVVxjanF4f4aNlJuiqbC3vsXM09o=","dhIdentityKe\#
            yPublic":"AgkQFx4lLDM6QUhPVl1ka3J5gIeOlZyjqrG4v8bN1Ns=","signedPreKeyPublic":"AwoRGB8mLTQ7\#
            QklQV15lbHN6gYiPlp2kq7K5wMfO1dw=","signedPreKeySignature":"BAsSGSAnLjU8Q0pRWF9mbXR7gomQl56\#
            lrLO6wcjP1t3k6/L5AAcOFRwjKjE4P0ZNVFtiaXB3foWMk5qhqK+2vQ==","signedPreKeyId":3241306249,"on\#
            eTimePreKeyPublic":"BQwTGiEoLzY9REtSWWBnbnV8g4qRmJ+mrbS7wsnQ194=","oneTimePreKeyId":7,"use\#
            rname":"Zoë / \"Z\"","timestamp":817695221.1040164,"newInBundle":true},"closestNodes":[{"n\#
            odeID":"08c4cab788bd5f92f16ff0814022b379","onionAddress":"abcdefghij.onion","port":25519,"\#
            addedLater":{"deep":[1,null,"\\u00e9"]}}],"addedLater":{"deep":[1,null,"\\u00e9"]}}
            """#, AppDHTFindValueResponsePayload.self
        ),
    ]
}
