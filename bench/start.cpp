// SPDX-License-Identifier: Apache-2.0
// Measures the start of a program, and its memory after the start.
//
//   start WORD PROGRAM ARGUMENTS…
//
// Starts the program and waits for a line with WORD on stdout or stderr. Prints the milliseconds until this line. Prints a line
// "NAME KIB" for the program and for each descendant. Ends the program with SIGTERM.
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <map>
#include <spawn.h>
#include <sstream>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include "parlance/base/clock.h"

namespace parlance {
namespace {

[[noreturn]] void give_up(const char* what) {
  std::perror(what);
  std::exit(1);
}

struct Process {
  pid_t parent = 0;
  double resident_kib = 0;
  std::string name;
};

// "parlance gateway" and "parlance agent" are the same program. Its first argument without a dash distinguishes them.
std::string name_of(const std::string& folder) {
  std::ifstream file(folder + "/cmdline");
  std::string name;
  for (std::string word; std::getline(file, word, '\0');) {
    if (name.empty()) name = std::filesystem::path(word).filename();
    else if (!word.starts_with('-')) return name + "-" + std::filesystem::path(word).filename().string();
  }
  return name;
}

std::map<pid_t, Process> processes() {
  std::map<pid_t, Process> all;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const pid_t pid = std::atoi(entry.path().filename().c_str());
    if (pid == 0) continue;
    Process process;
    std::ifstream status(entry.path() / "status");
    for (std::string line; std::getline(status, line);) {
      if (line.starts_with("PPid:")) process.parent = std::atoi(line.c_str() + 5);
      if (line.starts_with("VmRSS:")) process.resident_kib = std::atof(line.c_str() + 6);
    }
    process.name = name_of(entry.path());
    all[pid] = std::move(process);
  }
  return all;
}

bool descends(const std::map<pid_t, Process>& all, pid_t pid, pid_t from) {
  for (int depth = 0; depth < 16 && pid > 1; ++depth) {
    if (pid == from) return true;
    const auto found = all.find(pid);
    if (found == all.end()) return false;
    pid = found->second.parent;
  }
  return false;
}

int measure(const std::string& word, char** command) {
  int output[2];
  if (::pipe2(output, O_CLOEXEC) != 0) give_up("pipe");
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, output[1], 1);
  ::posix_spawn_file_actions_adddup2(&actions, output[1], 2);
  const TimePoint begin = Clock::now();
  pid_t child = 0;
  if (::posix_spawnp(&child, command[0], &actions, nullptr, command, environ) != 0) give_up(command[0]);
  ::close(output[1]);

  std::string text;
  char buffer[4096];
  const auto said = [&] {
    const std::size_t at = text.find(word);
    return at != std::string::npos && text.find('\n', at) != std::string::npos;
  };
  while (!said()) {
    const ssize_t n = ::read(output[0], buffer, sizeof buffer);
    if (n <= 0) {
      std::fprintf(stderr, "%s ended before it said \"%s\":\n%s", command[0], word.c_str(), text.c_str());
      return 1;
    }
    text.append(buffer, static_cast<std::size_t>(n));
  }
  std::printf("%.2f\n", std::chrono::duration<double, std::milli>(Clock::now() - begin).count());
  const auto all = processes();
  for (const auto& [pid, process] : all)
    if (descends(all, pid, child)) std::printf("%s %.0f\n", process.name.c_str(), process.resident_kib);
  ::kill(child, SIGTERM);
  while (::read(output[0], buffer, sizeof buffer) > 0) {}
  int status = 0;
  ::waitpid(child, &status, 0);
  return 0;
}

}  // namespace
}  // namespace parlance

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: start WORD PROGRAM ARGUMENTS...\n");
    return 2;
  }
  return parlance::measure(argv[1], argv + 2);
}
