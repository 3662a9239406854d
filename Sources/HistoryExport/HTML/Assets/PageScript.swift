/// `page.js`: keys, and the field that leads to the search. Pages are complete without it.
enum PageScript {
    static let text = #"""
        "use strict";
        (function () {
          var top = document.querySelector('link[rel="stylesheet"]').getAttribute("href").indexOf("../") === 0 ? "../" : "";
          document.querySelectorAll("form[data-search]").forEach(function (form) {
            form.addEventListener("submit", function (event) {
              event.preventDefault();
              location.href = top + "search.html#q=" + encodeURIComponent(form.querySelector("input").value);
            });
          });
          function move(step) {
            var all = Array.prototype.slice.call(document.querySelectorAll(".m, .hits > li, .convs > li"));
            if (!all.length) return;
            var at = all.findIndex(function (one) { return one.contains(document.activeElement); });
            if (at < 0) {
              at = all.findIndex(function (one) { return one.getBoundingClientRect().bottom > 80; });
              if (step > 0) at -= 1;
            }
            var next = all[Math.min(all.length - 1, Math.max(0, at + step))];
            var target = next.classList.contains("m") ? next : next.querySelector("a") || next;
            if (target === next) next.tabIndex = -1;
            target.focus();
            next.scrollIntoView({ block: "nearest" });
          }
          function follow(relation) {
            var link = document.querySelector('a[rel="' + relation + '"]');
            if (link) link.click();
          }
          document.addEventListener("keydown", function (event) {
            if (event.ctrlKey || event.metaKey || event.altKey) return;
            var name = event.target.nodeName;
            if (name === "INPUT" || name === "TEXTAREA" || name === "SELECT") {
              if (event.key === "Escape") event.target.blur();
              return;
            }
            if (event.key === "j") move(1);
            else if (event.key === "k") move(-1);
            else if (event.key === "n") follow("next");
            else if (event.key === "p") follow("prev");
            else if (event.key === "/") {
              var field = document.querySelector('input[type="search"]');
              if (field) field.focus();
              else location.href = top + "search.html";
            } else return;
            event.preventDefault();
          });
        })();

        """#
}
