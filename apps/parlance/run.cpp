// parlance run: one prompt to one agent in a terminal. Its text goes to stdout, all else to stderr; approvals, questions and plans
// are answered there, or by --approve.
#include "run.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <sys/un.h>
#include <unistd.h>

#include "async/cancel.h"
#include "async/signals.h"
#include "async/worker.h"
#include "base/secret.h"
#include "base/text.h"
#include "codec/json/value.h"
#include "commands.h"
#include "hub/follower.h"
#include "hub/hub.h"
#include "mcp_servers.h"
#include "service/agent_via_gorpc.h"
#include "service/claude_mcp_servers.h"
#include "service/command_runner.h"
#include "store/event_tables.h"
#include "store/hub_memory.h"

namespace parlance::app {
namespace {

// Shows events and asks the person. One turn.
class Terminal {
 public:
  Terminal(Loop& loop, hub::Hub& hub, const RunCommand& command) : hub_(hub), command_(command), input_(loop, "terminal") {}

  Task<Result<hub::StopReason>> follow(hub::Follower& follower) {
    for (;;) {
      PARLANCE_CO_TRY(news, co_await follower.next());
      for (const hub::EventPtr& event : news.events) {
        show(*event);
        if (const hub::Ask* ask = ask_of(event->body)) PARLANCE_CO_TRY_DO(co_await settle(*ask));
        if (const auto* end = std::get_if<hub::event::TurnEnd>(&event->body)) co_return end->stop_reason;
      }
      if (news.conversation) show_waiting(news.conversation->waits_for.value_or(""));
    }
  }
  bool refused() const { return refused_; }
  const std::optional<hub::event::Failure>& failure() const { return failure_; }

 private:
  static const hub::Ask* ask_of(const hub::EventBody& body) {
    if (const auto* one = std::get_if<hub::event::ToolConfirmation>(&body)) return &one->ask;
    if (const auto* one = std::get_if<hub::event::UserQuestion>(&body)) return &one->ask;
    if (const auto* one = std::get_if<hub::event::PlanApproval>(&body)) return &one->ask;
    return nullptr;
  }

  void show(const hub::Event& event) {
    if (const auto* failure = std::get_if<hub::event::Failure>(&event.body)) failure_ = *failure;
    if (const auto* end = std::get_if<hub::event::ToolEnd>(&event.body);
        end != nullptr && end->state == hub::ToolEndState::rejected)
      refused_ = true;
    if (command_.json) {
      std::printf("%s\n", store::event_json(event).c_str());
      std::fflush(stdout);
      return;
    }
    std::visit([this](const auto& body) { tell(body); }, event.body);
    std::fflush(stdout);
  }
  void show_waiting(const std::string& what) {
    if (std::exchange(waits_for_, what) != what && !what.empty() && !command_.json) note("  waits for " + what);
  }
  // Every kind of event is named: a new one does not compile until it is decided what a terminal shows of it.
  void tell(const hub::event::TurnStart&) {}
  void tell(const hub::event::UserMessage&) {}  // the person's own words
  void tell(const hub::event::ThinkingStart&) {}
  void tell(const hub::event::ThinkingContent&) {}  // with --json only, as what tools put out
  void tell(const hub::event::ThinkingEnd&) {}
  void tell(const hub::event::ToolOutput&) {}
  void tell(const hub::event::ToolConfirmation&) {}  // `settle` shows what is asked
  void tell(const hub::event::UserQuestion&) {}
  void tell(const hub::event::PlanApproval&) {}
  void tell(const hub::event::AskSettled&) {}
  void tell(const hub::event::ModeChanged& changed) { note("  mode: " + std::string(hub::to_string(changed.mode))); }
  void tell(const hub::event::Text& text) {
    std::fwrite(text.text.data(), 1, text.text.size(), stdout);
    at_line_start_ = text.text.ends_with('\n');
  }
  void tell(const hub::event::ToolStart& start) { note((start.parent ? "    > " : "  > ") + start.tool + "  " + start.title); }
  void tell(const hub::event::ToolEnd& end) {
    if (end.state == hub::ToolEndState::failed) note("    failed");
    if (end.state == hub::ToolEndState::rejected) note("    refused");
  }
  void tell(const hub::event::Plan& plan) {
    for (const hub::PlanEntry& entry : plan.entries)
      note(std::string(entry.status == hub::PlanStatus::completed     ? "  [x] "
                       : entry.status == hub::PlanStatus::in_progress ? "  [>] "
                                                                      : "  [ ] ") +
           entry.content);
  }
  void tell(const hub::event::Failure& failure) {
    note("error: " + failure.message + (failure.detail.empty() ? "" : " (" + failure.detail + ")"));
  }
  void tell(const hub::event::Usage& usage) {
    char line[120];
    std::snprintf(line, sizeof line, "  %llu tokens in, %llu out", static_cast<unsigned long long>(usage.input_tokens),
                  static_cast<unsigned long long>(usage.output_tokens));
    std::string text = line;
    if (usage.cost) {
      std::snprintf(line, sizeof line, ", $%.4f", *usage.cost);
      text += line;
    }
    note(text);
  }
  void tell(const hub::event::TurnEnd&) { end_line(); }

