#include "sweep.hpp"

#include "hottest.hpp"
#include "threads.hpp"

namespace trunkline {

namespace {

// LSPs that a scenario changes, with what they have then.
struct Changes {
  std::vector<int32_t> lsp, option;
  std::vector<int64_t> held;
  std::vector<Path> path;
};

struct Job {
  const tl_links &links;
  const tl_lsps &lsps;
  const tl_state &state;
  const tl_cuts &cuts;
  const tl_resizes &resizes;
  const Signalling &settled;
  const Hottest hottest;
  tl_swept &out;
  std::vector<Changes> kept;  // by scenario, or empty
};

// One thread's copy of the state, and the arcs that are up in it.
class Worker {
 public:
  explicit Worker(Job &given)
      : job(given), up(job.links.up, job.links.up + job.links.graph.arcs), now(job.settled, up.data()) {}

  void run(int64_t s) {
    const int64_t begin = job.cuts.start[s], end = job.cuts.start[s + 1];
    for (int64_t i = begin; i < end; i++) up[job.cuts.arc[i]] = 0;
    now.cut(job.cuts.arc + begin, end - begin);
    for (int64_t i = job.resizes.start[s]; i < job.resizes.start[s + 1]; i++)
      now.turn(job.resizes.lsp[i], job.resizes.wanted[i]);
    read(s);
    now.rewind(job.settled, job.state);
    for (int64_t i = begin; i < end; i++) up[job.cuts.arc[i]] = job.links.up[job.cuts.arc[i]];
  }

 private:
  Job &job;
  std::vector<uint8_t> up;
  Signalling now;

  void read(int64_t s) {
    const Signalling &was = job.settled;
    std::sort(now.touched.begin(), now.touched.end());
    for (int32_t l : now.touched) {
      Path path = now.path(l);
      const int32_t *before = job.state.arc + job.state.start[l], *end = job.state.arc + job.state.start[l + 1];
      const bool other = !std::equal(path.begin(), path.end(), before, end);
      if (other && path.empty()) {
        job.out.unplaced[s]++;
        job.out.lost[s * PRIORITIES + job.lsps.hold[l]] += was.held[l];
      }
      job.out.moved[s] += other && !path.empty();
      if (job.kept.empty() || !(other || now.option[l] != was.option[l] || now.held[l] != was.held[l])) continue;
      Changes &kept = job.kept[s];
      kept.lsp.push_back(l);
      kept.option.push_back(now.option[l]);
      kept.held.push_back(now.held[l]);
      kept.path.push_back(std::move(path));
    }
    for (int32_t did : now.log.did) job.out.displaced[s] += did == PREEMPTED;
    const auto load = [&](int32_t a) { return job.links.reservable[a] - now.unreserved(a); };
    job.hottest.find(load, &job.out.hottest[s], &job.out.most[s]);
  }
};

void gather(const std::vector<Changes> &kept, tl_swept &out) {
  for (const Changes &one : kept) {
    out.lsp.insert(out.lsp.end(), one.lsp.begin(), one.lsp.end());
    out.option.insert(out.option.end(), one.option.begin(), one.option.end());
    out.held.insert(out.held.end(), one.held.begin(), one.held.end());
    for (const Path &path : one.path) {
      out.arc.insert(out.arc.end(), path.begin(), path.end());
      out.start.push_back(static_cast<int64_t>(out.arc.size()));
    }
    out.first.push_back(static_cast<int64_t>(out.lsp.size()));
  }
}

}  // namespace

tl_swept sweep(const tl_links &links, const tl_lsps &lsps, const tl_state &state, const tl_cuts &cuts,
               const tl_resizes &resizes, int32_t workers, bool keep) {
  tl_swept out;
  Terrain land(links);
  land.prepare(lsps);
  Signalling settled(land, lsps, state, links.up);
  settled.settle();
  out.settled = settled.log.did.empty();
  if (!out.settled) return out;
  const size_t count = static_cast<size_t>(cuts.count);
  for (auto *column : {&out.moved, &out.unplaced, &out.displaced, &out.hottest}) column->resize(count);
  out.lost.resize(count * PRIORITIES);
  out.most.resize(count);
  Job job{links, lsps, state, cuts, resizes, settled, Hottest(links.graph, links.reservable), out, {}};
  if (keep) job.kept.resize(count);
  const auto make = [&] { return std::make_unique<Worker>(job); };
  share_out(workers, cuts.count, make, [](const auto &worker, int64_t s) { worker->run(s); });
  gather(job.kept, out);
  return out;
}

}  // namespace trunkline
