// An answer under construction: what a stream decoder learns goes to the sink at once and is kept for the completion.
// It also knows whether anything has reached the sink (then a request is never repeated) and whether the sink was the one that failed.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parlance/model/model.h"

namespace parlance::model {

class Answer {
 public:
  Answer(ChunkSink& chunks, std::size_t byte_limit) : chunks_(chunks), byte_limit_(byte_limit) {}

  Result<void> reasoning(std::string_view piece);
  Result<void> text(std::string_view piece);
  // A new call; the sink hears of it once it has a name. An empty id is replaced by one of our own. Returns its index.
  Result<std::size_t> begin_call(std::string_view id, std::string_view name);
  Result<void> name_call(std::size_t index, std::string_view id, std::string_view name);  // where they come late
  Result<void> arguments(std::size_t index, std::string_view piece);
  Result<void> usage(Usage usage);
  void set_stop(StopReason stop) { stop_ = stop; }
  void set_model(std::string_view model) { completion_.model = model; }
  void set_reasoning_state(std::string state) { completion_.reasoning_state = std::move(state); }

  const std::vector<ToolCall>& calls() const { return completion_.tool_calls; }
  const Usage& usage_so_far() const { return completion_.usage; }
  bool has_stop() const { return stop_.has_value(); }
  bool reached_sink() const { return reached_sink_; }
  bool sink_failed() const { return sink_failed_; }
  std::size_t bytes() const { return bytes_; }

  // Fills in what is missing: "{}" for empty arguments, the stop reason that the calls imply. Calls that max_tokens cut off are
  // left out. Fails on a call that never got a name.
  Result<Completion> finish();

 private:
  Result<void> emit(Chunk chunk);
  Result<void> count(std::size_t bytes);

  ChunkSink& chunks_;
  std::size_t byte_limit_;
  std::size_t bytes_ = 0;
  bool reached_sink_ = false;
  bool sink_failed_ = false;
  std::optional<StopReason> stop_;
  Completion completion_;
};

}  // namespace parlance::model
