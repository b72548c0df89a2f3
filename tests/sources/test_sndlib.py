"""SNDlib: the same network in both of its forms."""

from __future__ import annotations

from pathlib import Path

import pytest

from imported import imported, source

NATIVE = """\
?SNDlib native format; type: network; version: 1.0
# network tiny
META (
  granularity = 5min
  unit = KBITPERSEC
)
NODES (
  # <node_id> ( <longitude>, <latitude> )
  Oslo ( 10.75 59.91 )
  Rome (12.50 41.90)
)
LINKS (
  L1 ( Oslo Rome ) 40.00 0.00 0.00 156.00 ( 155.00 156.00 622.00 468.00 )
  L2 ( Rome Oslo ) 0.00 0.00 0.00 156.00 ( 155.00 156.00 622.00 468.00 )
  L3 ( Rome Oslo ) 0.00 0.00 0.00 156.00 ( )
)
DEMANDS (
  D1 ( Oslo Rome ) 1 195.25 UNLIMITED
)
ADMISSIBLE_PATHS (
  D1 (
    P1 ( L1 )
  )
)
"""

XML = """\
<?xml version="1.0" encoding="UTF-8"?>
<network xmlns="http://sndlib.zib.de/network" version="1.0">
 <meta><unit>KBITPERSEC</unit></meta>
 <networkStructure>
  <nodes coordinatesType="geographical">
   <node id="Oslo"><coordinates><x>10.75</x><y>59.91</y></coordinates></node>
   <node id="Rome"><coordinates><x>12.50</x><y>41.90</y></coordinates></node>
  </nodes>
  <links>
   <link id="L1"><source>Oslo</source><target>Rome</target>
    <preInstalledModule><capacity>40.00</capacity><cost>0.00</cost></preInstalledModule>
    <additionalModules><addModule><capacity>622.00</capacity><cost>1</cost></addModule></additionalModules></link>
   <link id="L2"><source>Rome</source><target>Oslo</target>
    <additionalModules>
     <addModule><capacity>155.00</capacity><cost>156.00</cost></addModule>
     <addModule><capacity>622.00</capacity><cost>468.00</cost></addModule>
    </additionalModules></link>
   <link id="L3"><source>Rome</source><target>Oslo</target></link>
  </links>
 </networkStructure>
 <demands><demand id="D1"><source>Oslo</source><target>Rome</target><demandValue>195.25</demandValue></demand></demands>
</network>
"""


@pytest.mark.parametrize(("name", "text"), [("tiny.txt", NATIVE), ("tiny.xml", XML)])
def test_both_forms(tmp_path: Path, name: str, text: str) -> None:
    brought, net = imported(source(tmp_path, name, text))
    assert [(c.name, c.a, c.b, c.capacity) for c in net.circuits] == [
        ("L1", "Oslo", "Rome", 40_000),
        ("L2", "Rome", "Oslo", 622_000),
        ("L3", "Rome", "Oslo", 100 * 10**9),
    ]
    assert [(d.name, d.source, d.target, d.rate) for d in net.demands] == [("D1", "Oslo", "Rome", 195_250)]
    assert [(s.name, s.lat, s.lon) for s in net.sites] == [("Oslo-site", 59.91, 10.75), ("Rome-site", 41.9, 12.5)]
    assert brought.applied["capacity-module"] == ("L2",)
    assert brought.applied["capacity-default"] == ("L3",)
    assert "unit-assumed" not in brought.applied


def test_a_drawing_is_no_map(tmp_path: Path) -> None:
    pixels = XML.replace("geographical", "pixel")
    brought, net = imported(source(tmp_path, "pixel.xml", pixels))
    assert [site.lat for site in net.sites] == [None, None]
    assert brought.applied["position-drawn"] == ("all: coordinatesType is pixel",)
    assert brought.applied["latency-default"] == ("L1", "L2", "L3")
