// SPDX-License-Identifier: Apache-2.0
// For tests: the rows of tests/policy/agents.txt, their folder, and the decisions of the policy.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "parlance/base/text.h"
#include "parlance/hub/policy/policy.h"
#include "parlance/store/test_folder.h"

namespace parlance::toolbox::test {

struct AgentAttempt {
  std::size_t line = 0;
  std::string label{};   // of an ACP agent, or the name of a tool of Claude Code
  std::string input{};   // JSON
  std::string places{};  // names of files, separated by commas; for a runner the members of its intent
  std::string effects{};
};

// {w} with its files and links, and {out} beside {w}.
class AttemptFolder {
 public:
  AttemptFolder() {
    namespace fs = std::filesystem;
    fs::create_directories(work() + "/.git/hooks");
    fs::create_directories(work() + "/src");
    fs::create_directories(work() + "/sub");
    fs::create_directories(out());
    for (const std::string& file : {work() + "/a.txt", work() + "/src/b.cpp", out() + "/b.txt"}) std::ofstream(file) << "x\n";
    fs::create_symlink(out() + "/b.txt", work() + "/link.txt");
    fs::create_symlink(".git/hooks", work() + "/hooks");
    fs::create_symlink("src", work() + "/inner");
    fs::create_symlink("nothing", work() + "/dangling");
  }
  std::string work() const { return base_ + "/project"; }
  std::string out() const { return base_ + "/out"; }

  // Rows of `agent`, split by label.
  std::vector<AgentAttempt> attempts(std::string_view agent) const {
    std::ifstream file(std::string(PARLANCE_SOURCE_DIR) + "/tests/policy/agents.txt");
    std::vector<AgentAttempt> all;
    std::string line;
    for (std::size_t number = 1; std::getline(file, line); ++number) {
      const std::vector<std::string> columns = columns_of(filled(line));
      if (columns.size() != 5 || columns[0] != agent) continue;
      for (const std::string_view label : split(columns[1], ','))
        all.push_back({.line = number,
                       .label = std::string(label),
                       .input = columns[2],
                       .places = columns[3] == "-" ? "" : columns[3],
                       .effects = columns[4]});
    }
    return all;
  }

  // A character for each mode, in the order of the table.
  std::string effects(const hub::ToolIntent& intent, const std::string& folder) const {
    using hub::Mode;
    std::string got;
    for (const Mode mode : {Mode::default_, Mode::auto_edit, Mode::smart, Mode::yolo, Mode::plan}) {
      const hub::Effect effect =
          hub::decide({.conversation = "c", .agent = "a", .folder = folder, .mode = mode, .tool = "tool", .intent = intent}, {})
              .effect;
      got += effect == hub::Effect::allow ? '+' : effect == hub::Effect::ask ? '?' : 'x';
    }
    return got;
  }

 private:
  static std::vector<std::string> columns_of(std::string line) {
    std::vector<std::string> columns;
    for (std::size_t at = line.find("  "); at != std::string::npos; at = line.find("  ")) {
      columns.push_back(line.substr(0, at));
      line.erase(0, at + 2);
    }
    columns.push_back(std::move(line));
    return columns;
  }
  std::string filled(std::string text) const {
    for (const auto& [name, path] : {std::pair{std::string("{w}"), work()}, {std::string("{out}"), out()}})
      for (auto at = text.find(name); at != std::string::npos; at = text.find(name)) text.replace(at, name.size(), path);
    return text;
  }

  store::TestFolder folder_;
  std::string base_ = std::filesystem::canonical(folder_.path()).string();
};

}  // namespace parlance::toolbox::test
