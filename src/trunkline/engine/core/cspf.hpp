// CSPF: A* with exact potentials, then the tie-breaks; the plain definition is engine/reference_cspf.py.
#pragma once
#include <memory>

#include "graph.hpp"

namespace trunkline {

constexpr int32_t PRIORITIES = 8;

// The links of one call, and what can be computed once for all LSPs.
class Terrain {
 public:
  const tl_links &links;
  const tl_graph &graph;
  const Entering entering;
  const int64_t scale;          // a weight is metric * scale + 1, so that sums compare (metric, hops)
  std::vector<int64_t> weight;

  explicit Terrain(const tl_links &links);

  // Weights of the shortest paths to a node if every arc were up and empty: never more than any CSPF has to pay.
  // Computed when first asked for, which two threads must not do at once: `prepare` does it for all that LSPs can ask.
  const int64_t *potential(int32_t target);
  void prepare(const tl_lsps &lsps);
  int64_t total(const std::vector<int32_t> &path) const;

 private:
  std::vector<std::unique_ptr<int64_t[]>> rows;
  Heap heap;
};

// What one LSP asks for.
struct Request {
  uint64_t include_any, include_all, exclude;
  int64_t bandwidth;
  int32_t setup;
  bool any;  // no affinities
};

using Path = std::vector<int32_t>;

class Cspf {
 public:
  // `room` is what is unreserved, by arc and priority; `up` is by arc.
  Cspf(Terrain &terrain, const std::vector<int64_t> &room, const uint8_t *up);

  // Returns the first path option of the LSP that can be followed, -1 where none can.
  int32_t follow(const tl_lsps &lsps, int32_t lsp, int64_t bandwidth, Path &path);

  // After a search that found no path at all: whether the node is on the head-end's side of the cut.
  bool reached(int32_t node) const { return shut_in ? behind[node] != search : nodes[node].seen == search; }
  // Whether the last follow() failed only because no arc leads out of the reached nodes.
  bool cut() const { return is_cut; }

 private:
  Terrain &land;
  const tl_graph &graph;
  const std::vector<int64_t> &room;
  const uint8_t *up;
  Request ask{};
  bool is_cut = false;
  int64_t search = 0;
  struct Node {
    int64_t seen = 0;  // the last search that reached it, or less than 0
    int64_t cost, width;
  };
  std::vector<Node> nodes;
  bool shut_in = false;                  // whether the last search ended because nothing leads to its target
  std::vector<int64_t> behind;           // by node: the last search in which it was found to lead to the target
  std::vector<int64_t> on_best;          // by arc: the search in which it was found tight
  std::vector<int32_t> places, tight;
  Heap heap;

  int64_t free(int32_t arc) const { return room[static_cast<int64_t>(arc) * PRIORITIES + ask.setup]; }
  bool opens(int32_t arc) const { return free(arc) >= ask.bandwidth && up[arc] && (ask.any || allows(arc)); }
  bool allows(int32_t arc) const;
  static Request request(const tl_lsps &lsps, int32_t lsp, int64_t bandwidth);
  bool passes(int32_t node, int32_t source) const { return graph.transit[node] || node == source; }

  bool path(int32_t source, int32_t target, int64_t limit, Path &out);
  bool path_within(int32_t source, int32_t target, int64_t limit, Path &out);
  void search_from(int32_t source, int32_t target, const int64_t *rest);
  bool enters(int32_t target);
  bool leads(int32_t source, int32_t target);
  void best(int32_t source, int32_t target, Path &out);
  bool explicit_path(const tl_lsps &lsps, int32_t lsp, int32_t option, Path &out);
  bool segment(const tl_lsps &lsps, int32_t hop, int32_t at, int64_t limit, Path &out);
  bool over_circuit(const int32_t *arcs, bool loose, int32_t at, int64_t limit, Path &out);
  bool before(const Path &one, const Path &other) const;
};

}  // namespace trunkline
