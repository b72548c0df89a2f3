// The C functions: no exception leaves them, and the only one that can arise is the lack of memory.
#include "abi.hpp"

#include "igp_sweep.hpp"
#include "signal.hpp"
#include "spf.hpp"
#include "sweep.hpp"

using trunkline::Path;

struct tl_result {
  std::vector<int32_t> option, arc;
  std::vector<int64_t> start{0}, held, wanted;
  std::vector<uint8_t> tried;
  trunkline::Log log;

  void add(const Path &path) {
    arc.insert(arc.end(), path.begin(), path.end());
    start.push_back(static_cast<int64_t>(arc.size()));
  }
};

namespace {

template <class Body>
int32_t guarded(Body body) {
  try {
    body();
    return 0;
  } catch (...) {
    return -1;
  }
}

template <class T>
void copy(const std::vector<T> &from, T *to) {
  std::copy(from.begin(), from.end(), to);
}

}  // namespace

extern "C" {

int32_t tl_abi() { return TL_ABI; }

int32_t tl_distances(const tl_graph *graph, int64_t sources, const int32_t *source, int64_t scenarios,
                     const uint8_t *up, int64_t *out) {
  return guarded([&] {
    for (int64_t s = 0; s < scenarios; s++)
      for (int64_t k = 0; k < sources; k++)
        trunkline::distances(*graph, source[k], up + s * graph->arcs, out + (s * sources + k) * graph->nodes);
  });
}

int32_t tl_loads(const tl_graph *graph, const int64_t *demand, int64_t scenarios, const uint8_t *up, int64_t *out,
                 int64_t *undelivered) {
  return guarded([&] {
    const trunkline::Entering entering(*graph);
    for (int64_t s = 0; s < scenarios; s++)
      undelivered[s] = trunkline::loads(*graph, entering, demand, up + s * graph->arcs, out + s * graph->arcs);
  });
}

int32_t tl_igp_sweep(const tl_graph *graph, const int64_t *demand, const int64_t *capacity, const tl_cuts *cuts,
                     int32_t workers, const tl_igp_out *out) {
  return guarded([&] { trunkline::igp_sweep(*graph, demand, capacity, *cuts, workers, *out); });
}

tl_result *tl_advance(const tl_links *links, const tl_lsps *lsps, const tl_state *state, const tl_step *step) {
  std::unique_ptr<tl_result> result;
  guarded([&] {
    auto done = std::make_unique<tl_result>();
    trunkline::Terrain land(*links);
    trunkline::Signalling signalling(land, *lsps, *state, links->up);
    signalling.run(*step);
    for (int32_t l = 0; l < lsps->count; l++) done->add(signalling.path(l));
    done->option = std::move(signalling.option);
    done->held = std::move(signalling.held);
    done->wanted = std::move(signalling.wanted);
    done->tried = std::move(signalling.tried);
    done->log = std::move(signalling.log);
    result = std::move(done);
  });
  return result.release();
}

tl_result *tl_routes(const tl_links *links, const tl_lsps *lsps, const int64_t *bandwidth, const int64_t *reserved) {
  std::unique_ptr<tl_result> result;
  guarded([&] {
    auto done = std::make_unique<tl_result>();
    trunkline::Terrain land(*links);
    std::vector<int64_t> room(static_cast<size_t>(links->graph.arcs) * trunkline::PRIORITIES);
    for (int64_t a = 0; a < links->graph.arcs; a++) {
      int64_t left = links->reservable[a];
      for (int64_t i = a * trunkline::PRIORITIES; i < (a + 1) * trunkline::PRIORITIES; i++)
        room[i] = left -= reserved[i];
    }
    trunkline::Cspf cspf(land, room, links->up);
    Path path;
    for (int32_t l = 0; l < lsps->count; l++) {
      path.clear();
      done->option.push_back(cspf.follow(*lsps, l, bandwidth[l], path));
      done->add(done->option.back() < 0 ? Path{} : path);
    }
    result = std::move(done);
  });
  return result.release();
}

void tl_sizes(const tl_result *result, int64_t *sizes) {
  sizes[0] = static_cast<int64_t>(result->arc.size());
  sizes[1] = static_cast<int64_t>(result->log.did.size());
  sizes[2] = static_cast<int64_t>(result->log.path.size());
}

void tl_copy(const tl_result *result, const tl_out *out) {
  copy(result->option, out->option);
  copy(result->start, out->start);
  copy(result->arc, out->arc);
  copy(result->held, out->held);
  copy(result->wanted, out->wanted);
  copy(result->tried, out->tried);
  copy(result->log.did, out->did);
  copy(result->log.lsp, out->lsp);
  copy(result->log.bandwidth, out->bandwidth);
  copy(result->log.by, out->by);
  copy(result->log.where, out->where);
  copy(result->log.start, out->log_start);
  copy(result->log.path, out->log_path);
}

void tl_free(tl_result *result) { delete result; }

tl_swept *tl_sweep(const tl_links *links, const tl_lsps *lsps, const tl_state *state, const tl_cuts *cuts,
                   const tl_resizes *resizes, int32_t workers, int32_t keep) {
  std::unique_ptr<tl_swept> swept;
  guarded([&] {
    swept = std::make_unique<tl_swept>(trunkline::sweep(*links, *lsps, *state, *cuts, *resizes, workers, keep));
  });
  return swept.release();
}

void tl_swept_sizes(const tl_swept *swept, int64_t *sizes) {
  sizes[0] = swept->settled;
  sizes[1] = static_cast<int64_t>(swept->lsp.size());
  sizes[2] = static_cast<int64_t>(swept->arc.size());
}

void tl_swept_copy(const tl_swept *swept, const tl_swept_out *out) {
  copy(swept->moved, out->moved);
  copy(swept->unplaced, out->unplaced);
  copy(swept->displaced, out->displaced);
  copy(swept->lost, out->lost);
  copy(swept->hottest, out->hottest);
  copy(swept->most, out->most);
  copy(swept->first, out->first);
  copy(swept->lsp, out->lsp);
  copy(swept->option, out->option);
  copy(swept->held, out->held);
  copy(swept->start, out->start);
  copy(swept->arc, out->arc);
}

void tl_swept_free(tl_swept *swept) { delete swept; }
}
