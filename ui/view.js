// The page's address is the view: its filters, search, page, tab and language. Buttons change the address, then say
// so ("view", "language"), and the server draws what the address asks for.
(() => {
  const FIELDS = ["venue", "year", "track", "author", "keyword"];
  const PAUSE = 200; // milliseconds without a key before a search
  const PANES = "#scope, #browse-filters, #browse-results";
  const TABS = { "papers-tab-button": "papers", "eval-tab-button": "eval", "chat-tab-button": null };

  function change(edit, event = "view") {
    const url = new URL(location.href);
    edit(url.searchParams);
    history.replaceState(history.state, "", url);
    if (event) document.dispatchEvent(new Event(event));
  }

  function set(query, name, value) {
    if (value) query.set(name, value);
    else query.delete(name);
  }

  function toggle(query, field, value) {
    const same = (other) => other.trim().toLowerCase() === value.toLowerCase();
    const values = query.getAll(field);
    query.delete(field);
    for (const other of values.filter((other) => !same(other))) query.append(field, other);
    if (!values.some(same)) query.append(field, value);
    query.delete("sheet");
  }

  // The language chosen last, unless the address names one.
  const LANGUAGE = "abstracts-chat-language";
  const kept = (use) => {
    try {
      return use(localStorage);
    } catch {
      return null; // a browser may keep nothing
    }
  };
  const remembered = kept((storage) => storage.getItem(LANGUAGE));
  if (remembered && !new URLSearchParams(location.search).has("lang")) {
    change((query) => query.set("lang", remembered), null);
  }

  function ask(question) {
    document.getElementById("chat-tab-button").click();
    const box = document.querySelector("#question textarea");
    box.value = question;
    box.dispatchEvent(new Event("input", { bubbles: true }));
    requestAnimationFrame(() => box.focus());
  }

  const actions = {
    field: ({ field, value }) => change((query) => toggle(query, field, value)),
    clear: () => change((query) => [...FIELDS, "sheet"].forEach((name) => query.delete(name))),
    page: ({ page }) => change((query) => query.set("sheet", page)),
    back: () => {
      document.querySelector("#browse-search input").value = "";
      change((query) => ["similar", "q", "sheet"].forEach((name) => query.delete(name)));
    },
    similar: ({ similar }) => change((query) => (query.delete("sheet"), query.set("similar", similar))),
    ask: ({ ask: question }) => ask(question),
    lang: ({ lang }) => {
      kept((storage) => storage.setItem(LANGUAGE, lang));
      change((query) => query.set("lang", lang), "language");
    },
  };

  document.addEventListener("click", (event) => {
    const button = event.target.closest?.("button");
    const ours = button?.closest(`#language, ${PANES}`);
    const action = ours && Object.keys(actions).find((name) => name in button.dataset);
    if (action) actions[action](button.dataset);
    const tab = event.target.closest?.("[role=tab]");
    if (tab && tab.id in TABS) change((query) => set(query, "tab", TABS[tab.id]), null);
    for (const menu of document.querySelectorAll("#scope details[open]")) {
      if (!menu.contains(event.target) && event.target.isConnected) close(menu);
    }
    const summary = event.target.closest?.(".choose > summary");
    if (summary) opened.set(summary.closest(PANES).id, !summary.parentElement.open);
  });

  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!form.closest("#scope, #browse")) return;
    event.preventDefault();
    const value = form.elements.value?.value.trim();
    if (value) change((query) => toggle(query, form.dataset.field, value));
  });

  let waiting = null;
  document.addEventListener("input", (event) => {
    if (!event.target.closest("#browse-search")) return;
    clearTimeout(waiting);
    const text = event.target.value.trim();
    waiting = setTimeout(() => {
      change((query) => {
        set(query, "q", text);
        query.delete("similar");
        query.delete("sheet");
      });
    }, PAUSE);
  });

  document.addEventListener("keydown", (event) => {
    const menu = event.key === "Escape" && event.target.closest?.("#scope details[open]");
    if (!menu) return;
    close(menu);
    menu.querySelector("summary").focus();
  });

  // What is drawn anew keeps its place: the open menu, and the focus on the button that was pressed.
  let focused = null;
  const opened = new Map();

  document.addEventListener("focusin", ({ target }) => {
    const pane = target.closest(PANES);
    focused = pane && target.tagName === "BUTTON" ? { pane, data: { ...target.dataset } } : null;
  });

  function close(menu) {
    menu.open = false;
    opened.set("scope", false);
  }

  function restore(pane) {
    const menu = pane.querySelector(".choose");
    if (menu && opened.has(pane.id)) menu.open = opened.get(pane.id);
    if (focused?.pane !== pane || document.activeElement !== document.body) return;
    const { data } = focused;
    const entries = Object.entries(data);
    const same = (button) => entries.every(([key, value]) => button.dataset[key] === value);
    const target = [...pane.querySelectorAll("button:not([disabled])")].find(same);
    (target ?? pane.querySelector("summary, h2[tabindex], button"))?.focus({ preventScroll: true });
    if ("page" in data || "similar" in data) pane.scrollIntoView({ block: "start" });
  }

  // On a phone the papers come first, and the filters when they are asked for.
  function fold({ matches }) {
    opened.set("browse-filters", !matches);
    const menu = document.querySelector("#browse-filters .choose");
    if (menu) menu.open = !matches;
  }
  const narrow = matchMedia("(max-width: 59.99rem)");
  narrow.addEventListener("change", fold);
  fold(narrow);
  let tab = new URLSearchParams(location.search).get("tab");

  new MutationObserver((changes) => {
    const panes = new Set(changes.map(({ target }) => target.closest?.(PANES)));
    panes.forEach((pane) => pane && restore(pane));
    const button = tab && document.getElementById(`${tab}-tab-button`);
    if (button?.matches("[role=tab]") && document.querySelector("#heading h1")) {
      tab = null;
      button.click();
    }
  }).observe(document, { childList: true, subtree: true });
})();
