// SPDX-License-Identifier: Apache-2.0
// The table of read-only commands, compared with the installed programs. Where the table reads the next word as a value, the
// program must do so too: otherwise the word is an option without an inspection.
#include <array>
#include <cstdio>
#include <filesystem>
#include <regex>
#include <string>

#include <gtest/gtest.h>

#include "parlance/base/text.h"
#include "parlance/hub/commands/free_commands.h"
#include "parlance/store/test_folder.h"

namespace parlance::toolbox {
namespace {

constexpr std::string_view no_option = "parlance-no-option";

class FreeOptions : public testing::Test {
 protected:
  void SetUp() override {
    output_of("git init -q . && git -c user.name=me -c user.email=me@example.org commit -q --allow-empty -m first");
  }

  std::string output_of(const std::string& command) const {
    const std::string line =
        "cd '" + folder_.path() + "' && exec 2>&1 </dev/null && export LC_ALL=C HOME=. GIT_PAGER=cat && { " + command + "; }";
    FILE* const pipe = ::popen(line.c_str(), "r");
    if (pipe == nullptr) throw std::runtime_error("no shell");
    std::string output;
    std::array<char, 4096> piece{};
    while (const std::size_t got = std::fread(piece.data(), 1, piece.size(), pipe)) output.append(piece.data(), got);
    ::pclose(pipe);
    return output;
  }
  // The output calls neither word an unknown option. (ripgrep 13 refuses every value with a dash, and starts no search.)
  static bool is_value(const std::string& output, const std::string& option) {
    const std::string unknown = "(unrecognized (option|argument|flag)|unknown (option|predicate|switch)|invalid option)[:'` ]*";
    return !std::regex_search(output, std::regex(unknown + "-*" + std::string(no_option))) &&
           output.find("unrecognized argument: " + option) == std::string::npos;
  }
  bool takes_next_word(std::string_view words, const std::string& option) const {
    return is_value(output_of(std::string(words) + " " + option + " --" + std::string(no_option)), option);
  }

 private:
  store::TestFolder folder_;
};

TEST_F(FreeOptions, AValueFromTheNextWordIsAValueForTheProgram) {
  int probed = 0;
  for (const hub::FreeCommand& command : hub::free_commands()) {
    const std::string program(command.words.substr(0, command.words.find(' ')));
    if (output_of("command -v " + program).empty()) continue;
    for (const std::string_view option : split(command.options, ' ')) {
      if (!option.ends_with(':') && !option.ends_with('@')) continue;
      const std::string name(option.substr(0, option.size() - 1));
      EXPECT_TRUE(takes_next_word(command.words, name)) << command.words << ' ' << name;
      ++probed;
    }
  }
  EXPECT_GT(probed, 100);
}

TEST_F(FreeOptions, TheProbeRecognizesOptionsWithoutSuchAValue) {
  for (const auto& [words, option] : {std::pair{"git log", "-U"},
                                      {"git diff", "--unified"},
                                      {"git log", "--format"},
                                      {"git blame", "--abbrev"},
                                      {"sort", "-u"}})
    EXPECT_FALSE(takes_next_word(words, option)) << words << ' ' << option;
}

}  // namespace
}  // namespace parlance::toolbox
