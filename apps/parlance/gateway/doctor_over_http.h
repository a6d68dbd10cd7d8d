// SPDX-License-Identifier: Apache-2.0
// GET /doctor: the results of `parlance doctor` as JSON; ?language=zh: in Chinese. The checks wait for disks and other programs,
// so they run as a separate program, one at a time, and end with the request. Loop thread only; the loop outlives this object.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "parlance/async/channel.h"
#include "parlance/transport/http/http_server.h"

namespace parlance::app {

struct DoctorSettings {
  std::vector<std::string> command{};                      // prints the JSON; empty: unavailable
  std::vector<std::pair<std::string, std::string>> set{};  // environment variables for values forbidden on a command line
  std::function<std::string()> embed_listen = [] {
    return std::string();
  };  // current address of the embedding service; "": as configured
};

class DoctorOverHttp {
 public:
  // `listen` returns the gateway's address, known after the start.
  DoctorOverHttp(Loop& loop, DoctorSettings settings, std::function<std::string()> listen)
      : loop_(loop), settings_(std::move(settings)), listen_(std::move(listen)), free_(loop) {}
  Task<void> get(HttpExchange& exchange);

 private:
  Task<Result<std::string>> ask(std::string language);

  Loop& loop_;
  DoctorSettings settings_;
  std::function<std::string()> listen_;
  bool busy_ = false;
  Signal free_;
};

}  // namespace parlance::app
