// SPDX-License-Identifier: Apache-2.0
#include "parlance/process/program_words.h"

#include <cstdlib>
#include <unistd.h>
#include <utility>

#include "parlance/process/child_environment.h"

namespace parlance {

std::vector<std::string> split_words(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  char quote = 0;
  bool any = false;
  for (const char c : text) {
    if (quote != 0 ? c == quote : c == '"' || c == '\'') {
      quote = quote != 0 ? '\0' : c;
      any = true;
    } else if (quote == 0 && (c == ' ' || c == '\t')) {
      if (any || !word.empty()) words.push_back(std::exchange(word, {}));
      any = false;
    } else {
      word += c;
    }
  }
  if (any || !word.empty()) words.push_back(std::move(word));
  return words;
}

std::string find_program(const std::string& program) {
  if (program.empty()) return "";
  const char* const path = ::getenv("PATH");
  for (const std::string& candidate : program_candidates(program, path != nullptr ? path : "/usr/local/bin:/usr/bin:/bin"))
    if (::access(candidate.c_str(), X_OK) == 0) return candidate;
  return "";
}

}  // namespace parlance
