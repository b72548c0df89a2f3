// Shortest paths and equal-cost loads; the plain definitions are in engine/reference.py.
#pragma once
#include "graph.hpp"

namespace trunkline {

void distances(const tl_graph &graph, int32_t source, const uint8_t *up, int64_t *out);

// The loads of the destinations that one thread takes.
class Share {
 public:
  std::vector<int64_t> load;        // by arc, of all destinations so far
  std::vector<int64_t> cost, flow;  // by node, of the last destination: how far it is, what passes through towards it
  int64_t lost = 0;

  Share(const tl_graph &graph, const Entering &entering, const int64_t *demand, const uint8_t *up);
  void towards(int32_t target);

 private:
  const tl_graph &graph;
  const Entering &entering;
  const int64_t *demand;
  const uint8_t *up;
  std::vector<int32_t> settled, tight;
  Heap heap;

  void settle(int32_t target);
};

// Adds to `out` (arcs); returns what cannot be delivered.
int64_t loads(const tl_graph &graph, const Entering &entering, const int64_t *demand, const uint8_t *up, int64_t *out);

}  // namespace trunkline
