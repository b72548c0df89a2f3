#include "signal.hpp"

namespace trunkline {

Signalling::Signalling(Terrain &terrain, const tl_lsps &all, const tl_state &state, const uint8_t *alive)
    : option(state.option, state.option + all.count),
      held(state.held, state.held + all.count),
      wanted(state.wanted, state.wanted + all.count),
      tried(state.tried, state.tried + all.count),
      links(terrain.links),
      lsps(all),
      land(terrain),
      up(alive),
      books(links, all),
      cspf(land, books.room, up),
      waiting(links, all),
      queued(all.count, 0),
      is_touched(all.count, 0) {
  for (int32_t l = 0; l < lsps.count; l++)
    if (option[l] >= 0) books.enter(l, held[l], Path(state.arc + state.start[l], state.arc + state.start[l + 1]));
}

Signalling::Signalling(const Signalling &other, const uint8_t *alive)
    : option(other.option),
      held(other.held),
      wanted(other.wanted),
      tried(other.tried),
      links(other.links),
      lsps(other.lsps),
      land(other.land),
      up(alive),
      books(other.books),
      cspf(land, books.room, up),
      waiting(other.waiting),
      queued(other.queued),
      is_touched(other.queued.size(), 0) {}

void Signalling::run(const tl_step &step) {
  settle();
  if (step.reoptimize)
    for (int64_t i = 0; i < step.turns; i++) reoptimize(step.turn[i]);
  for (int64_t i = 0; i < step.turns; i++) turn(step.turn[i], step.wanted[step.turn[i]]);
}

void Signalling::settle() {
  for (int32_t l = 0; l < lsps.count; l++) {
    bool broken = false;
    for (int32_t a : books.path(l)) broken = broken || !up[a];
    if (broken) tear_down(l, DOWN, -1, -1);
  }
  for (int32_t a = 0; a < links.graph.arcs; a++) {
    find_victims(a, -books.unreserved(a, PRIORITIES - 1), -1);
    for (int32_t victim : std::vector<int32_t>(taken)) tear_down(victim, DOWN, -1, -1);
  }
  for (int32_t l = 0; l < lsps.count; l++)
    if (tried[l] && (option[l] < 0 || held[l] != wanted[l])) push(l);
  drain();
}

// What was settled has room everywhere, and whoever waits can only be helped by what is released.  But an LSP with
// explicit hops may gain from the loss of an arc, which can turn a segment away from where another one passes.
void Signalling::cut(const int32_t *arcs, int64_t count) {
  std::vector<int32_t> hit;
  for (int64_t i = 0; i < count; i++)
    for (int32_t p = 0; p < PRIORITIES; p++) books.each_rider(arcs[i], p, [&](int32_t rider) { hit.push_back(rider); });
  std::sort(hit.begin(), hit.end());
  hit.erase(std::unique(hit.begin(), hit.end()), hit.end());
  for (int32_t l : hit) tear_down(l, DOWN, -1, -1);
  retry.clear();
  waiting.after_release(retry);
  for (int32_t l : retry) push(l);
  drain();
}

void Signalling::rewind(const Signalling &settled, const tl_state &state) {
  for (int32_t l : touched)
    if (option[l] >= 0) books.remove(l, held[l]);
  for (int32_t l : touched) {
    option[l] = settled.option[l], held[l] = settled.held[l];
    wanted[l] = settled.wanted[l], tried[l] = settled.tried[l];
    if (option[l] >= 0) books.enter(l, held[l], Path(state.arc + state.start[l], state.arc + state.start[l + 1]));
    waiting.restore(l, settled.waiting);
    is_touched[l] = 0;
  }
  touched.clear();
  log = {};
}

void Signalling::drain() {
  while (!queue.empty()) {
    const int32_t l = static_cast<int32_t>(queue.top() & 0xFFFFFFFF);
    queue.pop();
    queued[l] = 0;
    attempt(l);
  }
}

void Signalling::turn(int32_t l, int64_t bandwidth) {
  if (tried[l] && wanted[l] == bandwidth) return;
  waiting.drop(l);
  wanted[l] = bandwidth;
  if (option[l] >= 0) tried[l] = held[l] == bandwidth;
  attempt(l);
  drain();
}

// Set up, or re-size make before break: the LSP's own reservation is taken out of the books meanwhile.
void Signalling::attempt(int32_t l) {
  const bool fresh = !tried[l], resize = option[l] >= 0;
  touch(l);
  tried[l] = 1;
  waiting.drop(l);
  if (resize && held[l] == wanted[l]) return;
  const Path old = books.path(l);
  const std::vector<int64_t> before = rows(old);
  if (resize) books.remove(l, held[l]);
  Path path;
  const int32_t chosen = cspf.follow(lsps, l, wanted[l], path);
  if (chosen >= 0) {
    held[l] = wanted[l];
    admit(l, chosen, path, resize ? RESIZED : PLACED);
    released(old, before);
    return;
  }
  if (resize) books.enter(l, held[l], old);
  waiting.add(l, wanted[l], held[l], old, cspf);
  if (fresh) say(resize ? KEPT : UNPLACED, l, wanted[l], -1, -1, old);
}

void Signalling::reoptimize(int32_t l) {
  if (option[l] < 0) return;
  const Path old = books.path(l);
  bool passable = true;
  for (size_t i = 1; i < old.size(); i++) passable = passable && land.graph.transit[land.graph.tail[old[i]]];
  if (passable && land.total(old) == land.potential(lsps.tail[l])[lsps.head[l]]) return;  // no path costs less
  const std::vector<int64_t> before = rows(old);
  books.remove(l, held[l]);
  Path path;
  const int32_t chosen = cspf.follow(lsps, l, held[l], path);
  if (chosen < 0 || (passable && land.total(path) >= land.total(old))) {
    books.enter(l, held[l], old);
    return;
  }
  const bool waits = held[l] != wanted[l];
  if (waits) waiting.drop(l);
  admit(l, chosen, path, MOVED);
  released(old, before);
  if (waits) push(l);
  drain();
}

void Signalling::admit(int32_t l, int32_t chosen, const Path &path, Did did) {
  for (int32_t a : path) {
    find_victims(a, held[l] - books.unreserved(a, PRIORITIES - 1), lsps.setup[l]);
    for (int32_t victim : std::vector<int32_t>(taken)) tear_down(victim, PREEMPTED, l, a);
  }
  option[l] = chosen;
  books.enter(l, held[l], path);
  say(did, l, held[l], -1, -1, path);
}

// The worst hold priority first, then the least bandwidth, then identity, until it fits; then the needless are spared.
void Signalling::find_victims(int32_t arc, int64_t missing, int32_t setup) {
  taken.clear();
  for (int32_t p = PRIORITIES - 1; p > setup && missing > 0; p--) {
    candidates.clear();
    books.each_rider(arc, p, [&](int32_t rider) {
      if (held[rider] > 0) candidates.emplace_back(held[rider], rider);
    });
    std::sort(candidates.begin(), candidates.end());
    for (const auto &[bandwidth, victim] : candidates) {
      if (missing <= 0) break;
      taken.push_back(victim);
      missing -= bandwidth;
    }
  }
  for (size_t i = taken.size(); i-- > 0;) {
    if (missing + held[taken[i]] > 0) continue;
    missing += held[taken[i]];
    taken.erase(taken.begin() + static_cast<ptrdiff_t>(i));
  }
}

void Signalling::tear_down(int32_t l, Did did, int32_t by, int32_t arc) {
  const Path path = books.path(l);
  const std::vector<int64_t> before = rows(path);
  const int64_t bandwidth = held[l];
  touch(l);
  books.remove(l, bandwidth);
  waiting.drop(l);
  option[l] = -1, held[l] = 0, tried[l] = 0;
  say(did, l, bandwidth, by, arc, {});
  push(l);
  released(path, before);
}

std::vector<int64_t> Signalling::rows(const Path &path) {
  std::vector<int64_t> found;
  found.reserve(path.size() * PRIORITIES);
  for (int32_t a : path)
    for (int32_t p = 0; p < PRIORITIES; p++) found.push_back(books.unreserved(a, p));
  return found;
}

// Queue those that wait and may succeed now that there is more room than `before` on a path.
void Signalling::released(const Path &path, const std::vector<int64_t> &before) {
  if (path.empty()) return;
  retry.clear();
  waiting.after_release(retry);
  for (size_t i = 0; i < path.size(); i++)
    waiting.opened(path[i], &before[i * PRIORITIES], &books.unreserved(path[i], 0), retry);
  for (int32_t l : retry) push(l);
}

void Signalling::push(int32_t l) {
  if (queued[l]) return;
  queued[l] = 1;
  queue.push((static_cast<int64_t>(lsps.setup[l]) << 32) | l);
}

void Signalling::touch(int32_t l) {
  if (is_touched[l]) return;
  is_touched[l] = 1;
  touched.push_back(l);
}

void Signalling::say(Did did, int32_t l, int64_t bandwidth, int32_t by, int32_t arc, const Path &path) {
  log.did.push_back(did);
  log.lsp.push_back(l);
  log.bandwidth.push_back(bandwidth);
  log.by.push_back(by);
  log.where.push_back(arc);
  log.path.insert(log.path.end(), path.begin(), path.end());
  log.start.push_back(static_cast<int64_t>(log.path.size()));
}

}  // namespace trunkline
