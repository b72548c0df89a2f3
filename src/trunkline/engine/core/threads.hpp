// Work shared by threads: the first exception of any of them is thrown again once all have ended.
#pragma once
#include <algorithm>
#include <atomic>
#include <exception>
#include <thread>
#include <vector>

namespace trunkline {

// Calls body(0) .. body(count - 1), each on a thread of its own.
template <class Body>
void in_parallel(int32_t count, Body body) {
  std::vector<std::exception_ptr> failed(count);
  auto run = [&](int32_t i) {
    try {
      body(i);
    } catch (...) {
      failed[i] = std::current_exception();
    }
  };
  std::vector<std::thread> others;
  try {
    for (int32_t i = 1; i < count; i++) others.emplace_back(run, i);
  } catch (...) {  // no more threads to be had
    for (auto &other : others) other.join();
    throw;
  }
  run(0);
  for (auto &other : others) other.join();
  for (auto &failure : failed)
    if (failure) std::rethrow_exception(failure);
}

// How many of the workers asked for have something to do: at least one.
inline int32_t needed(int32_t workers, int64_t items) {
  return static_cast<int32_t>(std::max<int64_t>(1, std::min<int64_t>(workers, items)));
}

// The same for items of work in any order: each worker takes the next one that is left.
template <class Make, class Body>
void share_out(int32_t workers, int64_t items, Make make, Body body) {
  std::atomic<int64_t> next{0};
  in_parallel(needed(workers, items), [&](int32_t) {
    auto worker = make();
    for (int64_t i = next++; i < items; i = next++) body(worker, i);
  });
}

}  // namespace trunkline
