/// The page that searches; `search.js` does it.
enum SearchPage {
    static func text() -> [UInt8] {
        var output = Markup()
        PageFrame.begin(&output, title: [Array("Search".utf8)], depth: .top, script: .search, kind: "plain searching")
        output.add("<header class=\"head\">\n<h1>Search</h1>\n")
        PageFrame.parts(&output, depth: .top, current: "search.html")
        output.add(
            """
            <form class="search" role="search" id="form"><label class="vh" for="q">Search all messages</label>\
            <input id="q" type="search" placeholder="Words, or &quot;a phrase&quot;" autocomplete="off" \
            spellcheck="false" autofocus><button>Search</button>
            <label>In <select id="in"><option value="">all conversations</option></select></label>
            <label>Order <select id="order"><option value="new">newest first</option>\
            <option value="old">oldest first</option></select></label></form>
            <noscript><p class="note">Searching needs JavaScript.</p></noscript>
            </header>
            <main id="content" class="sheet">
            <p id="state" role="status" aria-live="polite">All words must occur. The last one may be the beginning of a \
            word; put a phrase between quotation marks.</p>
            <ol id="hits" class="hits"></ol>
            <p><button id="more" hidden>Show more</button></p>
            </main>

            """)
        PageFrame.end(&output)
        return output.bytes
    }
}
