// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "driver/in_order.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

namespace tilewright::driver {

void in_order(size_t count, unsigned workers, const Work& work) {
  // A thread costs more than a small file, so one piece gets none, unless somebody wants to watch.
  if ((count == 1 || workers <= 1) && !work.waiting) {
    for (size_t i = 0; i < count; ++i) work.run(i), work.told(i);
    return;
  }

  std::atomic<size_t> next = 0;
  std::mutex mutex;
  std::condition_variable changed;
  std::vector<char> finished(count, 0);
  size_t done = 0;
  std::vector<std::thread> threads;
  for (unsigned w = 0; w < std::min<size_t>(std::max(workers, 1u), count); ++w) {
    threads.emplace_back([&] {
      for (size_t i = next++; i < count; i = next++) {
        work.run(i);
        const std::lock_guard lock(mutex);
        finished[i] = 1;
        ++done;
        changed.notify_one();
      }
    });
  }
  for (size_t i = 0; i < count; ++i) {
    std::unique_lock lock(mutex);
    while (!changed.wait_for(lock, std::chrono::milliseconds(100), [&] { return finished[i] != 0; })) {
      const size_t so_far = done;
      lock.unlock();
      if (work.waiting) work.waiting(so_far);
      lock.lock();
    }
    lock.unlock();
    work.told(i);
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace tilewright::driver
