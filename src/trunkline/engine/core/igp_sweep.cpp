#include "igp_sweep.hpp"

#include "hottest.hpp"
#include "threads.hpp"

namespace trunkline {

namespace {

constexpr uint32_t NEVER = std::numeric_limits<uint32_t>::max();  // metrics of paths stay below it

// What holds before any failure; row t is towards node t.
struct Before {
  const tl_graph &graph;
  const Entering entering;
  const int64_t *demand;
  std::vector<uint32_t> cost;  // by target and node, NEVER where there is no way
  std::vector<int64_t> flow;   // by target and node: what passes through
  const size_t words;           // of a row of `tight`
  std::vector<uint64_t> tight;  // by target, a bit by arc: whether it is on a best path
  std::vector<int64_t> load;
  int64_t lost = 0;

  Before(const tl_graph &g, const int64_t *rates, int32_t workers)
      : graph(g), entering(g), demand(rates), words(static_cast<size_t>(g.arcs) / 64 + 1), load(g.arcs, 0) {
    const size_t nodes = static_cast<size_t>(g.nodes);
    tight.resize(nodes * words);
    cost.resize(nodes * nodes);
    flow.resize(nodes * nodes);
    const std::vector<uint8_t> up(g.arcs, 1);
    std::vector<Share> shares;
    for (int32_t i = 0; i < workers; i++) shares.emplace_back(g, entering, demand, up.data());
    in_parallel(workers, [&](int32_t i) {
      for (int32_t target = i; target < g.nodes; target += workers) {
        shares[i].towards(target);
        const size_t row = nodes * target;
        for (size_t n = 0; n < nodes; n++) {
          const int64_t far = shares[i].cost[n];
          cost[row + n] = far == FAR ? NEVER : static_cast<uint32_t>(far);
        }
        mark(target);
        std::copy(shares[i].flow.begin(), shares[i].flow.end(), flow.begin() + static_cast<ptrdiff_t>(row));
      }
    });
    for (const Share &share : shares) {
      for (int32_t a = 0; a < g.arcs; a++) load[a] += share.load[a];
      lost += share.lost;
    }
  }

 private:
  void mark(int32_t target) {
    const uint32_t *far = &cost[static_cast<size_t>(target) * graph.nodes];
    for (int32_t a = 0; a < graph.arcs; a++) {
      const uint32_t from = far[graph.tail[a]], to = far[graph.head[a]];
      const bool passable = graph.transit[graph.head[a]] || graph.head[a] == target;
      const bool best = from != NEVER && to < from && to + graph.metric[a] == from && passable;
      tight[target * words + a / 64] |= static_cast<uint64_t>(best) << (a % 64);
    }
  }
};

// One thread's repair of the loads.  Towards one target, the nodes that lose a best next hop are `changed`; those of
// them that lose their last are `farther`, and their own predecessors lose one in turn.  No node gains a next hop but
// those that are farther.  Then differences of flow are pushed down the new best paths, the farthest node first.
class Repair {
 public:
  std::vector<int64_t> load;
  int64_t lost = 0;

  explicit Repair(const Before &before)
      : load(before.load),
        was(before),
        graph(before.graph),
        entering(before.entering),
        down(graph.arcs, 0),
        nodes(graph.nodes) {}

  void cut(const int32_t *arcs, int64_t count) {
    load = was.load;
    lost = was.lost;
    cuts.clear();
    for (int64_t i = 0; i < count; i++) {
      if (!down[arcs[i]]) cuts.push_back(arcs[i]);
      down[arcs[i]] = 1;
    }
    for (int32_t t = 0; t < graph.nodes; t++) towards(t);
    for (int32_t a : cuts) down[a] = 0;
  }

 private:
  struct Node {  // each mark is the turn in which it was set
    int64_t changed = 0, farther = 0, due = 0;
    int64_t difference = 0;  // of what enters it, if due
    uint32_t cost = 0;       // if farther
    int32_t ways = 0;        // best next hops left, if changed
  };
  const Before &was;
  const tl_graph &graph;
  const Entering &entering;
  std::vector<uint8_t> down;
  std::vector<Node> nodes;
  std::vector<int32_t> cuts, changed, farther, tight;
  Heap heap;
  int64_t turn = 0;
  int32_t target = 0;
  const uint32_t *old_cost = nullptr;
  const int64_t *old_flow = nullptr;
  const uint64_t *old_tight = nullptr;

  bool passable(int32_t node) const { return graph.transit[node] || node == target; }
  uint32_t cost(int32_t node) const { return nodes[node].farther == turn ? nodes[node].cost : old_cost[node]; }
  bool was_tight(int32_t a) const { return (old_tight[a / 64] >> (a % 64)) & 1; }

  // Fills `tight` with the arcs by which a node forwarded before.
  void take_old(int32_t node) {
    tight.clear();
    const int32_t end = graph.start[node + 1];
    for (int32_t a = graph.start[node]; a < end; a++) {
      const uint64_t rest = old_tight[a / 64] >> (a % 64);
      if (!rest) {
        a |= 63;
        continue;
      }
      a += __builtin_ctzll(rest);
      if (a < end) tight.push_back(a);
    }
  }

