// parlance serve-claude: in the place of Claude Code for a host that speaks its control protocol (the Claude agent SDK with
// pathToClaudeCodeExecutable, an editor), with any agent of ours behind. The flags are Claude Code's own, and each version of a host
// brings others: what is not kept is told on stderr, which hosts show or keep.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <set>

#include "base/log.h"
#include "base/text.h"
#include "claude_sessions.h"
#include "codec/json/typed.h"
#include "commands.h"
#include "hub/hub.h"
#include "mcp_servers.h"
#include "protocol/claude/flags.h"
#include "protocol/claude/host.h"
#include "run.h"
#include "service/claude_lines.h"
#include "service/claude_mcp_servers.h"
#include "service/claude_only.h"
#include "service/claude_tool_names.h"
#include "service/claude_tools.h"
#include "service/claude_turn.h"
#include "service/hub_over_claude.h"
#include "store/hub_memory.h"
#include "store/hub_sqlite.h"
#include "transport/framed_stream.h"
#include "transport/stdio.h"

namespace parlance::app {
namespace {

using Names = std::set<std::string, std::less<>>;

// What holds whatever agent answers.
const Names kept{"--print",
                 "--verbose",
                 "--debug",
                 "--input-format",
                 "--output-format",
                 "--permission-prompt-tool",
                 "--include-partial-messages",
                 "--replay-user-messages",
                 "--permission-mode",
                 "--allow-dangerously-skip-permissions",
                 "--dangerously-skip-permissions",
                 "--model",
                 "--max-turns",
                 "--max-thinking-tokens",
                 "--thinking",
                 "--system-prompt",
                 "--append-system-prompt",
                 "--mcp-config",
                 "--resume",
                 "--continue",
                 "--fork-session",
                 "--session-id",
                 "--resume-session-at",
                 "--await-initialize",
                 "--initialize-fields"};

// What agents of ours keep besides. A Claude Code behind us keeps these itself, and all others that it knows.
const Names kept_by_ours{"--allowedTools",      "--disallowedTools", "--tools",
                         "--add-dir",           "--effort",          "--json-schema",
                         "--strict-mcp-config", "--max-budget-usd",  "--no-session-persistence"};

std::vector<std::string> tools_of(const claude::Flags& flags, std::string_view flag) {
  std::vector<std::string> names;
  for (const std::string& value : flags.all(flag))
    for (std::string& name : claude::tool_names(value)) names.push_back(std::move(name));
  return names;
}

Result<hub::PromptOptions> options_of(const claude::Flags& flags) {
  hub::PromptOptions options;
  if (const std::string most = flags.text("--max-turns"); !most.empty()) {
    const auto number = parse_number<std::uint32_t>(most);
    if (!number || *number == 0) return fail(Errc::invalid_params, "--max-turns: \"" + most + "\" is no number of turns");
    options.most_rounds = *number;
  }
  if (flags.has("--system-prompt")) options.system = flags.text("--system-prompt");
  if (flags.has("--append-system-prompt")) options.append_system = flags.text("--append-system-prompt");
  return options;
}

Result<service::ClaudeMcpConfig> servers_of(const claude::Flags& flags) {
  std::string all;
  for (const std::string& config : flags.all("--mcp-config")) {
    PARLANCE_TRY(read, service::read_claude_mcp_config(config));
    all = service::joined_mcp_config(all, read.json);
  }
  if (all.empty()) return service::ClaudeMcpConfig{};
  return service::read_claude_mcp_config(all);
}

// Servers of our configuration, under the names by which hosts know tools. What a host calls the same is the host's.
Result<void> add_configured(const Settings& settings, const claude::Flags& flags, const service::ClaudeMcpConfig& of_host,
                            service::ToolsViaMcp& tools) {
  if (flags.has("--strict-mcp-config")) return {};  // none but those of the host
  PARLANCE_TRY(servers, mcp_servers(settings));
  for (service::McpServerSettings& server : servers) {
    const bool taken =
        std::ranges::find(of_host.started, server.name, &service::McpServerSettings::name) != of_host.started.end() ||
        std::ranges::find(of_host.of_host, server.name) != of_host.of_host.end();
    if (taken) continue;
    server.prefix = service::claude_tool_prefix(server.name);
    tools.add(std::move(server));
  }
  return {};
}

// ---- the flags that not every agent keeps

void pass_on(const claude::Flags& flags, service::ClaudeRelay& relay) {
  for (const claude::Flag& flag : flags.list())
    if (!kept.contains(flag.name))
      for (std::string& word : claude::words_of(flag)) relay.flags.push_back(std::move(word));
}

void offer_tools(const claude::Flags& flags, service::BuiltinTools& tools) {
  std::vector<std::string> wanted;
  std::string unknown;
  const std::vector<hub::ToolSpec> there = tools.list();
  for (const std::string& name : tools_of(flags, "--tools")) {
    if (name == "default") return;
    wanted.push_back(service::own_tool(name));
    if (std::ranges::find(there, wanted.back(), &hub::ToolSpec::name) == there.end())
      unknown += (unknown.empty() ? "" : ", ") + name;
  }
  if (!unknown.empty()) log(LogLevel::warn, "--tools: this agent has no such tools", {{"tools", unknown}});
  tools.offer_only(wanted);
}

Result<void> add_folders(const claude::Flags& flags, service::BuiltinTools& tools, hub::PromptOptions& options) {
  std::string told;
  for (const std::string& named : flags.all("--add-dir")) {
    std::error_code missing;
    const std::filesystem::path folder = std::filesystem::canonical(named, missing);
    if (missing || !std::filesystem::is_directory(folder))
      return fail(Errc::not_found, "--add-dir: " + named + " is no folder; name one that exists, or leave it out");
    tools.add_folder(folder.string());
    told += "\n" + folder.string();
  }
  if (!told.empty()) options.add_to_system("Further folders that you may work in, by absolute path:" + told);
  return {};
}

Result<void> keep_schema(const claude::Flags& flags, service::StructuredOutput* output) {
  if (flags.has("--json-schema")) {
    if (output == nullptr) return fail(service::no_structured_output("--json-schema"));
    PARLANCE_TRY_DO(output->set_schema(flags.text("--json-schema"), "--json-schema"));
  }
  const char* const most = std::getenv("MAX_STRUCTURED_OUTPUT_RETRIES");  // as for Claude Code
  if (output == nullptr || most == nullptr || *most == '\0') return {};
  const auto number = parse_number<std::uint32_t>(most);
  if (!number || *number == 0)
    return fail(Errc::invalid_params, "MAX_STRUCTURED_OUTPUT_RETRIES: \"" + std::string(most) + "\" is no number of tries");
  output->set_most_tries(*number);
  return {};
}

Result<void> keep_by_ours(const claude::Flags& flags, service::BuiltinTools& tools, hub::PromptOptions& options) {
  if (flags.has("--tools")) offer_tools(flags, tools);
  PARLANCE_TRY_DO(add_folders(flags, tools, options));
  if (flags.has("--max-budget-usd"))
    log(LogLevel::warn,
        "--max-budget-usd: this agent knows no prices, so nothing ends at the budget; Claude Code does "
        "(--serve-agent claude)");
  std::string unkept;
  for (const claude::Flag& flag : flags.list()) {
    if (kept.contains(flag.name) || kept_by_ours.contains(flag.name)) continue;
    if (flag.name == "--setting-sources" && flag.values == std::vector<std::string>{""}) continue;  // none is what we read
    unkept += (unkept.empty() ? "" : " ") + flag.name;
  }
  if (!unkept.empty())
    log(LogLevel::warn, "flags that this agent does not keep; Claude Code does (--serve-agent claude)", {{"flags", unkept}});
  return {};
}

bool may_bypass(const claude::Flags& flags) {
  return flags.has("--allow-dangerously-skip-permissions") || flags.has("--dangerously-skip-permissions") ||
         flags.text("--permission-mode") == "bypassPermissions";
}

using AddFolder = std::function<void(const std::string&)>;

// One that is not there is nobody's to work in.
AddFolder add_folder_to(service::BuiltinTools& tools) {
  return [&tools](const std::string& named) {
    std::error_code missing;
    const std::filesystem::path folder = std::filesystem::canonical(named, missing);
    if (!missing && std::filesystem::is_directory(folder, missing)) tools.add_folder(folder.string());
  };
}

// As Claude Code ends: the host reads a result, the person the same on stderr.
int no_session(const Error& why, const std::string& session) {
  claude::TurnResult result = service::ClaudeTurn::without_turn("error_during_execution", why.message, 0);
  result.session_id = session;
  result.uuid = service::make_uuid();
  result.denials.json = "[]";
  std::string line = R"({"type":"result",)" + json::to_text(result).substr(1);
  std::printf("%s\n", line.c_str());
  std::fflush(stdout);
  return complain(why);
}

// A session in which nothing was said (a host only asked what there is) is none: nobody would want to continue with it. Goes after
// what has its files open.
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

}  // namespace

int run_serve_claude(const Settings& settings, const std::vector<std::string>& words) {
  const claude::Flags flags(words);
  if (flags.text("--output-format") != "stream-json" || flags.text("--input-format") != "stream-json")
    return complain(
        {.code = Errc::invalid_params,
         .message = "serve-claude speaks --input-format stream-json --output-format stream-json, as the Claude agent SDK does"});
  std::string permission_mode = flags.has("--dangerously-skip-permissions") ? "bypassPermissions" : "";
  if (flags.has("--permission-mode")) permission_mode = flags.text("--permission-mode");
  if (permission_mode == "manual") permission_mode = "default";  // as newer ones spell it on the command line alone
  if (permission_mode == "auto") return complain(service::no_auto_mode());
  if (!permission_mode.empty() && !claude::is_permission_mode(permission_mode))
    return complain({.code = Errc::invalid_params, .message = "--permission-mode: no such mode: " + permission_mode});
  auto options = options_of(flags);
  if (!options) return complain(options.error());
  const auto servers = servers_of(flags);
  if (!servers) return complain(servers.error());
  std::error_code none;
  const std::string folder = std::filesystem::current_path(none).string();
  const auto session =
      find_claude_session(state_folder(settings) + "/claude-sessions", {.resume = flags.text("--resume"),
                                                                        .go_on = flags.has("--continue"),
                                                                        .folder = folder,
                                                                        .fork = flags.has("--fork-session"),
                                                                        .resume_at = flags.text("--resume-session-at"),
                                                                        .session_id = flags.text("--session-id")});
  if (!session) return no_session(session.error(), flags.text("--resume"));

  Left left(session->state);
  Loop loop;
  auto stream = stdio_stream(loop);
  if (!stream) return complain(stream.error());
  AgentHome home;
  std::unique_ptr<hub::Store> store;
  if (session->resumed || !flags.has("--no-session-persistence"))
    store = std::make_unique<store::HubSqlite>(loop, session->state);
  else store = std::make_unique<store::HubMemory>();
  hub::Hub hub(loop, *store);
  const std::string name = settings.text("serve-agent");
  if (name == "claude") {
    home.relay = std::make_unique<service::ClaudeRelay>(loop);
    home.relay->mcp_config = servers->json;
    home.relay->resume_at = session->agent_resumes_at;
    pass_on(flags, *home.relay);
  } else {
    home.port = std::make_unique<service::ToolHooksPort>();
  }
  auto agent = make_agent(loop, settings, name, {}, home);
  if (!agent) return complain(agent.error(), ExitCode::not_started);
  hub.add_agent(*std::move(agent));
  if (!home.relay)
    if (const auto taken = keep_schema(flags, home.output.get()); !taken) return complain(taken.error());
  if (home.tools)
    if (const auto taken = keep_by_ours(flags, *home.tools, *options); !taken) return complain(taken.error());

  if (home.mcp_tools) {
    if (const auto added = add_configured(settings, flags, *servers, *home.mcp_tools); !added)
      return complain(added.error(), ExitCode::usage);
    for (const service::McpServerSettings& server : servers->started) home.mcp_tools->add(server);
    for (const std::string& left_out : servers->not_understood)
      log(LogLevel::warn, "an MCP server of the host is of a type that we do not know", {{"server", left_out}});
  }

  const auto live = [&]() -> Task<int> {
    if (const auto started = co_await hub.start(); !started) co_return complain(started.error());
    std::string conversation;
    if (const auto known = hub.snapshot().conversations; !known.empty()) conversation = known.front().id;
    const auto mode =
        permission_mode.empty() ? std::nullopt : std::optional(service::hub_mode(permission_mode, hub::Mode::default_));
    const auto model = flags.has("--model") ? std::optional(flags.text("--model")) : std::nullopt;
    const std::optional<bool> thinking = home.relay ? claude::thinking_of(flags) : claude::thinking_of_effort(flags);
    if (!conversation.empty()) {
      if (const auto set = co_await hub.set(conversation, {.mode = mode, .model = model, .think = thinking}); !set)
        co_return complain(set.error());
    } else {
      auto made = co_await hub.create({.agent = name,
                                       .folder = folder,
                                       .mode = mode.value_or(hub::Mode::default_),
                                       .model = model.value_or(""),
                                       .think = thinking.value_or(false)});
      if (!made) co_return complain(made.error());
      conversation = made->id;
    }
    const auto served =
        co_await service::serve_hub_over_claude(loop, hub, framed_stream(loop, *std::move(stream), line_framing()),
                                                {.conversation = conversation,
                                                 .session_id = session->id,
                                                 .version = PARLANCE_VERSION,
                                                 .partial_messages = flags.has("--include-partial-messages"),
                                                 .replay_user_messages = flags.has("--replay-user-messages"),
                                                 .permission_mode = permission_mode,
                                                 .may_bypass = may_bypass(flags),
                                                 .source = session->resumed ? "resume" : "startup",
                                                 .allowed_tools = tools_of(flags, "--allowedTools"),
                                                 .disallowed_tools = tools_of(flags, "--disallowedTools"),
                                                 .port = home.port.get(),
                                                 .offered = home.named.get(),
                                                 .add_folder = home.tools ? add_folder_to(*home.tools) : AddFolder{},
                                                 .tools = home.mcp_tools.get(),
                                                 .relay = home.relay.get(),
                                                 .output = home.output.get(),
                                                 .servers = servers->of_host,
                                                 .options = *options,
                                                 .asks = flags.text("--permission-prompt-tool") == "stdio"});
    co_await hub.stop_all();
    const auto said = co_await hub.history(conversation);
    left.unused = !session->resumed && said && said->empty();
    co_return served.last_failed ? ExitCode::failed : ExitCode::done;
  };
  return loop.block_on(live());
}

bool is_claude_host(int argc, char** argv) {
  // Claude Code has no subcommand where a host starts it, and we have no flag of that name.
  if (argc < 2 || argv[1][0] != '-') return false;
  for (int i = 1; i < argc; ++i)
    if (std::string_view(argv[i]).starts_with("--output-format")) return true;
  return false;
}

}  // namespace parlance::app
