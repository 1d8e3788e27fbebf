"""The documentation site; scripts/site.sh gathers its pages and runs Sphinx."""

import os

project = "graze"
author = "The graze authors"
copyright = "2026, The graze authors"  # noqa: A001
release = version = os.environ.get("GRAZE_VERSION", "")

extensions = ["myst_parser", "sphinx.ext.mathjax"]
source_suffix = {".md": "markdown"}
exclude_patterns = []
myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 4
myst_update_mathjax = False
# Blocks without a language are formulas and figures.
highlight_language = "none"
# A table may begin with a row of names at any level, a page with a quotation.
suppress_warnings = ["myst.header"]
nitpicky = True

html_theme = "furo"
html_title = f"graze {release}"
html_static_path = ["_static"]
html_css_files = ["graze.css"]
html_copy_source = False
html_show_sourcelink = False
html_show_sphinx = False
templates_path = []
pygments_style = "friendly"
pygments_dark_style = "native"
html_theme_options = {"navigation_with_keys": True, "top_of_page_button": None}

# MathJax of the distribution, copied beside the pages: nothing is fetched when they are read.
mathjax_path = "mathjax/MathJax.js?config=TeX-AMS_CHTML-full"
mathjax2_config = {"messageStyle": "none", "showMathMenu": False,
                   "tex2jax": {"inlineMath": [["\\(", "\\)"]], "displayMath": [["\\[", "\\]"]]}}
