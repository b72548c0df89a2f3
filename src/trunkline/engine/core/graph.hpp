// What every algorithm here shares: the far value, a small heap, and the arcs by the node they enter.
#pragma once
#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "abi.hpp"

namespace trunkline {

constexpr int64_t FAR = std::numeric_limits<int64_t>::max();
constexpr int64_t MAX_PATH_METRIC = 0xFE000000;  // RFC 5305 3.0: a longer path counts as none

struct Near {
  int64_t cost;
  int32_t node;
};

// The least cost first; among equals in no order that anything may rest on.
class Heap {
 public:
  bool empty() const { return items.empty(); }
  void clear() { items.clear(); }

  void push(int64_t cost, int32_t node) {
    size_t hole = items.size();
    items.push_back({cost, node});
    for (size_t above; hole && cost < items[above = (hole - 1) / 2].cost; hole = above) items[hole] = items[above];
    items[hole] = {cost, node};
  }

  Near pop() {
    const Near top = items.front(), last = items.back();
    items.pop_back();
    const size_t count = items.size();
    if (!count) return top;
    size_t hole = 0;
    for (size_t below = 1; below < count; below = 2 * hole + 1) {
      below += below + 1 < count && items[below + 1].cost < items[below].cost;
      if (last.cost <= items[below].cost) break;
      items[hole] = items[below];
      hole = below;
    }
    items[hole] = last;
    return top;
  }

 private:
  std::vector<Near> items;
};

// Arcs by head: those into node n are arc[start[n]] .. arc[start[n + 1] - 1].
struct Entering {
  std::vector<int32_t> start, arc;

  explicit Entering(const tl_graph &graph) : start(graph.nodes + 1, 0), arc(graph.arcs) {
    for (int32_t a = 0; a < graph.arcs; a++) start[graph.head[a] + 1]++;
    for (int32_t n = 0; n < graph.nodes; n++) start[n + 1] += start[n];
    std::vector<int32_t> next(start.begin(), start.end() - 1);
    for (int32_t a = 0; a < graph.arcs; a++) arc[next[graph.head[a]]++] = a;
  }
};

}  // namespace trunkline
