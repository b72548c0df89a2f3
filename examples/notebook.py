# Aurora in a notebook.  The cells (`# %%`) run one by one in VS Code, Spyder or Jupyter (jupytext), and as a script:
#   python examples/notebook.py            needs: pip install 'trunkline[frames]'

# %% A network, and what it converges to from cold and after a cut
from pathlib import Path

import trunkline

here = Path(__file__).parent
network = trunkline.load(here / "aurora.yaml").network
cut = trunkline.load_events(here / "aurora-cut.yaml", network)
proof = trunkline.prove(network, cut)
print(proof)

# %% Every result is a table; it prints its first rows, and LSPs print as `show mpls lsp` does
print(proof.settled.tables["lsps"])

# %% Two frames: the LSPs of each class that moved, and by how much their latency grew (microseconds, exact)
before = proof.cold.tables["lsps"].to_pandas()
after = proof.settled.tables["lsps"].to_pandas()
both = before.merge(after, on=["head", "name", "class"], suffixes=("_before", "_after"))
moved = both[both["path_before"] != both["path_after"]]
longer = (moved["latency_after"] - moved["latency_before"]).groupby(moved["class"]).agg(["count", "mean", "max"])
print(longer.round())

# %% The circuits that gained most (bit/s)
circuits = [state.tables["circuits"].to_pandas().set_index("arc")["load"] for state in proof.states]
print((circuits[1] - circuits[0]).fillna(0).sort_values(ascending=False, kind="stable").head(5))

# %% Change one metric in the file: one line of it (not saved here; `editing.save()` would)
editing = trunkline.edit(here / "aurora.yaml")
editing.set("circuit atl-mid-1", "metric", 2000)
print(editing.diff())
changed = trunkline.prove(editing.check().network, cut)
print("objectives met:", sum(v.met for v in changed.settled.objectives), "of", len(changed.settled.objectives))
