// SPDX-License-Identifier: Apache-2.0
// Reports each answered request of a server to a log: name, object, duration and result. It wraps the dialect of a session, so
// that every answer is seen, also for requests without a handler. Never the contents. Loop thread only.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "parlance/base/clock.h"
#include "parlance/peer/dialect.h"

namespace parlance::mcp {

struct Answered {
  std::string id{};      // As JSON; "null": unreadable.
  std::string method{};  // Empty: unreadable.
  std::string name{};    // Of the tool or prompt, or the URI of the resource.
  std::string about{};   // The handler's object of the call, such as a file.
  std::string status{};  // ok, error or cancelled.
  Clock::duration took{};
};
using OnAnswered = std::function<void(const Answered&)>;

// Unanswered requests of a session.
class RequestLog {
 public:
  explicit RequestLog(OnAnswered on_answered) : on_answered_(std::move(on_answered)) {}
  void began(const RequestId& id, std::string_view method);
  void ended(const RequestId& id, std::string_view status);  // An unknown id has no effect.
  // While the request is open: its name and object.
  void name(const RequestId& id, std::string_view name);
  void about(const RequestId& id, std::string_view what);
  void failed(const RequestId& id);  // The next answer counts as a failure, in any form.

 private:
  struct Waiting {
    Answered record{};
    TimePoint began{};
  };
  Waiting* find(const RequestId& id);
  OnAnswered on_answered_;
  std::map<std::string, Waiting, std::less<>> waiting_;  // By id.
};

std::unique_ptr<Dialect> logged_dialect(std::unique_ptr<Dialect> inner, std::shared_ptr<RequestLog> log);

}  // namespace parlance::mcp
