// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/command_line.h"

#include <algorithm>
#include <array>

#include <CLI/CLI.hpp>

#include "apps/parlance/usage.h"

namespace parlance::app {
namespace {

constexpr const char* overview =
    "parlance connects AI coding agents to browsers, editors, terminals and other programs.\n\n"
    "parlance.toml and environment variables set flags too; `parlance config --origin` prints the origin of each value.";

// The groups of --help, in this order; each command has one group.
struct Group {
  std::string_view name;
  std::vector<std::string_view> commands;
};
const std::array groups{Group{"Start and set up", {"up", "doctor", "config", "model", "mcp"}},
                        Group{"Talk to an agent", {"chat", "run"}},
                        Group{"Serve agents to programs", {"serve-acp", "serve-claude", "runner", "editor"}},
                        Group{"Data", {"memory", "sqlite", "log", "usage"}},
                        Group{"Teams", {"users", "tokens", "store"}},
                        Group{"Services of `parlance up`", {"gateway", "agent", "embed"}},
                        Group{"Tools for developers", {"rpc", "gob", "rehearse", "describe", "completion"}}};

std::string group_name(std::string_view command) {
  for (const Group& group : groups)
    if (std::ranges::find(group.commands, command) != group.commands.end()) return std::string(group.name);
  return "Other";
}

// A line for each command: the first sentence of its description.
class OverviewFormatter final : public CLI::Formatter {
 public:
  std::string make_subcommand(const CLI::App* sub) const override {
    const std::string text = sub->get_description();
    const std::size_t end = std::min({text.find(". "), text.find('\n'), text.find(": "), text.size()});
    std::string line = text.substr(0, end);
    if (line.ends_with('.')) line.pop_back();
    std::string name = "  " + sub->get_name();
    name.resize(std::max<std::size_t>(name.size() + 1, get_column_width()), ' ');
    return name + line + ".\n";
  }
  std::string make_footer(const CLI::App* app) const override {
    return app->get_parent() == nullptr ? "\nMore on a command: parlance help COMMAND\n" : CLI::Formatter::make_footer(app);
  }
};

constexpr std::array<std::string_view, 3> settings_of_all{"state", "log-level", "log-json"};

// `parlance agent --socket PATH` is the short form of the same setting; `parlance embed` has such forms too.
std::string flags_for(const std::string& command, std::string_view setting) {
  const std::string flag = "--" + std::string(setting);
  if (setting == "agent-socket") return flag + ",--socket";
  if (command == "embed" && setting == "embed-listen") return flag + ",--listen";
  if (command == "embed" && setting == "embed-backend") return flag + ",--backend";
  return flag;
}

std::string description_of(const Command& command) {
  std::string text(command.doc);
  std::string_view examples = command.examples;
  for (const char* margin = "\n\nExample: "; !examples.empty(); margin = "\n         ") {
    const std::size_t end = std::min(examples.find('\n'), examples.size());
    text += margin + std::string(examples.substr(0, end));
    examples.remove_prefix(std::min(end + 1, examples.size()));
  }
  return text;
}

}  // namespace

CommandLine::CommandLine(std::span<const Command> commands) : app_(std::make_unique<CLI::App>(overview, "parlance")) {
  app_->formatter(std::make_shared<OverviewFormatter>());
  app_->set_version_flag("-V,--version", std::string("parlance ") + PARLANCE_VERSION);
  app_->require_subcommand(1);
  app_->get_formatter()->column_width(24);
  for (const Command& command : commands) declare(command);
}

CommandLine::~CommandLine() = default;

CLI::App& CommandLine::group_of(const Command& command) const {
  const std::size_t blank = command.name.find(' ');
  return blank == std::string_view::npos ? *app_ : *app_->get_subcommand(std::string(command.name.substr(0, blank)));
}

void CommandLine::declare(const Command& command) {
  CLI::App& group = group_of(command);
  const std::string word(command.name.substr(command.name.rfind(' ') + 1));
  CLI::App& app = *group.add_subcommand(word, description_of(command));
  app.group(&group == app_.get() ? group_name(command.name) : "Subcommands");
  // Groups need a subcommand.
  if (&group != app_.get() && std::ranges::find(declared_, &group, &Declared::app) == declared_.end())
    group.require_subcommand(1);
  if (command.declare == nullptr) return;
  app.add_option("--config", config_file_,
                 "Read this file instead of ./parlance.toml and the parlance.toml in your configuration folder.")
      ->type_name("FILE");
  for (const std::string_view setting : settings_of_all) add_setting(app, setting);
  declared_.push_back({&command, &app, command.declare(app)});
  for (const std::string_view setting : command.settings) add_setting(app, setting);
}

void CommandLine::add_setting(CLI::App& app, std::string_view name) {
  const SettingSpec& spec = spec_of(name);
  std::string help(spec.doc);
  if (!spec.fallback.empty() && !spec.value_name.empty()) help += " Default: " + std::string(spec.fallback) + ".";
  help += " [" + std::string(spec.environment) + "]";
  const std::string flags = flags_for(app.get_name(), name);
  if (spec.value_name.empty()) {
    const auto word = std::make_shared<std::string>();  // "true", or the word behind `=`, which resolve_settings checks
    app.add_flag(flags, *word, help)->each([this, key = std::string(name), word](const std::string& given) {
      settings_[key] = given;
    });
    return;
  }
  app.add_option_function<std::string>(
         flags, [this, key = std::string(name)](const std::string& value) { settings_[key] = value; }, help)
      ->type_name(std::string(spec.value_name));
}

std::optional<int> CommandLine::read(int argc, char** argv) {
  // Some commands take a program with its own flags after `--`.
  static constexpr std::array<std::string_view, 4> take_a_program{"chat", "run", "rehearse", "serve-acp"};
  if (argc > 2 && std::ranges::find(take_a_program, argv[1]) != take_a_program.end()) {
    char** const dashes = std::find_if(argv, argv + argc, [](const char* word) { return std::string_view(word) == "--"; });
    if (dashes != argv + argc) behind_.assign(dashes + 1, argv + argc);
    argc = static_cast<int>(dashes - argv);
  }
  try {
    app_->parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return report_usage(*app_, error);
  }
  const CLI::App* innermost = app_.get();
  while (!innermost->get_subcommands().empty()) innermost = innermost->get_subcommands().front();
  const auto chosen = std::ranges::find(declared_, innermost, &Declared::app);
  if (chosen == declared_.end()) return report_usage(*app_, CLI::RequiredError("a command"));
  command_ = chosen->command;
  action_ = chosen->action;
  return std::nullopt;
}

}  // namespace parlance::app
