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
  // The same for a value that also falls.
  void gauge(std::string_view name, std::string_view help, double value, Labels labels = {}) {
    sample("gauge", name, help, value, labels);
  }
  // The finished page; this object is empty afterwards.
  std::string take() { return std::move(text_); }

 private:
  // Writes help and type only if the name differs from the previous sample's.
  void sample(std::string_view type, std::string_view name, std::string_view help, double value, Labels labels);
  std::string text_;
  std::string last_name_;
};

using MetricsSource = std::function<void(MetricsText&)>;

class Metrics {
 public:
  // Each scrape calls the sources in the order of `add`. Objects used by a source outlive this object.
  void add(MetricsSource source) { sources_.push_back(std::move(source)); }
  // Asks all sources now.
  std::string text() const;

 private:
  std::vector<MetricsSource> sources_;
};

// Requests by route and status. Routes come from the table, so clients cannot increase their number.
class RequestCounts {
 public:
  // A finished request, also after an early end of its client. `took`: from its head to the end of its answer.
  void count(std::string_view route, int status, std::chrono::nanoseconds took);
  // A request that failed a check of Host, Origin or token, by the verdict's name.
  void refused(std::string_view why) { ++refused_[std::string(why)]; }
  // A source for Metrics: one sample for each route and status so far.
  void report(MetricsText& out) const;

 private:
  struct Figures {
    std::uint64_t requests = 0;
    double seconds = 0;  // of all requests together
  };
  std::map<std::pair<std::string, int>, Figures> by_route_;
  std::map<std::string, std::uint64_t> refused_;
};

// Memory, descriptors and start time of this process, under the usual names of dashboards.
void report_process(MetricsText& out, WallClock::time_point started);

}  // namespace parlance::gateway
