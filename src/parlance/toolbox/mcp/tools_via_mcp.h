// SPDX-License-Identifier: Apache-2.0
// Tools of any MCP servers beside our own: every server of the configuration is started or connected to, what it offers is listed as
// SERVER__TOOL, and calls go to it. What a server says about its tools (that they only read, say) is a hint and changes no policy:
// they are of the kind `other`, for which a person is asked. A server that cannot be started, dies or hangs takes its own tools away
// and nothing else; it is tried again, later and later. Loop thread only; the other tools outlive it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "parlance/async/scope.h"
#include "parlance/hub/tools.h"
#include "parlance/protocol/mcp/client.h"
#include "parlance/toolbox/mcp/limits.h"

namespace parlance::toolbox {

struct McpServerSettings {
  std::string name{};                                 // letters, digits, '-' and '_'
  std::vector<std::string> command{};                 // a program that speaks over stdin and stdout …
  std::string url{};                                  // … or the address of one that speaks HTTP
  mcp::HttpWay way = mcp::HttpWay::automatic;         // … and how
  std::string token{};                                // for the address: Authorization: Bearer …
  std::function<std::unique_ptr<Frames>()> frames{};  // … or somebody else's connection; null when that has ended for good
  std::string prefix{};                               // its tools are PREFIX__TOOL; empty: the name
  // For the program, in addition to ours, which is inherited without secrets.
  std::vector<std::pair<std::string, std::string>> environment{};
  std::vector<std::pair<std::string, std::string>> headers{};  // for the address
  std::chrono::milliseconds call_time = limits::mcp_tool_time;
};

class ToolsViaMcp final : public hub::Tools {
 public:
  ToolsViaMcp(Loop& loop, hub::Tools& others, std::vector<McpServerSettings> servers);
  ~ToolsViaMcp() override;

  void start();                        // connects, in the background
  void add(McpServerSettings server);  // one more, connected at once
  Task<Result<void>> settled();        // until each has been tried: it is connected, or has failed for now

  std::vector<hub::ToolSpec> list() const override;
  Task<Result<hub::ToolIntent>> intent(const hub::Conversation& conversation, const hub::ToolCall& call) override;
  std::optional<hub::ToolCall> edited(const hub::ToolCall& call, const hub::ToolIntent& intent, std::string_view text) override {
    return others_.edited(call, intent, text);
  }
  Task<hub::ToolOutcome> call(const hub::Conversation& conversation, const hub::ToolCall& call, hub::ToolHost host) override;

  struct Health {
    std::string name{};
    bool connected = false;
    bool tried = false;
    bool over_sse = false;  // found out, or said so
    std::size_t tools = 0;
    std::string problem{};   // why it is not connected
    std::string left_out{};  // tools that cannot be used, and why: one sentence per line
    std::string detail() const;
  };
  std::vector<Health> health() const;
  // Servers and tools that a conversation lacks, for the person: one sentence per line. Empty: all tools are there.
  std::string problems() const;
  std::vector<McpServerSettings> configured() const;  // with the way over HTTP that was found
  std::function<void(const Health&)> on_change{};

 private:
  struct Server;
  struct Found {
    Server* server = nullptr;
    const mcp::Tool* tool = nullptr;
  };
  Found find(std::string_view exposed) const;
  Task<Result<std::unique_ptr<mcp::Client>>> connect(Server& server);
  Task<void> keep_connected(Server& server);
  Task<Result<void>> live(Server& server);
  Task<void> reload(Server& server);
  void place(McpServerSettings settings);
  void changed(const Server& server);
  static Health health_of(const Server& server);

  Loop& loop_;
  hub::Tools& others_;
  std::vector<std::unique_ptr<Server>> servers_;
  Signal tried_;
  Scope scope_;
};

// The name of a tool for models: at most 64 characters of A-Z a-z 0-9 _ -, as all model APIs require. Two tools never get one name, also
// on different servers: a name that had to be changed, or could be split in two ways, ends with a hash. So a standing permission of one
// tool never applies to another, whichever servers are connected.
std::string exposed_tool_name(std::string_view server, std::string_view tool);

}  // namespace parlance::toolbox
