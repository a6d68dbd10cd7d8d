// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/usage.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <vector>

#include <CLI/CLI.hpp>

#include "apps/parlance/config/nearest_word.h"
#include "apps/parlance/exit_code.h"

namespace parlance::app {
namespace {

// The last named subcommand: `memory search` of `parlance memory search --lmit 3`.
CLI::App& innermost(CLI::App& app) {
  CLI::App* at = &app;
  while (!at->get_subcommands().empty()) at = at->get_subcommands().front();
  return *at;
}

std::string path_of(const CLI::App& app) {
  const CLI::App* parent = app.get_parent();
  return parent == nullptr ? app.get_name() : path_of(*parent) + " " + app.get_name();
}

std::vector<std::string> flags_of(CLI::App& app) {
  std::vector<std::string> flags;
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames()) flags.push_back("--" + name);
  return flags;
}

// Flags that people may mistake for the flag of a key. Every user of the machine can read command lines.
bool is_meant_as_key(std::string_view flag) {
  constexpr std::array<std::string_view, 7> words{
      "--model-key", "--key", "--api-key", "--apikey", "--openai-api-key", "--anthropic-api-key", "--embed-key"};
  return std::ranges::find(words, flag) != words.end();
}

std::string unknown_flag(CLI::App& app, const std::string& given) {
  const std::string flag = given.substr(0, given.find('='));
  if (is_meant_as_key(flag)) {
    const std::string which = flag == "--embed-key" ? "embed" : "model";
    const std::string variable = which == "embed" ? "PARLANCE_EMBED_API_KEY" : "PARLANCE_API_KEY";
    return flag +
           ": keys are never given as flags, which other users of the machine can read. Put the key into a file of mode 0600 and "
           "give --" +
           which + "-key-file FILE, or set " + variable + " in the environment.";
  }
  const std::string nearest = flag.starts_with("--") ? nearest_word(flag, flags_of(app)) : "";
  return path_of(app) + " has no flag " + flag + "." + (nearest.empty() ? "" : " Did you mean " + nearest + "?") +
         " All flags: " + path_of(app) + " --help";
}

std::string unknown_word(CLI::App& app, const std::string& word) {
  std::vector<std::string> names;
  for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; })) names.push_back(sub->get_name());
  if (names.empty())
    return "\"" + word + "\" is one word too many for " + path_of(app) + ". How it is used: " + path_of(app) + " --help";
  const std::string nearest = nearest_word(word, names);
  return "\"" + word + "\" is not known here." + (nearest.empty() ? "" : " Did you mean " + nearest + "?") +
         " All commands: " + path_of(app) + " --help";
}

int complain_about(std::string text) {
  return complain({.code = Errc::invalid_params, .message = std::move(text)}, ExitCode::usage);
}

}  // namespace

void print_first_help() {
  std::puts(
      "parlance " PARLANCE_VERSION
      ": connects AI coding agents to browsers, editors, terminals and other programs.\n"
      "\n"
      "Start here:\n"
      "  parlance up                        page, agent and memory; a scripted rehearsal answers without a key\n"
      "  parlance up --open                 also opens the page in the browser\n"
      "  parlance doctor                    checks this machine\n"
      "\n"
      "With a language model:\n"
      "  parlance up --model openai --model-url http://127.0.0.1:11434/v1 --model-name qwen3    your own (Ollama, llama.cpp)\n"
      "  PARLANCE_API_KEY=... parlance up --model anthropic                                     a vendor's\n"
      "\n"
      "In the terminal:\n"
      "  parlance chat                                  a conversation with an agent\n"
      "  parlance 'explain this folder'                 one prompt, one answer\n"
      "  parlance run claude 'what is in this folder?'  one prompt to Claude Code\n"
      "  parlance memory store 'We deploy on Tuesdays.' && parlance memory search 'when do we deploy?'\n"
      "  parlance sqlite --mcp --db notes.db            a database for AI clients\n"
      "\n"
      "All commands: parlance help.   One command: parlance help up.   All settings: parlance config --origin.");
}

int report_usage(CLI::App& app, const CLI::ParseError& error) {
  CLI::App& inner = innermost(app);
  // CLI11 keeps unknown arguments in its own order; the message names the first argument of the command line.
  const std::vector<std::string> left = app.remaining(true);
  const bool is_refused = error.get_exit_code() != 0;  // otherwise help, or the version
  if (!is_refused && (left.empty() || left.front().starts_with('-'))) return app.exit(error);
  const auto flag = std::ranges::find_if(left, [](const std::string& word) { return word.size() > 1 && word.starts_with('-'); });
  if (is_refused && flag != left.end()) return complain_about(unknown_flag(inner, *flag));
  if (!left.empty()) return complain_about(unknown_word(inner, left.front()));
  if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr && inner.get_parent() == nullptr) {
    print_first_help();
    return ExitCode::done;
  }
  std::string text = error.what();
  std::ranges::replace(text, '\n', ' ');
  return complain_about(text + ". How it is used: " + path_of(inner) + " --help");
}

}  // namespace parlance::app
