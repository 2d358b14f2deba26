"""The colours and fonts of Gradio's own components, in line with page.css. Fonts of the system only."""

import gradio as gr

_SANS = (
    "system-ui", "-apple-system", "Segoe UI", "Roboto", "Noto Sans", "Liberation Sans", "PingFang SC",
    "Microsoft YaHei", "Noto Sans CJK SC", "sans-serif",
)  # fmt: skip
_MONO = ("ui-monospace", "SFMono-Regular", "Menlo", "Consolas", "Liberation Mono", "monospace")


def theme() -> gr.themes.Base:
    """Every colour is a variable of page.css, which holds its light and dark value."""
    plain = gr.themes.Base(
        font=[gr.themes.Font(name) for name in _SANS],
        font_mono=[gr.themes.Font(name) for name in _MONO],
        radius_size=gr.themes.sizes.radius_sm,
    )
    colours = {
        "body_text_color_subdued": "var(--faint)",
        "background_fill_primary": "var(--paper)",
        "background_fill_secondary": "var(--sheet)",
        "block_background_fill": "transparent",
        "block_label_text_color": "var(--faint)",
        "block_title_text_color": "var(--ink)",
        "border_color_primary": "var(--rule)",
        "border_color_accent": "var(--accent)",
        "input_background_fill": "var(--sheet)",
        "input_border_color": "var(--rule)",
        "input_border_color_focus": "var(--accent)",
        "input_placeholder_color": "var(--faint)",
        "button_primary_background_fill": "var(--accent)",
        "button_primary_background_fill_hover": "var(--accent-deep)",
        "button_primary_text_color": "var(--on-accent)",
        "button_secondary_background_fill": "transparent",
        "button_secondary_background_fill_hover": "var(--sheet)",
        "button_secondary_border_color": "var(--rule)",
        "button_secondary_text_color": "var(--ink)",
        "checkbox_background_color": "var(--sheet)",
        "checkbox_background_color_selected": "var(--accent)",
        "checkbox_border_color": "var(--faint)",
        "checkbox_border_color_selected": "var(--accent)",
        "checkbox_label_background_fill": "transparent",
        "checkbox_label_text_color": "var(--ink)",
        "link_text_color": "var(--accent)",
    }
    dark = {f"{name}_dark": value for name, value in colours.items()}
    flat = {
        "block_border_width": "0px",
        "block_padding": "0px",
        "block_shadow": "none",
        "input_shadow": "none",
    }
    # The first paint comes before page.css: the values of --paper and --ink there.
    first = {
        "body_background_fill": "#fbfaf7",
        "body_background_fill_dark": "#17181a",
        "body_text_color": "#22201c",
        "body_text_color_dark": "#e6e2d9",
    }
    return plain.set(color_accent="var(--accent)", **colours, **dark, **first, **flat)
