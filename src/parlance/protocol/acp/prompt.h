// SPDX-License-Identifier: Apache-2.0
// A turn: the prompt begins it, and the answer ends it. Values; any thread.
#pragma once

#include "parlance/protocol/acp/content.h"

namespace parlance::acp {

enum class StopReason : std::uint8_t { end_turn, max_tokens, max_turn_requests, refusal, cancelled };
constexpr auto wire_names(StopReason) {
  return wire::names("end_turn", "max_tokens", "max_turn_requests", "refusal", "cancelled");
}

struct Prompt {
  std::string session_id{};
  std::vector<Content> prompt{};
  Raw meta{};
  static constexpr auto wire = fields(
      field<&Prompt::session_id>("sessionId", "Id of the session."),
      field<&Prompt::prompt>(
          "prompt",
          "Content blocks. Text and links are always allowed; images, audio and resources need a capability of the agent."),
      meta_field<&Prompt::meta>());
};
struct TurnUsage {
  std::uint64_t total_tokens = 0;
  std::uint64_t input_tokens = 0;
  std::uint64_t output_tokens = 0;
  std::optional<std::uint64_t> thought_tokens{};
  std::optional<std::uint64_t> cached_read_tokens{};
  std::optional<std::uint64_t> cached_write_tokens{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&TurnUsage::total_tokens>("totalTokens", "Total number of tokens.").or_default(),
             field<&TurnUsage::input_tokens>("inputTokens", "Number of input tokens.").or_default(),
             field<&TurnUsage::output_tokens>("outputTokens", "Number of output tokens.").or_default(),
             field<&TurnUsage::thought_tokens>("thoughtTokens", "Number of output tokens used for thinking."),
             field<&TurnUsage::cached_read_tokens>("cachedReadTokens", "Number of input tokens read from a cache."),
             field<&TurnUsage::cached_write_tokens>("cachedWriteTokens", "Number of input tokens written to a cache."),
             meta_field<&TurnUsage::meta>());
};
struct PromptResult {
  Open<StopReason> stop_reason{};
  std::optional<TurnUsage> usage{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&PromptResult::stop_reason>("stopReason", "Reason for the end of the turn.").or_default(),
             field<&PromptResult::usage>("usage", "Tokens of this turn. Unstable in ACP."), meta_field<&PromptResult::meta>());
};

}  // namespace parlance::acp
