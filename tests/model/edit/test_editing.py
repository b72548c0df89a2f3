"""Edits whose outcome is written out: the file before, the change, the file after."""

from __future__ import annotations

import os
import resource
from pathlib import Path

import pytest

from trunkline.model.edit import edit
from trunkline.model.load import load
from trunkline.model.problem import Problems
from trunkline.model.starter import starter

HEAD = """\
trunkline: 1
regions: [r]
sites: {s: {region: r}}
routers: {a: {site: s, role: bb}, b: {site: s, role: bb}, c: {site: s, role: bb}}
"""


def network(folder: Path, rest: str, **files: str) -> Path:
    for name, text in files.items():
        (folder / name.replace("_", ".")).write_text(text)
    file = folder / "net.yaml"
    file.write_text(HEAD + rest)
    return file


def refused(call: object, *args: object, **options: object) -> str:
    with pytest.raises(Problems) as found:
        call(*args, **options)  # type: ignore[operator]
    return str(found.value)


SHARED = """\
circuits:
  - &span {a: a, b: b, capacity: 100G, metric: &m 10}
  - {<<: *span, b: c, name: a--c}
  - {a: b, b: c, capacity: 100G, metric: *m}
"""


def test_what_others_take_from_here_is_not_changed(tmp_path: Path) -> None:
    editing = edit(network(tmp_path, SHARED))
    said = refused(editing.set, "circuit a--b", "metric", 20)
    assert "[shared]" in said
    assert "would change `circuits[1].metric`, `circuits[2].metric` too, through an anchor or an alias" in said
    assert editing.diff() == ""


def test_what_comes_from_elsewhere_is_overridden_on_request(tmp_path: Path) -> None:
    editing = edit(network(tmp_path, SHARED))
    said = refused(editing.set, "circuit a--c", "capacity", "40G")
    assert "net.yaml:7:5: error[inherited]: circuits[1].capacity: `capacity` comes from a merge key" in said
    assert "net.yaml:6:34; expected override" in said
    assert "the alias *m" in refused(editing.set, "circuit b--c", "metric", 7)
    editing.set("circuit a--c", "capacity", "40G", override=True)
    editing.set("circuit b--c", "metric", 7, override=True)
    editing.save()
    assert Path(editing.path).read_text() == HEAD + SHARED.replace("a--c}", "a--c, capacity: 40G}").replace("*m", "7")


def test_once_the_others_have_their_own_the_anchored_value_changes(tmp_path: Path) -> None:
    editing = edit(network(tmp_path, SHARED))
    editing.set("circuit a--c", "metric", 10, override=True)
    editing.set("circuit b--c", "metric", 10, override=True)
    editing.set("circuit a--b", "metric", 20)
    assert "+  - &span {a: a, b: b, capacity: 100G, metric: &m 20}\n" in editing.diff()


def test_an_aliased_item_is_refused(tmp_path: Path) -> None:
    text = """\
circuits: [{a: a, b: b, capacity: 1G, risks: &duct [east]}]
classes: {gold: {}}
lsps:
  - {name: l, from: a, to: b, class: gold, paths: [&p [b]]}
  - {name: m, from: a, to: b, class: gold, paths: [*p]}
  - {name: n, from: a, to: b, class: gold, include_any: *duct}
"""
    editing = edit(network(tmp_path, text))
    assert "would change `lsps[0].paths[0]`" in refused(editing.set, "lsps[1]", "paths[0]", ["c", "b"])
    assert "would change" in refused(editing.add, "lsps[2].include_any", "west")
    assert "*p names no anchor above it" in refused(editing.remove, "lsps[0].paths[0]")
    assert editing.diff() == ""


def test_defaults_are_named_and_overridden_on_request(tmp_path: Path) -> None:
    rest = "defaults:\n  circuits: {reservable: 90%}\ncircuits:\n- {a: a, b: b, capacity: 1G}\n"
    editing = edit(network(tmp_path, rest))
    said = refused(editing.set, "circuit a--b", "reservable", "80%")
    assert "comes from `defaults.circuits.reservable` at" in said
    assert "net.yaml:6:26; expected override" in said
    editing.set("circuit a--b", "reservable", "80%", override=True)
    assert "+- {a: a, b: b, capacity: 1G, reservable: 80%}\n" in editing.diff()
    editing.set("defaults.circuits", "reservable", "70%")
    assert "+  circuits: {reservable: 70%}\n" in editing.diff()


MADE = """\
circuits:
  - {name: pair, a: a, b: b, capacity: 1G, count: 2}
classes: {gold: {}}
lsps:
  - {class: gold, mesh: {from: all}}
demands:
  - gravity: {total: 3G, class: gold, from: [a, b]}
"""


