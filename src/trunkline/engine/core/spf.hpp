// Shortest paths and equal-cost loads; the plain definitions are in engine/reference.py.
#pragma once
#include "graph.hpp"

namespace trunkline {

void distances(const tl_graph &graph, int32_t source, const uint8_t *up, int64_t *out);

// Adds to `out` (arcs); returns what cannot be delivered.
int64_t loads(const tl_graph &graph, const Entering &entering, const int64_t *demand, const uint8_t *up, int64_t *out);

}  // namespace trunkline
