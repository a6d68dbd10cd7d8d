// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/supervise/heartbeat.h"

#include <cstdio>
#include <fstream>
#include <iterator>
#include <unistd.h>

#include "parlance/base/text.h"

namespace parlance::app {
namespace {

using namespace std::chrono_literals;

// With the supervisor's times (supervisor.cpp), a waiting or stopped service counts as hanging after 4.6 s.
constexpr int enough_missed = 3;
// For a running service: an answer takes a millisecond of processor time.
constexpr auto enough_processor = 2s;
// Regardless of the machine's load: no person waits longer for a page.
constexpr auto longest_silence = 60s;

}  // namespace

std::optional<ProcessSample> sample_process(pid_t pid) {
  const std::string id = std::to_string(pid);
  std::ifstream file("/proc/" + id + "/task/" + id + "/stat");
  const std::string line{std::istreambuf_iterator<char>(file), {}};
  const std::size_t name_end = line.rfind(')');  // the name may contain blanks
  if (name_end == std::string::npos || name_end + 2 >= line.size()) return std::nullopt;
  const auto fields = split(std::string_view(line).substr(name_end + 2), ' ');
  constexpr std::size_t user_time = 11;  // behind the name, counted from 0 (proc(5): 14 and 15)
  if (fields.size() <= user_time + 1) return std::nullopt;
  const auto user = parse_number<long>(fields[user_time]);
  const auto system = parse_number<long>(fields[user_time + 1]);
  if (!user || !system || fields[0].empty()) return std::nullopt;
  const long ticks = ::sysconf(_SC_CLK_TCK);
  return ProcessSample{
      .state = fields[0][0],
      .processor = std::chrono::duration_cast<Duration>(std::chrono::milliseconds((*user + *system) * 1000 / ticks))};
}

Heartbeat::Verdict Heartbeat::missed(TimePoint asked, TimePoint now, const ProcessSample& before, const ProcessSample& after) {
  if (after.state == 't') {  // a debugger decides when the service continues
    answered();
    return Verdict::fine;
  }
  if (missed_++ == 0) {
    since_ = asked;
    processor_then_ = before.processor;
    wanted_to_run_ = false;
  }
  state_ = after.state;
  processor_since_ = after.processor - processor_then_;
  if (after.state == 'T') wanted_to_run_ = false;  // without processor time, regardless of the wait
  else wanted_to_run_ = wanted_to_run_ || after.state == 'R' || after.state == 'D';
  if (missed_ < enough_missed) return Verdict::late;
  if (wanted_to_run_ && processor_since_ < enough_processor && now - since_ < longest_silence) return Verdict::late;
  return Verdict::hanging;
}

std::string Heartbeat::reason(TimePoint now) const {
  char seconds[32];
  std::snprintf(seconds, sizeof seconds, "%.1f", std::chrono::duration<double>(now - since_).count());
  const char* what = state_ == 'T'    ? "it was stopped by a signal"
                     : state_ == 'D'  ? "it waits for a disk"
                     : wanted_to_run_ ? "it runs and comes to no end"
                                      : "it waits for something that does not come";
  return "no answer for " + std::string(seconds) + " s: " + what;
}

}  // namespace parlance::app
