// What a face gives with a prompt beside its words. Values; any thread.
#pragma once

#include <cstdint>
#include <optional>

namespace parlance::hub {

// What a face wants of an agent in this turn. Absent: as the agent does by itself.
struct PromptOptions {
  std::optional<std::uint32_t> most_rounds{};  // answers of the model; when it wants more, the turn ends with max_turns
  friend bool operator==(const PromptOptions&, const PromptOptions&) = default;
};

}  // namespace parlance::hub