  void towards(int32_t t) {
    target = t;
    const size_t row = static_cast<size_t>(t) * graph.nodes;
    old_cost = &was.cost[row];
    old_flow = &was.flow[row];
    old_tight = &was.tight[static_cast<size_t>(t) * was.words];
    turn++;
    changed.clear();
    farther.clear();
    for (int32_t a : cuts)
      if (was_tight(a)) loses(graph.tail[a]);
    if (changed.empty()) return;
    spread();
    settle();
    withdraw();
    push();
    for (int32_t n : farther)
      if (nodes[n].cost == NEVER) lost += was.demand[static_cast<int64_t>(n) * graph.nodes + target];
  }

  void loses(int32_t node) {
    Node &here = nodes[node];
    if (here.changed != turn) {
      here.changed = turn;
      take_old(node);
      here.ways = static_cast<int32_t>(tight.size());
      changed.push_back(node);
    }
    if (--here.ways) return;
    here.farther = turn;
    here.cost = NEVER;
    farther.push_back(node);
  }

  void spread() {
    for (size_t i = 0; i < farther.size(); i++) {
      const int32_t node = farther[i];
      for (int32_t j = entering.start[node]; j < entering.start[node + 1]; j++) {
        const int32_t a = entering.arc[j];
        if (!down[a] && was_tight(a)) loses(graph.tail[a]);
      }
    }
  }

  // Dijkstra among the nodes that are farther, from what surrounds them.
  void settle() {
    heap.clear();
    for (int32_t node : farther)
      for (int32_t a = graph.start[node]; a < graph.start[node + 1]; a++)
        if (nodes[graph.head[a]].farther != turn) nearer(a, old_cost[graph.head[a]]);
    while (!heap.empty()) {
      const auto [far, node] = heap.pop();
      if (far > nodes[node].cost) continue;
      for (int32_t j = entering.start[node]; j < entering.start[node + 1]; j++) {
        const int32_t a = entering.arc[j];
        if (nodes[graph.tail[a]].farther == turn) nearer(a, static_cast<uint32_t>(far));
      }
    }
  }

  void nearer(int32_t a, uint32_t rest) {
    Node &from = nodes[graph.tail[a]];
    if (down[a] || rest == NEVER || !passable(graph.head[a])) return;
    const int64_t total = rest + graph.metric[a];
    if (total > MAX_PATH_METRIC || total >= from.cost) return;
    from.cost = static_cast<uint32_t>(total);
    heap.push(total, graph.tail[a]);
  }

  // Takes back what changed nodes sent to their old next hops.
  void withdraw() {
    heap.clear();
    for (int32_t node : changed) {
      enter(node, 0);
      take_old(node);
      send(old_flow[node], 0);
    }
  }

  void enter(int32_t node, int64_t difference) {
    Node &here = nodes[node];
    if (here.due != turn) {
      here.due = turn;
      here.difference = 0;
      if (cost(node) != NEVER) heap.push(-static_cast<int64_t>(cost(node)), node);
    }
    here.difference += difference;
  }

  // Replaces what a node sent down the arcs of `tight`, by divmod, the remainder to the first.
  void send(int64_t before, int64_t now) {
    const int64_t ways = static_cast<int64_t>(tight.size());
    const int64_t part = ways == 1 ? now - before : now / ways - before / ways;  // a division is slow
    int64_t rest = now - before - ways * part;
    for (int32_t a : tight) {
      if (part + rest) {
        load[a] += part + rest;
        enter(graph.head[a], part + rest);
      }
      rest = 0;
    }
  }

  void take_new(int32_t node) {
    const uint32_t far = cost(node);
    tight.clear();
    for (int32_t a = graph.start[node]; a < graph.start[node + 1]; a++) {
      const uint32_t rest = cost(graph.head[a]);
      if (!down[a] && rest < far && rest + graph.metric[a] == far && passable(graph.head[a])) tight.push_back(a);
    }
  }

  void push() {
    while (!heap.empty()) {
      const int32_t node = heap.pop().node;
      const Node &here = nodes[node];
      const bool anew = here.changed == turn;
      if (node == target || (!anew && !here.difference)) continue;
      anew ? take_new(node) : take_old(node);
      send(anew ? 0 : old_flow[node], old_flow[node] + here.difference);
    }
  }
};

}  // namespace

void igp_sweep(const tl_graph &graph, const int64_t *demand, const int64_t *capacity, const tl_cuts &cuts,
               int32_t workers, const tl_igp_out &out) {
  const Before before(graph, demand, needed(workers, graph.nodes));
  const Hottest hottest(graph, capacity);
  share_out(workers, cuts.count, [&] { return Repair(before); }, [&](Repair &repair, int64_t s) {
    repair.cut(cuts.arc + cuts.start[s], cuts.start[s + 1] - cuts.start[s]);
    out.undelivered[s] = repair.lost;
    hottest.find([&](int32_t a) { return repair.load[a]; }, out.hottest + s, out.most + s);
    if (out.load) std::copy(repair.load.begin(), repair.load.end(), out.load + s * graph.arcs);
  });
}

}  // namespace trunkline
