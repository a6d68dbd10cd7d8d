// SPDX-License-Identifier: Apache-2.0
// parlance serve-claude: replaces Claude Code for a host with its control protocol (the Claude agent SDK with
// pathToClaudeCodeExecutable, an editor), with any agent of parlance behind. Accepts Claude Code's own flags (host_flags.h).
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>

#include <CLI/CLI.hpp>

#include "apps/parlance/commands.h"
#include "apps/parlance/remote/gateway.h"
#include "apps/parlance/run/editor_server.h"
#include "apps/parlance/run/make_agent.h"
#include "apps/parlance/serve_claude/claude_sessions.h"
#include "apps/parlance/serve_claude/host_flags.h"
#include "parlance/adapter/claude/tools.h"
#include "parlance/base/log.h"
#include "parlance/codec/json/typed.h"
#include "parlance/face/claude/hub_over_claude.h"
#include "parlance/face/claude/lines.h"
#include "parlance/face/claude/turn.h"
#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/hub.h"
#include "parlance/hub/log/in_memory_store.h"
#include "parlance/hub/policy/spending.h"
#include "parlance/hub/runtime/snapshot.h"
#include "parlance/protocol/claude/host.h"
#include "parlance/store/hub/hub_sqlite.h"
#include "parlance/toolbox/agent_workspace.h"
#include "parlance/transport/framed_stream.h"
#include "parlance/transport/stdio.h"
#include "parlance/wire_form/event_tables.h"

namespace parlance::app {
namespace {

// As Claude Code ends: the host reads a result, the person the same on stderr.
int no_session(const Error& error, const std::string& session) {
  claude::TurnResult result = face::ClaudeTurn::without_turn("error_during_execution", error.message, 0);
  result.session_id = session;
  result.uuid = face::make_uuid();
  result.denials.json = "[]";
  std::string line = R"({"type":"result",)" + json::to_text(result).substr(1);
  std::printf("%s\n", line.c_str());
  std::fflush(stdout);
  return complain(error);
}

// A session without a message (a host only asked for the options) is removed: no person would continue such a session. Destroyed
// after the users of its files.
struct Left {
  std::string folder{};
  bool unused = false;
  explicit Left(std::string of) : folder(std::move(of)) {}
  Left(const Left&) = delete;
  Left& operator=(const Left&) = delete;
  ~Left() {
    std::error_code ignored;
    if (unused) std::filesystem::remove_all(folder, ignored);
  }
};

// The parsed flags.
struct Wanted {
  std::string permission_mode{};
  hub::PromptOptions options{};
  adapter::ClaudeMcpConfig servers{};
};

Result<Wanted> wanted_by(const claude::Flags& flags) {
  if (flags.text("--output-format") != "stream-json" || flags.text("--input-format") != "stream-json")
    return fail(Errc::invalid_params,
                "serve-claude speaks --input-format stream-json --output-format stream-json, as the Claude agent SDK does");
  PARLANCE_TRY(permission_mode, permission_mode_of(flags));
  PARLANCE_TRY(options, options_of(flags));
  PARLANCE_TRY(servers, servers_of(flags));
  return Wanted{std::move(permission_mode), std::move(options), std::move(servers)};
}

// The folder and the agent of the host's session.
struct Work {
  std::string folder{};
  std::string agent{};
  std::shared_ptr<Gateway> gateway{};  // none: here
};

Result<GatewaySession> session_of(const Settings& settings, const claude::Flags& flags, const Work& work) {
  const ClaudeSessionRequest request{.resume = flags.text("--resume"),
                                     .continues = flags.has("--continue"),
                                     .folder = work.folder,
                                     .fork = flags.has("--fork-session"),
                                     .resume_at = flags.text("--resume-session-at"),
                                     .session_id = flags.text("--session-id")};
  if (work.gateway) return find_gateway_session(state_folder(settings) + "/claude-sessions-at-gateways", request);
  PARLANCE_TRY(session, find_claude_session(state_folder(settings) + "/claude-sessions", request));
  return GatewaySession{.session = std::move(session)};
}

// A host, a conversation and its agent.
class HostSession {
 public:
  HostSession(Loop& loop, const Settings& settings, const claude::Flags& flags, Wanted wanted, GatewaySession session, Work work)
      : settings_(settings),
        flags_(flags),
        wanted_(std::move(wanted)),
        session_(std::move(session.session)),
        kept_conversation_(std::move(session.conversation)),
        work_(std::move(work)),
        left_(session_.state),
        loop_(loop),
        store_(make_store()),
        hub_(work_.gateway ? work_.gateway->hub() : own_.emplace(loop_, *store_, hub_settings())) {}

