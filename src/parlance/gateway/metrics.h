// SPDX-License-Identifier: Apache-2.0
// Counters and gauges in Prometheus's text form (exposition format 0.0.4). Loop thread only.
//
// Without global registration: each owner of figures provides a source, and each scrape asks all sources.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "parlance/base/clock.h"

namespace parlance::gateway {

// A page of samples in Prometheus's form.
class MetricsText {
 public:
  using Labels = std::initializer_list<std::pair<std::string_view, std::string_view>>;
  // Samples of a name are consecutive; the first writes the name's help and type.
  void counter(std::string_view name, std::string_view help, double value, Labels labels = {}) {
    sample("counter", name, help, value, labels);
  }
  void gauge(std::string_view name, std::string_view help, double value, Labels labels = {}) {
    sample("gauge", name, help, value, labels);
  }
  std::string take() { return std::move(text_); }

 private:
  void sample(std::string_view type, std::string_view name, std::string_view help, double value, Labels labels);
  std::string text_;
  std::string last_name_;
};

using MetricsSource = std::function<void(MetricsText&)>;

class Metrics {
 public:
  void add(MetricsSource source) { sources_.push_back(std::move(source)); }
  std::string text() const;

 private:
  std::vector<MetricsSource> sources_;
};

// Requests by route and status. Routes come from the table, so clients cannot increase their number.
class RequestCounts {
 public:
  void count(std::string_view route, int status, std::chrono::nanoseconds took);
  void refused(std::string_view why) { ++refused_[std::string(why)]; }
  void report(MetricsText& out) const;

 private:
  struct Figures {
    std::uint64_t requests = 0;
    double seconds = 0;
  };
  std::map<std::pair<std::string, int>, Figures> by_route_;
  std::map<std::string, std::uint64_t> refused_;
};

// Memory, descriptors and start time of this process, under the usual names of dashboards.
void report_process(MetricsText& out, WallClock::time_point started);

}  // namespace parlance::gateway
