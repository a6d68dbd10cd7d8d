// SPDX-License-Identifier: Apache-2.0
// Measures a server's memory from outside.
#pragma once

#include <chrono>
#include <fstream>
#include <string>
#include <sys/resource.h>

#include "measure.h"
#include "parlance/async/loop.h"

namespace parlance::bench {

inline double resident_kib(const std::string& pid) {
  std::ifstream status("/proc/" + pid + "/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("VmRSS:")) return std::atof(line.c_str() + 6);
  give_up("no process " + pid);
}

// A server may still work on its requests (Go collects garbage): the figure counts once stable.
inline Task<double> settled_kib(Loop& loop, std::string pid) {
  double last = resident_kib(pid);
  for (int same = 0; same < 5;) {
    co_await sleep_for(loop, std::chrono::milliseconds(20));
    const double now = resident_kib(pid);
    same = now == last ? same + 1 : 0;
    last = now;
  }
  co_return last;
}

// A thousand connections need more descriptors than a shell gives.
inline void allow_many_files() {
  rlimit files{};
  ::getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur = files.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &files);
}

}  // namespace parlance::bench
