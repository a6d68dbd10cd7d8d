// SPDX-License-Identifier: Apache-2.0
// The control protocol as a dialect of the peer: control_request, control_response and control_cancel_request are requests,
// replies and cancels. Every other line is a notice without name and body; handlers read its content from the dialect during the
// call, so nothing is copied. Sans-I/O; loop thread only.
//
// A request with a readable id gets an answer despite any other fault. A repeated request is served once while it runs. Bytes outside of
// UTF-8 become U+FFFD. Members may have any order. Malformed JSON is counted and dropped.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "parlance/async/task.h"
#include "parlance/peer/dialect.h"
#include "parlance/peer/router.h"
#include "parlance/protocol/claude/stream.h"

namespace parlance::claude {

enum class Side { host, agent };

struct DialectStats {
  std::uint64_t lines = 0;         // Frames with content.
  std::uint64_t stream_lines = 0;  // Frames without a control message.
  std::uint64_t mended_utf8 = 0;
  std::uint64_t duplicates = 0;  // Requests repeated while running.
};

class ControlDialect : public Dialect {
 public:
  virtual const DialectStats& stats() const = 0;
  virtual const StreamLine& line() const = 0;  // The latest stream line.
};

// The handler of stream lines, for a router. `on_line` returns an empty task, or a task that delays the next read and so
// slows the other side.
std::unique_ptr<Handler> line_handler(ControlDialect* const& dialect, std::function<Task<void>(const StreamLine&)> on_line);

// Method of a request without a handler. Its parameters still contain the subtype.
inline constexpr std::string_view other_request = "*";

// A line outside of the protocol, or longer than a frame: `why` then has its first 64 bytes as data, and `head` is these bytes.
// The log records it in any case (lost_lines.h).
using LostLine = std::function<void(const Error& why, BytesView head)>;

// A host never cancels a call of its own: 2.0.76 exits after such a message.
std::unique_ptr<ControlDialect> control_dialect(Side side, LostLine lost = {});

// The answer to an unknown request, in the words of all versions.
Error unsupported_request(std::string_view subtype);

// Converts Errc to the wire and back: a code for newer peers, otherwise a text.
Errc code_of(std::string_view error_code, std::string_view text);
std::string_view error_code_of(Errc code);  // Empty: no code.

}  // namespace parlance::claude
