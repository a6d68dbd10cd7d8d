// SPDX-License-Identifier: Apache-2.0
// The control protocol as a dialect of the peer: control_request, control_response and control_cancel_request are requests, replies
// and cancels; every other line is a notice without a name and without a body: what it says is asked of the dialect while it is
// handled, so that nothing of it is copied. Sans-I/O; loop thread only.
//
// What it makes sure of: a request with a readable id is answered whatever else is wrong with it; one that comes twice while it
// runs is served once; bytes that are no UTF-8 become U+FFFD; members may come in any order; what is no JSON is counted and dropped.
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
  std::uint64_t lines = 0;         // that carried anything
  std::uint64_t stream_lines = 0;  // of them, no control messages
  std::uint64_t mended_utf8 = 0;
  std::uint64_t duplicates = 0;  // requests that came again while they ran
};

class ControlDialect : public Dialect {
 public:
  virtual const DialectStats& stats() const = 0;
  virtual const StreamLine& line() const = 0;  // the one that came last
};

// The handler of those lines, for a router. `told` answers an empty task, or one that reading waits for: then the other side waits, too.
std::unique_ptr<Handler> line_handler(ControlDialect* const& dialect, std::function<Task<void>(const StreamLine&)> told);

// The method of a request that its side has no handler of its own for; its parameters still hold the subtype.
inline constexpr std::string_view other_request = "*";

// A line that is no protocol, or that was longer than a frame may be: then `why` has its first 64 bytes as data, and `head` is them.
// The log hears of it anyway (lost_lines.h).
using LostLine = std::function<void(const Error& why, BytesView head)>;

// A host never cancels a call of its own: 2.0.76 dies of the message.
std::unique_ptr<ControlDialect> control_dialect(Side side, LostLine lost = {});

// The answer to a request that is not known, as all of them word it.
Error unsupported_request(std::string_view subtype);

// Errc <-> what stands on the wire: a code where newer peers have one, else a text.
Errc code_of(std::string_view error_code, std::string_view text);
std::string_view error_code_of(Errc code);  // empty: none

}  // namespace parlance::claude
