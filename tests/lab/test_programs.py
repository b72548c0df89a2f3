"""What is said where a lab cannot be: one line, and the one command that helps."""

from __future__ import annotations

import os

import pytest

from trunkline.lab import programs
from trunkline.model.problem import Missing


def test_without_frr_the_command_that_brings_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(programs, "FOLDERS", ())
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(Missing) as lacking:
        programs.require(["zebra", "vtysh", "bird", "gobgp", "gobgpd", "tcpdump", "tc"])
    said = "the lab lacks bird2 frr gobgpd iproute2 tcpdump. To install: "
    assert str(lacking.value) == said + "sudo apt-get install -y bird2 frr gobgpd iproute2 tcpdump"


def test_without_root_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    with pytest.raises(Missing, match="needs root"):
        programs.require(["sh"])
