/// `style.css`: quiet colours for light and dark, system fonts, one column that fits a phone, and paper.
enum StyleSheet {
    static let base = #"""
        :root {
          color-scheme: light dark;
          --paper: #f4f3f0; --sheet: #ffffff; --ink: #1d1f23; --soft: #5d636d; --faint: #e3e1dc; --line: #dcd9d3;
          --in: #ffffff; --out: #dcebe4; --out-ink: #12261e; --accent: #1f6f54; --warn: #9c3b1b; --mark: #ffe28a;
          --focus: #1f6f54; --name: 38%; --av: 86%; --av-ink: 28%;
          --font: system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Helvetica Neue", sans-serif,
            "Apple Color Emoji", "Segoe UI Emoji", "Noto Color Emoji";
        }
        @media (prefers-color-scheme: dark) {
          :root {
            --paper: #14161a; --sheet: #1c1f24; --ink: #e7e6e3; --soft: #a2a8b2; --faint: #2a2e35; --line: #30353d;
            --in: #22262c; --out: #1d3d32; --out-ink: #e3f1ea; --accent: #7cc9a8; --warn: #f0997a; --mark: #6b5a17;
            --focus: #7cc9a8; --name: 72%; --av: 26%; --av-ink: 84%;
          }
        }
        * { box-sizing: border-box; }
        [hidden] { display: none !important; }
        html { scroll-padding-top: 5rem; -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
        body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.5 var(--font); overflow-wrap: anywhere; }
        h1, h2, h3 { line-height: 1.25; margin: 0; font-weight: 650; }
        a { color: var(--accent); text-underline-offset: 0.15em; }
        bdi { unicode-bidi: isolate; }
        button, input, select { font: inherit; color: inherit; }
        :focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; border-radius: 6px; }
        .vh { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
        .skip { position: absolute; left: 0.75rem; top: -4rem; z-index: 9; background: var(--sheet); padding: 0.5rem 0.9rem;
          border-radius: 8px; }
        .skip:focus { top: 0.75rem; }
        .note { color: var(--soft); font-size: 0.85rem; margin: 0.35rem 0 0; }
        .warn { color: var(--warn); }
        kbd { font: inherit; border: 1px solid var(--line); border-radius: 4px; padding: 0 0.35em; }
        mark { background: var(--mark); color: inherit; border-radius: 3px; padding: 0 0.1em; }
        .p0 { --h: 158; } .p1 { --h: 12; } .p2 { --h: 205; } .p3 { --h: 275; } .p4 { --h: 35; } .p5 { --h: 330; }
        .p6 { --h: 185; } .p7 { --h: 240; } .p8 { --h: 95; } .p9 { --h: 305; } .p10 { --h: 55; } .p11 { --h: 355; }
        .av { display: inline-grid; place-items: center; flex: none; width: 2.25rem; height: 2.25rem; border-radius: 50%;
          font-size: 0.8rem; font-weight: 650; letter-spacing: 0.02em; overflow: hidden; user-select: none;
          background: hsl(var(--h, 158) 42% var(--av)); color: hsl(var(--h, 158) 48% var(--av-ink)); }

        """#

    static let messages = #"""
        .top { position: sticky; top: 0; z-index: 5; background: var(--sheet); border-bottom: 1px solid var(--line); }
        .bar { max-width: 52rem; margin: 0 auto; padding: 0.55rem 1rem; display: flex; align-items: center; gap: 0.7rem; }
        .bar h1 { font-size: 1.06rem; min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap;
          flex: 1; }
        .back, .find, .pager a, .pager > span { display: inline-grid; place-items: center; min-width: 2.25rem; height: 2.25rem;
          border-radius: 8px; text-decoration: none; color: var(--soft); }
        .back { font-size: 1.2rem; }
        .back:hover, .find:hover, .pager a:hover { background: var(--faint); color: var(--ink); }
        .pager { display: flex; align-items: center; font-size: 1.05rem; }
        .pager > span { opacity: 0.3; }
        .pager .at { font-size: 0.82rem; padding: 0 0.5rem; font-variant-numeric: tabular-nums; white-space: nowrap; }
        .foot { max-width: 52rem; margin: 0 auto; padding: 1rem 1rem 3rem; display: grid; justify-items: center; gap: 0.5rem;
          color: var(--soft); }
        .keys { margin: 0; font-size: 0.8rem; }
        .log { max-width: 52rem; margin: 0 auto; padding: 0.5rem 1rem 1rem; }
        .months { display: flex; flex-wrap: wrap; gap: 0.35rem; justify-content: center; padding: 0.6rem 0 0; }
        .months a { font-size: 0.82rem; padding: 0.15rem 0.65rem; border: 1px solid var(--line); border-radius: 99px;
          text-decoration: none; color: var(--soft); background: var(--sheet); }
        .months a:hover { color: var(--ink); border-color: var(--soft); }
        .day { font-size: 0.82rem; font-weight: 600; text-align: center; color: var(--soft); margin: 1.9rem 0 0.9rem; }
        .day span { font-weight: 400; opacity: 0.85; margin-inline-start: 0.4em; font-size: 0.76rem; }
        .m { position: relative; display: flex; flex-direction: column; align-items: flex-start; margin-top: 2px;
          max-width: 84%; scroll-margin-top: 5rem; width: fit-content; border-radius: 16px; }
        .m.first { margin-top: 0.8rem; }
        .group .m.in, .group .m.sys { padding-inline-start: 2.85rem; }
        .group .m.in > .av { position: absolute; inset-inline-start: 0; top: 0; }
        .chat:not(.group) .m.in > .av { display: none; }
        .m.out { align-items: flex-end; margin-inline-start: auto; }
        .who { font-size: 0.8rem; font-weight: 650; margin: 0 0 0.2rem 0.75rem; color: hsl(var(--h, 158) 58% var(--name)); }
        .m.out .who, .chat:not(.group) .who { position: absolute; width: 1px; height: 1px; overflow: hidden;
          clip-path: inset(50%); white-space: nowrap; margin: 0; }
        .bub { background: var(--in); padding: 0.42rem 0.8rem 0.36rem; border-radius: 16px; min-width: 3.5rem; max-width: 100%;
          border-end-start-radius: 5px; box-shadow: 0 1px 1px rgb(0 0 0 / 0.05); }
        .out .bub { background: var(--out); color: var(--out-ink); border-end-start-radius: 16px; border-end-end-radius: 5px; }
        .sys { max-width: 100%; }
        .sys .bub { background: none; border: 1px dashed var(--line); box-shadow: none; border-radius: 10px; }
        .m:target .bub { outline: 3px solid var(--accent); outline-offset: 2px; }
        .conflict .bub { border-inline-start: 4px solid var(--warn); }
        .b { margin: 0; white-space: pre-wrap; unicode-bidi: plaintext; text-align: start; }
        .b + .b { margin-top: 0.4rem; }
        .ed { font-size: 0.76rem; margin-top: 0.2rem; }
        .b.emoji { font-size: 2.6rem; line-height: 1.2; padding: 0.1rem 0; }
        .b.empty { color: var(--soft); font-style: italic; font-size: 0.9rem; }
        .out .b a { color: inherit; }
        .meta { margin: 0.1rem 0 0; font-size: 0.7rem; line-height: 1.4; color: var(--soft); text-align: end;
          font-variant-numeric: tabular-nums; }
        .out .meta, .out .note, .out .old summary { color: color-mix(in srgb, var(--out-ink) 66%, var(--out)); }
        .meta a { color: inherit; text-decoration: none; }
        .meta a:hover { text-decoration: underline; }
        .meta .warn { color: var(--warn); font-weight: 650; }
        .exp { border: 1px solid currentColor; border-radius: 99px; padding: 0 0.5em; margin-inline-end: 0.4em; opacity: 0.9;
          display: inline-block; }
        .q { display: block; text-decoration: none; color: inherit; font-size: 0.85rem; line-height: 1.4; margin: 0.1rem 0 0.35rem;
          padding: 0.25rem 0.6rem; border-inline-start: 3px solid hsl(var(--h, 158) 50% 50%); border-radius: 6px;
          background: color-mix(in srgb, currentColor 6%, transparent); }
        .q b { display: block; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; font-size: 0.78rem; color: hsl(var(--h, 158) 58% var(--name)); }
        .qt { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden; opacity: 0.85; }
        a.q:hover { background: color-mix(in srgb, currentColor 11%, transparent); }
        .q.gone { font-style: italic; color: var(--soft); }
        .pic { display: block; margin: 0 -0.4rem 0.3rem; }
        .pic img { display: block; height: 15rem; width: auto; min-width: 6rem; max-width: 100%; object-fit: cover;
          border-radius: 12px; background: var(--faint); }
        video { display: block; max-width: 100%; height: 15rem; border-radius: 12px; background: #000; }
        audio { display: block; width: 17rem; max-width: 100%; height: 2.6rem; margin: 0.15rem 0; }
        .cap { display: block; font-size: 0.76rem; color: var(--soft); }
        .out .cap { color: color-mix(in srgb, var(--out-ink) 66%, var(--out)); }
        .file { display: grid; grid-template-columns: auto 1fr; column-gap: 0.7rem; align-items: center; text-decoration: none;
          color: inherit; padding: 0.3rem 0; min-width: 12rem; }
        .file .ico { grid-row: span 2; display: grid; place-items: center; width: 2.3rem; height: 2.3rem; border-radius: 9px;
          background: color-mix(in srgb, currentColor 9%, transparent); }
        .file .fn { font-weight: 550; line-height: 1.3; }
        a.file:hover .fn { text-decoration: underline; }
        .file.none { opacity: 0.75; }
        .re { list-style: none; display: flex; flex-wrap: wrap; gap: 0.25rem; margin: -0.25rem 0.5rem 0.1rem; padding: 0;
          position: relative; }
        .re li { background: var(--sheet); border: 1px solid var(--line); border-radius: 99px; padding: 0.02rem 0.5rem;
          font-size: 0.82rem; color: var(--soft); max-width: 10rem; overflow: hidden; text-overflow: ellipsis;
          white-space: nowrap; }
        .old summary, .data summary { cursor: pointer; font-size: 0.78rem; color: var(--soft); margin-top: 0.25rem; }
        .old > div { border-inline-start: 2px solid var(--line); padding: 0.2rem 0 0.2rem 0.7rem; margin: 0.3rem 0; }
        .data pre { font: 0.74rem/1.5 ui-monospace, "SF Mono", "DejaVu Sans Mono", monospace; white-space: pre-wrap; margin: 0.3rem 0;
          max-height: 18rem; overflow: auto; unicode-bidi: isolate; }
        @media (max-width: 34rem) {
          .log { padding-inline: 0.6rem; }
          .bar { padding: 0.4rem 0.5rem; gap: 0.3rem; }
          .bar .pager a:first-child, .bar .pager a:last-child, .bar .pager > span:first-child, .bar .pager > span:last-child {
            display: none; }
          .m { max-width: 90%; }
          .group .m.in { max-width: 96%; }
          .pic img, video { height: 12.5rem; }
          .keys { display: none; }
        }

        """#

    static let lists = #"""
        .head, .sheet { max-width: 52rem; margin: 0 auto; padding: 0 1rem; }
        .head { padding-top: 2.2rem; }
        .head h1 { font-size: 1.7rem; letter-spacing: -0.01em; }
        .sum { color: var(--soft); margin: 0.3rem 0 0; }
        .parts { display: flex; flex-wrap: wrap; gap: 0.3rem; margin: 1.1rem 0; }
        .parts a { padding: 0.3rem 0.85rem; border-radius: 99px; text-decoration: none; color: var(--soft); font-size: 0.92rem; }
        .parts a:hover { background: var(--faint); }
        .parts a[aria-current] { background: var(--accent); color: var(--paper); }
        .search { display: flex; flex-wrap: wrap; gap: 0.5rem; align-items: center; margin: 0 0 1.2rem; }
        .search input { flex: 1 1 16rem; min-width: 0; padding: 0.6rem 0.9rem; border-radius: 12px; border: 1px solid var(--line);
          background: var(--sheet); }
        .search button, #more, .button { padding: 0.6rem 1.1rem; border-radius: 12px; border: 0; background: var(--accent);
          color: var(--paper); cursor: pointer; text-decoration: none; display: inline-block; }
        .search label:not(.vh) { font-size: 0.85rem; color: var(--soft); }
        .search select { padding: 0.25rem 0.5rem; border-radius: 8px; border: 1px solid var(--line); background: var(--sheet);
          max-width: 15rem; }
        .sheet { padding-bottom: 4rem; }
        .top + .sheet { padding-top: 1.4rem; }
        .convs, .hits { list-style: none; margin: 0; padding: 0; background: var(--sheet); border-radius: 16px; overflow: hidden;
          border: 1px solid var(--line); }
        .hits:empty, .convs:empty { display: none; }
        .convs li + li, .hits li + li { border-top: 1px solid var(--faint); }
        .convs a { display: grid; grid-template-columns: auto 1fr auto; grid-template-rows: auto auto; column-gap: 0.9rem;
          padding: 0.8rem 1rem; text-decoration: none; color: inherit; align-items: baseline; }
        .convs .av { grid-row: span 2; align-self: center; width: 2.75rem; height: 2.75rem; font-size: 0.95rem; }
        .convs .cn { font-weight: 620; }
        .convs time, .convs .cc { font-size: 0.8rem; color: var(--soft); text-align: end; font-variant-numeric: tabular-nums; }
        .convs .cl { color: var(--soft); font-size: 0.9rem; overflow: hidden; text-overflow: ellipsis; white-space: nowrap;
          min-width: 0; text-align: start; }
        .convs .cc { grid-column: 3; }
        .convs .cl { grid-column: 2; }
        .convs a:hover, .hits a:hover { background: color-mix(in srgb, var(--accent) 7%, transparent); }
        .convs a:focus-visible, .hits a:focus-visible { outline-offset: -3px; }
        #state { color: var(--soft); font-size: 0.9rem; }
        .hits a { display: block; padding: 0.75rem 1rem; text-decoration: none; color: inherit; }
        .hh { display: flex; flex-wrap: wrap; gap: 0 0.6rem; align-items: baseline; font-size: 0.85rem; }
        .hh .cn { font-weight: 620; }
        .hh .by { color: var(--soft); }
        .hh time { margin-inline-start: auto; color: var(--soft); font-size: 0.78rem; font-variant-numeric: tabular-nums; }
        .hb { display: block; margin-top: 0.15rem; unicode-bidi: plaintext; text-align: start; }
        .hf { display: block; font-size: 0.85rem; color: var(--soft); }
        .go { margin: 1rem 0; }
        .year { margin-top: 1.6rem; }
        .year h2 { font-size: 1.05rem; margin-bottom: 0.5rem; }
        .year ol { list-style: none; margin: 0; padding: 0; background: var(--sheet); border: 1px solid var(--line);
          border-radius: 14px; overflow: hidden; }
        .year li + li { border-top: 1px solid var(--faint); }
        .year a { display: grid; grid-template-columns: 7rem 1fr 5rem; gap: 1rem; align-items: center; padding: 0.45rem 1rem;
          text-decoration: none; color: inherit; }
        .year a:hover { background: color-mix(in srgb, var(--accent) 7%, transparent); }
        .year .n { text-align: end; color: var(--soft); font-size: 0.88rem; font-variant-numeric: tabular-nums; }
        meter { width: 100%; height: 0.5rem; border: 0; border-radius: 99px; background: var(--faint); appearance: none; }
        meter::-webkit-meter-bar { background: var(--faint); border: 0; border-radius: 99px; height: 0.5rem; }
        meter::-webkit-meter-optimum-value { background: var(--accent); border-radius: 99px; }
        meter::-moz-meter-bar { background: var(--accent); border-radius: 99px; }
        .stats section { background: var(--sheet); border: 1px solid var(--line); border-radius: 16px; padding: 1.1rem 1.2rem 1.2rem;
          margin-top: 1.2rem; }
        .stats h2 { font-size: 1.05rem; margin-bottom: 0.8rem; }
        .tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(9.5rem, 1fr)); gap: 0.7rem; margin: 0; }
        .tiles div { background: var(--sheet); border: 1px solid var(--line); border-radius: 14px; padding: 0.75rem 1rem;
          display: flex; flex-direction: column-reverse; }
        .tiles dt { color: var(--soft); font-size: 0.82rem; }
        .tiles dd { margin: 0; font-size: 1.45rem; font-weight: 620; letter-spacing: -0.01em; font-variant-numeric: tabular-nums; }
        .chart { display: block; width: 100%; height: auto; }
        .wide { overflow-x: auto; }
        .wide .chart { min-width: 36rem; }
        .col, .cell { fill: var(--accent); }
        .col[class*=" p"] { fill: hsl(var(--h, 158) 45% 52%); }
        g:hover > .col, g:hover > .cell { fill: var(--warn); }
        .grid { stroke: var(--line); stroke-width: 1; fill: none; }
        .axis { fill: var(--soft); font-size: 11px; font-family: var(--font); }
        .pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(16rem, 1fr)); gap: 1.2rem; margin-top: 1rem; }
        .nums summary { cursor: pointer; color: var(--soft); font-size: 0.82rem; margin-top: 0.4rem; }
        .nums table { border-collapse: collapse; font-size: 0.85rem; margin-top: 0.4rem; font-variant-numeric: tabular-nums; }
        .nums th, .nums td { padding: 0.12rem 1.4rem 0.12rem 0; text-align: start; font-weight: 400; }
        .nums td { text-align: end; }
        .rows { width: 100%; border-collapse: collapse; font-size: 0.92rem; font-variant-numeric: tabular-nums; }
        .rows th { text-align: start; font-weight: 500; }
        .rows thead th { color: var(--soft); font-size: 0.78rem; font-weight: 500; padding-bottom: 0.3rem; }
        .rows td, .rows thead th:nth-child(n + 3) { text-align: end; white-space: nowrap; }
        .rows td, .rows tbody th { padding: 0.3rem 0.4rem; border-top: 1px solid var(--faint); }
        .rows tbody th { max-width: 14rem; padding-inline-start: 0; }
        .rows .bar { display: table-cell; max-width: none; width: 42%; padding: 0.3rem 0.6rem; }
        .rows .bar svg { display: block; width: 100%; height: 0.65rem; }
        @media (max-width: 34rem) {
          .head { padding-top: 1.3rem; }
          .head h1 { font-size: 1.4rem; }
          .convs a { padding: 0.7rem 0.8rem; column-gap: 0.7rem; }
          .rows .bar { width: 26%; }
          .year a { grid-template-columns: 5.5rem 1fr 3.5rem; gap: 0.6rem; }
        }
        @media print {
          :root { --paper: #fff; --sheet: #fff; --ink: #000; --soft: #444; --in: #fff; --out: #fff; --out-ink: #000;
            --line: #bbb; --faint: #ddd; --accent: #000; --name: 28%; --av: 92%; --av-ink: 20%; }
          body { font-size: 10pt; }
          .top { position: static; border-bottom: 2pt solid #000; }
          .back, .find, .pager, .months, .foot, .skip, .parts, .search, .nums summary, .go { display: none; }
          .log, .sheet, .head, .bar { max-width: none; padding-inline: 0; }
          .m, .convs li, .hits li, .stats section { break-inside: avoid; }
          .day { break-after: avoid; }
          .bub { border: 0.5pt solid #aaa; box-shadow: none; }
          .out .bub { border-color: #555; background: #f2f2f2; }
          .pic img { height: auto; max-height: 7cm; }
          audio, video { display: none; }
          * { print-color-adjust: exact; }
        }

        """#
}
