"""Buttons and forms inside rendered HTML, and how their use reaches the server."""

from collections.abc import Mapping, Sequence
from html import escape

import gradio as gr

REPORTS = """element.addEventListener("click", ({ target }) => {
  const control = target.closest("button[data-event]");
  if (!control) return;
  const { event, ...told } = control.dataset;
  trigger(event, { ...told, papers: window.chosenPapers?.(control) ?? null });
});
let typing = 0;
element.addEventListener("submit", (submitted) => {
  submitted.preventDefault();
  clearTimeout(typing);
  const { event, ...told } = submitted.target.dataset;
  trigger(event, { ...told, ...Object.fromEntries(new FormData(submitted.target)) });
});
element.addEventListener("input", ({ target }) => {
  if (!target.matches("input[data-live]")) return;
  clearTimeout(typing);
  typing = setTimeout(() => target.form.requestSubmit(), 250);
});"""
"""Script of a `gr.HTML`: its controls report their event with their data, and which papers they are about."""


CHOICES = (
    """element.addEventListener("change", ({ target }) => trigger("select", { chosen: target.value }));"""
)
"""Script of a `gr.HTML` that holds a `choice`: reports the place of what was chosen."""

Told = Mapping[str, object]
"""What a control reports beside its event: names of small letters → what is said as a string."""

_NOTHING: Told = {}


def button(event: str, label: str, told: Told = _NOTHING, *, kind: str = "act") -> str:
    """A button that reports the Gradio event `event`; `label` is HTML, `kind` its class."""
    return f'<button type="button" class="{kind}" data-event="{event}"{_data(told)}>{label}</button>'


def form(
    event: str,
    told: Told,
    field: str,
    value: str,
    label: str,
    submit: str,
    *,
    longest: int,
    live: bool = False,
) -> str:
    """One line of text, at most `longest` characters, that is reported under the name `field`.

    A `live` one reports also what is being typed, and shows its label where it is empty.
    """
    kind = f'type="search" data-live placeholder="{escape(label)}"' if live else 'type="text" required'
    return (
        f'<form data-event="{event}"{_data(told)}><input {kind} name="{field}" value="{escape(value)}"'
        f' maxlength="{longest}" aria-label="{escape(label)}" autocomplete="off">'
        f'<button type="submit" class="act">{escape(submit)}</button></form>'
    )


def choice(label: str, options: Sequence[str], chosen: int) -> str:
    """A labelled list of which one is chosen."""
    rows = "".join(
        f'<option value="{place}"{" selected" if place == chosen else ""}>{escape(option)}</option>'
        for place, option in enumerate(options)
    )
    return f"<label>{escape(label)} <select>{rows}</select></label>"


def told_by(event: gr.EventData) -> Told:
    """What a control told, as it came from the browser: any value may be missing or of any type."""
    return event._data if isinstance(event._data, dict) else _NOTHING


def number_in(told: Told, name: str) -> int | None:
    """The number told under this name, None where there is none from 0 on."""
    text = str(told.get(name))
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 9 else None


def _data(told: Told) -> str:
    return "".join(f' data-{name}="{escape(str(value))}"' for name, value in told.items())
