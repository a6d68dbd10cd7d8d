// SPDX-License-Identifier: Apache-2.0
// Decodes the answers of the Messages API. Sans-I/O.
//
// Signed thinking is collected as the JSON array of its blocks (Completion::reasoning_state): within a tool loop the API wants them
// back exactly as they came.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "parlance/model/provider/anthropic_messages.h"
#include "parlance/model/provider/stream_decoder.h"

namespace parlance::model {

class AnthropicStream final : public StreamDecoder {
 public:
  using StreamDecoder::StreamDecoder;
  Result<void> event(std::string_view name, std::string_view data) override;
  Result<void> whole(std::string_view json) override;
  bool complete() const override { return stopped_ || answer_.has_stop(); }
  Result<Completion> finish() override;

 private:
  struct Block {
    enum class Kind : std::uint8_t { text, thinking, redacted, call, other } kind = Kind::other;
    std::size_t call = 0;
    std::string thinking{};  // or the data of redacted thinking
    std::string signature{};
    std::string first_input{};  // the whole input in the start of the block, from some servers
    bool has_input = false;
  };
  Result<void> take_usage(const std::optional<anthropic::TokenUsage>& usage);
  Result<void> begin_block(std::int64_t index, const anthropic::ReadBlock& block);
  Result<void> take_delta(std::int64_t index, const anthropic::Delta& delta);
  Result<void> end_block(std::int64_t index);
  Result<void> end_blocks();
  std::string reasoning_state() const;

  std::map<std::int64_t, Block> open_;
  std::vector<Block> thoughts_;
  Usage usage_;
  std::int64_t uncached_tokens_ = 0;  // of usage_.input_tokens: neither read from nor written to a cache
  std::int64_t cache_write_tokens_ = 0;
  bool stopped_ = false;
};

}  // namespace parlance::model
