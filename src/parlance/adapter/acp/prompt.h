// SPDX-License-Identifier: Apache-2.0
// The text of a prompt with its context: sections between marks, before the person's own words. Pure; any thread.
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
    200'000;  // Of an attached file: about fifty pages, a quarter of a model's window.
inline constexpr std::size_t prompt_selection_characters = 5'000;  // Of the selection in the editor (seed 002).
// Enough of a longer selection to detect its length; callers need not keep more.
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

// `=== Working Directory ===`, `=== Workspace Files ===`, `=== IDE Context ===`, `=== Attached Files ===`, if present, then the
// prompt. A shortened file or selection is marked.
std::string build_prompt(const PromptParts& parts);

// The text of an attached file, at most `most` bytes. Blocks. Errors: not_found, denied, failed (a folder); invalid_params: not
// text.
Result<PromptFile> read_prompt_file(const std::string& path, std::size_t most = prompt_file_bytes);
// The same for an open file; the caller keeps the descriptor.
Result<PromptFile> read_prompt_file(int fd, const std::string& path, std::size_t most = prompt_file_bytes);

}  // namespace parlance::adapter
