// SPDX-License-Identifier: Apache-2.0
// The boundaries of frames in a stream of bytes. Sans-I/O: `framed_stream.h` applies a framing to a ByteStream. One instance for
// each connection, because it may remember its position.
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
      need_more,  // The buffer has no complete frame.
      complete,   // `frame` is complete, and owns `consumed` bytes.
      skipped,    // `consumed` bytes carry no frame (an empty line) or were skipped.
      broken,     // `consumed` bytes were skipped for the reason in `error`. The stream can continue.
      fatal,      // The beginning of the next frame is unknown. Reading ends with `error`.
    } kind = need_more;
    BytesView frame{};
    std::size_t consumed = 0;
    std::optional<Error> error{};  // With broken and fatal.

    // Bytes that end the stream. For every framing, this end is Errc::disconnected.
    static Step end_of_stream(std::string why, Bytes head = {});
  };

  virtual ~Framing() = default;
  // `buffered`: the remaining input. It begins at the same byte as in the last call, unless bytes were consumed. `at_end`: no
  // input follows.
  virtual Step next(BytesView buffered, bool at_end) = 0;

  // Enclose a frame's content in the output: begin() appends the text before it, end() the text after it.
  virtual void begin(std::string& out) = 0;
  virtual Result<void> end(std::string& out, std::size_t begun_at) = 0;
};

// Escapes U+0085, U+2028 and U+2029 in the JSON text of `out` from `begun_at` on. Some readers of lines end a line there (Node's
// readline from version 24 on). In JSON, these characters occur in strings only.
void escape_line_ends(std::string& out, std::size_t begun_at);

// One frame for each line. An outgoing frame is JSON text with escaped line ends. An incoming frame ends with \n or \r\n. Empty
// lines are skipped, and the last line may lack its end. A line beyond the limit is skipped and reported as `broken`, or as
// `fatal` if the stream ends first. Error::data has its first 64 bytes for the dialect.
std::unique_ptr<Framing> line_framing(std::size_t most_bytes = limits::frame_bytes);

// "Content-Length: N\r\n\r\n" and N bytes, as in language servers. Other headers are skipped.
std::unique_ptr<Framing> content_length_framing(std::size_t most_bytes = limits::frame_bytes);

// JSON objects with or without white space between them (Go's net/rpc/jsonrpc). All other input is fatal.
std::unique_ptr<Framing> json_object_framing(std::size_t most_bytes = limits::frame_bytes);

}  // namespace parlance
