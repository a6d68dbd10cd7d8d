// Asking a service whether it lives: a call that its loop answers from memory, over a connection that is kept, so that a service which
// takes no more connections can still say so. Loop thread only.
#pragma once

#include <memory>
#include <string>

#include "parlance/async/loop.h"
#include "parlance/base/result.h"

namespace parlance::app {

class AliveQuestion {
 public:
  virtual ~AliveQuestion() = default;
  // Any answer will do, an error in words too. Destroying the task gives the connection up.
  virtual Task<Result<void>> ask() = 0;
};

std::unique_ptr<AliveQuestion> ask_over_rpc(Loop& loop, std::string address);  // "unix:/…": what the agent can do
// "http://127.0.0.1:55003/", a path below it, and the token if one is asked for.
std::unique_ptr<AliveQuestion> ask_over_http(Loop& loop, const std::string& url, std::string path, std::string token);

}  // namespace parlance::app
