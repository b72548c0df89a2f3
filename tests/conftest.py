"""What every test may use: a deterministic hypothesis profile, and other people's data where it is there."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "suite", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)
settings.load_profile("suite")


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real networks and other programs' answers, beside the checkout."""
    folder = Path(__file__).parent.parent.parent / "shared" / "data"
    if not folder.is_dir():
        pytest.skip(f"no {folder.parent.name}/{folder.name} beside the checkout")
    return folder


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Labs are built of the machine's own namespaces and ports: one process runs them all, one after the other."""
    for item in items:
        if "lab" in item.path.parts or "lab" in item.keywords:
            item.add_marker(pytest.mark.xdist_group("lab"))
