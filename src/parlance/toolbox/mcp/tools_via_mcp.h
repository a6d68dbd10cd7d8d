// SPDX-License-Identifier: Apache-2.0
// Tools of MCP servers in addition to our own: every configured server is started or connected, its tools are listed as
// SERVER__TOOL, and calls are forwarded. A server's claims about its tools (such as read-only) are hints and change no policy:
// the tools have the kind `other`, which needs approval. A server that fails to start, dies or hangs loses its own tools only;
// further attempts follow with growing pauses. Loop thread only; the inner tools must outlive it.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "parlance/async/scope.h"
#include "parlance/hub/agent/tools.h"
#include "parlance/protocol/mcp/client.h"
#include "parlance/toolbox/mcp/limits.h"

namespace parlance::toolbox {

struct McpServerSettings {
  std::string name{};                          // Letters, digits, '-' and '_'.
  std::vector<std::string> command{};          // A program with the protocol on stdin and stdout …
  std::string url{};                           // … or the address of an HTTP server,
  mcp::HttpWay way = mcp::HttpWay::automatic;  // with its form of HTTP
  std::string token{};                         // For the address: Authorization: Bearer …
  // For the address without a token: makes the authorizer of a connection. Null: none.
  std::function<std::shared_ptr<HttpAuthorizer>(Loop&)> authorizer{};
  std::function<std::unique_ptr<Frames>()> frames{};  // … or an existing connection; null after its final end.
  std::string prefix{};                               // Tools are named PREFIX__TOOL; empty: the server's name.
  // For the program, in addition to our environment, which is inherited without secrets.
  std::vector<std::pair<std::string, std::string>> environment{};
  std::vector<std::pair<std::string, std::string>> headers{};  // For the address.
  std::chrono::milliseconds call_time = limits::mcp_tool_time;
};

class ToolsViaMcp final : public hub::Tools {
 public:
  ToolsViaMcp(Loop& loop, hub::Tools& others, std::vector<McpServerSettings> servers);
  ~ToolsViaMcp() override;

  void start();                        // Connects in the background.
  void add(McpServerSettings server);  // A further server, connected at once.
  // A server by its name. False: no server has the name. Running calls of a stopped server end with an error.
  bool restart(std::string_view name);
  bool pause(std::string_view name, bool paused);  // Paused: not connected until `pause(name, false)`. No effect if unchanged.
  bool remove(std::string_view name);
  // Until each server is connected or has failed once; for a server without a result, limits::mcp_first_wait from its start.
  Task<Result<void>> settled();

  std::vector<hub::ToolSpec> list() const override;
  Task<Result<hub::ToolIntent>> intent(const hub::SessionSetup& setup, const hub::ToolCall& call) override;
  std::optional<hub::ToolCall> edited(const hub::ToolCall& call, const hub::ToolIntent& intent, std::string_view text) override {
    return others_.edited(call, intent, text);
  }
  Task<hub::ToolOutcome> call(const hub::SessionSetup& setup, const hub::ToolCall& call, hub::ToolHost host) override;

  struct Health {
    enum class State : std::uint8_t { connecting, connected, failed, paused };
    std::string name{};
    State state = State::connecting;  // The first attempt is in progress, or the result of the last attempt.
    bool waited_for = false;          // `settled` waits for the server.
    bool over_sse = false;            // Detected or reported.
    std::size_t tools = 0;
    std::string problem{};   // reason for the lost connection
    std::string left_out{};  // omitted tools with reasons, one sentence per line
    std::string detail() const;
  };
  std::vector<Health> health() const;
  struct Details {
    std::vector<std::string> tools{};  // names as models see them
    std::vector<std::string> log{};    // failures, and output of the program; at most limits::mcp_log_lines. May hold secrets.
  };
  Details details(std::string_view name) const;  // Empty for an unknown name.
  // Missing tools of connected servers, one sentence per line, for the person. Empty: none.
  std::string problems() const;
  std::vector<McpServerSettings> configured() const;  // without paused ones; with the detected form of HTTP
  std::function<void(const Health&)> on_change{};

 private:
  struct Server;
  struct Found {
    std::shared_ptr<Server> server{};
    const mcp::Tool* tool = nullptr;
  };
  Found find(std::string_view exposed) const;
  std::shared_ptr<Server> named(std::string_view name) const;
  void begin(Server& server);
  void end(Server& server, std::string reason);
  Task<Result<std::unique_ptr<mcp::Client>>> connect(Server& server);
  Task<void> keep_connected(Server& server);
  Task<Result<void>> live(Server& server);
  Task<void> reload(Server& server);
  void place(McpServerSettings settings);
  void changed(const Server& server);
  Health health_of(const Server& server) const;

  Loop& loop_;
  hub::Tools& others_;
  std::vector<std::shared_ptr<Server>> servers_;  // Shared with running calls.
  Signal tried_;
  Scope scope_;
};

// The name of a tool for models: at most 64 characters of A-Z a-z 0-9 _ -, as all model APIs require. Two tools never share a name, even
// on different servers: a changed or ambiguous name ends with a hash. A standing permission for one tool therefore never applies to
// another tool.
std::string exposed_tool_name(std::string_view server, std::string_view tool);

}  // namespace parlance::toolbox
