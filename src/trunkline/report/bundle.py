"""A page as one file: a template of `html/` with the bundled script and style, the coastline, and its data inside."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping
from importlib.resources import files
from typing import Any

import jinja2

from trunkline.model.units import show_rate, show_share
from trunkline.report.payload import embedded


def whole(template: str, document: Mapping[str, Any], **context: Any) -> str:
    """Return a whole HTML document that fetches nothing: `document` is what its script reads, the rest the template."""
    built = files("trunkline.report").joinpath("html/built")
    script, style = (built.joinpath(name).read_text(encoding="utf-8") for name in ("page.js", "page.css"))
    return _templates().get_template(template).render(
        **context,
        style=style,
        script=script,
        script_hash=base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
        coast=built.joinpath("coast.json").read_text(encoding="utf-8"),
        data=embedded(document),
    )  # fmt: skip


def _templates() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("trunkline.report", "html"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"rate": show_rate, "share": show_share}
    return environment
