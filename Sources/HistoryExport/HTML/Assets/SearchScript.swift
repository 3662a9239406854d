/// `search.js`, beside `page.js`: the words of a query and of texts, cut and folded as `TextTokenizer` does for the index,
/// and the page that shows what was found.
///
/// What comes from messages gets into the page as text only (`textContent`).
enum SearchScript {
    static let words = #"""
        var sxkeyWords = (function () {
          // Kinds as in the index: 0 separator, 1 letter, 2 dropped, 3 unit, 4 mark of a unit, 5 symbol, 6 half of a flag.
          var known = new Map();
          var units = [[0xE00, 0xEFF], [0x1000, 0x109F], [0xA9E0, 0xA9FF], [0xAA60, 0xAA7F], [0x1780, 0x17FF],
            [0x1100, 0x11FF], [0x3130, 0x318F], [0xA960, 0xA97F], [0xAC00, 0xD7FF], [0x2E80, 0x2FDF], [0x3005, 0x3007],
            [0x3021, 0x3029], [0x3038, 0x303B], [0x3400, 0x4DBF], [0x4E00, 0x9FFF], [0xF900, 0xFAFF], [0x20000, 0x3FFFF],
            [0x3041, 0x30FF], [0x31F0, 0x31FF], [0x1AFF0, 0x1B16F], [0xFF66, 0xFF9F], [0x3100, 0x312F], [0x31A0, 0x31BF]];
          var other = { "\u00f8": "o", "\u0111": "d", "\u00f0": "d", "\u0142": "l", "\u0127": "h", "\u0167": "t",
            "\u00e6": "ae", "\u0153": "oe", "\u00fe": "th", "\u0131": "i", "\u0671": "\u0627", "\u0649": "\u064a",
            "\u06cc": "\u064a", "\u06a9": "\u0643", "\u0629": "\u0647", "\u06c1": "\u0647" };
          function isUnit(code) {
            return code >= 0xE00 && units.some(function (range) { return code >= range[0] && code <= range[1]; });
          }
          function kindOf(ch) {
            var code = ch.codePointAt(0);
            if (code === 0x640 || (code >= 0x1F3FB && code <= 0x1F3FF)) return 2;
            if (code >= 0x1F1E6 && code <= 0x1F1FF) return 6;
            if (code === 0x3099 || code === 0x309A) return 4;
            if (/\p{Default_Ignorable_Code_Point}|\p{Cf}|\p{Me}/u.test(ch)) return 2;
            if (/\p{L}|\p{Nl}|\p{Mc}/u.test(ch)) return isUnit(code) ? 3 : 1;
            if (/\p{Nd}|\p{No}/u.test(ch)) return 1;
            if (/\p{Mn}/u.test(ch)) return isUnit(code) ? 3 : 2;
            if (/\p{So}|\p{Sc}|\p{Co}|\p{Extended_Pictographic}/u.test(ch)) return 5;
            return 0;
          }
          // What the export has no line for: nearly the same by the browser's own tables.
          function guess(ch) {
            var kind = kindOf(ch), code = ch.codePointAt(0);
            if (kind !== 1 && kind !== 3 && kind !== 4 && kind !== 0) return [[kind, ch]];
            if (code >= 0xAC00 && code <= 0xD7A3) return [[3, ch]];
            if (/[\u00bc-\u00be\u2150-\u215f\u2189]/.test(ch)) return [[kind, ch]];
            var parts = [];
            var folded = (code >= 0x13A0 && code <= 0x13FD) || (code >= 0xAB70 && code <= 0xABBF) ? ch.toUpperCase()
              : ch.normalize("NFKD").toUpperCase().toLowerCase().replace(/\u03c2/g, "\u03c3").normalize("NFKD");
            for (var part of folded) {
              if (other[part]) { for (var one of other[part]) parts.push([1, one]); continue; }
              var own = kindOf(part);
              if (own === 2) continue;
              if (/\p{Nd}/u.test(part)) {
                var value = 0, at = part.codePointAt(0);
                while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(at - value - 1))) value++;
                part = String(value);
              }
              parts.push([own, part]);
            }
            return parts;
          }
          function fold(ch) {
            var code = ch.codePointAt(0);
            if (code < 0x80) {
              if ((code >= 97 && code <= 122) || (code >= 48 && code <= 57)) return [[1, ch]];
              if (code >= 65 && code <= 90) return [[1, ch.toLowerCase()]];
              return [[ch === "$" ? 5 : 0, ch]];
            }
            var parts = known.get(ch);
            if (!parts) { parts = guess(ch); known.set(ch, parts); }
            return parts;
          }
          function teach(text) {
            text.split("\n").forEach(function (line) {
              var all = Array.from(line), parts = [];
              for (var i = 1; i + 1 < all.length; i += 2) {
                if (all[i] !== "2") parts.push([Number(all[i]), all[i + 1]]);
              }
              if (all.length > 1) known.set(all[0], parts.length || all[1] === "2" ? parts.length ? parts : [[2, ""]] : [[0, ""]]);
            });
          }
          function syllable(first, second) {
            if (first >= 0x1100 && first < 0x1113 && second >= 0x1161 && second < 0x1176) {
              return 0xAC00 + ((first - 0x1100) * 21 + (second - 0x1161)) * 28;
            }
            if (first >= 0xAC00 && first < 0xD7A4 && (first - 0xAC00) % 28 === 0 && second >= 0x11A8 && second < 0x11C3) {
              return first + (second - 0x11A7);
            }
            return 0;
          }
          // The longest word of the index, in bytes of UTF-8.
          function width(ch) {
            var code = ch.codePointAt(0);
            return code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
          }
          // All words of a text, units one by one: {t: text, s: start, e: end, u: is a unit, m: has a mark}.
          function cut(text) {
            var out = [], word = null, at = 0, size = 0;
            function endWord() { if (word) { out.push(word); word = null; } }
            for (var ch of text) {
              var end = at + ch.length;
              for (var part of fold(ch)) {
                var kind = part[0], last = out[out.length - 1];
                if (kind === 1) {
                  if (!word) { word = { t: "", s: at, e: end, u: false, g: false }; size = 0; }
                  if (size + width(part[1]) <= 128) { word.t += part[1]; size += width(part[1]); }
                  word.e = end;
                } else if (kind === 2) {
                  if (word) word.e = end;
                  else if (last && last.e >= at) last.e = end;
                } else if (kind === 4) {
                  if (!word && last && last.u && last.e >= at && !last.m) { last.t += part[1]; last.m = true; last.e = end; }
                  else if (word) word.e = end;
                } else {
                  endWord();
                  if (kind === 3) {
                    var joined = last && last.u && last.e >= at && !last.m
                      ? syllable(last.t.codePointAt(0), part[1].codePointAt(0)) : 0;
                    if (joined) { last.t = String.fromCodePoint(joined); last.e = end; }
                    else out.push({ t: part[1], s: at, e: end, u: true, g: !!(last && last.u && last.e >= at) });
                  } else if (kind === 5) {
                    out.push({ t: part[1], s: at, e: end, u: false, g: false });
                  } else if (kind === 6) {
                    if (last && last.h && last.e === at) { last.t += part[1]; last.h = false; last.e = end; }
                    else out.push({ t: part[1], s: at, e: end, u: false, g: false, h: true });
                  }
                }
              }
              at = end;
            }
            endWord();
            return out;
          }
          // The words of the index that a run of words of a query needs: pairs of units that touch, a unit alone where it
          // stands alone (of which the index has pairs that begin with it).
          function indexed(list, prefixed) {
            var need = [];
            list.forEach(function (one, i) {
              var next = list[i + 1], before = list[i - 1];
              if (one.u) {
                if (next && next.u && next.g) need.push({ t: one.t + next.t, p: false });
                else if (!(one.g && before && before.u)) need.push({ t: one.t, p: true });
              } else need.push({ t: one.t, p: prefixed && i === list.length - 1 });
            });
            return need;
          }
          // A query: runs that must each occur, `quoted` or between white space.
          function parse(query) {
            var runs = [], pattern = /"([^"]*)"?|[^\s"]+/g, match;
            while ((match = pattern.exec(query))) {
              var quoted = match[1] !== undefined;
              var text = quoted ? match[1] : match[0];
              var list = cut(text);
              if (!list.length) continue;
              var open = !quoted && (/\*$/.test(text) || pattern.lastIndex === query.length);
              if (list[list.length - 1].t.length < 2 && !list[list.length - 1].u) open = false;
              runs.push({ list: list, open: open, need: indexed(list, open) });
            }
            return runs;
          }
          // Where a run stands in a text that was cut: [start, end] of each.
          function find(run, list) {
            var places = [];
            for (var i = 0; i + run.list.length <= list.length; i++) {
              var fits = true;
              for (var k = 0; fits && k < run.list.length; k++) {
                var one = list[i + k], want = run.list[k], isLast = k === run.list.length - 1;
                fits = one.t === want.t || (isLast && run.open && !want.u && one.t.indexOf(want.t) === 0);
                if (k > 0 && want.u && want.g && !one.g) fits = false;
              }
              if (fits) places.push([list[i].s, list[i + run.list.length - 1].e]);
            }
            return places;
          }
          return { cut: cut, parse: parse, find: find, teach: teach, fold: fold };
        })();

        """#

    static let page = #"""
        (function () {
          var field = document.getElementById("q"), where = document.getElementById("in"),
            order = document.getElementById("order"), state = document.getElementById("state"),
            list = document.getElementById("hits"), more = document.getElementById("more");
          var folder = "search/", batch = 50, waiting = new Map(), kept = new Map(), index = null, round = 0, shown = null;
          var digits = {};
          "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".split("").forEach(function (c, i) { digits[c] = i; });

          // Files of the index call this with what they hold.
          window.sxkeyTake = function (name, value) {
            kept.set(name, value);
            if (kept.size > 300) {
              for (var old of kept.keys()) { if (old !== "index" && old !== name) { kept.delete(old); break; } }
            }
          };
          function load(name) {
            if (kept.has(name)) return Promise.resolve(kept.get(name));
            if (waiting.has(name)) return waiting.get(name);
            var promise = new Promise(function (resolve, reject) {
              var script = document.createElement("script");
              script.src = folder + name + ".js";
              script.onload = function () {
                script.remove();
                waiting.delete(name);
                if (kept.has(name)) resolve(kept.get(name)); else reject(new Error(name));
              };
              script.onerror = function () { script.remove(); waiting.delete(name); reject(new Error(name)); };
              document.head.appendChild(script);
            });
            waiting.set(name, promise);
            return promise;
          }
          function unpack(text) {
            var numbers = [], value = 0, shift = 1;
            for (var i = 0; i < text.length; i++) {
              var digit = digits[text[i]];
              value += (digit & 31) * shift;
              if (digit & 32) shift *= 32; else { numbers.push(value); value = 0; shift = 1; }
            }
            return numbers;
          }
          // Order of UTF-8, which is that of code points and not of UTF-16.
          function compare(a, b) {
            if (a === b) return 0;
            var i = 0;
            while (i < a.length && i < b.length && a[i] === b[i]) i++;
            if (i === a.length) return -1;
            if (i === b.length) return 1;
            var x = a.charCodeAt(i), y = b.charCodeAt(i);
            if (x >= 0xD800 && y >= 0xD800) {
              if (x >= 0xE000) x -= 0x800; else x += 0x2000;
              if (y >= 0xE000) y -= 0x800; else y += 0x2000;
            }
            return x - y;
          }
          // The last of the ascending `starts` that is not beyond `number`.
          function last(starts, number, key) {
            var low = 0, high = starts.length - 1;
            while (low < high) {
              var middle = (low + high + 1) >> 1;
              if (key(starts[middle]) <= number) low = middle; else high = middle - 1;
            }
            return low;
          }
          // Numbers, in a segment, of the messages with a word or with words that begin so: ascending.
          function messages(segment, word) {
            var keys = index.segments[segment][1], from = 0;
            while (from + 1 < keys.length && compare(keys[from + 1], word.t) <= 0) from++;
            var files = [from];
            if (word.p) {
              for (var next = from + 1; next < keys.length && keys[next].indexOf(word.t) === 0; next++) files.push(next);
            }
            return Promise.all(files.map(function (file) { return load("w" + (segment + 1) + "-" + (file + 1)); })).then(
              function (parts) {
                var found = [], lists = 0;
                parts.forEach(function (part) {
                  for (var i = 0; i < part.length; i += 2) {
                    if (word.p ? part[i].indexOf(word.t) !== 0 : part[i] !== word.t) continue;
                    var number = 0;
                    unpack(part[i + 1]).forEach(function (step) { number += step; found.push(number); number++; });
                    lists++;
                  }
                });
                if (lists > 1) {
                  found = Array.from(new Set(found)).sort(function (a, b) { return a - b; });
                }
                return found;
              });
          }
          function both(a, b) {
            var found = [], i = 0, k = 0;
            while (i < a.length && k < b.length) {
              if (a[i] === b[k]) { found.push(a[i]); i++; k++; } else if (a[i] < b[k]) i++; else k++;
            }
            return found;
          }
          function runOf(number) { return index.runs[last(index.runs, number, function (run) { return run[0]; })]; }

          function candidates(runs, conversation) {
            var all = [];
            var work = index.segments.map(function (_, segment) {
              var need = [];
              runs.forEach(function (run) { need = need.concat(run.need); });
              return Promise.all(need.map(function (word) { return messages(segment, word); })).then(function (lists) {
                lists.sort(function (a, b) { return a.length - b.length; });
                var found = lists.reduce(both);
                var base = index.segments[segment][0];
                if (conversation) {
                  found = found.filter(function (number) { return runOf(base + number)[1] === conversation; });
                }
                if (!found.length) return;
                return load("t" + (segment + 1)).then(function (packed) {
                  var minute = 0;
                  var minutes = unpack(packed[0]).map(function (step) {
                    minute += step % 2 ? -(step + 1) / 2 : step / 2;
                    return minute;
                  });
                  var changes = unpack(packed[1]), at = 0, change = changes[0], offset = changes[1] - 1440;
                  found.forEach(function (number) {
                    while (at + 2 < changes.length && change + changes[at + 2] <= number) {
                      at += 2;
                      change += changes[at];
                      offset = changes[at + 1] - 1440;
                    }
                    all.push([minutes[number], base + number, offset]);
                  });
                });
              });
            });
            return Promise.all(work).then(function () { return all; });
          }
          function text(number) {
            var file = last(index.texts, number, function (start) { return start; });
            return load("b" + (file + 1)).then(function (entries) { return entries[number - index.texts[file]]; });
          }

          // Where the runs stand in a message; null where one of them does not.
          function marks(runs, entry) {
            var texts = [entry[1] || "", entry[2] || ""];
            var cuts = texts.map(sxkeyWords.cut), places = [[], []];
            for (var run of runs) {
              var found = cuts.map(function (words) { return sxkeyWords.find(run, words); });
              if (!found[0].length && !found[1].length && !entry[3]) return null;
              places[0] = places[0].concat(found[0]);
              places[1] = places[1].concat(found[1]);
            }
            places.forEach(function (list) { list.sort(function (a, b) { return a[0] - b[0]; }); });
            return { texts: texts, places: places };
          }
          function marked(parent, text, places, limit) {
            var start = 0, end = text.length;
            if (limit && text.length > limit) {
              var first = places.length ? places[0][0] : 0;
              start = Math.max(0, first - Math.floor(limit / 3));
              end = Math.min(text.length, start + limit);
              // Not within a character that is two units long.
              if (start > 0 && (text.charCodeAt(start) & 0xFC00) === 0xDC00) start--;
              if (end < text.length && (text.charCodeAt(end) & 0xFC00) === 0xDC00) end++;
            }
            if (start > 0) parent.append("\u2026");
            var at = start;
            places.forEach(function (place) {
              if (place[0] < at || place[0] >= end) return;
              parent.append(text.slice(at, place[0]));
              var mark = document.createElement("mark");
              mark.textContent = text.slice(place[0], Math.min(end, place[1]));
              parent.append(mark);
              at = Math.min(end, place[1]);
            });
            parent.append(text.slice(at, end));
            if (end < text.length) parent.append("\u2026");
          }
          function element(name, kind, text) {
            var made = document.createElement(name);
            if (kind) made.className = kind;
            if (text !== undefined) made.textContent = text;
            return made;
          }
          function digits4(number) { return String(number).padStart(4, "0"); }
          function show(hit, entry, found) {
            var run = runOf(hit[1]), position = run[2] + hit[1] - run[0];
            var conversation = titles.get(run[1]);
            var item = element("li"), link = element("a"), head = element("span", "hh");
            link.href = "pages/c" + digits4(run[1]) + "-" + digits4(Math.floor(position / index.pageLength) + 1) + ".html#m"
              + (position + 1);
            var name = element("bdi", "cn", conversation[1]);
            head.append(name);
            var sender = entry[0] === 0 ? "Me" : entry[0] === 1 ? "" : entry[0];
            if (sender) { head.append(" "); head.append(element("bdi", "by", sender)); }
            if (hit[0] > 0) {
              // As the pages say it: in the time zone of the export.
              var local = new Date((hit[0] + hit[2]) * 60000).toISOString(), time = element("time");
              time.textContent = Number(local.slice(8, 10)) + " " + months[Number(local.slice(5, 7)) - 1] + " "
                + local.slice(0, 4) + ", " + local.slice(11, 16);
              time.dateTime = new Date(hit[0] * 60000).toISOString().slice(0, 16) + "Z";
              head.append(time);
            }
            link.append(head);
            var body = element("span", "hb");
            body.dir = "auto";
            body.lang = "";
            marked(body, found.texts[0], found.places[0], 280);
            link.append(body);
            if (found.texts[1]) {
              var file = element("bdi", "hf");
              marked(file, found.texts[1], found.places[1], 120);
              link.append(file);
            }
            item.append(link);
            list.append(item);
          }

          var titles = new Map(), months = "January February March April May June July August September October November December".split(" ");
          function count(number, one, many) { return number.toLocaleString("en") + " " + (number === 1 ? one : many); }
          function next() {
            var now = shown, mine = round;
            more.hidden = true;
            var slice = now.hits.slice(now.at, now.at + batch);
            return Promise.all(slice.map(function (hit) { return text(hit[1]); })).then(function (entries) {
              if (mine !== round) return;
              slice.forEach(function (hit, i) {
                var found = marks(now.runs, entries[i]);
                if (!found) { now.dropped++; return; }
                now.count++;
                show(hit, entries[i], found);
              });
              now.at += slice.length;
              var rest = now.hits.length - now.at;
              if (rest > 0 && now.count < now.wanted) return next();
              var total = now.hits.length - now.dropped;
              state.textContent = !total ? "Nothing found."
                : (rest && now.hasPhrase ? "At most " : "") + count(total, "message", "messages")
                  + (rest ? ", " + now.count.toLocaleString("en") + " shown" : "");
              more.hidden = !rest;
              document.body.dataset.done = String(now.count);
            });
          }
          function search() {
            var query = field.value, mine = ++round;
            var hash = "#q=" + encodeURIComponent(query) + (where.value ? "&in=" + where.value : "")
              + (order.value === "old" ? "&order=old" : "");
            if (location.hash !== hash) history.replaceState(null, "", hash);
            delete document.body.dataset.done;
            list.textContent = "";
            more.hidden = true;
            var runs = sxkeyWords.parse(query);
            if (!runs.length) {
              state.textContent = query.trim() ? "There is no word in this." : "All words must occur. The last one may be the beginning of a word; put a phrase between quotation marks.";
              if (query.trim()) document.body.dataset.done = "0";
              return;
            }
            document.title = "Search: " + query;
            state.textContent = "Searching\u2026";
            candidates(runs, Number(where.value) || 0).then(function (hits) {
              if (mine !== round) return;
              var sign = order.value === "old" ? 1 : -1;
              hits.sort(function (a, b) { return sign * (a[0] - b[0] || a[1] - b[1]); });
              shown = { hits: hits, runs: runs, at: 0, count: 0, dropped: 0, wanted: batch,
                hasPhrase: runs.some(function (run) { return run.list.length > 1; }) };
              return next();
            }).catch(function (error) {
              state.textContent = "A file of the index cannot be loaded: " + error.message;
              document.body.dataset.done = "error";
            });
          }
          function fromHash() {
            var wanted = { q: "", in: "", order: "new" };
            location.hash.slice(1).split("&").forEach(function (pair) {
              var at = pair.indexOf("=");
              if (at < 1) return;
              try { wanted[pair.slice(0, at)] = decodeURIComponent(pair.slice(at + 1)); } catch (error) { return; }
            });
            field.value = wanted.q;
            where.value = titles.has(Number(wanted.in)) ? wanted.in : "";
            order.value = wanted.order === "old" ? "old" : "new";
            search();
          }
          var timer = 0;
          field.addEventListener("input", function () { clearTimeout(timer); timer = setTimeout(search, 250); });
          document.getElementById("form").addEventListener("submit", function (event) { event.preventDefault(); search(); });
          where.addEventListener("change", search);
          order.addEventListener("change", search);
          more.addEventListener("click", function () { shown.wanted = shown.count + batch; next(); });
          window.addEventListener("hashchange", fromHash);
          load("index").then(function (loaded) {
            index = loaded;
            sxkeyWords.teach(index.fold);
            index.conversations.forEach(function (one) {
              titles.set(one[0], one);
              var option = element("option", "", one[1]);
              option.value = one[0];
              where.append(option);
            });
            fromHash();
          }).catch(function () {
            state.textContent = "The index cannot be loaded: search.html must stand in the folder of the export.";
            document.body.dataset.done = "error";
          });
        })();

        """#
}
