// SPDX-License-Identifier: Apache-2.0
// Decodes the bytes of a vendor's answer to chunks and a completion. Sans-I/O. The code of an error decides about a repetition:
// overloaded and disconnected may repeat, before the first output to the sink.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "parlance/model/answer.h"
#include "parlance/transport/http/http_client.h"

namespace parlance::model {

class StreamDecoder {
 public:
  explicit StreamDecoder(ChunkSink& chunks, std::size_t byte_limit) : answer_(chunks, byte_limit, Answer::Source::server) {}
  virtual ~StreamDecoder() = default;
  virtual Result<void> event(std::string_view name, std::string_view data) = 0;  // One server-sent event.
  virtual Result<void> whole(std::string_view json) = 0;                         // An answer without a stream.
  virtual bool complete() const = 0;                                             // The important part is complete.
  virtual Result<Completion> finish() = 0;                                       // End of the body, complete or not.
  const Answer& answer() const { return answer_; }

 protected:
  Answer answer_;
};

// A received number of tokens. `before` for an absent number or 0: some servers send 0 for uncounted tokens.
std::int64_t tokens(const std::optional<double>& count, std::int64_t before);

// Feeds a body to a decoder: as events, or as one document for a body with a brace at the start (some servers never stream).
class BodyReader {
 public:
  BodyReader(StreamDecoder& decoder, std::size_t byte_limit) : decoder_(decoder), byte_limit_(byte_limit) {}
  Result<void> feed(BytesView bytes);
  Result<Completion> finish();

 private:
  Result<void> feed_events(BytesView bytes);

  enum class Form { unknown, events, document };
  StreamDecoder& decoder_;
  std::size_t byte_limit_;
  Form form_ = Form::unknown;
  SseParser events_;
  std::string document_;
};

}  // namespace parlance::model