  void end_line() {
    if (!std::exchange(at_line_start_, true)) std::fputc('\n', stdout);
    std::fflush(stdout);
  }
  void note(const std::string& line) {
    end_line();
    std::fprintf(stderr, "%s\n", line.c_str());
  }

  Task<Result<void>> settle(hub::Ask ask) {
    // Told late, after somebody was asked something else for long: it may be settled by now.
    if (hub_.find_ask(ask.id) == nullptr) co_return Result<void>{};
    hub::GivenAnswer given{.digest = ask.digest, .by = "person"};
    if (command_.approve != "ask") {
      given.by = "--approve " + command_.approve;
      const bool yes = command_.approve == "all";
      if (ask.kind == hub::AskKind::question) given.option = std::string(hub::decline);  // nobody is there who could know
      else given.option = first(ask, yes ? hub::OptionKind::allow_once : hub::OptionKind::reject_once);
    } else if (ask.kind == hub::AskKind::question) {
      co_await ask_questions(ask, given);
    } else {
      co_await ask_options(ask, given);
    }
    // Told here and not by the end of the tool alone: not every agent tells how a refused tool ended.
    refused_ = refused_ || refuses(ask, given);
    const auto done = co_await hub_.answer(ask.id, std::move(given));
    if (!done && done.error().code != Errc::failed) co_return fail(done.error());  // failed: settled by somebody else meanwhile
    co_return Result<void>{};
  }
  static bool refuses(const hub::Ask& ask, const hub::GivenAnswer& given) {
    if (given.option == hub::decline) return true;
    return std::ranges::any_of(ask.options, [&](const hub::AskOption& option) {
      return option.id == given.option &&
             (option.kind == hub::OptionKind::reject_once || option.kind == hub::OptionKind::reject_always);
    });
  }
  static std::optional<std::string> first(const hub::Ask& ask, hub::OptionKind kind) {
    for (const hub::AskOption& option : ask.options)
      if (option.kind == kind) return option.id;
    return ask.options.empty() ? std::nullopt : std::optional(ask.options.back().id);
  }

  // Empty at the end of input.
  Task<std::optional<std::string>> read_line(std::string prompt) {
    end_line();
    std::fprintf(stderr, "%s", prompt.c_str());
    co_return co_await input_.run([]() -> std::optional<std::string> {
      std::string line;
      if (!std::getline(std::cin, line)) return std::nullopt;
      return line;
    });
  }

