"""The site: Sphinx with MyST. `script/docs` builds it."""

import logging
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "_extensions"))

import milcci

project = "milcci"
author = "the milcci authors"
project_copyright = author
version = release = milcci.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "numpydoc", "cells"]
exclude_patterns = ["requirements.txt", "_extensions"]

# The same Markdown is read on GitHub: its anchors, and nothing it does not show.
myst_heading_anchors = 4
myst_enable_extensions = ["dollarmath"]
suppress_warnings = ["myst.header"]

# The theme's colours of code (accessible-pygments) make every package log to the terminal.
logging.getLogger("milcci").setLevel(logging.WARNING)

autodoc_typehints = "none"  # the texts name the types, in words
numpydoc_show_class_members = False
nitpicky = False

html_theme = "furo"
html_title = f"milcci {release}"
html_copy_source = False
html_show_sourcelink = False
