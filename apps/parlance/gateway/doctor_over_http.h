// SPDX-License-Identifier: Apache-2.0
// GET /doctor: what `parlance doctor` finds, as JSON; ?language=zh: in Chinese. The checks wait for disks and other programs, so they run as a program of their own, one
// at a time, and end with whoever asked. Loop thread only; the loop outlives it.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "parlance/async/channel.h"
#include "parlance/transport/http/http_server.h"

namespace parlance::app {

struct DoctorSettings {
  std::vector<std::string> command{};                      // prints the JSON; empty: there is none
  std::vector<std::pair<std::string, std::string>> set{};  // in its environment: what must not stand on a command line
  std::function<std::string()> embed_listen = [] {
    return std::string();
  };  // where the embedding service is by now; "": as it was said
};

class DoctorOverHttp {
 public:
  // `listen` is where the gateway is, which is known once it listens.
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
