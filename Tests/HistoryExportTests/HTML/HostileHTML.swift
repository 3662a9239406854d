import History
import SophaxFiles

/// Messages with an attack in every field that a source has.
enum HostileHTML {
    /// Each of them would set `data-hit` of the document, or ask for something of `hostile.test`.
    static let attacks = [
        "\"><script>document.documentElement.dataset.hit=1</script><img src=http://hostile.test/1.png onerror=\"document.documentElement.dataset.hit=1\">",
        "' onmouseover='document.documentElement.dataset.hit=1' style='background:url(http://hostile.test/2)' x='",
        "</title></style></script></textarea></svg><svg onload=document.documentElement.dataset.hit=1>",
        "--><iframe src=http://hostile.test/3></iframe><link rel=stylesheet href=http://hostile.test/4.css><!--",
        "javascript:document.documentElement.dataset.hit=1", "JaVaScRiPt://x/%0Adocument.documentElement.dataset.hit=1",
        "data:text/html,<script>document.documentElement.dataset.hit=1</script>",
        "\\\");document.documentElement.dataset.hit=1;(\\\"", "\u{2028}document.documentElement.dataset.hit=1\u{2029}",
        "</bdi><base href=http://hostile.test/><meta http-equiv=refresh content=\"0;url=http://hostile.test/5\">",
        "]]><![CDATA[<script>", "&lt;script&gt;", "\u{0}<\u{0}script>", "\u{202E}gpj.exe<b>", "${7*7}{{7*7}}`",
        "<math><mi//xlink:href=\"data:x,<script>\">",
    ]

    static var source: ListSource {
        var source = ListSource()
        let all = attacks.joined(separator: " ")
        source.origin = HistoryOrigin(.store, path: "list", ownerName: ByteText(all), bytes: 0)
        let peer = HTMLSample.bob
        source.people = HTMLSample.names([(peer, all), (HTMLSample.carla, attacks[2])])
        var messages: [[UInt8]] = []
        for (index, attack) in attacks.enumerated() {
            let time = HTMLSample.start + Double(index) * 60
            let base = MessageSpelling(attack, in: peer, attack, at: time, isSent: index % 2 == 0)
            messages.append(
                base.with("status", attack).with("replyToID", attacks[(index + 1) % attacks.count]).with(
                    "senderID", attack
                )
                .with("attachmentID", "a\(index)").with("attachmentMimeType", attack).with("attachmentFilename", attack)
                .reaction([(attack, attack), (peer, attack)]).with(attack, attack).with("isEdited", json: "true").json)
            messages.append(
                base.with("direction", attack).with(
                    "readBy", json: "[\(String(decoding: MessageSpelling.quoted(Array(attack.utf8)), as: UTF8.self))]"
                ).json)
        }
        messages.append(
            MessageSpelling("last", in: peer, "needle " + all, at: HTMLSample.start + 5_000).with(
                "replyToID", attacks[0]
            ).json)
        source.conversations = [.init(id: ConversationID(ByteText(peer)), messages: messages)]
        source.conversations[0].earlier[0] = [MessageSpelling(all, in: peer, all, at: HTMLSample.start).json]
        for (index, attack) in attacks.enumerated() {
            let group = "group." + attack
            let message = MessageSpelling("g", in: group, attack, at: HTMLSample.start + Double(index)).with(
                "senderID", attack)
            source.conversations.append(.init(id: ConversationID(ByteText(group)), messages: [message.json]))
        }
        source.attachments = [
            (
                "a0",
                Array(
                    "<svg xmlns=\"http://www.w3.org/2000/svg\" onload=\"top.document.documentElement.dataset.hit=1\"/>"
                        .utf8)
            ),
            ("a1", Array("<!DOCTYPE html><script>top.document.documentElement.dataset.hit=1</script>".utf8)),
            ("a2", Array("GIF89a".utf8)), ("a3", Array("%PDF-1.4".utf8)),
        ]
        return source
    }
}
