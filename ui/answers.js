// What the table of a list answer does: sort, filter, select. And what hands a text to the clipboard or a file.
(() => {
  const states = new Map(); // number of the turn → what the reader has set in its list
  const words = new WeakMap(); // row → its text, for filtering

  const rowsOf = (list) => [...list.querySelectorAll("tr.paper")];
  const boxOf = (row) => row.querySelector("input[type=checkbox]");

  function stateOf(list) {
    const turn = list.dataset.list;
    if (!states.has(turn)) states.set(turn, { text: "", column: "", down: false, ticked: new Set() });
    return states.get(turn);
  }

  function matches(row, wanted) {
    if (!words.has(row)) words.set(row, row.textContent.toLowerCase());
    return wanted.every((word) => words.get(row).includes(word));
  }

  function keyOf(row, column) {
    const cell = row.querySelector(`.${column}`);
    const text = (cell.querySelector(".title") ?? cell).textContent.trim();
    return `${cell.dataset.key ?? ""} ${text}`;
  }

  // By a column, or as the answer ranks them; groups stay apart.
  function sort(list, { column, down }) {
    const ranked = !column || column === "why";
    const place = (row) => Number(row.dataset.place);
    const { compare } = new Intl.Collator(document.documentElement.lang || "en", { numeric: true });
    for (const body of list.querySelectorAll("tbody")) {
      const rows = [...body.querySelectorAll("tr.paper")];
      const keys = ranked ? null : new Map(rows.map((row) => [row, keyOf(row, column)]));
      const sorted = rows.toSorted((a, b) => {
        const order = ranked ? 0 : compare(keys.get(a), keys.get(b));
        return (down ? -order : order) || (down && ranked ? place(b) - place(a) : place(a) - place(b));
      });
      if (sorted.some((row, index) => row !== rows[index])) body.append(...sorted);
    }
    for (const head of list.querySelectorAll("th[aria-sort]")) {
      const own = head.querySelector(".sort").dataset.column === column;
      head.setAttribute("aria-sort", own ? (down ? "descending" : "ascending") : "none");
    }
  }

  function filter(list, { text }) {
    const wanted = text.toLowerCase().split(/\s+/).filter(Boolean);
    for (const row of rowsOf(list)) row.hidden = !matches(row, wanted);
    for (const body of list.querySelectorAll("tbody")) body.hidden = !body.querySelector("tr.paper:not([hidden])");
  }

  function count(list, { ticked, text }) {
    const rows = rowsOf(list);
    const shown = rows.filter((row) => !row.hidden);
    const fill = (pattern, number) => pattern.replace("{shown}", number).replace("{count}", number);
    const told = list.querySelector(".shown");
    if (told) {
      const pattern = told.dataset.text.replace("{count}", rows.length.toLocaleString("en"));
      told.textContent = text.trim() ? fill(pattern, shown.length.toLocaleString("en")) : "";
    }
    const label = list.querySelector(".tools [data-shown]");
    if (!label) return; // too few papers to choose from
    const pattern = ticked.size ? label.dataset.selected : label.dataset.shown;
    label.textContent = fill(pattern, (ticked.size || shown.length).toLocaleString("en"));
    const all = list.querySelector("input.all");
    const on = shown.filter((row) => boxOf(row).checked).length;
    all.checked = on > 0 && on === shown.length;
    all.indeterminate = on > 0 && on < shown.length;
  }

  // Brings a list to what the reader has set, also after the server has drawn it anew.
  function apply(list) {
    const state = stateOf(list);
    const field = list.querySelector(".filter input");
    if (field && field.value !== state.text) field.value = state.text;
    for (const row of rowsOf(list)) {
      const box = boxOf(row);
      if (box) box.checked = state.ticked.has(box.value);
    }
    sort(list, state);
    filter(list, state);
    count(list, state);
  }

  document.addEventListener("input", ({ target }) => {
    const list = target.closest?.(".found .filter") && target.closest(".found");
    if (!list) return;
    const state = stateOf(list);
    state.text = target.value;
    filter(list, state);
    count(list, state);
    observer.takeRecords();
  });

  document.addEventListener("change", ({ target }) => {
    const list = target.type === "checkbox" && target.closest?.(".found");
    if (!list) return;
    const state = stateOf(list);
    const all = target.matches(".all");
    const boxes = all ? rowsOf(list).filter((row) => !row.hidden).map(boxOf) : [target];
    for (const box of boxes) {
      box.checked = target.checked;
      state.ticked[target.checked ? "add" : "delete"](box.value);
    }
    count(list, state);
  });

  document.addEventListener("click", ({ target }) => {
    const head = target.closest?.(".found button.sort");
    if (!head) return;
    const list = head.closest(".found");
    const state = stateOf(list);
    const { column } = head.dataset;
    state.down = state.column === column && !state.down;
    state.column = column;
    sort(list, state);
    observer.takeRecords();
  });

  // The papers a control of a list is about: those selected, else those shown, in the order shown.
  window.chosenPapers = (control) => {
    const list = control.closest(".found");
    if (!list || control.dataset.event !== "download" || !list.querySelector("input.all")) return null;
    const { ticked } = stateOf(list);
    const rows = rowsOf(list).filter((row) => (ticked.size ? boxOf(row).checked : !row.hidden));
    return rows.map((row) => boxOf(row).value);
  };

  // Gradio matches old and new elements by their places: a redrawn list is brought to its state again, and a
  // form to what the server says.
  const attributeFilter = ["data-list", "data-place", "hidden", "value"];
  const watched = { childList: true, subtree: true, attributes: true, attributeFilter };
  const observer = new MutationObserver((records) => {
    const lists = new Set();
    for (const { target, attributeName } of records) {
      if (attributeName === "value" && target.matches("form input")) target.value = target.defaultValue;
      const element = target.nodeType === Node.ELEMENT_NODE ? target : target.parentElement;
      if (element?.closest(".found")) lists.add(element.closest(".found"));
      else element?.querySelectorAll?.(".found").forEach((list) => lists.add(list));
    }
    if (!document.querySelector("#current article")) states.clear();
    for (const list of lists) {
      rowsOf(list).forEach((row) => words.delete(row));
      apply(list);
    }
    observer.takeRecords(); // what we changed ourselves is no news
  });

  const arrival = new MutationObserver(() => {
    const parts = ["history", "current"].map((id) => document.getElementById(id));
    if (parts.includes(null)) return;
    arrival.disconnect();
    document.querySelector(".gradio-container").append(told);
    parts.forEach((part) => observer.observe(part, watched));
  });
  arrival.observe(document, { childList: true, subtree: true });

  // --- to the clipboard or a file ---

  function save({ text, name, type }) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  }

  // Browsers keep the clipboard from pages of other machines without encryption; the old way still works there.
  async function copy({ text }) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      const area = Object.assign(document.createElement("textarea"), { value: text });
      const before = document.activeElement;
      document.body.append(area);
      area.select();
      const done = document.execCommand("copy");
      area.remove();
      before?.focus?.({ preventScroll: true });
      return done;
    }
  }

  let fading = 0;
  const told = Object.assign(document.createElement("div"), { id: "told" });
  told.setAttribute("role", "status");

  function tell(message, lang) {
    told.lang = lang;
    told.textContent = message;
    clearTimeout(fading);
    fading = setTimeout(() => (told.textContent = ""), 4_000);
  }

  // What is there already is folded and unfolded without asking the server.
  document.addEventListener(
    "click",
    (click) => {
      const control = click.target.closest?.("button.unfold");
      const room = control && document.getElementById(control.getAttribute("aria-controls"));
      if (!room?.hasChildNodes()) return;
      click.stopPropagation();
      room.hidden = !room.hidden;
      control.setAttribute("aria-expanded", String(!room.hidden));
    },
    true,
  );

  // What was found for a field, beside it; a reader who chose one of it goes on from there.
  function place({ into, html }) {
    const room = document.getElementById(into);
    if (!room) return "";
    const chose = room.contains(document.activeElement);
    room.innerHTML = html;
    document.querySelector(`[aria-controls="${into}"]`)?.setAttribute("aria-expanded", "true");
    if (chose) room.querySelector(".outcome")?.focus({ preventScroll: true });
    return "";
  }

  window.handOver = async (packed) => {
    if (!packed) return "";
    const parcel = JSON.parse(packed);
    if (parcel.into) return place(parcel);
    const done = parcel.name ? (save(parcel), true) : await copy(parcel);
    tell(done ? parcel.done : parcel.failed, parcel.lang);
    return "";
  };
})();
