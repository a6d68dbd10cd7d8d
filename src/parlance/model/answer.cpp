// SPDX-License-Identifier: Apache-2.0
#include "parlance/model/answer.h"

#include <utility>

#include "parlance/base/secret.h"
#include "parlance/codec/json/writer.h"
#include "parlance/model/limits.h"

namespace parlance::model {

Result<void> Answer::emit(Chunk chunk) {
  reached_sink_ = true;
  auto done = chunks_.on_chunk(std::move(chunk));
  if (!done) sink_failed_ = true;
  return done;
}

Result<void> Answer::count(std::size_t bytes) {
  bytes_ += bytes;
  if (bytes_ <= byte_limit_) return {};
  return fail(Errc::failed,
              "the answer is longer than " + std::to_string(byte_limit_) + " bytes: the model seems to run in circles");
}

Result<void> Answer::reasoning(std::string_view piece) {
  if (piece.empty()) return {};
  PARLANCE_TRY_DO(count(piece.size()));
  completion_.reasoning += piece;
  return emit(ReasoningDelta{std::string(piece)});
}

Result<void> Answer::text(std::string_view piece) {
  if (piece.empty()) return {};
  PARLANCE_TRY_DO(count(piece.size()));
  completion_.content += piece;
  return emit(TextDelta{std::string(piece)});
}

Result<std::size_t> Answer::begin_call(std::string_view id, std::string_view name) {
  if (completion_.tool_calls.size() >= limits::model_answer_calls)
    return fail(Errc::failed, "the answer has more than " + std::to_string(limits::model_answer_calls) + " tool calls");
  const std::size_t index = completion_.tool_calls.size();
  completion_.tool_calls.emplace_back();
  PARLANCE_TRY_DO(name_call(index, id, name));
  return index;
}

Result<void> Answer::name_call(std::size_t index, std::string_view id, std::string_view name) {
  PARLANCE_TRY_DO(count(id.size() + name.size()));
  ToolCall& call = completion_.tool_calls[index];
  if (call.id.empty()) call.id = id_for(index, id);
  if (name.empty() || !call.name.empty()) return {};
  call.name = name;
  if (call.id.empty()) call.id = make_id("call_");
  PARLANCE_TRY_DO(emit(ToolCallStart{.index = index, .id = call.id, .name = call.name}));
  if (call.arguments.empty()) return {};
  return emit(ToolCallDelta{.index = index, .arguments = call.arguments});
}

// The layers above identify a call by its id.
std::string Answer::id_for(std::size_t index, std::string_view id) const {
  for (std::size_t i = 0; i < completion_.tool_calls.size() && !id.empty(); ++i)
    if (i != index && completion_.tool_calls[i].id == id) return make_id("call_");
  return std::string(id);
}

Result<void> Answer::arguments(std::size_t index, std::string_view piece) {
  if (piece.empty()) return {};
  PARLANCE_TRY_DO(count(piece.size()));
  ToolCall& call = completion_.tool_calls[index];
  call.arguments += piece;
  if (call.name.empty()) return {};
  return emit(ToolCallDelta{.index = index, .arguments = std::string(piece)});
}

Result<void> Answer::usage(Usage usage) {
  if (usage == completion_.usage) return {};
  completion_.usage = usage;
  const bool before = reached_sink_;  // token counts are not part of the answer, so a retry repeats nothing
  auto done = emit(usage);
  reached_sink_ = before;
  return done;
}

// Valid arguments do not prove a complete call: a cut text may be valid JSON.
Result<void> Answer::sort_calls() {
  const bool cut = stop_ == StopReason::max_tokens;
  // A proxy ends the stream also when its server was cut off.
  if (source_ == Source::server && !stop_ && !completion_.tool_calls.empty() && broken_off_.empty())
    broken_off_ = "no reason for the end";
  const bool dropped = stop_ == StopReason::refusal || !broken_off_.empty();
  std::vector<ToolCall> calls = std::exchange(completion_.tool_calls, {});
  if (dropped) return {};
  for (ToolCall& call : calls) {
    if (call.name.empty() && (cut || call.arguments.empty())) continue;  // some servers end the list with an empty entry
    if (call.name.empty()) return fail(Errc::failed, "the server sent a tool call without a name");
    if (call.arguments.find_first_not_of(" \t\r\n") == std::string::npos) call.arguments = "{}";
    json::write_raw(call.arguments, std::exchange(call.arguments, {}));
    (cut ? completion_.cut_calls : completion_.tool_calls).push_back(std::move(call));
  }
  return {};
}

Result<Completion> Answer::finish() {
  const bool called = !completion_.tool_calls.empty();
  PARLANCE_TRY_DO(sort_calls());
  completion_.stop = stop_.value_or(StopReason::end_turn);
  // Some servers end with "stop" although they call tools, and some the other way round.
  if (completion_.stop == StopReason::end_turn && !completion_.tool_calls.empty()) completion_.stop = StopReason::tool_calls;
  if (completion_.stop == StopReason::tool_calls && completion_.tool_calls.empty()) completion_.stop = StopReason::end_turn;
  if (!broken_off_.empty()) {
    completion_.stop = StopReason::error;
    completion_.problem = "The server broke its answer off (\"" + broken_off_ + "\").";
    if (called) completion_.problem += " Its tool calls were not run.";
  } else if (source_ == Source::server && completion_.stop == StopReason::end_turn &&
             completion_.content.find_first_not_of(" \t\r\n") == std::string::npos) {
    completion_.stop = StopReason::error;
    completion_.problem = completion_.reasoning.empty() ? "The model answered nothing."
                                                        : "The model ended its answer after thinking, without a word.";
  }
  return std::move(completion_);
}

}  // namespace parlance::model
