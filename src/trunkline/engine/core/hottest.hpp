// Which arc is the most used: the largest load in proportion to its room, the first by rank among equals.
#pragma once
#include <numeric>

#include "graph.hpp"

namespace trunkline {

class Hottest {
 public:
  Hottest(const tl_graph &graph, const int64_t *capacity) : room(capacity), order(graph.arcs) {
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](int32_t a, int32_t b) { return graph.rank[a] < graph.rank[b]; });
  }

  // Writes the arc, -1 where none carries anything, and its load.
  template <class Load>
  void find(Load load, int32_t *arc, int64_t *most) const {
    *arc = -1, *most = 0;
    int64_t out_of = 1;
    for (int32_t a : order) {
      const int64_t here = load(a);
      if (static_cast<__int128>(here) * out_of <= static_cast<__int128>(*most) * room[a]) continue;
      *arc = a, *most = here, out_of = room[a];
    }
  }

 private:
  const int64_t *room;
  std::vector<int32_t> order;
};

}  // namespace trunkline
