// What a face gives with a prompt beside its words. Values; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace parlance::hub {

// What a face wants of an agent in this turn. Absent: as the agent does by itself.
struct PromptOptions {
  std::optional<std::uint32_t> most_rounds{};  // answers of the model; when it wants more, the turn ends with max_turns
  std::optional<std::string> system{};  // in place of the agent's own instructions; empty: of Claude Code's, of ours nothing
  std::optional<std::string> append_system{};  // behind them
  void add_to_system(const std::string& text) { append_system = append_system ? *append_system + "\n\n" + text : text; }
  friend bool operator==(const PromptOptions&, const PromptOptions&) = default;
};

}  // namespace parlance::hub
