// parlance serve-claude: in the place of Claude Code for a host that speaks its control protocol (the Claude agent SDK with
// pathToClaudeCodeExecutable, an editor), with any agent of ours behind. The flags are Claude Code's own: what we do not know is
// passed over, because each version of a host brings others.
#include <cstdio>
#include <filesystem>
#include <map>
#include <set>

#include "base/log.h"
#include "base/text.h"
#include "claude_sessions.h"
#include "commands.h"
#include "hub/hub.h"
#include "run.h"
#include "service/claude_lines.h"
#include "service/claude_mcp_servers.h"
#include "service/hub_over_claude.h"
#include "store/hub_sqlite.h"
#include "transport/framed_stream.h"
#include "transport/stdio.h"

namespace parlance::app {
namespace {

// Flags of Claude Code that stand alone; every other one that is followed by a word takes it.
const std::set<std::string, std::less<>> switches{"-p",
                                                  "--print",
                                                  "--verbose",
                                                  "--include-partial-messages",
                                                  "--replay-user-messages",
                                                  "--allow-dangerously-skip-permissions",
                                                  "--dangerously-skip-permissions",
                                                  "--fork-session",
                                                  "--continue",
                                                  "--strict-mcp-config",
                                                  "--debug",
                                                  "--no-session-persistence"};

// What only a Claude Code that answers behind us can keep.
const std::set<std::string, std::less<>> passed_on{"--setting-sources", "--settings", "--strict-mcp-config",
                                                   "--disallowedTools", "--add-dir",  "--fallback-model"};

std::map<std::string, std::string> flags_of(const std::vector<std::string>& words) {
  std::map<std::string, std::string> flags;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (!word.starts_with('-')) continue;
    if (const std::size_t equals = word.find('='); equals != std::string::npos)
      flags[word.substr(0, equals)] = word.substr(equals + 1);
    else if (switches.contains(word) || i + 1 == words.size() || words[i + 1].starts_with("--")) flags[word] = "true";
    else flags[word] = words[++i];
  }
  return flags;
}

// Names, parted by commas or blanks: a rule in brackets may hold both.
std::vector<std::string> tools_of(std::string_view text) {
  std::vector<std::string> names;
  std::string name;
  int depth = 0;
  for (const char c : text) {
    if (c == '(') ++depth;
    if (c == ')') --depth;
    if (depth > 0 || (c != ',' && c != ' ')) name += c;
    else if (!name.empty()) names.push_back(std::exchange(name, {}));
  }
  if (!name.empty()) names.push_back(std::move(name));
  return names;
}

hub::Mode mode_of(const std::string& permission_mode) {
  if (permission_mode == "plan") return hub::Mode::plan;
  if (permission_mode == "acceptEdits") return hub::Mode::auto_edit;
  if (permission_mode == "bypassPermissions") return hub::Mode::yolo;
  return hub::Mode::default_;
}

}  // namespace

int run_serve_claude(const Settings& settings, const std::vector<std::string>& words) {
  const auto flags = flags_of(words);
  const auto flag = [&](const char* name) {
    const auto found = flags.find(name);
    return found == flags.end() ? std::string() : found->second;
  };
  if (flag("--output-format") != "stream-json" || flag("--input-format") != "stream-json")
    return complain(
        {.code = Errc::invalid_params,
         .message = "serve-claude speaks --input-format stream-json --output-format stream-json, as the Claude agent SDK does"});
  hub::PromptOptions options;
  if (const std::string most = flag("--max-turns"); !most.empty()) {
    const auto number = parse_number<std::uint32_t>(most);
    if (!number || *number == 0)
      return complain({.code = Errc::invalid_params, .message = "--max-turns: \"" + most + "\" is no number of turns"});
    options.most_rounds = *number;
  }
  if (flags.contains("--system-prompt")) options.system = flag("--system-prompt");
  if (flags.contains("--append-system-prompt")) options.append_system = flag("--append-system-prompt");
  std::optional<bool> thinking;  // adaptive, or so many tokens: our agents know on and off
  if (flags.contains("--max-thinking-tokens")) thinking = flag("--max-thinking-tokens") != "0";
  if (flags.contains("--thinking")) thinking = flag("--thinking") != "disabled";
  std::error_code none;
  const std::string folder = std::filesystem::current_path(none).string();
  const auto session = find_claude_session(state_folder(settings) + "/claude-sessions", {.resume = flag("--resume"),
                                                                                         .go_on = flags.contains("--continue"),
                                                                                         .folder = folder,
                                                                                         .fork = flags.contains("--fork-session"),
                                                                                         .resume_at = flag("--resume-session-at"),
                                                                                         .session_id = flag("--session-id")});
  if (!session) return complain(session.error());

  Loop loop;
  auto stream = stdio_stream(loop);
  if (!stream) return complain(stream.error());
  AgentHome home;
  store::HubSqlite store(loop, session->state);
  hub::Hub hub(loop, store);
  const std::string name = settings.text("serve-agent");
  service::ClaudeMcpConfig servers;
  if (const std::string config = flag("--mcp-config"); !config.empty()) {
    auto read = service::read_claude_mcp_config(config);
    if (!read) return complain(read.error());
    servers = *std::move(read);
  }
  if (name == "claude") {
    home.relay = std::make_unique<service::ClaudeRelay>(service::ClaudeRelay{.mcp_config = servers.json});
    for (const auto& [flag_name, value] : flags)
      if (passed_on.contains(flag_name))
        home.relay->flags.push_back(switches.contains(flag_name) ? flag_name : flag_name + "=" + value);
  }
  auto agent = make_agent(loop, settings, name, {}, home);
  if (!agent) return complain(agent.error(), ExitCode::not_started);
  hub.add_agent(*std::move(agent));

  if (home.mcp_tools) {
    for (service::McpServerSettings& server : servers.started) home.mcp_tools->add(std::move(server));
    for (const std::string& left_out : servers.not_understood)
      log(LogLevel::warn, "an MCP server of the host is of a type that we do not know", {{"server", left_out}});
  }

  const auto live = [&]() -> Task<int> {
    if (const auto started = co_await hub.start(); !started) co_return complain(started.error());
    std::string conversation;
    if (const auto known = hub.snapshot().conversations; !known.empty()) conversation = known.front().id;
    const auto mode = flags.contains("--permission-mode") ? std::optional(mode_of(flag("--permission-mode"))) : std::nullopt;
    const auto model = flags.contains("--model") ? std::optional(flag("--model")) : std::nullopt;
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
    static_cast<void>(co_await service::serve_hub_over_claude(loop, hub, framed_stream(loop, *std::move(stream), line_framing()),
                                                              {.conversation = conversation,
                                                               .session_id = session->id,
                                                               .version = PARLANCE_VERSION,
                                                               .partial_messages = flags.contains("--include-partial-messages"),
                                                               .replay_user_messages = flags.contains("--replay-user-messages"),
                                                               .allowed_tools = tools_of(flag("--allowedTools")),
                                                               .disallowed_tools = tools_of(flag("--disallowedTools")),
                                                               .tools = home.mcp_tools.get(),
                                                               .relay = home.relay.get(),
                                                               .servers = servers.of_host,
                                                               .options = options,
                                                               .asks = flag("--permission-prompt-tool") == "stdio"}));
    if (home.relay && home.relay->end) co_await home.relay->end();
    co_await hub.stop_all();
    co_return ExitCode::done;
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
