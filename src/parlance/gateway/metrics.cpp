// SPDX-License-Identifier: Apache-2.0
#include "parlance/gateway/metrics.h"

#include <charconv>
#include <dirent.h>
#include <fstream>
#include <unistd.h>

namespace parlance::gateway {
namespace {

void append_number(std::string& out, double value) {
  char digits[32];
  const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
  out.append(digits, end);
}

void append_label_value(std::string& out, std::string_view value) {
  for (const char c : value) {
    if (c == '\\' || c == '"') out += '\\';
    if (c == '\n') out += "\\n";
    else out += c;
  }
}

std::size_t open_descriptors() {
  std::size_t count = 0;
  DIR* folder = ::opendir("/proc/self/fd");
  if (folder == nullptr) return 0;
  while (::readdir(folder) != nullptr) ++count;
  ::closedir(folder);
  return count > 3 ? count - 3 : 0;  // without ".", ".." and the descriptor of this folder
}

}  // namespace

void MetricsText::sample(std::string_view type, std::string_view name, std::string_view help, double value, Labels labels) {
  if (last_name_ != name) {
    last_name_ = name;
    for (const auto& [keyword, text] : {std::pair<std::string_view, std::string_view>{"# HELP ", help}, {"# TYPE ", type}}) {
      text_ += keyword;
      text_ += name;
      text_ += ' ';
      text_ += text;
      text_ += '\n';
    }
  }
  text_ += name;
  char before = '{';
  for (const auto& [label, text] : labels) {
    text_ += before;
    text_ += label;
    text_ += "=\"";
    append_label_value(text_, text);
    text_ += '"';
    before = ',';
  }
  if (before == ',') text_ += '}';
  text_ += ' ';
  append_number(text_, value);
  text_ += '\n';
}

std::string Metrics::text() const {
  MetricsText out;
  for (const MetricsSource& source : sources_) source(out);
  return out.take();
}

void RequestCounts::count(std::string_view route, int status, std::chrono::nanoseconds took) {
  Figures& figures = by_route_[{std::string(route), status}];
  ++figures.requests;
  figures.seconds += std::chrono::duration<double>(took).count();
}

void RequestCounts::report(MetricsText& out) const {
  for (const auto& [key, figures] : by_route_)
    out.counter("parlance_http_requests_total", "Requests answered.", static_cast<double>(figures.requests),
                {{"route", key.first}, {"code", std::to_string(key.second)}});
  for (const auto& [key, figures] : by_route_)
    out.counter("parlance_http_request_seconds_total", "Time from a request to the end of its answer.", figures.seconds,
                {{"route", key.first}, {"code", std::to_string(key.second)}});
  for (const auto& [why, count] : refused_)
    out.counter("parlance_http_refused_total", "Requests turned away.", static_cast<double>(count), {{"why", why}});
}

void report_process(MetricsText& out, WallClock::time_point started) {
  std::ifstream statm("/proc/self/statm");
  std::uint64_t total_pages = 0;
  std::uint64_t resident_pages = 0;
  if (statm >> total_pages >> resident_pages)
    out.gauge("process_resident_memory_bytes", "Resident memory.",
              static_cast<double>(resident_pages) * static_cast<double>(::sysconf(_SC_PAGESIZE)));
  out.gauge("process_open_fds", "Open file descriptors.", static_cast<double>(open_descriptors()));
  out.gauge("process_start_time_seconds", "When the gateway began, in seconds since 1970.",
            std::chrono::duration<double>(started.time_since_epoch()).count());
}

}  // namespace parlance::gateway
