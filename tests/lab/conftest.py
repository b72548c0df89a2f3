"""Labs for tests: each of its own name, and taken away whatever happens."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from lab.labs import EXAMPLES, needs_a_lab
from trunkline.lab import lab
from trunkline.model.load import load


@pytest.fixture
def name(request: pytest.FixtureRequest) -> Iterator[str]:
    """A lab's name that no other test uses; skips, and says why, where no lab can be."""
    needs_a_lab()
    found = f"test{os.getpid()}-{abs(hash(request.node.name)) % 10**6}"
    yield found
    lab.down(found)


@pytest.fixture
def tiny(name: str) -> lab.Lab:
    """The lab of examples/tiny.yaml, not yet up."""
    loaded = load(EXAMPLES / "tiny.yaml")
    return lab.of(name, loaded.network, loaded.sha256)
