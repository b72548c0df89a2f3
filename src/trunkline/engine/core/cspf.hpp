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
  const int64_t *potential(int32_t target);
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
};

using Path = std::vector<int32_t>;

class Cspf {
 public:
  // `room` is what is unreserved, by arc and priority.
  Cspf(Terrain &terrain, const std::vector<int64_t> &room);

  // Returns the first path option of the LSP that can be followed, -1 where none can.
  int32_t follow(const tl_lsps &lsps, int32_t lsp, int64_t bandwidth, Path &path);

  bool allows(const Request &request, int32_t arc) const;
  static Request request(const tl_lsps &lsps, int32_t lsp, int64_t bandwidth);

  // After a search that found no path at all: whether it reached the node.
  bool reached(int32_t node) const { return seen[node] == search; }
  // Whether the last follow() failed only because no arc leads out of the reached nodes.
  bool cut() const { return is_cut; }

 private:
  Terrain &land;
  const tl_graph &graph;
  const std::vector<int64_t> &room;
  Request ask{};
  bool is_cut = false;
  int64_t search = 0;
  std::vector<int64_t> seen, cost, width;
  std::vector<int64_t> on_best;          // by arc: the search in which it was found tight
  std::vector<int32_t> places, tight;
  Heap heap;

  int64_t free(int32_t arc) const { return room[static_cast<int64_t>(arc) * PRIORITIES + ask.setup]; }
  bool opens(int32_t arc) const { return free(arc) >= ask.bandwidth && allows(ask, arc); }
  bool passes(int32_t node, int32_t source) const { return graph.transit[node] || node == source; }

  bool path(int32_t source, int32_t target, int64_t limit, Path &out);
  bool path_within(int32_t source, int32_t target, int64_t limit, Path &out);
  void search_from(int32_t source, int32_t target, const int64_t *rest);
  void best(int32_t source, int32_t target, Path &out);
  bool explicit_path(const tl_lsps &lsps, int32_t lsp, int32_t option, Path &out);
  bool segment(const tl_lsps &lsps, int32_t hop, int32_t at, int64_t limit, Path &out);
  bool over_circuit(const int32_t *arcs, bool loose, int32_t at, int64_t limit, Path &out);
  bool before(const Path &one, const Path &other) const;
};

}  // namespace trunkline
