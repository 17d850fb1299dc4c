// Finds cards by words and type. The state stands in the address, so that a view can be kept and gone back to.
(() => {
  "use strict";
  const form = document.getElementById("filter");
  if (!form) return;
  const box = document.getElementById("q");
  const doubt = document.getElementById("doubt");
  const kinds = [...form.querySelectorAll('input[name="kind"]')];
  const cards = [...document.querySelectorAll(".card")].map((card) => ({
    card, kind: card.dataset.kind, doubt: "doubt" in card.dataset, text: fold(card.textContent),
  }));
  const groups = [...document.querySelectorAll(".kind")];
  const told = document.getElementById("shown");

  function fold(text) {
    return text.normalize("NFKC").toLocaleLowerCase();
  }

  function filter() {
    const words = fold(box.value).split(/\s+/).filter(Boolean);
    const wanted = new Set(kinds.filter((kind) => kind.checked).map((kind) => kind.value));
    let shown = 0;
    for (const one of cards) {
      const fits = wanted.has(one.kind) && (!doubt || !doubt.checked || one.doubt)
        && words.every((word) => one.text.includes(word));
      one.card.hidden = !fits;
      shown += fits;
    }
    for (const group of groups) group.hidden = !group.querySelector(".card:not([hidden])");
    told.textContent = shown === cards.length ? `All ${shown} shown`
      : shown ? `${shown} of ${cards.length} shown` : "Nothing here has all of these words";
  }

  function keep() {
    const parts = new URLSearchParams();
    if (box.value) parts.set("q", box.value);
    if (kinds.some((kind) => !kind.checked)) {
      parts.set("kinds", kinds.filter((kind) => kind.checked).map((kind) => kind.value).join(","));
    }
    if (doubt && doubt.checked) parts.set("look", "1");
    history.replaceState(null, "", parts.toString() ? `#?${parts}` : "#memories");
  }

  function take() {
    if (location.hash.startsWith("#?")) {
      const parts = new URLSearchParams(location.hash.slice(2));
      box.value = parts.get("q") || "";
      const named = parts.has("kinds") ? parts.get("kinds").split(",") : null;
      for (const kind of kinds) kind.checked = !named || named.includes(kind.value);
      if (doubt) doubt.checked = parts.has("look");
      filter();
      return;
    }
    const target = location.hash.length > 1 && document.getElementById(location.hash.slice(1));
    if (target && target.hidden) {  // a link leads to a card that the filter hides
      form.reset();
      filter();
      target.scrollIntoView();
    }
  }

  form.hidden = false;
  form.addEventListener("input", () => { filter(); keep(); });
  form.addEventListener("submit", (event) => event.preventDefault());
  document.addEventListener("keydown", (event) => {
    const typing = /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName);
    if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      box.focus();
    } else if (event.key === "Escape" && event.target === box) {
      box.value = "";
      filter();
      keep();
    }
  });
  addEventListener("hashchange", take);
  addEventListener("beforeprint", () => {
    for (const more of document.querySelectorAll("details")) more.open = true;
  });
  filter();
  take();
})();
