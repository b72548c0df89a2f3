#include "spf.hpp"

#include "threads.hpp"

namespace trunkline {

void distances(const tl_graph &graph, int32_t source, const uint8_t *up, int64_t *out) {
  std::fill(out, out + graph.nodes, FAR);
  Heap heap;
  out[source] = 0;
  heap.push(0, source);
  while (!heap.empty()) {
    const auto [cost, node] = heap.pop();
    if (cost > out[node] || !(graph.transit[node] || node == source)) continue;
    for (int32_t a = graph.start[node]; a < graph.start[node + 1]; a++) {
      const int32_t next = graph.head[a];
      const int64_t total = cost + graph.metric[a];
      if (up[a] && total <= MAX_PATH_METRIC && total < out[next]) {
        out[next] = total;
        heap.push(total, next);
      }
    }
  }
}

Share::Share(const tl_graph &g, const Entering &e, const int64_t *d, const uint8_t *u)
    : load(g.arcs, 0), cost(g.nodes), flow(g.nodes), graph(g), entering(e), demand(d), up(u) {
  settled.reserve(g.nodes);
}

void Share::settle(int32_t target) {
  std::fill(cost.begin(), cost.end(), FAR);
  settled.clear();
  cost[target] = 0;
  heap.push(0, target);
  while (!heap.empty()) {
    const auto [far, node] = heap.pop();
    if (far > cost[node]) continue;
    settled.push_back(node);
    if (!graph.transit[node] && node != target) continue;
    for (int32_t i = entering.start[node]; i < entering.start[node + 1]; i++) {
      const int32_t a = entering.arc[i], from = graph.tail[a];
      const int64_t total = far + graph.metric[a];
      if (up[a] && total <= MAX_PATH_METRIC && total < cost[from]) {
        cost[from] = total;
        heap.push(total, from);
      }
    }
  }
}

void Share::towards(int32_t target) {
  settle(target);
  for (int32_t n = 0; n < graph.nodes; n++) {
    flow[n] = demand[static_cast<int64_t>(n) * graph.nodes + target];
    if (cost[n] == FAR) lost += flow[n];
  }
  for (size_t i = settled.size(); i-- > 1;) {  // the farthest first; the target itself is settled[0]
    const int32_t node = settled[i];
    if (!flow[node]) continue;
    tight.clear();
    for (int32_t a = graph.start[node]; a < graph.start[node + 1]; a++) {
      const int32_t next = graph.head[a];
      const bool passable = graph.transit[next] || next == target;
      if (up[a] && passable && cost[next] != FAR && cost[next] + graph.metric[a] == cost[node]) tight.push_back(a);
    }
    const int64_t ways = static_cast<int64_t>(tight.size()), part = flow[node] / ways;
    int64_t rest = flow[node] % ways;
    for (int32_t a : tight) {
      load[a] += part + rest;
      flow[graph.head[a]] += part + rest;
      rest = 0;
    }
  }
}

int64_t loads(const tl_graph &graph, const Entering &entering, const int64_t *demand, const uint8_t *up, int64_t *out) {
  const int64_t work = static_cast<int64_t>(graph.nodes) * graph.arcs;
  const unsigned cores = std::max(1u, std::min(8u, std::thread::hardware_concurrency()));
  const bool small = work < 100000;  // below that a thread costs more than it saves
  const int32_t threads = small ? 1 : static_cast<int32_t>(cores);
  std::vector<Share> shares;
  for (int32_t i = 0; i < threads; i++) shares.emplace_back(graph, entering, demand, up);
  in_parallel(threads, [&](int32_t i) {
    for (int32_t target = i; target < graph.nodes; target += threads) shares[i].towards(target);
  });
  int64_t lost = 0;
  for (const Share &share : shares) {  // integers: the sum does not depend on the number of threads
    for (int32_t a = 0; a < graph.arcs; a++) out[a] += share.load[a];
    lost += share.lost;
  }
  return lost;
}

}  // namespace trunkline
