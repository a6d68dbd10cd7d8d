// SPDX-License-Identifier: Apache-2.0
// Options and context of a prompt, beside its text, and the agent's commands at the start of a text. Values; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace parlance::hub {

// A frontend's settings for one turn. Absent: the agent's default.
struct PromptOptions {
  std::optional<std::uint32_t> most_rounds{};  // limit of model answers; a further answer ends the turn with max_turns
  std::optional<std::string> system{};         // replaces the agent's own instructions; empty removes only Claude Code's
  std::optional<std::string> append_system{};  // appended to the instructions
  // Appends a paragraph to `append_system`.
  void add_to_system(const std::string& text) { append_system = append_system ? *append_system + "\n\n" + text : text; }
  friend bool operator==(const PromptOptions&, const PromptOptions&) = default;
};

// A command of the agent, which a person writes at the start of a prompt.
struct SlashCommand {
  std::string name{};  // without the slash
  std::string description{};
  std::optional<std::string> hint{};  // text for the arguments
  friend bool operator==(const SlashCommand&, const SlashCommand&) = default;
};

struct LineRange {
  std::uint64_t first = 1;  // from 1
  std::uint64_t last = 1;   // inclusive
  friend bool operator==(const LineRange&, const LineRange&) = default;
};

// A file open in the person's editor, with its selection.
struct PromptContext {
  std::string path{};
  std::optional<LineRange> range{};
  std::optional<std::string> text{};  // content of the range
  friend bool operator==(const PromptContext&, const PromptContext&) = default;
};

// Limits of one prompt: entries, and the sum of their bytes.
inline constexpr std::size_t most_contexts = 50;
inline constexpr std::size_t most_context_bytes = 1 << 20;

// The context as text for an agent, placed before the prompt; empty without context. The function escapes its end marker inside
// texts.
std::string context_block(const std::vector<PromptContext>& context);

namespace event {

struct Commands {  // the complete list, each time
  std::vector<SlashCommand> commands{};
  friend bool operator==(const Commands&, const Commands&) = default;
};

}  // namespace event

}  // namespace parlance::hub
