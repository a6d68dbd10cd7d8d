// SPDX-License-Identifier: Apache-2.0
// An answer under construction: what a stream decoder learns goes to the sink at once and is kept for the completion.
// It also knows whether anything has reached the sink (then a request is never repeated) and whether the sink was the one that failed.
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
  // A script may leave out the reason for the end, and may say nothing; of a server both are faults.
  enum class Source : std::uint8_t { script, server };
  Answer(ChunkSink& chunks, std::size_t byte_limit, Source source = Source::script)
      : chunks_(chunks), byte_limit_(byte_limit), source_(source) {}

  Result<void> reasoning(std::string_view piece);
  Result<void> text(std::string_view piece);
  // A new call; the sink hears of it once it has a name. An id that is empty, or that another call of this answer has, is replaced by one
  // of our own. Returns its index.
  Result<std::size_t> begin_call(std::string_view id, std::string_view name);
  Result<void> name_call(std::size_t index, std::string_view id, std::string_view name);  // where they come late
  Result<void> arguments(std::size_t index, std::string_view piece);
  Result<void> usage(Usage usage);
  void set_stop(StopReason stop) { stop_ = stop; }
  // The server ended the answer early, or for a reason that no table knows: nothing of it may run. A reason in its own word.
  void set_broken_off(std::string_view reason) { broken_off_ = reason; }
  void set_model(std::string_view model) { completion_.model = model; }
  void set_reasoning_state(std::string state) { completion_.reasoning_state = std::move(state); }

  const std::vector<ToolCall>& calls() const { return completion_.tool_calls; }
  const Usage& usage_so_far() const { return completion_.usage; }
  bool has_stop() const { return stop_.has_value() || !broken_off_.empty(); }
  bool reached_sink() const { return reached_sink_; }
  bool sink_failed() const { return sink_failed_; }
  std::size_t bytes() const { return bytes_; }

  // Fills in what is missing: "{}" for empty arguments, the stop reason that the calls imply. Only an answer that ended well has calls:
  // those of one with max_tokens become cut_calls, those of a refusal or of an answer that was broken off are dropped. An empty answer of a
  // server is an error. Fails on a call that never got a name.
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
