// Equal-cost loads after each of many failures, by repair of the loads before; see engine/igp_loads.py.
#pragma once
#include "spf.hpp"

namespace trunkline {

// `out.load` may be null.
void igp_sweep(const tl_graph &graph, const int64_t *demand, const int64_t *capacity, const tl_cuts &cuts,
               int32_t workers, const tl_igp_out &out);

}  // namespace trunkline
