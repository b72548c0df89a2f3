"""How the documentation becomes a site: `make docs`."""

project = "Trunkline"
author = "the Trunkline developers"
copyright = author  # noqa: A001  # Sphinx names it so
extensions = ["myst_parser"]
myst_heading_anchors = 3
myst_enable_extensions = ["colon_fence"]
html_theme = "furo"
html_title = "Trunkline"
html_theme_options = {"navigation_with_keys": True}
html_static_path = ["static"]
html_css_files = ["wide.css"]
html_show_copyright = False
suppress_warnings = ["misc.highlighting_failure"]  # a console block is more than the lexer knows