  Task<void> ask_options(const hub::Ask& ask, hub::GivenAnswer& given) {
    note("");
    note(ask.title);
    if (!ask.why.empty()) note("  " + ask.why);
    if (ask.detail && *ask.detail != ask.title) note("  " + *ask.detail);
    if (ask.plan) note(*ask.plan);
    if (ask.diff) show_diff(*ask.diff);
    for (std::size_t i = 0; i < ask.options.size(); ++i) note("  " + std::to_string(i + 1) + "  " + ask.options[i].label);
    for (;;) {
      const auto line = co_await read_line("? ");
      if (!line) {
        given.option = first(ask, hub::OptionKind::reject_once);
        co_return;
      }
      const auto number = parse_number<std::size_t>(trim(*line));
      if (!number || *number == 0 || *number > ask.options.size()) continue;
      const hub::AskOption& chosen = ask.options[*number - 1];
      given.option = chosen.id;
      if (chosen.kind == hub::OptionKind::feedback) given.text = (co_await read_line("What should be different? ")).value_or("");
      if (chosen.kind != hub::OptionKind::feedback || !given.text->empty()) co_return;
    }
  }

  Task<void> ask_questions(const hub::Ask& ask, hub::GivenAnswer& given) {
    for (const hub::Question& question : *ask.questions) {
      note("");
      note(question.question);
      for (std::size_t i = 0; i < question.options.size(); ++i)
        note("  " + std::to_string(i + 1) + "  " + question.options[i].label +
             (question.options[i].description.empty() ? "" : "  " + question.options[i].description));
      const auto line = co_await read_line(question.multiple ? "numbers, or your own words: " : "number, or your own words: ");
      if (!line || trim(*line).empty()) {
        given.answers.clear();
        given.option = std::string(hub::decline);
        co_return;
      }
      std::vector<std::string> answer;
      for (const std::string_view word : split(trim(*line), ' ')) {
        const auto number = parse_number<std::size_t>(trim(word));
        if (!number || *number == 0 || *number > question.options.size()) {
          answer = {std::string(trim(*line))};
          break;
        }
        answer.push_back(question.options[*number - 1].label);
      }
      if (!question.multiple && answer.size() > 1) answer.resize(1);
      given.answers.push_back(std::move(answer));
    }
  }

  // What goes and what comes, without what stays the same at both ends.
  void show_diff(const hub::Diff& diff) {
    note("  " + diff.path);
    const std::string before = diff.before.value_or("");
    const std::string after = diff.after.value_or("");
    auto old_lines = split(before, '\n');
    auto new_lines = split(after, '\n');
    std::size_t begin = 0;
    while (begin < old_lines.size() && begin < new_lines.size() && old_lines[begin] == new_lines[begin]) ++begin;
    std::size_t end = 0;
    while (end < old_lines.size() - begin && end < new_lines.size() - begin &&
           old_lines[old_lines.size() - 1 - end] == new_lines[new_lines.size() - 1 - end])
      ++end;
    for (std::size_t i = begin; i < old_lines.size() - end; ++i) note("  - " + std::string(old_lines[i]));
    for (std::size_t i = begin; i < new_lines.size() - end; ++i) note("  + " + std::string(new_lines[i]));
  }

