#include "cspf.hpp"

namespace trunkline {

Terrain::Terrain(const tl_links &given)
    : links(given),
      graph(given.graph),
      entering(given.graph),
      scale(static_cast<int64_t>(given.graph.nodes) + 1),
      weight(given.graph.arcs),
      rows(given.graph.nodes) {
  for (int32_t a = 0; a < graph.arcs; a++) weight[a] = graph.metric[a] * scale + 1;
}

const int64_t *Terrain::potential(int32_t target) {
  if (rows[target]) return rows[target].get();
  auto row = std::make_unique<int64_t[]>(graph.nodes);
  std::fill(row.get(), row.get() + graph.nodes, FAR);
  row[target] = 0;
  heap.clear();
  heap.push(0, target);
  while (!heap.empty()) {
    const auto [far, node] = heap.pop();
    if (far > row[node]) continue;
    for (int32_t i = entering.start[node]; i < entering.start[node + 1]; i++) {
      const int32_t a = entering.arc[i], from = graph.tail[a];
      if (far + weight[a] < row[from]) {
        row[from] = far + weight[a];
        heap.push(row[from], from);
      }
    }
  }
  rows[target] = std::move(row);
  return rows[target].get();
}

void Terrain::prepare(const tl_lsps &lsps) {
  for (int64_t l = 0; l < lsps.count; l++) potential(lsps.tail[l]);
  for (int32_t hop = 0; hop < lsps.hop[lsps.first[lsps.count]]; hop++) {
    if (lsps.node[hop] >= 0) potential(lsps.node[hop]);
    else
      for (int i = 0; i < 2; i++) potential(graph.tail[lsps.arcs[2 * static_cast<int64_t>(hop) + i]]);
  }
}

int64_t Terrain::total(const Path &path) const {
  int64_t sum = 0;
  for (int32_t a : path) sum += weight[a];
  return sum;
}

Cspf::Cspf(Terrain &terrain, const std::vector<int64_t> &unreserved, const uint8_t *alive)
    : land(terrain),
      graph(terrain.graph),
      room(unreserved),
      up(alive),
      nodes(graph.nodes),
      behind(graph.nodes, 0),
      on_best(graph.arcs, 0) {}

Request Cspf::request(const tl_lsps &lsps, int32_t lsp, int64_t bandwidth) {
  const uint64_t include_any = lsps.include_any[lsp], include_all = lsps.include_all[lsp], exclude = lsps.exclude[lsp];
  return {include_any, include_all, exclude, bandwidth, lsps.setup[lsp], !(include_any | include_all | exclude)};
}

bool Cspf::allows(int32_t arc) const {
  const uint64_t groups = land.links.groups[arc];
  return !(groups & ask.exclude) && (groups & ask.include_all) == ask.include_all &&
         (!ask.include_any || (groups & ask.include_any));
}

// A search that takes longer than most first asks whether there is a path at all, which is quicker to refute.
constexpr int PATIENCE = 64;

// A*: afterwards `cost` is final for every node on a cheapest path, and `seen` marks what was reached.
void Cspf::search_from(int32_t source, int32_t target, const int64_t *rest) {
  search++;
  shut_in = false;
  heap.clear();
  nodes[source].seen = search;
  nodes[source].cost = 0;
  if (rest[source] == FAR || !enters(target)) return;
  int64_t best_total = FAR;
  heap.push(rest[source], source);
  for (int pops = 0; !heap.empty(); pops++) {
    if (pops == PATIENCE && best_total == FAR && !leads(source, target)) return;
    const auto [estimate, node] = heap.pop();
    if (estimate > best_total) break;
    if (estimate > nodes[node].cost + rest[node]) continue;
    if (node == target) {
      best_total = estimate;
      continue;
    }
    if (!passes(node, source)) continue;
    const int64_t near = nodes[node].cost;
    for (int32_t a = graph.start[node]; a < graph.start[node + 1]; a++) {
      const int32_t next = graph.head[a];
      const int64_t far = near + land.weight[a];
      Node &there = nodes[next];
      if ((there.seen == search && far >= there.cost) || rest[next] == FAR) continue;
      if (far + rest[next] > best_total || !opens(a)) continue;
      there.seen = search;
      there.cost = far;
      heap.push(far + rest[next], next);
    }
  }
}

// Whether any arc into the target opens, which is where most searches that fail do so.
bool Cspf::enters(int32_t target) {
  for (int32_t j = land.entering.start[target]; j < land.entering.start[target + 1]; j++)
    if (opens(land.entering.arc[j])) return true;
  behind[target] = search;
  shut_in = true;
  return false;
}

// Whether the target can be reached, breadth first from there; if not, `behind` is all that leads to it.
bool Cspf::leads(int32_t source, int32_t target) {
  places.assign(1, target);
  behind[target] = search;
  for (size_t i = 0; i < places.size(); i++) {
    for (int32_t j = land.entering.start[places[i]]; j < land.entering.start[places[i] + 1]; j++) {
      const int32_t a = land.entering.arc[j], from = graph.tail[a];
      if (behind[from] == search || !passes(from, source) || !opens(a)) continue;
      if (from == source) return true;
      behind[from] = search;
      places.push_back(from);
    }
  }
  shut_in = true;
  return false;
}

bool Cspf::path(int32_t source, int32_t target, int64_t limit, Path &out) {
  if (source == target) return true;
  search_from(source, target, land.potential(target));
  is_cut = shut_in || !reached(target);
  if (is_cut) return false;
  if (nodes[target].cost % land.scale > limit) return path_within(source, target, limit, out);
  best(source, target, out);
  return true;
}

// Of all cheapest paths the widest, of these the first by rank.
void Cspf::best(int32_t source, int32_t target, Path &out) {
  places.assign(1, target);
  tight.clear();
  nodes[target].width = FAR;
  const int64_t mark = -search;  // a node on a best path; its `seen` is only compared within this search
  auto on_path = [&](int32_t node) { return nodes[node].seen == mark; };
  nodes[target].seen = mark;
  for (size_t i = 0; i < places.size(); i++) {
    const int32_t node = places[i];
    for (int32_t j = land.entering.start[node]; j < land.entering.start[node + 1]; j++) {
      const int32_t a = land.entering.arc[j], from = graph.tail[a];
      if (!(nodes[from].seen == search || on_path(from))) continue;
      if (nodes[from].cost + land.weight[a] != nodes[node].cost) continue;
      if (!passes(from, source) || !opens(a)) continue;
      on_best[a] = search;
      tight.push_back(a);
      if (on_path(from)) continue;
      nodes[from].seen = mark;
      nodes[from].width = -1;
      places.push_back(from);
    }
  }
  if (tight.size() + 1 == places.size()) {  // one path only, found from its end
    out.insert(out.end(), tight.rbegin(), tight.rend());
    return;
  }
  std::sort(tight.begin(), tight.end(), [&](int32_t x, int32_t y) {
    const int64_t one = nodes[graph.tail[x]].cost, other = nodes[graph.tail[y]].cost;
    return one != other ? one > other : x < y;
  });
  for (int32_t a : tight) {
    int64_t &from = nodes[graph.tail[a]].width;
    from = std::max(from, std::min(free(a), nodes[graph.head[a]].width));
  }
  const int64_t widest = nodes[source].width;
  for (int32_t node = source; node != target; node = graph.head[out.back()]) {
    for (int32_t a = graph.start[node]; a < graph.start[node + 1]; a++) {  // in order of rank
      if (on_best[a] != search || std::min(free(a), nodes[graph.head[a]].width) < widest) continue;
      out.push_back(a);
      break;
    }
  }
}

// The cheapest path within a number of hops: weights of the best walks of exactly 0, 1, ... hops.
bool Cspf::path_within(int32_t source, int32_t target, int64_t limit, Path &out) {
  const int64_t nodes = graph.nodes, most = std::min(limit, nodes - 1);
  if (most < 1) return false;
  std::vector<int64_t> level((most + 1) * nodes, FAR), wide((most + 1) * nodes, -1);
  level[source] = 0;
  int64_t total = FAR, hops = 0;
  for (int64_t k = 0; k < most; k++) {
    const int64_t *here = &level[k * nodes];
    int64_t *next = &level[(k + 1) * nodes];
    for (int32_t a = 0; a < graph.arcs; a++) {
      const int32_t from = graph.tail[a];
      if (here[from] == FAR || !passes(from, source) || !opens(a)) continue;
      next[graph.head[a]] = std::min(next[graph.head[a]], here[from] + land.weight[a]);
    }
    if (next[target] < total) total = next[target], hops = k + 1;
  }
  if (total == FAR) return false;
  auto tight_at = [&](int64_t k, int32_t a) {  // whether a best walk takes the arc as its k-th, from 0
    const int64_t from = level[k * nodes + graph.tail[a]];
    return from != FAR && from + land.weight[a] == level[(k + 1) * nodes + graph.head[a]] &&
           passes(graph.tail[a], source) && opens(a);
  };
  wide[hops * nodes + target] = FAR;
  for (int64_t k = hops; k-- > 0;) {
    for (int32_t a = 0; a < graph.arcs; a++) {
      const int64_t onward = wide[(k + 1) * nodes + graph.head[a]];
      if (onward < 0 || !tight_at(k, a)) continue;
      int64_t &from = wide[k * nodes + graph.tail[a]];
      from = std::max(from, std::min(free(a), onward));
    }
  }
  int32_t node = source;
  for (int64_t k = 0; k < hops; k++, node = graph.head[out.back()]) {
    for (int32_t a = graph.start[node]; a < graph.start[node + 1]; a++) {
      if (!tight_at(k, a) || std::min(free(a), wide[(k + 1) * nodes + graph.head[a]]) < wide[source]) continue;
      out.push_back(a);
      break;
    }
  }
  return true;
}

int32_t Cspf::follow(const tl_lsps &lsps, int32_t lsp, int64_t bandwidth, Path &out) {
  ask = request(lsps, lsp, bandwidth);
  const int32_t first = lsps.first[lsp], end = lsps.first[lsp + 1];
  const bool dynamic = end - first == 1 && lsps.hop[first] == lsps.hop[end];
  is_cut = false;
  for (int32_t option = first; option < end; option++) {
    out.clear();
    if (explicit_path(lsps, lsp, option, out)) return option - first;
  }
  is_cut = is_cut && dynamic;
  return -1;
}

bool Cspf::explicit_path(const tl_lsps &lsps, int32_t lsp, int32_t option, Path &out) {
  const int32_t source = lsps.head[lsp];
  const int64_t limit = lsps.hop_limit[lsp];
  auto at = [&] { return out.empty() ? source : graph.head[out.back()]; };
  for (int32_t hop = lsps.hop[option]; hop < lsps.hop[option + 1]; hop++)
    if (!segment(lsps, hop, at(), limit - static_cast<int64_t>(out.size()), out)) return false;
  if (!path(at(), lsps.tail[lsp], limit - static_cast<int64_t>(out.size()), out)) return false;
  if (lsps.hop[option] == lsps.hop[option + 1]) return true;  // one SPF visits no node twice
  std::vector<int32_t> visited{source};
  for (int32_t a : out) visited.push_back(graph.head[a]);
  for (size_t i = 1; i + 1 < visited.size(); i++)
    if (!graph.transit[visited[i]]) return false;
  std::sort(visited.begin(), visited.end());
  const bool twice = std::adjacent_find(visited.begin(), visited.end()) != visited.end();
  return !twice && static_cast<int64_t>(out.size()) <= limit;
}

bool Cspf::segment(const tl_lsps &lsps, int32_t hop, int32_t at, int64_t limit, Path &out) {
  const int32_t node = lsps.node[hop];
  const bool loose = lsps.loose[hop];
  if (node < 0) return over_circuit(lsps.arcs + 2 * static_cast<int64_t>(hop), loose, at, limit, out);
  if (loose || node == at) return path(at, node, limit, out);
  int32_t chosen = -1;
  for (int32_t a = graph.start[at]; a < graph.start[at + 1]; a++)
    if (graph.head[a] == node && opens(a) && (chosen < 0 || before({a}, {chosen}))) chosen = a;
  if (chosen >= 0) out.push_back(chosen);
  return chosen >= 0;
}

bool Cspf::over_circuit(const int32_t *arcs, bool loose, int32_t at, int64_t limit, Path &out) {
  Path chosen, way;
  for (int i = 0; i < 2; i++) {
    const int32_t a = arcs[i], from = graph.tail[a];
    if (!opens(a) || !(loose || from == at)) continue;
    way.clear();
    if (!path(at, from, limit - 1, way) || !(way.empty() || graph.transit[from])) continue;
    way.push_back(a);
    if (chosen.empty() || before(way, chosen)) chosen = way;
  }
  out.insert(out.end(), chosen.begin(), chosen.end());
  return !chosen.empty();
}

bool Cspf::before(const Path &one, const Path &other) const {
  const int64_t x = land.total(one), y = land.total(other);
  if (x != y) return x < y;
  auto narrowest = [&](const Path &p) {
    int64_t least = FAR;
    for (int32_t a : p) least = std::min(least, free(a));
    return least;
  };
  const int64_t wide = narrowest(one), other_wide = narrowest(other);
  if (wide != other_wide) return wide > other_wide;
  auto by_rank = [&](int32_t a, int32_t b) { return graph.rank[a] < graph.rank[b]; };
  return std::lexicographical_compare(one.begin(), one.end(), other.begin(), other.end(), by_rank);
}

}  // namespace trunkline
