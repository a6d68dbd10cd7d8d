// SPDX-License-Identifier: Apache-2.0
// What a server tells of each request once it is answered, for whoever writes a log: which, about what, how long, how it ended. The
// dialect of a session is wrapped, so that nothing that is answered goes unseen, requests that no handler ever got included. Never
// the contents. Loop thread only.
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
  std::string id{};      // as JSON; "null": it could not be read
  std::string method{};  // "": likewise
  std::string name{};    // of the tool or prompt, the URI of the resource
  std::string about{};   // what the handler says that it was about, a file for example
  std::string status{};  // ok, error, or cancelled
  Clock::duration took{};
};
using TellAnswered = std::function<void(const Answered&)>;

// The requests of one session that wait for their answers.
class RequestLog {
 public:
  explicit RequestLog(TellAnswered tell) : tell_(std::move(tell)) {}
  void began(const RequestId& id, std::string_view method);
  void ended(const RequestId& id, std::string_view status);  // one that is not waiting is nothing
  // While the request waits; the name and what it is about.
  void name(const RequestId& id, std::string_view name);
  void about(const RequestId& id, std::string_view what);
  void failed(const RequestId& id);  // The answer that comes is one of a failure, whatever its form.

 private:
  struct Waiting {
    Answered told{};
    TimePoint began{};
  };
  Waiting* find(const RequestId& id);
  TellAnswered tell_;
  std::map<std::string, Waiting, std::less<>> waiting_;  // by id
};

std::unique_ptr<Dialect> logged_dialect(std::unique_ptr<Dialect> inner, std::shared_ptr<RequestLog> log);

}  // namespace parlance::mcp
