#include "signal.hpp"

namespace trunkline {

Books::Books(const tl_links &links, const tl_lsps &given)
    : room(static_cast<size_t>(links.graph.arcs) * PRIORITIES),
      lsps(given),
      first(static_cast<size_t>(links.graph.arcs) * PRIORITIES, -1),
      begin(given.count, -1) {
  for (int32_t a = 0; a < links.graph.arcs; a++)
    for (int32_t p = 0; p < PRIORITIES; p++) unreserved(a, p) = links.reservable[a];
}

void Books::book(int32_t lsp, int32_t arc, int64_t bandwidth) {
  for (int32_t p = lsps.hold[lsp]; p < PRIORITIES; p++) unreserved(arc, p) -= bandwidth;
}

void Books::enter(int32_t lsp, int64_t held, const Path &path) {
  int32_t onward = -1;
  for (size_t i = path.size(); i-- > 0;) {  // from the tail, so that each hop knows the next
    const int32_t arc = path[i];
    if (spare.empty()) {
      spare.push_back(static_cast<int32_t>(hops.size()));
      hops.push_back({});
    }
    const int32_t h = spare.back();
    spare.pop_back();
    int32_t &front = first[static_cast<int64_t>(arc) * PRIORITIES + lsps.hold[lsp]];
    hops[h] = {lsp, arc, front, -1, onward};
    if (front >= 0) hops[front].previous = h;
    front = h;
    onward = h;
    book(lsp, arc, held);
  }
  begin[lsp] = onward;
}

void Books::remove(int32_t lsp, int64_t held) {
  for (int32_t h = begin[lsp]; h >= 0; h = hops[h].onward) {
    const Hop &hop = hops[h];
    if (hop.previous >= 0)
      hops[hop.previous].next = hop.next;
    else
      first[static_cast<int64_t>(hop.arc) * PRIORITIES + lsps.hold[lsp]] = hop.next;
    if (hop.next >= 0) hops[hop.next].previous = hop.previous;
    spare.push_back(h);
    book(lsp, hop.arc, -held);
  }
  begin[lsp] = -1;
}

Path Books::path(int32_t lsp) const {
  Path found;
  for (int32_t h = begin[lsp]; h >= 0; h = hops[h].onward) found.push_back(hops[h].arc);
  return found;
}

Waiting::Waiting(const tl_links &given, const tl_lsps &all) : links(given), lsps(all), entries(all.count) {}

void Waiting::add(int32_t lsp, int64_t wanted, int64_t credit, const Path &holds, const Cspf &cspf) {
  Entry &entry = entries[lsp];
  const bool explicit_hops = lsps.hop[lsps.first[lsp]] != lsps.hop[lsps.first[lsp + 1]];
  entry = {true, explicit_hops, wanted, credit, holds, {}};
  if (!explicit_hops && cspf.cut()) {
    entry.reached.assign(links.graph.nodes / 64 + 1, 0);
    for (int32_t n = 0; n < links.graph.nodes; n++)
      if (cspf.reached(n)) entry.reached[n / 64] |= uint64_t{1} << (n % 64);
  }
  insert(lsp);
}

void Waiting::insert(int32_t lsp) {
  const Entry &entry = entries[lsp];
  if (entry.explicit_hops)
    always.insert(lsp);
  else if (entry.holds.empty())
    down[lsps.setup[lsp]].insert({entry.wanted, lsp});
  else
    kept.insert(lsp);
}

void Waiting::restore(int32_t lsp, const Waiting &other) {
  drop(lsp);
  if (!other.entries[lsp].waits) return;
  entries[lsp] = other.entries[lsp];
  insert(lsp);
}

void Waiting::drop(int32_t lsp) {
  Entry &entry = entries[lsp];
  if (!entry.waits) return;
  if (entry.explicit_hops)
    always.erase(lsp);
  else if (entry.holds.empty())
    down[lsps.setup[lsp]].erase({entry.wanted, lsp});
  else
    kept.erase(lsp);
  entry.waits = false;
}

bool Waiting::matters(int32_t lsp, int32_t arc) const {
  const std::vector<uint64_t> &reached = entries[lsp].reached;
  if (reached.empty()) return true;
  auto in = [&](int32_t n) { return (reached[n / 64] >> (n % 64)) & 1; };
  return in(links.graph.tail[arc]) && !in(links.graph.head[arc]);
}

void Waiting::opened(int32_t arc, const int64_t *before, const int64_t *after, std::vector<int32_t> &retry) const {
  for (int32_t p = 0; p < PRIORITIES; p++) {
    if (after[p] <= before[p] || down[p].empty()) continue;
    for (auto it = down[p].upper_bound({before[p], INT32_MAX}); it != down[p].end() && it->first <= after[p]; ++it)
      if (matters(it->second, arc)) retry.push_back(it->second);
  }
  for (int32_t lsp : kept) {
    const Entry &entry = entries[lsp];
    const bool own = std::find(entry.holds.begin(), entry.holds.end(), arc) != entry.holds.end();
    const int64_t least = entry.wanted - (own ? entry.credit : 0);
    const int32_t p = lsps.setup[lsp];
    if (before[p] < least && least <= after[p] && matters(lsp, arc)) retry.push_back(lsp);
  }
}

}  // namespace trunkline
