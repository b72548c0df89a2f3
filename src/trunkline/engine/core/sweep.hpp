// Signalling after each of many failures, each from the same settled state; see engine/sweep.py.
#pragma once
#include "signal.hpp"

struct tl_swept {
  bool settled = true;  // whether the state was; if not, nothing else is there
  std::vector<int32_t> moved, unplaced, displaced, hottest;
  std::vector<int64_t> lost, most;
  std::vector<int64_t> first{0};  // the LSPs that changed in scenario s: first[s] .. first[s + 1] - 1
  std::vector<int32_t> lsp, option, arc;
  std::vector<int64_t> held, start{0};
};

namespace trunkline {

tl_swept sweep(const tl_links &links, const tl_lsps &lsps, const tl_state &state, const tl_cuts &cuts,
               const tl_resizes &resizes, int32_t workers, bool keep);

}  // namespace trunkline
