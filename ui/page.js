// What HTML alone cannot do on the page: a citation opens its card, shows what it rests on when pointed at,
// and a new question comes to the top. Without this script every citation is still a link to its card.
(() => {
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const narrow = matchMedia("(max-width: 59.99rem)");
  const smooth = () => (still.matches ? "auto" : "smooth");
  const box = () => document.querySelector("#question textarea");
  let opened = null; // the citation whose card is open

  // Scrolls what holds the element, and nothing around that, until it stands `room` pixels below the edge.
  function reveal(element, room) {
    const pane = narrow.matches ? document.scrollingElement : element.closest("#transcript, #sources");
    const edge = narrow.matches ? 0 : pane.getBoundingClientRect().top;
    const top = pane.scrollTop + element.getBoundingClientRect().top - edge - room;
    pane.scrollTo({ top, behavior: smooth() });
  }

  function open(cite) {
    const card = document.getElementById(cite.hash.slice(1));
    if (!card) return false;
    close();
    opened = cite;
    cite.classList.add("active");
    card.classList.add("active");
    const marks = [...card.querySelectorAll(`mark[data-place~="${cite.dataset.place}"]`)];
    marks.forEach((mark) => mark.classList.add("hit"));
    const room = narrow.matches ? innerHeight - 120 : card.closest("#sources").clientHeight;
    const last = (marks.at(-1) ?? card.firstElementChild).getBoundingClientRect().bottom;
    const together = last - card.getBoundingClientRect().top < room - 72;
    let heading = card;
    while (heading.previousElementSibling?.matches("h2, .save")) heading = heading.previousElementSibling;
    reveal(together ? heading : marks[0], together ? 24 : room / 3);
    card.focus({ preventScroll: true });
    return true;
  }

  function close() {
    for (const name of ["active", "hit"]) {
      document.querySelectorAll(`#desk .${name}`).forEach((element) => element.classList.remove(name));
    }
  }

  function back() {
    if (!opened?.isConnected) return;
    close();
    reveal(opened, innerHeight / 3);
    opened.focus({ preventScroll: true });
  }

  document.addEventListener("click", (event) => {
    const cite = event.target.closest?.("a.cite");
    if (cite && open(cite)) event.preventDefault();
    if (event.target.closest?.("a.back")) {
      event.preventDefault();
      back();
    }
    if (event.target.closest?.("[data-event=edit], [data-event=clear]")) box()?.focus();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || hide()) return;
    if (document.activeElement?.closest?.(".card")) back();
    if (document.activeElement === box()) document.querySelector("#hint [data-event=clear]")?.click();
  });

  // The title and quote of a citation, in place of the browser's own slow tooltip.
  let peek = null;

  function show(cite) {
    hide();
    if (!cite.title) return;
    const [title, quote] = cite.title.split("\n");
    peek = Object.assign(document.createElement("div"), { id: "peek", lang: cite.lang });
    peek.setAttribute("role", "tooltip");
    peek.append(Object.assign(document.createElement("b"), { textContent: title }), quote ?? "");
    peek.cite = cite;
    cite.dataset.title = cite.title;
    cite.removeAttribute("title");
    cite.setAttribute("aria-describedby", "peek");
    document.querySelector(".gradio-container").append(peek);
    const at = cite.getBoundingClientRect();
    const below = at.bottom + peek.offsetHeight + 12 < innerHeight;
    const left = Math.min(Math.max(16, at.left - 24), innerWidth - peek.offsetWidth - 16);
    peek.style.left = `${left}px`;
    peek.style.top = `${below ? at.bottom + 6 : at.top - peek.offsetHeight - 6}px`;
  }

  function hide() {
    if (!peek) return false;
    peek.cite.title = peek.cite.dataset.title;
    peek.cite.removeAttribute("aria-describedby");
    peek.remove();
    peek = null;
    return true;
  }

  for (const [enter, leave] of [["mouseover", "mouseout"], ["focusin", "focusout"]]) {
    document.addEventListener(enter, (event) => {
      const cite = event.target.closest?.("a.cite");
      if (cite && cite !== peek?.cite) show(cite);
    });
    document.addEventListener(leave, (event) => {
      if (event.target.closest?.("a.cite")) hide();
    });
  }
  document.addEventListener("scroll", hide, { capture: true, passive: true });

  // A new question is brought to the top once; the reader's place is left alone while text comes.
  // A finished answer shows its sources from the first.
  let turn = null;
  let busy = false;

  // Languages and names for screen readers; Gradio's columns and rows take none.
  function name() {
    const heading = document.querySelector("#heading h1");
    document.documentElement.lang = heading?.lang || "en";
    for (const [pane, label] of Object.entries(heading?.dataset ?? {})) {
      document.getElementById(pane)?.setAttribute("aria-label", label);
    }
  }

  function follow() {
    const article = document.querySelector("#current article");
    name();
    if (busy && article?.ariaBusy === "false") document.querySelector("#sources").scrollTop = 0;
    const again = !busy && article?.ariaBusy === "true"; // the last question is asked anew
    busy = article?.ariaBusy === "true";
    if (article?.id === turn && !again) return;
    turn = article?.id;
    // Two frames later Gradio has hidden what a first question replaces.
    if (article) requestAnimationFrame(() => requestAnimationFrame(() => reveal(article, 0)));
    else if (!narrow.matches) box()?.focus();
  }

  const arrival = new MutationObserver(() => {
    const parts = ["#heading", "#current"].map((name) => document.querySelector(name));
    if (parts.includes(null)) return;
    arrival.disconnect();
    document.getElementById("current").setAttribute("aria-live", "polite");
    for (const pane of ["transcript", "sources"]) {
      document.getElementById(pane).setAttribute("role", "region");
      document.getElementById(pane).tabIndex = 0;
    }
    const watch = new MutationObserver(follow);
    for (const part of parts) {
      watch.observe(part, { childList: true, subtree: true, attributes: true, attributeFilter: ["id", "lang", "aria-busy"] });
    }
  });
  arrival.observe(document, { childList: true, subtree: true });
})();
