// SPDX-License-Identifier: Apache-2.0
#include "parlance/adapter/claude/mcp_servers.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <optional>

#include "parlance/base/text.h"
#include "parlance/codec/json/typed.h"
#include "parlance/codec/json/writer.h"
#include "parlance/hub/conversation/agent_info.h"
#include "parlance/protocol/jsonrpc/dialect.h"
#include "parlance/protocol/mcp/http_headers.h"
#include "parlance/protocol/mcp/message_frames.h"
#include "parlance/protocol/mcp/routing.h"
#include "parlance/transport/whole_file.h"

namespace parlance::adapter {
namespace {

using namespace std::chrono_literals;
using wire::field;
using wire::fields;

struct Server {
  std::string type{};
  std::string command{};
  std::vector<std::string> arguments{};
  std::map<std::string, std::string> environment{};
  std::string url{};
  std::map<std::string, std::string> headers{};
  static constexpr auto wire = fields(
      field<&Server::type>("type", "Kind of the server: stdio, http, sse, or sdk (the host runs the server). Default: stdio.")
          .or_default(),
      field<&Server::command>("command", "The program of a stdio server.").or_default(),
      field<&Server::arguments>("args", "Arguments of the program.").or_default(),
      field<&Server::environment>("env", "Environment variables in addition to the inherited environment.").or_default(),
      field<&Server::url>("url", "Address of an http or sse server.").or_default(),
      field<&Server::headers>("headers", "HTTP headers of each request.").or_default());
};
struct Config {
  std::map<std::string, Server> servers{};
  static constexpr auto wire = fields(field<&Config::servers>("mcpServers", "The servers by name.").or_default());
};

constexpr auto longest_start = 20s;  // a server that takes longer brings its tools to a later prompt

}  // namespace

std::string claude_tool_prefix(const std::string& server) { return "mcp__" + server; }

Result<ClaudeMcpConfig> read_claude_mcp_config(const std::string& json_or_path) {
  std::string text = json_or_path;
  std::string place = "--mcp-config";
  if (!trim(text).starts_with('{')) {
    auto file = read_whole_file(json_or_path);
    if (!file) return fail(Errc::not_found, "--mcp-config: " + json_or_path + " is neither JSON nor a file that can be read");
    text = *std::move(file);
    place += ": " + json_or_path;
  }
  auto config = json::from_text<Config>(text);
  if (!config) return fail(std::move(config).error().in(place));
  ClaudeMcpConfig read{.json = text};
  for (auto& [name, server] : config->servers) {
    toolbox::McpServerSettings made{.name = name, .prefix = claude_tool_prefix(name)};
    if (server.type == "sdk") {
      read.of_host.push_back(name);
    } else if (server.type.empty() || server.type == "stdio") {
      if (server.command.empty())
        return fail(Errc::invalid_params, place + ": $.mcpServers." + name + ": a server needs a command, or a type and a url");
      made.command.push_back(std::move(server.command));
      std::ranges::move(server.arguments, std::back_inserter(made.command));
      made.environment.assign(server.environment.begin(), server.environment.end());
      read.started.push_back(std::move(made));
    } else if (server.type == "http" || server.type == "sse") {
      made.way = server.type == "sse" ? mcp::HttpWay::sse : mcp::HttpWay::streamable;
      if (server.url.empty()) return fail(Errc::invalid_params, place + ": $.mcpServers." + name + ".url is missing");
      made.url = std::move(server.url);
      made.headers.assign(server.headers.begin(), server.headers.end());
      read.started.push_back(std::move(made));
    } else {
      read.not_understood.push_back(name);
    }
  }
  return read;
}

bool ClaudeMcpConfig::has(std::string_view name) const {
  const auto named = [name](const auto& servers, auto member) {
    return std::ranges::find(servers, name, member) != servers.end();
  };
  return named(of_host, std::identity{}) || named(not_understood, std::identity{}) ||
         named(started, &toolbox::McpServerSettings::name);
}

std::string joined_mcp_config(const std::string& ours, const std::string& theirs) {
  json::Object servers;
  for (const std::string* config : {&ours, &theirs}) {
    const auto read = json::parse(config->empty() ? "{}" : *config);
    const json::Value* named = read ? read->find("mcpServers") : nullptr;
    if (named == nullptr || named->object() == nullptr) continue;
    for (const auto& [name, server] : named->object()->members) servers.set(name, server);
  }
  if (servers.members.empty()) return "";
  json::Object config;
  config.set("mcpServers", std::move(servers));
  return json::to_text(json::Value(std::move(config)));
}

std::string claude_mcp_config(const std::vector<toolbox::McpServerSettings>& servers) {
  json::Object all;
  const auto pairs = [](const std::vector<std::pair<std::string, std::string>>& from) {
    json::Object object;
    for (const auto& [name, value] : from) object.set(name, value);
    return object;
  };
  for (const toolbox::McpServerSettings& server : servers) {
    json::Object object;
    if (!server.command.empty()) {
      object.set("type", "stdio");
      object.set("command", server.command.front());
      json::Array words;
      for (std::size_t i = 1; i < server.command.size(); ++i) words.emplace_back(server.command[i]);
      object.set("args", std::move(words));
      if (!server.environment.empty()) object.set("env", pairs(server.environment));
    } else if (!server.url.empty()) {
      object.set("type", server.way == mcp::HttpWay::sse ? "sse" : "http");
      object.set("url", server.url);
      json::Object headers = pairs(server.headers);
      if (!server.token.empty()) headers.set("Authorization", "Bearer " + server.token);
      if (!headers.members.empty()) object.set("headers", std::move(headers));
    } else {
      continue;  // a server behind another program's connection
    }
    all.set(server.name, std::move(object));
  }
  if (all.members.empty()) return "";
  json::Object config;
  config.set("mcpServers", std::move(all));
  return json::to_text(json::Value(std::move(config)));
}

// A server of the host. Its frames belong to an MCP client that may reconnect; `End` clears the pointer with its last frames.
struct ClaudeMcpServers::Pipe {
  std::string name;
  ClaudeMcpServers* owner = nullptr;
  mcp::MessageFrames* frames = nullptr;
};
struct ClaudeMcpServers::End {
  explicit End(std::shared_ptr<Pipe> of) : pipe(std::move(of)) {}
  ~End() {
    if (pipe->frames == frames) pipe->frames = nullptr;
  }
  End(const End&) = delete;
  End& operator=(const End&) = delete;
  std::shared_ptr<Pipe> pipe;
  mcp::MessageFrames* frames = nullptr;
};

ClaudeMcpServers::ClaudeMcpServers(Loop& loop, claude::AgentSide& agent, toolbox::ToolsViaMcp* tools)
    : loop_(loop), agent_(agent), tools_(tools), scope_(loop) {}

ClaudeMcpServers::~ClaudeMcpServers() {
  for (const auto& pipe : pipes_) {
    pipe->owner = nullptr;
    if (pipe->frames != nullptr) pipe->frames->end();
  }
  scope_.cancel();
}

void ClaudeMcpServers::add_of_host(const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    if (std::ranges::any_of(pipes_, [&](const auto& pipe) { return pipe->name == name; })) continue;
    const auto pipe = pipes_.emplace_back(std::make_shared<Pipe>(Pipe{.name = name, .owner = this}));
    if (tools_ == nullptr) continue;
    const auto open = [&loop = loop_, pipe]() -> std::unique_ptr<Frames> {
      if (pipe->owner == nullptr) return nullptr;
      const auto end = std::make_shared<End>(pipe);
      auto frames = std::make_unique<mcp::MessageFrames>(loop, pipe->name, std::make_shared<mcp::Route>(),
                                                         [end](const mcp::Route&, std::string message) {
                                                           if (ClaudeMcpServers* owner = end->pipe->owner)
                                                             owner->scope_.start(owner->carry(end->pipe, std::move(message)));
                                                         });
      end->frames = pipe->frames = frames.get();
      return frames;
    };
    tools_->add({.name = name, .frames = open, .prefix = claude_tool_prefix(name)});
  }
}

