// SPDX-License-Identifier: Apache-2.0
// Where a frame begins and ends in a stream of bytes. Sans-I/O: `framed_stream.h` puts one over a ByteStream.
// One instance a connection; it may remember how far it has looked.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "parlance/base/bytes.h"
#include "parlance/base/result.h"
#include "parlance/transport/limits.h"

namespace parlance {

class Framing {
 public:
  struct Step {
    enum Kind {
      need_more,  // no complete frame in the buffer
      complete,   // `frame` is one; `consumed` bytes belong to it
      skipped,    // `consumed` bytes carry nothing (an empty line) or were passed over
      broken,     // `consumed` bytes were passed over: `error` says why; the stream can go on
      fatal,      // where the next frame would begin cannot be known: `error`; nothing is looked at any more
    } kind = need_more;
    BytesView frame{};
    std::size_t consumed = 0;
    std::optional<Error> error{};  // of broken and fatal

    // Bytes that end the stream. That its end is Errc::disconnected is decided here, for every framing.
    static Step end_of_stream(std::string why, Bytes head = {});
  };

  virtual ~Framing() = default;
  // `buffered`: what is left of the input, its beginning at the same byte as last time unless something was consumed.
  // `at_end`: nothing will follow.
  virtual Step next(BytesView buffered, bool at_end) = 0;

  // Around a frame's content in the output: begin() appends what stands before it, end() what stands behind it.
  virtual void begin(std::string& out) = 0;
  virtual Result<void> end(std::string& out, std::size_t begun_at) = 0;
};

// U+0085, U+2028 and U+2029 as escapes, in the JSON text that stands in `out` from `begun_at` on: some readers of lines (Node's readline from
// version 24 on) end a line there. In JSON they can stand in strings alone.
void escape_line_ends(std::string& out, std::size_t begun_at);

// One frame a line. A frame that goes out is a JSON text, and its line ends are escaped. A frame that comes in is ended by \n or \r\n; empty lines are skipped; the last line may lack its end. A line beyond the limit is passed
// over up to its end and told as `broken`, or `fatal` where the stream ends first (the first 64 bytes are in Error::data, so that a dialect can see what it was).
std::unique_ptr<Framing> line_framing(std::size_t most_bytes = limits::frame_bytes);

// "Content-Length: N\r\n\r\n" and N bytes, as language servers do. Other header lines are passed over.
std::unique_ptr<Framing> content_length_framing(std::size_t most_bytes = limits::frame_bytes);

// JSON objects one behind the other with or without white space between them (Go's net/rpc/jsonrpc). Anything else is fatal.
std::unique_ptr<Framing> json_object_framing(std::size_t most_bytes = limits::frame_bytes);

}  // namespace parlance