  int run() {
    auto stream = stdio_stream(loop_);
    if (!stream) return complain(stream.error());
    if (const auto made = make_the_agent(); !made) return complain(made.error(), ExitCode::not_started);
    if (const auto kept = keep_flags(); !kept) return complain(kept.error());
    if (const auto added = add_servers(); !added) return complain(added.error(), ExitCode::usage);
    return loop_.block_on(live(*std::move(stream)));
  }

 private:
  hub::HubSettings hub_settings() { return {.workspace = toolbox::agent_workspaces(loop_)}; }

  std::unique_ptr<hub::Store> make_store() {
    if (work_.gateway) return nullptr;
    if (session_.resumed || !flags_.has("--no-session-persistence"))
      return std::make_unique<store::HubSqlite>(loop_, session_.state);
    return std::make_unique<hub::InMemoryStore>(wire_form::event_json);
  }

  Result<void> make_the_agent() {
    if (work_.gateway) {
      name_unkept(flags_);
      return {};
    }
    if (work_.agent == "claude") {
      home_.relay = std::make_unique<adapter::ClaudeRelay>(loop_);
      home_.relay->mcp_config = wanted_.servers.json;
      home_.relay->resume_at = session_.agent_resumes_at;
      pass_on(flags_, *home_.relay);
    } else {
      home_.port = std::make_unique<toolbox::ToolHooksPort>();
    }
    if (!flags_.has("--strict-mcp-config")) PARLANCE_TRY_DO(offer_near_editor(settings_, home_));
    PARLANCE_TRY(agent, make_agent(loop_, settings_, work_.agent, {}, home_));
    hub_.add_agent(std::move(agent));
    return {};
  }

  Result<void> keep_flags() {
    if (!home_.relay) PARLANCE_TRY_DO(keep_schema(flags_, home_.output.get()));
    if (home_.tools) PARLANCE_TRY_DO(keep_by_ours(flags_, *home_.tools, wanted_.options));
    return {};
  }

  Result<void> add_servers() {
    if (!home_.mcp_tools) return {};
    PARLANCE_TRY_DO(add_configured(settings_, flags_, wanted_.servers, *home_.mcp_tools));
    for (const toolbox::McpServerSettings& server : wanted_.servers.started) home_.mcp_tools->add(server);
    for (const toolbox::McpServerSettings& server : home_.client_servers) home_.mcp_tools->add(server);
    for (const std::string& left_out : wanted_.servers.not_understood)
      log(LogLevel::warn, "an MCP server of the host is of a type that we do not know", {{"server", left_out}});
    return {};
  }

  // The session's conversation with the current flags, or a new conversation.
  Task<Result<std::string>> conversation() {
    const std::string& named = wanted_.permission_mode;
    const auto mode = named.empty() ? std::nullopt : std::optional(adapter::hub_mode(named, hub::Mode::default_));
    const auto model = flags_.has("--model") ? std::optional(flags_.text("--model")) : std::nullopt;
    const std::optional<bool> thinking = home_.relay ? claude::thinking_of(flags_) : claude::thinking_of_effort(flags_);
    const std::string known = co_await known_conversation();
    if (!known.empty()) {
      PARLANCE_CO_TRY_DO(co_await hub_.submit(known, hub::ChangeSettings{{.mode = mode, .model = model, .think = thinking}}));
      co_return known;
    }
    PARLANCE_CO_TRY(made, co_await hub_.create({.agent = work_.agent,
                                                .folder = work_.folder,
                                                .mode = mode.value_or(hub::Mode::default_),
                                                .model = model.value_or(""),
                                                .think = thinking.value_or(false)}));
    if (work_.gateway && !flags_.has("--no-session-persistence"))
      PARLANCE_CO_TRY_DO(keep_gateway_session(session_, made.id, made.folder));
    co_return made.id;
  }

  // The conversation of a resumed session; empty: none, or deleted at the gateway.
  Task<std::string> known_conversation() {
    if (!work_.gateway) {
      const auto known = hub_.snapshot().conversations;
      co_return known.empty() ? "" : known.front().id;
    }
    if (kept_conversation_.empty() || !co_await hub_.look_for(kept_conversation_)) co_return "";
    co_return kept_conversation_;
  }

