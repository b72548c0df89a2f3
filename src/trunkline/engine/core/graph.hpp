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
  bool operator<(const Near &other) const {  // for std heaps, which keep the largest in front
    return cost != other.cost ? cost > other.cost : node > other.node;
  }
};

class Heap {
 public:
  bool empty() const { return items.empty(); }
  void clear() { items.clear(); }
  void push(int64_t cost, int32_t node) {
    items.push_back({cost, node});
    std::push_heap(items.begin(), items.end());
  }
  Near pop() {
    std::pop_heap(items.begin(), items.end());
    const Near top = items.back();
    items.pop_back();
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