  hub::Hub& hub_;
  const RunCommand& command_;
  bool at_line_start_ = true;
  bool refused_ = false;
  std::optional<hub::event::Failure> failure_;
  std::string waits_for_;
  Worker input_;
};

std::optional<hub::Mode> mode_of(std::string_view name) {
  for (const hub::Mode mode : {hub::Mode::default_, hub::Mode::auto_edit, hub::Mode::yolo, hub::Mode::plan, hub::Mode::smart})
    if (hub::to_string(mode) == name) return mode;
  return std::nullopt;
}

int exit_code(const Result<hub::StopReason>& stop, const Terminal& terminal) {
  if (!stop) return complain(stop.error());
  if (*stop == hub::StopReason::error) {
    const auto& failure = terminal.failure();
    return failure && (failure->code == "not_found" || failure->code == "denied") ? ExitCode::not_started : ExitCode::failed;
  }
  if (*stop == hub::StopReason::cancelled || *stop == hub::StopReason::max_turns) return ExitCode::failed;
  return terminal.refused() || *stop == hub::StopReason::refusal ? ExitCode::refused : ExitCode::done;
}

// A server that takes longer brings its tools to a later step of the turn.
constexpr auto longest_start = std::chrono::seconds(20);

Task<int> converse(Loop& loop, hub::Hub& hub, AgentHome& home, const RunCommand& command, std::string folder, hub::Mode mode,
                   std::string prompt) {
  PARLANCE_CHECK(co_await hub.start(), "a store in memory opens");
  auto made = co_await hub.create({.agent = command.agent, .folder = std::move(folder), .mode = mode, .model = command.model});
  if (!made) co_return complain(made.error(), ExitCode::usage);
  hub::Follower follower(hub, made->id, made->last_seq);
  Terminal terminal(loop, hub, command);
  if (home.mcp_tools) static_cast<void>(co_await with_deadline(loop, loop.now() + longest_start, home.mcp_tools->settled()));
  if (const auto begun = co_await hub.prompt(made->id, std::move(prompt)); !begun)
    co_return complain(begun.error(), ExitCode::usage);

  const auto stop_at_signal = [](SignalWatch& signals, hub::Hub& of, std::string id) -> Task<void> {
    for (;;) {
      static_cast<void>(co_await signals.next());
      static_cast<void>(of.stop(id));
    }
  };
  SignalWatch signals(loop, {SIGINT, SIGTERM});
  Scope scope(loop);
  scope.start(stop_at_signal(signals, hub, made->id));
  const TimePoint deadline =
      command.timeout_s > 0 ? loop.now() + std::chrono::duration_cast<Duration>(std::chrono::duration<double>(command.timeout_s))
                            : never;
  const auto stop = co_await with_deadline(loop, deadline, terminal.follow(follower));
  if (!stop && stop.error().code == Errc::deadline_exceeded) {
    std::fprintf(stderr, "parlance: %s did not end within %g s\n", command.agent.c_str(), command.timeout_s);
    co_await hub.stop_all();
    co_return ExitCode::timed_out;
  }
  co_await hub.stop_all();
  co_return exit_code(stop, terminal);
}

// Claude Code brings tools of its own. What the other agents remember comes to it as an MCP server, whose tools are asked for as
// any others.
std::string memory_server(const Settings& settings) {
  json::Array arguments{json::Value("memory"), json::Value("serve"), json::Value("--state=" + state_folder(settings))};
  if (!settings.text("embed-url").empty()) arguments.emplace_back("--embed-url=" + settings.text("embed-url"));
  json::Object server;
  server.set("command", own_program());
  server.set("args", std::move(arguments));
  json::Object servers;
  servers.set("memory", std::move(server));
  json::Object config;
  config.set("mcpServers", std::move(servers));
  return json::to_text(json::Value(std::move(config)));
}

// Whether its program is there or not.
Result<service::ClaudeAgentSettings> claude_as_named(const Settings& settings) {
  service::ClaudeAgentSettings claude;
  claude.launch.command = service::split_words(settings.text("claude-command"));
  if (claude.launch.command.empty()) return fail(Errc::invalid_params, "claude-command is empty");
  claude.launch.mcp_config = memory_server(settings);
  PARLANCE_TRY(servers, mcp_servers(settings));
  claude.mcp_servers = [servers = std::move(servers)] { return service::claude_mcp_config(servers); };
  if (const std::string& hooks = settings.text("claude-hooks"); !hooks.empty()) {
    PARLANCE_TRY(read, service::read_claude_hooks(hooks));
    claude.hooks = std::move(read);
  }
  return claude;
}

}  // namespace

Result<service::ClaudeAgentSettings> claude_settings(const Settings& settings) {
  PARLANCE_TRY(claude, claude_as_named(settings));
  const std::string& program = claude.launch.command.front();
  if (service::find_program(program).empty()) return fail(service::no_claude(program));
  return claude;
}

Result<std::unique_ptr<hub::AgentProvider>> make_agent(Loop& loop, const Settings& settings, const std::string& name,
                                                       const std::vector<std::string>& command, AgentHome& home) {
  if (name == "claude") {
    Settings own = settings;
    service::ClaudeAgentSettings claude;
    if (command.empty()) {
      PARLANCE_TRY(from_settings, home.relay ? claude_as_named(settings) : claude_settings(settings));
      claude = std::move(from_settings);
    } else {
      own.set("claude-command", {command.front(), "command line"});
      PARLANCE_TRY(from_settings, claude_settings(own));
      claude = std::move(from_settings);
      claude.launch.command = command;
    }
    claude.relay = home.relay.get();
    return service::agent_via_claude(loop, std::move(claude));
  }
  if (name == "parlance") {
    // A private one at a socket of its own: whoever runs `parlance agent` elsewhere is not disturbed.
    const std::string socket = (std::filesystem::temp_directory_path() / (make_id("parlance-") + ".sock")).string();
    if (socket.size() >= sizeof(sockaddr_un{}.sun_path))
      return fail(Errc::failed, socket + " is too long for the name of a socket: set TMPDIR to a folder with a shorter one");
    std::vector<std::string> words{std::filesystem::read_symlink("/proc/self/exe").string(), "agent", "--agent-socket=" + socket,
                                   "--log-level=" + settings.text("log-level")};
    for (const char* setting : {"model", "model-url", "model-name", "model-key-file", "scenario", "rehearsal-pace-ms", "state"})
      if (!settings.text(setting).empty()) words.push_back("--" + std::string(setting) + "=" + settings.text(setting));
    PARLANCE_TRY(child, ChildProcess::start(loop, {.command = std::move(words), .set = {{"PARLANCE_SUPERVISED", "1"}}}));
    home.process = std::move(child);
    home.link = std::make_unique<service::AgentLink>(loop, socket, [](service::AgentLink::State, const std::string&) {});
    home.link->keep_connected();
    home.commands = service::command_runner(loop);
    home.tools = std::make_unique<service::BuiltinTools>(loop, *home.commands, nullptr);
    home.output = std::make_unique<service::StructuredOutput>(*home.tools);
    home.mcp_tools = std::make_unique<service::ToolsViaMcp>(loop, *home.output, std::vector<service::McpServerSettings>{});
    hub::Tools* tools = home.mcp_tools.get();
    if (home.port) tools = (home.named = std::make_unique<service::ClaudeNamedTools>(*home.mcp_tools)).get();
    return service::agent_via_gorpc(loop, *home.link, *tools,
                                    {.scripted = settings.text("model") == "rehearsal", .hooks = home.port.get()});
  }
  return fail(Errc::invalid_params, "no such agent: \"" + name + "\"; there are claude and parlance");
}

int run_run(const Settings& settings, const RunCommand& command) {
  std::error_code error;
  const auto folder = std::filesystem::canonical(command.folder.empty() ? "." : command.folder, error);
  if (error)
    return complain({.code = Errc::not_found, .message = "--cwd: " + command.folder + ": " + error.message()}, ExitCode::usage);
  const auto mode = mode_of(command.mode);
  if (!mode) return complain({.code = Errc::invalid_params, .message = "--mode: no such mode: " + command.mode}, ExitCode::usage);
  std::string prompt = command.prompt;
  if (prompt.empty()) {
    if (::isatty(STDIN_FILENO) != 0) std::fprintf(stderr, "(the prompt is read from here, up to Ctrl-D)\n");
    prompt.assign(std::istreambuf_iterator<char>(std::cin), {});
    std::cin.clear();
  }
  if (trim(prompt).empty()) return complain({.code = Errc::invalid_params, .message = "there is no prompt"}, ExitCode::usage);

  Loop loop;
  AgentHome home;
  store::HubMemory store;
  hub::Hub hub(loop, store);
  auto agent = make_agent(loop, settings, command.agent, command.command, home);
  if (!agent)
    return complain(agent.error(), agent.error().code == Errc::invalid_params ? ExitCode::usage : ExitCode::not_started);
  hub.add_agent(*std::move(agent));
  if (home.mcp_tools) {
    auto servers = mcp_servers(settings);
    if (!servers) return complain(servers.error(), ExitCode::usage);
    for (service::McpServerSettings& server : *servers) home.mcp_tools->add(std::move(server));
  }
  return loop.block_on(converse(loop, hub, home, command, folder.string(), *mode, std::move(prompt)));
}

}  // namespace parlance::app
