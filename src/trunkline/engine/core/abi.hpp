// The plain C ABI between trunkline.engine.kernel (ctypes) and the core.  Arrays belong to the caller, are contiguous
// and have been checked; the core writes only to `out` pointers.  Change a struct or a function: raise TL_ABI.
#pragma once
#include <cstdint>

constexpr int32_t TL_ABI = 2;

extern "C" {

struct tl_graph {
  int32_t nodes, arcs;
  const int32_t *start, *head, *tail, *rank;
  const int64_t *metric;
  const uint8_t *transit;
};

struct tl_links {
  tl_graph graph;
  const int64_t *reservable;
  const uint64_t *groups;
  const uint8_t *up;
};

struct tl_lsps {
  int64_t count;
  const int32_t *head, *tail, *setup, *hold, *hop_limit;
  const uint64_t *include_any, *include_all, *exclude;
  const int32_t *first, *hop, *node, *arcs;
  const uint8_t *loose;
};

struct tl_state {
  const int32_t *option;
  const int64_t *start;
  const int32_t *arc;
  const int64_t *held, *wanted;
  const uint8_t *tried;
};

struct tl_step {
  const int64_t *wanted;
  int64_t turns;
  const int32_t *turn;
  int32_t reoptimize;
};

struct tl_cuts {  // the arcs that go down in scenario s: arc[start[s]] .. arc[start[s + 1] - 1]
  int64_t count;
  const int64_t *start;
  const int32_t *arc;
};

struct tl_resizes {  // those of scenario s: start[s] .. start[s + 1] - 1, in order of their turns
  const int64_t *start;
  const int32_t *lsp;
  const int64_t *wanted;
};

struct tl_igp_out {
  int32_t *hottest;
  int64_t *most, *undelivered;  // by scenario
  int64_t *load;                // by scenario and arc, or null
};

struct tl_swept_out {  // where tl_swept_copy writes; sized by tl_swept_sizes
  int32_t *moved, *unplaced, *displaced;
  int64_t *lost;  // by scenario and hold priority
  int32_t *hottest;
  int64_t *most;
  int64_t *first;
  int32_t *lsp, *option;
  int64_t *held, *start;
  int32_t *arc;
};

struct tl_out {  // where tl_copy writes; sized by tl_sizes
  int32_t *option;
  int64_t *start;
  int32_t *arc;
  int64_t *held, *wanted;
  uint8_t *tried;
  int32_t *did, *lsp;
  int64_t *bandwidth;
  int32_t *by, *where;
  int64_t *log_start;
  int32_t *log_path;
};

struct tl_swept;   // what a sweep yielded, held by the core until tl_swept_free
struct tl_result;  // what a placement yielded, held by the core until tl_free

int32_t tl_abi();

// 0, or -1 where memory ran out.
int32_t tl_distances(const tl_graph *graph, int64_t sources, const int32_t *source, int64_t scenarios,
                     const uint8_t *up, int64_t *out);
int32_t tl_loads(const tl_graph *graph, const int64_t *demand, int64_t scenarios, const uint8_t *up, int64_t *out,
                 int64_t *undelivered);
int32_t tl_igp_sweep(const tl_graph *graph, const int64_t *demand, const int64_t *capacity, const tl_cuts *cuts,
                     int32_t workers, const tl_igp_out *out);

// Null where memory ran out.
tl_result *tl_advance(const tl_links *links, const tl_lsps *lsps, const tl_state *state, const tl_step *step);
tl_result *tl_routes(const tl_links *links, const tl_lsps *lsps, const int64_t *bandwidth, const int64_t *reserved);
void tl_sizes(const tl_result *result, int64_t *sizes);  // arcs of all paths, log lines, arcs of all log paths
void tl_copy(const tl_result *result, const tl_out *out);
void tl_free(tl_result *result);

// Null where memory ran out.  `keep` asks for each LSP that changes, with its path.
tl_swept *tl_sweep(const tl_links *links, const tl_lsps *lsps, const tl_state *state, const tl_cuts *cuts,
                   const tl_resizes *resizes, int32_t workers, int32_t keep);
// Whether the state has settled under the links, LSPs that change, arcs of their paths.
void tl_swept_sizes(const tl_swept *swept, int64_t *sizes);
void tl_swept_copy(const tl_swept *swept, const tl_swept_out *out);
void tl_swept_free(tl_swept *swept);
}
