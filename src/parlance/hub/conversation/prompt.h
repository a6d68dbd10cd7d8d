// SPDX-License-Identifier: Apache-2.0
// What a face gives with a prompt beside its words. Values; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace parlance::hub {

// What a face wants of an agent in this turn. Absent: as the agent does by itself.
struct PromptOptions {
  std::optional<std::uint32_t> most_rounds{};  // answers of the model; when it wants more, the turn ends with max_turns
  std::optional<std::string> system{};  // in place of the agent's own instructions; empty: of Claude Code's, of ours nothing
  std::optional<std::string> append_system{};  // behind them
  void add_to_system(const std::string& text) { append_system = append_system ? *append_system + "\n\n" + text : text; }
  friend bool operator==(const PromptOptions&, const PromptOptions&) = default;
};

struct LineRange {
  std::uint64_t first = 1;  // from 1
  std::uint64_t last = 1;   // this line, too
  friend bool operator==(const LineRange&, const LineRange&) = default;
};

// A file that the person looks at in an editor, and what is selected there.
struct PromptContext {
  std::string path{};
  std::optional<LineRange> range{};
  std::optional<std::string> text{};  // of the range
  friend bool operator==(const PromptContext&, const PromptContext&) = default;
};

// With one prompt, at most: places, and bytes of all of them together.
inline constexpr std::size_t most_contexts = 50;
inline constexpr std::size_t most_context_bytes = 1 << 20;

// The context in words for an agent, before the prompt; empty when there is none. No text in it can pass for the end of it.
std::string context_block(const std::vector<PromptContext>& context);

}  // namespace parlance::hub
