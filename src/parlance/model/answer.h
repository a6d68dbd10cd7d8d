// SPDX-License-Identifier: Apache-2.0
// An answer in progress: the stream decoder's results go to the sink at once, and are kept for the completion. It also records
// whether the sink received anything (then a request is never repeated), and whether the sink failed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parlance/model/model.h"

namespace parlance::model {

class Answer {
 public:
  // A script may omit the reason for the end, and may be empty; both are faults of a server.
  enum class Source : std::uint8_t { script, server };
  Answer(ChunkSink& chunks, std::size_t byte_limit, Source source = Source::script)
      : chunks_(chunks), byte_limit_(byte_limit), source_(source) {}

  Result<void> reasoning(std::string_view piece);
  Result<void> text(std::string_view piece);
  // A new call; the sink receives it with its name. An empty id, or an id of another call of this answer, is replaced by a new
  // id. Returns its index.
  Result<std::size_t> begin_call(std::string_view id, std::string_view name);
  Result<void> name_call(std::size_t index, std::string_view id, std::string_view name);  // For late names.
  Result<void> arguments(std::size_t index, std::string_view piece);
  Result<void> usage(Usage usage);
  void set_stop(StopReason stop) { stop_ = stop; }
  // The server ended the answer early, or for an unknown reason: none of its calls may run. The reason is in the server's word.
  void set_broken_off(std::string_view reason) { broken_off_ = reason; }
  void set_model(std::string_view model) { completion_.model = model; }
  void set_reasoning_state(std::string state) { completion_.reasoning_state = std::move(state); }

  const std::vector<ToolCall>& calls() const { return completion_.tool_calls; }
  const Usage& usage_so_far() const { return completion_.usage; }
  bool has_stop() const { return stop_.has_value() || !broken_off_.empty(); }
  bool reached_sink() const { return reached_sink_; }
  bool sink_failed() const { return sink_failed_; }
  std::size_t bytes() const { return bytes_; }

  // Completes the answer: "{}" for empty arguments, and the stop reason that the calls imply. Only a complete answer has calls:
  // calls of max_tokens become cut_calls, calls of a refusal or a broken answer are dropped. An empty answer of a server is an
  // error. Fails for a call without a name.
  Result<Completion> finish();

 private:
  Result<void> emit(Chunk chunk);
  Result<void> count(std::size_t bytes);
  std::string id_for(std::size_t index, std::string_view id) const;
  Result<void> sort_calls();

  ChunkSink& chunks_;
  std::size_t byte_limit_;
  Source source_;
  std::size_t bytes_ = 0;
  bool reached_sink_ = false;
  bool sink_failed_ = false;
  std::optional<StopReason> stop_;
  std::string broken_off_;
  Completion completion_;
};

}  // namespace parlance::model
