// Admission, preemption, make before break and the queue; the plain definition is engine/reference_place.py.
#pragma once
#include <functional>
#include <queue>
#include <set>

#include "cspf.hpp"

namespace trunkline {

// As placement.Did.
enum Did : int32_t { PLACED, RESIZED, MOVED, KEPT, PREEMPTED, DOWN, UNPLACED };

struct Log {
  std::vector<int32_t> did, lsp, by, where, path;
  std::vector<int64_t> bandwidth, start{0};
};

// Who holds what on which arc.  The LSPs on an arc at a hold priority are a list threaded through the hops of paths.
class Books {
 public:
  std::vector<int64_t> room;  // unreserved, by arc and priority

  Books(const tl_links &links, const tl_lsps &lsps);
  void enter(int32_t lsp, int64_t held, const Path &path);
  void remove(int32_t lsp, int64_t held);
  int64_t &unreserved(int32_t arc, int32_t priority) { return room[static_cast<int64_t>(arc) * PRIORITIES + priority]; }
  Path path(int32_t lsp) const;

  template <class Visit>
  void each_rider(int32_t arc, int32_t hold, Visit visit) const {
    for (int32_t h = first[static_cast<int64_t>(arc) * PRIORITIES + hold]; h >= 0; h = hops[h].next) visit(hops[h].lsp);
  }

 private:
  struct Hop {
    int32_t lsp, arc, next, previous, onward;
  };
  const tl_lsps &lsps;
  std::vector<Hop> hops;
  std::vector<int32_t> spare;  // hops not in use
  std::vector<int32_t> first;  // by arc and hold priority
  std::vector<int32_t> begin;  // first hop of each LSP's path

  void book(int32_t lsp, int32_t arc, int64_t bandwidth);
};

// LSPs that failed, each with the nodes its search reached.  Only an arc that opens for it and leads out of those can
// change its fate, so only then is it tried again: the outcome is that of trying all of them after every release.
// Not so with explicit hops: which way a segment takes, and so whether it crosses another one, may turn on how wide an
// arc is.  Those are tried after every release.
class Waiting {
 public:
  Waiting(const tl_links &links, const tl_lsps &lsps);
  // `credit` is what the LSP holds (a re-size that failed), 0 for one without a path.
  void add(int32_t lsp, int64_t wanted, int64_t credit, const Path &holds, const Cspf &cspf);
  void drop(int32_t lsp);
  // Lets an LSP wait, or not, as it does in `other`.
  void restore(int32_t lsp, const Waiting &other);
  // Adds those with explicit hops.
  void after_release(std::vector<int32_t> &retry) const { retry.insert(retry.end(), always.begin(), always.end()); }
  // Adds all others that may succeed now that `before` (8 priorities) on the arc has become `after`.
  void opened(int32_t arc, const int64_t *before, const int64_t *after, std::vector<int32_t> &retry) const;

 private:
  struct Entry {
    bool waits = false, explicit_hops = false;
    int64_t wanted = 0, credit = 0;
    Path holds;
    std::vector<uint64_t> reached;  // bits by node; empty: any arc may matter
  };
  const tl_links &links;
  const tl_lsps &lsps;
  std::vector<Entry> entries;
  std::set<std::pair<int64_t, int32_t>> down[PRIORITIES];  // without a path, by setup priority and what they want
  std::set<int32_t> kept;                                  // with one
  std::set<int32_t> always;                                // with explicit hops, whether with a path or without

  bool matters(int32_t lsp, int32_t arc) const;
  void insert(int32_t lsp);
};

class Signalling {
 public:
  // `land` is of the same links; `up`, which may change between calls, counts instead of theirs.
  Signalling(Terrain &land, const tl_lsps &lsps, const tl_state &state, const uint8_t *up);
  Signalling(const Signalling &other, const uint8_t *up);
  Signalling(const Signalling &) = delete;

  void run(const tl_step &step);
  // Tears down what crosses an arc that is down or has no room for it, and signals all that waits.
  void settle();
  // The same from a settled state, once these arcs have gone down.
  void cut(const int32_t *arcs, int64_t count);
  void turn(int32_t lsp, int64_t bandwidth);
  // Goes back to the state of `settled`, of which this was a copy; `state` is the same, with its paths in a row.
  void rewind(const Signalling &settled, const tl_state &state);

  std::vector<int32_t> option;  // -1 without a path
  std::vector<int64_t> held, wanted;
  std::vector<uint8_t> tried;
  Log log;
  std::vector<int32_t> touched;  // LSPs torn down or tried since the last rewind
  Path path(int32_t lsp) const { return books.path(lsp); }
  int64_t unreserved(int32_t arc) const { return books.room[(static_cast<int64_t>(arc) + 1) * PRIORITIES - 1]; }

 private:
  const tl_links &links;
  const tl_lsps &lsps;
  Terrain &land;
  const uint8_t *up;
  Books books;
  Cspf cspf;
  Waiting waiting;
  std::priority_queue<int64_t, std::vector<int64_t>, std::greater<int64_t>> queue;  // setup, then identity
  std::vector<uint8_t> queued, is_touched;
  std::vector<std::pair<int64_t, int32_t>> candidates;
  std::vector<int32_t> taken, retry;

  void drain();
  void attempt(int32_t lsp);
  void reoptimize(int32_t lsp);
  void admit(int32_t lsp, int32_t chosen, const Path &path, Did did);
  void find_victims(int32_t arc, int64_t missing, int32_t setup);
  void tear_down(int32_t lsp, Did did, int32_t by, int32_t arc);
  void released(const Path &path, const std::vector<int64_t> &before);
  std::vector<int64_t> rows(const Path &path);
  void push(int32_t lsp);
  void touch(int32_t lsp);
  void say(Did did, int32_t lsp, int64_t bandwidth, int32_t by, int32_t arc, const Path &path);
};

}  // namespace trunkline