@pytest.mark.parametrize(
    ("thing", "maker"),
    [
        ("circuit pair-2", "`count` of `circuits[0]`"),
        ("lsp a/gold.b.1", "`mesh` of `lsps[0]`"),
        ("demand gold.a.b", "`gravity` of `demands[0]`"),
        ("router t-bb1", "`sites.t.routers.bb`"),
        ("circuit t-bb1--t-bb2", "`sites.t.wiring`"),
    ],
)
def test_what_is_made_has_no_entry(tmp_path: Path, thing: str, maker: str) -> None:
    site = "sites:\n  s: {region: r}\n  t: {region: r, routers: {bb: 2}, wiring: {capacity: 1G}}\n"
    file = network(tmp_path, MADE)
    file.write_text((HEAD + MADE).replace("sites: {s: {region: r}}\n", site))
    said = refused(edit(file).set, thing, "capacity", "2G")
    assert f"is made by {maker} and has no entry of its own" in said


def test_each_file_keeps_what_it_defines(tmp_path: Path) -> None:
    rows = 'name,a,b,capacity,metric.ab,metric.ba,risks\n# spans\n"x",a,b, 100G ,1,2,\ny,a,c,10G,3,4,duct\n'
    more = '[\n  {"a": "b", "b": "c", "capacity": "1G", "metric": 5}\n]\n'
    rest = "include: [more.yaml]\ncircuits:\n  - file: rows.csv\n  - file: more.json\n"
    part = "prefix_groups: groups.csv\nigp: {metric_rule: 9} # nine\n"
    groups = "name,v4\nweb,10\n"
    file = network(tmp_path, rest, rows_csv=rows, more_json=more, more_yaml=part, groups_csv=groups)
    editing = edit(file)
    editing.set("circuit x", "capacity", "200G")
    editing.set("circuit x", "name", "x2")
    editing.set("circuit y", "metric.ba", 40)
    editing.set("circuit x2", "risks", ["duct", "bay"])
    editing.set("circuit b--c", "metric", "50")
    editing.set("igp", "metric_rule", "capacity")
    editing.set("prefix group web", "v4", 11)
    editing.add("prefix_groups", {"v4": 5}, "mail")
    editing.add("circuits", {"a": "b", "b": "c", "name": "new", "capacity": "2G"})
    assert editing.save() == [str(tmp_path / n) for n in ("more.yaml", "groups.csv", "rows.csv", "more.json")]
    assert file.read_text() == HEAD + rest
    assert (tmp_path / "rows.csv").read_text() == rows.replace('"x"', '"x2"').replace(
        "100G ,1,2,", "200G ,1,2,duct bay"
    ).replace("3,4", "3,40")
    assert (tmp_path / "more.json").read_text() == (
        '[\n  {"a": "b", "b": "c", "capacity": "1G", "metric": 50},\n'
        '  {"a": "b", "b": "c", "name": "new", "capacity": "2G"}\n]\n'
    )
    assert (tmp_path / "more.yaml").read_text() == part.replace("rule: 9", "rule: capacity")
    assert (tmp_path / "groups.csv").read_text() == groups.replace("10", "11") + "mail,5\n"


def test_rows_of_a_csv_file(tmp_path: Path) -> None:
    rows = "a,b,capacity,risks\r\na,b,1G,duct\r\na,c,1G,\r\n"
    file = network(tmp_path, "circuits: rows.csv\n")
    (tmp_path / "rows.csv").write_bytes(rows.encode())
    editing = edit(file)
    assert "this file has no column `metric`; its columns are a, b, capacity, risks" in refused(
        editing.set, "circuit a--b", "metric", 3
    )
    editing.add("circuits", {"a": "b", "b": "c", "capacity": "1,5G"})
    editing.remove("circuit a--c")
    editing.remove("circuit a--b", "risks")
    editing.set("circuits[1]", "capacity", "2G")
    editing.save()
    assert (tmp_path / "rows.csv").read_bytes() == b'a,b,capacity,risks\r\na,b,1G,\r\nb,c,"2G",\r\n'


def test_the_rate_of_a_matrix(tmp_path: Path) -> None:
    matrix = "x,a,b\na,,1G\nb,2G,-\n"
    file = network(tmp_path, "classes: {gold: {}}\ndemands:\n  - {matrix: m.csv, class: gold}\n", m_csv=matrix)
    editing = edit(file)
    editing.set("demand gold.b.a", "rate", "3G")
    assert "no entry of its own" in refused(editing.set, "demand gold.b.a", "v6", "3%")
    editing.save()
    assert (tmp_path / "m.csv").read_text() == matrix.replace("2G", "3G")
    assert {d.name: d.rate for d in load(file).network.demands} == {"gold.a.b": 10**9, "gold.b.a": 3 * 10**9}


def test_nothing_is_written_that_does_not_load(tmp_path: Path) -> None:
    file = network(tmp_path, "circuits: [{a: a, b: b, capacity: 1G}]\n")
    before = file.read_bytes()
    editing = edit(file)
    editing.set("circuits[0]", "b", "nowhere")
    assert "no router is named 'nowhere'" in refused(editing.save)
    assert file.read_bytes() == before
    assert sorted(os.listdir(tmp_path)) == ["net.yaml"]
    editing.set("circuits[0]", "b", "c")
    editing.save()
    assert load(file).network.circuits[0].b == "c"


