// SPDX-License-Identifier: Apache-2.0
#include "parlance/toolbox/mcp/tools_via_mcp.h"

#include <algorithm>
#include <deque>

#include "parlance/base/log.h"
#include "parlance/base/sha256.h"
#include "parlance/base/utf8.h"
#include "parlance/base/visible_text.h"
#include "parlance/codec/json/value.h"
#include "parlance/hub/conversation/agent_info.h"
#include "parlance/hub/conversation/limits.h"
#include "parlance/hub/conversation/session_setup.h"
#include "parlance/protocol/mcp/connect.h"
#include "parlance/toolbox/mcp/calls.h"
#include "parlance/toolbox/mcp/limits.h"
#include "parlance/toolbox/mcp/outcome.h"

namespace parlance::toolbox {
namespace {

constexpr std::size_t longest_tool_name = 64;
constexpr std::string_view between = "__";

mcp::ClientSettings client_settings() { return {.info = {.name = "parlance", .version = "1"}}; }

}  // namespace

struct ToolsViaMcp::Server {
  Server(Loop& loop, McpServerSettings of) : settings(std::move(of)), calls(loop, settings.name), ended(loop), stale(loop) {}
  McpServerSettings settings;
  McpCalls calls;
  // Shared: a call keeps its client when the connection is replaced meanwhile.
  std::shared_ptr<mcp::Client> client{};
  std::string prefix{};
  std::vector<mcp::Tool> tools{};
  mcp::LeftOuts left_out{};
  std::string problem = "not connected yet";
  std::optional<TimePoint> begun{};
  bool tried = false;
  bool lost = false;  // over HTTP only a call discovers that the server has gone
  Signal ended;
  bool is_stale = false;  // the list of tools changed since the last request
  Signal stale;
  bool paused = false;
  Scope::Handle running{};  // keep_connected
  std::deque<std::string> lines{};

  void note(std::string_view line) {
    lines.push_back(visible_line(utf8_prefix(line, limits::mcp_log_line_bytes)));
    if (lines.size() > limits::mcp_log_lines) lines.pop_front();
  }