// The host's protocol sends each message as a control request, notifications included. Replies to notifications mean nothing.
Task<void> ClaudeMcpServers::carry(std::shared_ptr<Pipe> pipe, std::string message) {
  const auto outline = mcp::outline(message);
  const std::string id = outline && !outline->method.empty() ? outline->id_json : "";
  const auto answer = co_await agent_.mcp_message({.server_name = pipe->name, .message = {std::move(message)}}, no_deadline);
  if (id.empty() || pipe->frames == nullptr) co_return;
  if (answer) {
    if (const auto reply = mcp::outline(answer->response.json); reply && reply->id_json == id) {
      pipe->frames->receive(answer->response.json);
      co_return;
    }
  }
  const Error error = answer ? Error{.code = Errc::internal, .message = "the host answered something else"} : answer.error();
  std::string text =
      R"({"jsonrpc":"2.0","id":)" + id + R"(,"error":{"code":)" + std::to_string(jsonrpc::code_of(error.code)) + R"(,"message":)";
  json::write_text(text, error.message);
  pipe->frames->receive(text + "}}");
}

Result<void> ClaudeMcpServers::receive(const claude::McpMessage& message) {
  for (const auto& pipe : pipes_) {
    if (pipe->name != message.server_name) continue;
    if (pipe->frames != nullptr) pipe->frames->receive(message.message.json);
    return {};
  }
  return fail(Errc::not_found, "no such MCP server: " + message.server_name);
}

Task<void> ClaudeMcpServers::settled() {
  if (tools_ == nullptr) co_return;
  static_cast<void>(co_await with_deadline(loop_, loop_.now() + longest_start, tools_->settled()));
}

json::Value ClaudeMcpServers::status() const {
  json::Array all;
  const auto add = [&](const std::string& name, std::string status, const std::string& problem) {
    json::Object object;
    object.set("name", name);
    object.set("status", std::move(status));
    if (!problem.empty()) object.set("error", problem);
    all.emplace_back(std::move(object));
  };
  if (tools_ != nullptr)
    for (const toolbox::ToolsViaMcp::Health& server : tools_->health()) switch (server.state) {
        case toolbox::ToolsViaMcp::Health::State::connecting: add(server.name, "pending", ""); break;
        case toolbox::ToolsViaMcp::Health::State::connected: add(server.name, "connected", server.problem); break;
        case toolbox::ToolsViaMcp::Health::State::failed: add(server.name, "failed", server.problem); break;
        case toolbox::ToolsViaMcp::Health::State::paused: add(server.name, "disabled", ""); break;
      }
  else
    for (const auto& pipe : pipes_) add(pipe->name, "failed", "this agent takes no tools of the host");
  return all;
}

json::Value joined(json::Value value, json::Value more) {
  if (value.object() != nullptr && more.object() != nullptr) {
    for (auto& [name, member] : more.object()->members) {
      const json::Value* const there = value.object()->find(name);
      value.object()->set(name, there != nullptr ? joined(*there, std::move(member)) : std::move(member));
    }
    return value;
  }
  if (value.array() == nullptr || more.array() == nullptr) return more;
  for (json::Value& element : *more.array()) value.array()->push_back(std::move(element));
  return value;
}

}  // namespace parlance::adapter
