// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// How fast the compiler is once it runs: throughput FILE… parses and converts each file again and again on one core, and prints a
// line of JSON for each: its size, its lines, the median seconds of a parse and of a conversion. bench/tool/measure drives it.

#include <time.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "driver/session.h"
#include "source/file.h"
#include "syntax/parse.h"

using namespace tilewright;

// Of this thread on its core: what else the machine does meanwhile does not count.
static double now() {
  timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

// Of at least nine runs and a fifth of a second.
template <class Run>
static double median_seconds(Run run) {
  std::vector<double> times;
  for (double total = 0; times.size() < 9 || total < 0.2;) {
    const double start = now();
    run();
    times.push_back(now() - start);
    total += times.back();
  }
  std::nth_element(times.begin(), times.begin() + static_cast<ptrdiff_t>(times.size() / 2), times.end());
  return times[times.size() / 2];
}

int main(int count, char** words) {
  for (int i = 1; i < count; ++i) {
    const auto text = source::read_bytes(words[i]);
    if (!text) {
      std::fprintf(stderr, "%s\n", text.reason().c_str());
      return 2;
    }
    size_t nodes = 0;
    const double parse = median_seconds([&] { nodes += syntax::parse({}, *text).node_count(); });
    driver::Conversion last;
    const double convert = median_seconds([&] { last = driver::convert(words[i], *text, {}); });
    const auto lines = std::count(text->begin(), text->end(), '\n');
    std::printf("{\"file\": \"%s\", \"bytes\": %zu, \"lines\": %td, \"parse_s\": %.9f, \"convert_s\": %.9f, \"kernels\": %zu}\n",
                words[i], text->size(), static_cast<ptrdiff_t>(lines), parse, convert, last.kernels.size());
    if (nodes == 0) return 1;
  }
  return 0;
}
