// What a service process and its supervisor (`parlance up`) say to each other: the service prints one JSON line once it is ready,
// and ends when its stdin ends, so that it never outlives the supervisor; the gateway hears on its stdin how the others are. A person who starts a service alone gets plain words instead.
#pragma once

#include <csignal>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "parlance/async/loop.h"
#include "parlance/async/signals.h"
#include "parlance/base/result.h"

namespace parlance::app {

inline constexpr const char* supervised_variable = "PARLANCE_SUPERVISED";
bool is_supervised();

// {"ready":"agent","address":"unix:/…","pid":7} or "parlance agent: ready on unix:/…".
void announce_ready(const std::string& service, const std::string& address, const std::string& words);

// How a service is, in a line from the supervisor to the gateway: {"service":"embed","up":true,"detail":"http://…"}.
struct ServiceNews {
  std::string service{};
  bool up = false;
  std::string detail{};
};
std::string news_line(const ServiceNews& news);
std::optional<ServiceNews> read_news(std::string_view line);

// SIGINT, SIGTERM or the supervisor's end. Made before anything is there that has to be cleaned up, and before anybody is told that
// we are ready: from then on a signal is kept until somebody waits for it.
class EndWatch {
 public:
  explicit EndWatch(Loop& loop) : loop_(loop), signals_(loop, {SIGINT, SIGTERM}) {}
  // `on_line`: what the supervisor says meanwhile.
  Task<void> wait(std::function<void(std::string_view line)> on_line = {});

 private:
  Loop& loop_;
  SignalWatch signals_;
};

}  // namespace parlance::app