  Health::State state() const {
    if (paused) return Health::State::paused;
    if (client != nullptr) return Health::State::connected;
    return tried ? Health::State::failed : Health::State::connecting;
  }
  std::string exposed(const mcp::Tool& tool) const { return exposed_tool_name(prefix, tool.name); }
};

namespace {

bool is_plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

// Whether the first "__" behind the prefix ends the server's name. Claude Code's names begin with mcp__ (adapter/claude/tools.h).
bool is_clear_prefix(std::string_view server) {
  constexpr std::string_view of_claude = "mcp__";
  if (server == "mcp") return false;
  if (server.starts_with(of_claude)) server.remove_prefix(of_claude.size());
  return !server.empty() && !server.contains(between) && !server.ends_with('_');
}

}  // namespace

std::string exposed_tool_name(std::string_view server, std::string_view tool) {
  const std::string whole = std::string(server) + std::string(between) + std::string(tool);
  if (whole.size() <= longest_tool_name && is_clear_prefix(server) && std::ranges::all_of(whole, is_plain)) return whole;
  std::string name = whole.substr(0, longest_tool_name - 9);
  for (char& c : name)
    if (!is_plain(c)) c = '_';
  std::string exact(server);
  (exact += '\0') += tool;
  return name + '_' + sha256_hex(exact).substr(0, 8);
}

ToolsViaMcp::ToolsViaMcp(Loop& loop, hub::Tools& others, std::vector<McpServerSettings> servers)
    : loop_(loop), others_(others), tried_(loop), scope_(loop) {
  for (McpServerSettings& server : servers) place(std::move(server));
}

// Clients may send two servers with the same name.
void ToolsViaMcp::place(McpServerSettings settings) {
  const std::string wanted = settings.prefix.empty() ? settings.name : settings.prefix;
  auto server = std::make_shared<Server>(loop_, std::move(settings));
  server->prefix = wanted;
  for (int number = 2; std::ranges::any_of(servers_, [&](const auto& known) { return known->prefix == server->prefix; });
       ++number)
    server->prefix = wanted + "-" + std::to_string(number);
  servers_.push_back(std::move(server));
}

ToolsViaMcp::~ToolsViaMcp() { scope_.cancel(); }

void ToolsViaMcp::start() {
  for (const auto& server : servers_)
    if (!server->paused) begin(*server);
}

void ToolsViaMcp::add(McpServerSettings server) {
  place(std::move(server));
  begin(*servers_.back());
}

void ToolsViaMcp::begin(Server& server) { server.running = scope_.start(keep_connected(server)); }

// The client ends with its last running call.
void ToolsViaMcp::end(Server& server, std::string reason) {
  server.running.cancel();
  server.running = {};
  server.client = nullptr;
  server.tools.clear();
  server.left_out.clear();
  server.problem = std::move(reason);
}

std::shared_ptr<ToolsViaMcp::Server> ToolsViaMcp::named(std::string_view name) const {
  const auto found = std::ranges::find_if(servers_, [&](const auto& server) { return server->settings.name == name; });
  return found == servers_.end() ? nullptr : *found;
}

bool ToolsViaMcp::restart(std::string_view name) {
  const auto server = named(name);
  if (!server) return false;
  end(*server, "not connected yet");
  server->paused = false;
  begin(*server);
  changed(*server);
  return true;
}

bool ToolsViaMcp::pause(std::string_view name, bool paused) {
  const auto server = named(name);
  if (!server) return false;
  if (server->paused == paused) return true;
  if (!paused) return restart(name);
  end(*server, "paused");
  server->paused = true;
  server->tried = true;
  changed(*server);
  return true;
}

bool ToolsViaMcp::remove(std::string_view name) {
  const auto server = named(name);
  if (!server) return false;
  end(*server, "removed");
  std::erase(servers_, server);
  tried_.notify_all();
  return true;
}

ToolsViaMcp::Details ToolsViaMcp::details(std::string_view name) const {
  Details all;
  const auto server = named(name);
  if (!server) return all;
  for (const mcp::Tool& tool : server->tools) all.tools.push_back(server->exposed(tool));
  all.log.assign(server->lines.begin(), server->lines.end());
  return all;
}

Task<Result<void>> ToolsViaMcp::settled() {
  const auto next_try = [](Signal& tried) -> Task<Result<void>> {
    co_await tried.wait();
    co_return Result<void>{};
  };
  for (;;) {
    TimePoint until = never;
    for (const auto& server : servers_)
      if (health_of(*server).waited_for) until = std::min(until, server->begun.value_or(loop_.now()) + limits::mcp_first_wait);
    if (until == never) co_return Result<void>{};
    static_cast<void>(co_await with_deadline(loop_, until, next_try(tried_)));
  }
}

Task<void> ToolsViaMcp::keep_connected(Server& server) {
  std::chrono::milliseconds pause = limits::mcp_reconnect_first;
  server.begun = loop_.now();
  for (;;) {
    const TimePoint begun = loop_.now();
    const Result<void> lived = co_await live(server);
    server.client = nullptr;
    server.tools.clear();
    server.left_out.clear();
    server.problem = lived ? "the connection ended" : lived.error().message;
    server.tried = true;
    log(LogLevel::warn, "an MCP server is not there", {{"server", server.settings.name}, {"reason", server.problem}});
    server.note(to_rfc3339(wall_now()).substr(0, 19) + "Z " + server.problem);
    changed(server);
    // A server with a long life restarts at once; a server that fails at its start waits longer after each attempt.
    if (loop_.now() - begun > limits::mcp_reconnect_most) pause = limits::mcp_reconnect_first;
    co_await sleep_for(loop_, pause);
    pause = std::min<std::chrono::milliseconds>(pause * 2, limits::mcp_reconnect_most);
  }
}

Task<Result<std::unique_ptr<mcp::Client>>> ToolsViaMcp::connect(Server& server) {
  mcp::ClientSettings settings = client_settings();
  settings.handlers.tools_changed = [&server] {
    server.is_stale = true;
    server.stale.notify_all();
  };
  settings.handlers.elicit = [&server](mcp::ElicitParams asked) { return server.calls.elicit(std::move(asked)); };
  settings.handlers.elicits_urls = true;
  settings.handlers.log = [&server](const mcp::LogMessage& message) { server.note(message.level + ": " + message.data.json); };
  settings.handlers.sample = [&server](mcp::CreateMessageParams asked) { return server.calls.sample(std::move(asked)); };
  if (server.settings.frames) {
    settings.era = mcp::Era::legacy;  // hosts of Claude Code use this era
    auto frames = server.settings.frames();
    if (frames == nullptr) co_return fail(Errc::disconnected, "its host is gone");
    auto client = std::make_unique<mcp::Client>(loop_, std::move(frames), std::move(settings));
    PARLANCE_CO_TRY_DO(co_await client->connect());
    co_return client;
  }
  if (!server.settings.command.empty())
    co_return co_await mcp::connect_child(loop_,
                                          {.command = server.settings.command,
                                           .set = server.settings.environment,
                                           .on_stderr_line = [&server](BytesView line) { server.note(line); }},
                                          std::move(settings));
  if (server.settings.url.empty()) co_return fail(Errc::failed, "neither a command nor a url is configured");
  mcp::HttpLinkSettings link{.url = server.settings.url, .way = server.settings.way};
  for (const auto& [name, value] : server.settings.headers) link.headers.push_back({name, value});
  if (!server.settings.token.empty()) link.headers.push_back({"Authorization", "Bearer " + server.settings.token});
  if (server.settings.authorizer) link.authorizer = server.settings.authorizer(loop_);
  co_return co_await mcp::connect_http(loop_, std::move(link), std::move(settings));
}

Task<Result<void>> ToolsViaMcp::live(Server& server) {
  Result<std::unique_ptr<mcp::Client>> connected = co_await connect(server);
  if (!connected) co_return std::unexpected(std::move(connected).error());
  const std::shared_ptr<mcp::Client> client = *std::move(connected);
  client->on_end = [&server](const Error&) { server.ended.notify_all(); };
  server.is_stale = false;
  PARLANCE_CO_TRY(tools, co_await client->list_tools(&server.left_out));
  server.client = client;
  server.lost = false;
  server.tools = std::move(tools);
  server.problem.clear();
  server.tried = true;
  changed(server);
  Scope reloading(loop_);
  reloading.start(reload(server));
  while (!client->ended() && !server.lost) co_await server.ended.wait();
  co_return fail(client->ended().value_or(Error{.code = Errc::disconnected, .message = "it does not answer any more"}));
}

// A change announced during a list request counts: the reply may be older than the change.
Task<void> ToolsViaMcp::reload(Server& server) {
  for (;;) {
    while (!server.is_stale) co_await server.stale.wait();
    const std::shared_ptr<mcp::Client> client = server.client;
    if (client == nullptr) co_return;
    server.is_stale = false;
    mcp::LeftOuts left_out;
    auto tools = co_await client->list_tools(&left_out);
    if (tools) {
      server.tools = *std::move(tools);
      server.left_out = std::move(left_out);
      changed(server);
    }
    co_await sleep_for(loop_, limits::mcp_list_pause);
  }
}

void ToolsViaMcp::changed(const Server& server) {
  if (!server.left_out.empty())
    log(LogLevel::warn, "tools of an MCP server are left out",
        {{"server", server.settings.name}, {"reason", mcp::text_of(server.left_out)}});
  tried_.notify_all();
  if (on_change) on_change(health_of(server));
}

ToolsViaMcp::Health ToolsViaMcp::health_of(const Server& server) const {
  const bool late = server.begun && loop_.now() >= *server.begun + limits::mcp_first_wait;
  return {.name = server.settings.name,
          .state = server.state(),
          .waited_for = !server.tried && !late,
          .over_sse = server.client != nullptr ? server.client->over_sse : server.settings.way == mcp::HttpWay::sse,
          .tools = server.tools.size(),
          .problem = server.problem,
          .left_out = mcp::text_of(server.left_out)};
}

std::string ToolsViaMcp::Health::detail() const {
  if (state != State::connected) return problem;
  return std::to_string(tools) + " tools" + (left_out.empty() ? "" : "; " + left_out);
}

std::string ToolsViaMcp::problems() const {
  std::string all;
  const auto add = [&](const Server& server, const std::string& sentence) {
    if (!all.empty()) all += '\n';
    all += "MCP server \"" + server.settings.name + "\": " + sentence;
  };
  for (const auto& server : servers_) {
    if (server->client == nullptr) continue;
    for (const mcp::LeftOut& left_out : server->left_out) add(*server, mcp::text_of({left_out}));
  }
  return all;
}

std::vector<ToolsViaMcp::Health> ToolsViaMcp::health() const {
  std::vector<Health> all;
  for (const auto& server : servers_) all.push_back(health_of(*server));
  return all;
}

std::vector<McpServerSettings> ToolsViaMcp::configured() const {
  std::vector<McpServerSettings> all;
  for (const auto& server : servers_) {
    if (server->paused) continue;
    McpServerSettings& mcp_server_settings = all.emplace_back(server->settings);
    if (health_of(*server).over_sse) mcp_server_settings.way = mcp::HttpWay::sse;
  }
  return all;
}

ToolsViaMcp::Found ToolsViaMcp::find(std::string_view exposed) const {
  for (const auto& server : servers_) {
    for (const mcp::Tool& tool : server->tools)
      if (server->exposed(tool) == exposed) return {server, &tool};
  }
  return {};
}

std::vector<hub::ToolSpec> ToolsViaMcp::list() const {
  std::vector<hub::ToolSpec> all = others_.list();
  for (const auto& server : servers_)
    for (const mcp::Tool& tool : server->tools)
      all.push_back({.name = server->exposed(tool),
                     .description = tool.description.value_or(tool.title.value_or(tool.name)),
                     .parameters_json = tool.input_schema.json,
                     .kind = hub::ToolKind::other});
  return all;
}

Task<Result<hub::ToolIntent>> ToolsViaMcp::intent(const hub::SessionSetup& setup, const hub::ToolCall& call) {
  const Found found = find(call.tool);
  if (found.tool == nullptr) co_return co_await others_.intent(setup, call);
  const auto arguments = json::parse(call.arguments_json.empty() ? "{}" : call.arguments_json.json());
  if (!arguments || arguments->object() == nullptr)
    co_return fail(Errc::invalid_params, call.tool + ": the arguments are no object");
  co_return hub::ToolIntent{.kind = hub::ToolKind::other,
                            .title = found.server->settings.name + ": " + found.tool->title.value_or(found.tool->name),
                            .detail = json::to_text(*arguments)};
}

Task<hub::ToolOutcome> ToolsViaMcp::call(const hub::SessionSetup& setup, const hub::ToolCall& call, hub::ToolHost host) {
  const Found found = find(call.tool);
  if (found.tool == nullptr) co_return co_await others_.call(setup, call, std::move(host));
  const std::shared_ptr<mcp::Client> client = found.server->client;
  const std::string name = found.server->settings.name;
  const std::chrono::milliseconds silence = found.server->settings.call_time;
  McpCall running(found.server->calls, setup.id, call.tool, std::move(host));
  mcp::CallOptions options{.time = Duration::max(),  // `running` keeps the time
                           .progress = [&running](const mcp::Progress& report) { running.progress(report); },
                           .elicit = [&running](mcp::ElicitParams asked) { return running.elicit(std::move(asked)); },
                           .sample = [&running](mcp::CreateMessageParams asked) { return running.sample(std::move(asked)); }};
  auto result = co_await running.outcome(
      client->call_tool(found.tool->name, {call.arguments_json.empty() ? "{}" : call.arguments_json.json()}, std::move(options)),
      silence);
  if (!result && result.error().code == Errc::disconnected && found.server->client == client) {
    found.server->lost = true;
    found.server->ended.notify_all();
  }
  if (!result) co_return hub::ToolOutcome{.state = hub::ToolEndState::failed, .text = name + ": " + result.error().message};
  co_return outcome_of(*std::move(result));
}

}  // namespace parlance::toolbox