  face::ClaudeFrontendSettings face_settings(const std::string& conversation) {
    return {.conversation = conversation,
            .session_id = session_.id,
            .version = PARLANCE_VERSION,
            .partial_messages = flags_.has("--include-partial-messages"),
            .replay_user_messages = flags_.has("--replay-user-messages"),
            .permission_mode = wanted_.permission_mode,
            .may_bypass = may_bypass(flags_),
            .source = session_.resumed ? "resume" : "startup",
            .allowed_tools = tools_of(flags_, "--allowedTools"),
            .disallowed_tools = tools_of(flags_, "--disallowedTools"),
            .port = home_.port.get(),
            .offered = home_.named.get(),
            .add_folder = home_.tools ? add_folder_to(*home_.tools) : std::function<void(const std::string&)>{},
            .tools = home_.mcp_tools.get(),
            .relay = home_.relay.get(),
            .output = home_.output.get(),
            .servers = wanted_.servers.of_host,
            .options = wanted_.options,
            .asks = flags_.text("--permission-prompt-tool") == "stdio"};
  }

  Task<int> live(std::unique_ptr<ByteStream> stream) {
    if (own_)
      if (const auto started = co_await own_->start(); !started) co_return complain(started.error());
    const auto id = co_await conversation();
    if (!id) co_return complain(id.error());
    auto frames = framed_stream(loop_, std::move(stream), line_framing());
    const auto served = co_await face::serve_hub_over_claude(loop_, hub_, std::move(frames), face_settings(*id));
    co_await end(*id);
    co_return served.last_failed ? ExitCode::failed : ExitCode::done;
  }

  // A gateway's turn ends with its host, because no other program answers the host's tools.
  Task<void> end(const std::string& id) {
    if (own_) {
      co_await own_->stop_all();
      const auto said = co_await hub_.history(id);
      left_.unused = !session_.resumed && said && said->empty();
      co_return;
    }
    static_cast<void>(co_await hub_.submit(id, hub::StopTurn{.only_own = true}));
    const hub::Conversation* const row = hub_.find(id);
    left_.unused = row != nullptr && row->last_seq == 0;
    if (left_.unused) static_cast<void>(co_await hub_.submit(id, hub::RemoveConversation{}));
  }

  const Settings& settings_;
  const claude::Flags& flags_;
  Wanted wanted_;
  ClaudeSession session_;
  std::string kept_conversation_;  // of a session at a gateway; empty: none
  Work work_;
  Left left_;  // goes after the store
  Loop& loop_;
  AgentHome home_;  // destroyed after the hub, because the hub holds its provider
  std::unique_ptr<hub::Store> store_;
  std::optional<hub::Hub> own_;  // none: at a gateway
  hub::Hub& hub_;
};

// At a gateway: the gateway's folder and agent, unless the person names others.
Task<Result<Work>> work_at(std::shared_ptr<Gateway> gateway, const Settings& settings, std::string folder) {
  PARLANCE_CO_TRY_DO(co_await gateway->start());
  const bool named = settings["serve-agent"].origin != default_origin;
  PARLANCE_CO_TRY(agent, gateway->choose(named ? settings.text("serve-agent") : ""));
  co_return Work{
      .folder = folder.empty() ? gateway->default_folder() : std::move(folder), .agent = agent.id, .gateway = std::move(gateway)};
}

Result<Work> work_of(Loop& loop, const Settings& settings, const GatewayFlags& to) {
  std::error_code none;
  if (!to.wanted()) return Work{.folder = std::filesystem::current_path(none).string(), .agent = settings.text("serve-agent")};
  PARLANCE_TRY(gateway, Gateway::at(loop, settings, to));
  return loop.block_on(work_at(std::move(gateway), settings, to.folder));
}

int serve(const Settings& settings, const Words& words, const GatewayFlags& to) {
  const claude::Flags flags(words);
  auto wanted = wanted_by(flags);
  if (!wanted) return complain(wanted.error());
  Loop loop;
  auto work = work_of(loop, settings, to);
  if (!work) return no_session(work.error(), flags.text("--resume"));
  auto session = session_of(settings, flags, *work);
  if (!session) return no_session(session.error(), flags.text("--resume"));
  return HostSession(loop, settings, flags, *std::move(wanted), *std::move(session), *std::move(work)).run();
}

}  // namespace

int run_serve_claude(const Settings& settings, const Words& words) { return serve(settings, words, gateway_of_environment()); }

Action declare_serve_claude(CLI::App& app) {
  app.allow_extras();
  auto to = std::make_shared<GatewayFlags>();
  declare_gateway_flags(app, *to, true);
  return [&app, to](const Settings& settings, const Words&) { return serve(settings, app.remaining(), *to); };
}

bool is_claude_host(int argc, char** argv) {
  // Hosts start Claude Code without a subcommand, and our flags have other names.
  if (argc < 2 || argv[1][0] != '-') return false;
  for (int i = 1; i < argc; ++i)
    if (std::string_view(argv[i]).starts_with("--output-format")) return true;
  return false;
}

}  // namespace parlance::app
