// SPDX-License-Identifier: Apache-2.0
// The text of a prompt with what goes along with it: sections between marks, before the person's own words. Pure; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parlance/base/result.h"

namespace parlance::adapter {

inline constexpr std::size_t prompt_file_bytes =
    200'000;  // Of one file that goes along: some fifty pages, a quarter of a model's window.
inline constexpr std::size_t prompt_selection_characters = 5'000;  // Of what is selected in the editor (seed 002).
// As much of it as shows that there is more; whoever hands it on need keep no more.
inline constexpr std::size_t prompt_selection_bytes = 4 * (prompt_selection_characters + 1);

struct PromptFile {
  std::string path{};
  std::string content{};
  bool cut = false;  // the file goes on behind `content`
};

struct PromptSelection {
  std::string file_name{};
  std::string text{};
  std::uint32_t line_start = 1;
  std::uint32_t line_end = 1;
};

struct PromptParts {
  std::string working_folder{};
  std::vector<std::string> workspace_files{};
  std::optional<std::string> active_file{};
  std::optional<PromptSelection> selection{};
  std::vector<PromptFile> files{};
  std::string prompt{};
};

// `=== Working Directory ===`, `=== Workspace Files ===`, `=== IDE Context ===`, `=== Attached Files ===`, those that there are, then the
// prompt. A file and a selection that are cut say so.
std::string build_prompt(const PromptParts& parts);

// A file as it goes along, at most `most` bytes of it. Blocks. Errors: not_found, denied, failed (a folder); invalid_params: no text.
Result<PromptFile> read_prompt_file(const std::string& path, std::size_t most = prompt_file_bytes);
// The same of a file that somebody has opened; the descriptor stays theirs.
Result<PromptFile> read_prompt_file(int fd, const std::string& path, std::size_t most = prompt_file_bytes);

}  // namespace parlance::adapter