def test_a_link_is_followed_and_the_mode_kept(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    real = network(tmp_path / "real", "circuits: [{a: a, b: b, capacity: 1G}]\n")
    real.chmod(0o640)
    link = tmp_path / "link.yaml"
    link.symlink_to(real)
    editing = edit(link)
    editing.set("circuit a--b", "capacity", "2G")
    editing.save()
    assert link.is_symlink()
    assert "2G" in real.read_text()
    assert real.stat().st_mode & 0o777 == 0o640
    assert sorted(p.name for p in real.parent.iterdir()) == ["net.yaml"]


def test_a_file_that_changed_meanwhile_is_left_alone(tmp_path: Path) -> None:
    file = network(tmp_path, "circuits: [{a: a, b: b, capacity: 1G}]\n")
    editing = edit(file)
    editing.set("circuit a--b", "capacity", "2G")
    file.write_text(HEAD)
    assert "[changed]: the file changed on disk" in refused(editing.save)
    assert file.read_text() == HEAD


def test_a_full_disk_leaves_the_file_and_is_told_with_its_name(tmp_path: Path) -> None:
    file = network(tmp_path, "circuits: [{a: a, b: b, capacity: 1G}]\n")
    before = file.read_bytes()
    editing = edit(file)
    editing.set("circuit a--b", "capacity", "2G")
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, limits[1]))
    try:
        assert refused(editing.save) == f"{file}: error[unwritable]: File too large"
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert file.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == ["net.yaml"]


def test_names_that_are_not_there(tmp_path: Path) -> None:
    editing = edit(network(tmp_path, "circuits: [{name: fra-lon, a: a, b: b, capacity: 1G, risks: [x]}]\n"))
    assert "no circuit is named 'fra-lom'; did you mean 'fra-lon'?" in refused(editing.set, "circuit fra-lom", "a", "b")
    assert "no risk has an entry" in refused(editing.remove, "risk x")
    assert "nothing stands at `circuits[7]`" in refused(editing.set, "circuits[7]", "a", "b")
    assert "there is no place for `ab` here" in refused(editing.set, "circuit fra-lon", "capacity.ab", 1)
    assert "there is no `metric`" in refused(editing.remove, "circuit fra-lon", "metric")
    assert "has an entry 'a' already" in refused(editing.add, "routers", {"site": "s"}, "a")


def test_quotes_stay_and_comments_outlive_what_they_stand_beside(tmp_path: Path) -> None:
    rest = """\
circuits:
  - name: 'one'   # first
    # its ends
    a: "a"
    b: b
    capacity: 1G
prefix_groups:
classes: {}
lsps:
"""
    editing = edit(network(tmp_path, rest))
    editing.set("circuit one", "a", "c")
    editing.set("circuit one", "name", "it's")
    assert editing.written()[editing.path].decode() == HEAD + rest.replace("'one'", "'it''s'").replace('"a"', '"c"')
    editing.remove("circuits[0]", "name")
    editing.add("prefix_groups", {"v4": 1}, "web")
    editing.add("classes", {"dscp": 1}, "gold")
    editing.add("lsps", {"name": "l", "from": "a", "to": "b", "class": "gold"})
    assert (
        editing.written()[editing.path].decode()
        == HEAD
        + """\
circuits:
  -    # first
    # its ends
    a: "c"
    b: b
    capacity: 1G
prefix_groups: {web: {v4: 1}}
classes: {gold: {dscp: 1}}
lsps:
  - {name: l, from: a, to: b, class: gold}
"""
    )


def test_what_yaml_allows_and_nobody_writes_is_refused_or_right(tmp_path: Path) -> None:
    editing = edit(network(tmp_path, "circuits:\n- ? a\n  : a\n  ? b\n  : b\n  ? capacity\n  : 1G\n"))
    editing.set("circuit a--b", "capacity", "2G")
    assert "+  : 2G\n" in editing.diff()
    before = editing.diff()
    assert "written as `? key` is not taken out" in refused(editing.remove, "circuit a--b", "capacity")
    refused(editing.set, "circuit a--b", "metric", 3)
    assert editing.diff() == before


def test_one_metric_is_one_line_of_the_starter(tmp_path: Path) -> None:
    file = tmp_path / "my.yaml"
    file.write_text(starter())
    editing = edit(file)
    editing.set("circuit nyc-bb1--sjc-bb1", "metric", 2500)
    changed = [line for line in editing.diff().splitlines()[2:] if line[:1] in "+-"]
    assert changed == [
        "-  - {a: nyc-bb1, b: sjc-bb1, length: 4700 km, risks: [north]}",
        "+  - {a: nyc-bb1, b: sjc-bb1, length: 4700 km, risks: [north], metric: 2500}",
    ]
