// SPDX-License-Identifier: Apache-2.0
// From the bytes of a vendor's answer to chunks and a completion. Sans-I/O. Errors carry a code that says whether the request may
// be repeated: overloaded and disconnected may, as long as nothing has reached the sink.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "parlance/model/answer.h"
#include "parlance/transport/http/http_client.h"

namespace parlance::model {

class StreamDecoder {
 public:
  explicit StreamDecoder(ChunkSink& chunks, std::size_t byte_limit) : answer_(chunks, byte_limit, Answer::Source::server) {}
  virtual ~StreamDecoder() = default;
  virtual Result<void> event(std::string_view name, std::string_view data) = 0;  // one server-sent event
  virtual Result<void> whole(std::string_view json) = 0;                         // the answer of a server that does not stream
  virtual bool complete() const = 0;                                             // all that matters has come
  virtual Result<Completion> finish() = 0;                                       // the body has ended, whole or not
  const Answer& answer() const { return answer_; }

 protected:
  Answer answer_;
};

// Feeds a body to a decoder: as events, or as one document when it begins with a brace (asked to stream, some servers do not).
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
