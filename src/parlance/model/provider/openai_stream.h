// SPDX-License-Identifier: Apache-2.0
// Decodes the answers of chat/completions, from OpenAI and from the many servers that speak almost the same. Sans-I/O.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "parlance/base/think_tags.h"
#include "parlance/model/provider/openai_messages.h"
#include "parlance/model/provider/stream_decoder.h"

namespace parlance::model {

class OpenAiStream final : public StreamDecoder {
 public:
  OpenAiStream(ChunkSink& chunks, std::size_t byte_limit);
  Result<void> event(std::string_view name, std::string_view data) override;
  Result<void> whole(std::string_view json) override;
  bool complete() const override { return done_ || answer_.has_stop(); }
  Result<Completion> finish() override;

 private:
  Result<void> take(std::string_view json);
  Result<void> take_content(const std::vector<ThinkPiece>& pieces);
  Result<void> take_delta(const openai::Delta& delta, bool whole = false);
  Result<void> take_call(const openai::CallDelta& delta, std::optional<std::size_t> earlier_calls);
  Result<std::size_t> begin_call(std::string_view id, std::string_view name);
  bool is_repeated(std::size_t call, std::string_view id, std::string_view name, std::string_view arguments) const;
  Result<std::size_t> call_for(const openai::CallDelta& delta, std::string_view id, std::string_view name,
                               std::string_view arguments);
  bool is_finished(std::size_t call) const;  // another call came after it, and its arguments are whole
  bool begins_another(std::size_t call, std::string_view id, std::string_view name, std::string_view arguments) const;

  ThinkTags content_{ThinkTags::Blocks::leading};
  std::map<std::int64_t, std::size_t> by_index_;  // the server's index -> ours
  std::vector<std::string> ids_;                  // of each call, as the server gave it: several may share one
  std::optional<std::size_t> last_call_;
  bool done_ = false;  // [DONE]
  bool refused_ = false;
};

}  // namespace parlance::model
