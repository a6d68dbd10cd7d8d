// SPDX-License-Identifier: Apache-2.0
// simulator [--seed N] [--seeds COUNT] [--minutes M]: simulates COUNT worlds of M minutes each, and prints the first seed that fails.
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string>
#include <string_view>

#include "tests/simulator/world.h"

namespace {

std::uint64_t number_after(int argc, char** argv, std::string_view flag, std::uint64_t otherwise) {
  for (int i = 1; i + 1 < argc; ++i)
    if (argv[i] == flag) return std::strtoull(argv[i + 1], nullptr, 10);
  return otherwise;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace parlance::simulator;
  const std::uint64_t first = number_after(argc, argv, "--seed", 1);
  const std::uint64_t count = number_after(argc, argv, "--seeds", 1);
  const std::chrono::minutes length(number_after(argc, argv, "--minutes", 60));
  const auto begin = std::chrono::steady_clock::now();
  std::uint64_t events = 0, promises = 0, starts = 0;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    std::cerr << "seed " << seed << '\r';  // a failed check ends the program here
    const Outcome outcome = World({.seed = seed, .length = length}).run();
    events += outcome.events;
    promises += outcome.promises;
    starts += outcome.starts;
    if (outcome.disagreements.empty()) continue;
    std::cout << "seed " << seed << " fails: simulator --seed " << seed << " --minutes " << length.count() << '\n';
    for (const std::string& disagreement : outcome.disagreements) std::cout << "  " << disagreement << '\n';
    std::cout << outcome.log;
    return 1;
  }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  std::cout << count << " worlds of " << length.count() << " min: " << events << " events, " << promises << " promises, "
            << starts << " starts of gateways, no disagreement; "
            << static_cast<double>(count * static_cast<std::uint64_t>(length.count())) / 60 / took.count()
            << " simulated hours a second\n";
}
