// SPDX-License-Identifier: Apache-2.0
// The running calls of one MCP server, and the server's requests meanwhile: answers of a person or of the model. Each request
// goes through the host of its call. Servers before 2026-07-28 do not name the call. The request then belongs to the
// conversation of the calls. With calls of two conversations, the request is refused, because it could reach the wrong person.
// Loop thread only.
#pragma once

#include <list>
#include <memory>
#include <string>
#include <utility>

#include "parlance/async/cancel.h"
#include "parlance/async/channel.h"
#include "parlance/async/scope.h"
#include "parlance/hub/agent/tools.h"
#include "parlance/protocol/mcp/client.h"

namespace parlance::toolbox {

class McpCall;

class McpCalls {
 public:
  McpCalls(Loop& loop, std::string server) : loop_(loop), server_(std::move(server)) {}

  // For the client's handlers.
  Task<Result<mcp::ElicitResult>> elicit(mcp::ElicitParams asked);
  Task<Result<mcp::CreateMessageResult>> sample(mcp::CreateMessageParams asked);

 private:
  friend class McpCall;
  Result<McpCall*> only() const;
  Loop& loop_;
  std::string server_;
  std::list<McpCall*> running_;  // The newest last.
};

// A running call; `calls` must outlive the object.
class McpCall {
 public:
  McpCall(McpCalls& calls, std::string conversation, std::string tool, hub::ToolHost host);
  ~McpCall();
  McpCall(const McpCall&) = delete;
  McpCall& operator=(const McpCall&) = delete;

  // The outcome of `call`, or deadline_exceeded after `silence` without a message (progress and waits for a person
  // count as messages), or after the total limit.
  Task<Result<mcp::CallToolResult>> outcome(Task<Result<mcp::CallToolResult>> call, Duration silence);

  void progress(const mcp::Progress& report);
  Task<Result<mcp::ElicitResult>> elicit(mcp::ElicitParams asked);
  Task<Result<mcp::CreateMessageResult>> sample(mcp::CreateMessageParams asked);

  const std::string& conversation() const { return conversation_; }

 private:
  // A request ends with its call, and with its waiter.
  template <class R>
  struct Asked {
    explicit Asked(Loop& loop) : stop(loop), done(loop) {}
    CancelSource stop;
    OneShot<Result<R>> done;
  };
  template <class R>
  static Task<void> keep(McpCall& call, std::shared_ptr<Asked<R>> asked, Task<Result<R>> work);
  template <class R>
  Task<Result<R>> while_it_runs(Task<Result<R>> work);
  Task<Result<mcp::ElicitResult>> ask_person(mcp::ElicitParams asked);
  Task<Result<mcp::CreateMessageResult>> ask_model(mcp::CreateMessageParams asked);
  Task<void> watch(Duration silence);

  McpCalls& calls_;
  std::string conversation_;
  std::string tool_;
  hub::ToolHost host_;
  TimePoint begun_;
  TimePoint last_progress_;
  int asking_ = 0;
  int samples_ = 0;
  std::string shown_;  // The latest progress.
  TimePoint shown_at_{};
  CancelSource silent_;
  Scope scope_;
};

}  // namespace parlance::toolbox
