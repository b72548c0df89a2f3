"""The README leads somewhere; what its blocks print is held in test_doc_pages.py."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parent.parent


def test_every_path_that_the_readme_links_to_exists() -> None:
    links = re.findall(r"\]\(([^)#]+)\)", (ROOT / "README.md").read_text())
    assert links
    assert [link for link in links if not link.startswith("http") and not (ROOT / link).exists()] == []
