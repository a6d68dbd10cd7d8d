// SPDX-License-Identifier: Apache-2.0
// Turns frames into messages and back. One instance a connection: gob keeps its type tables here. Sans-I/O; loop thread only.
// Each encode_* appends the content of one frame; when it fails it leaves nothing behind and no state changed.
#pragma once

#include <string>

#include "parlance/base/bytes.h"
#include "parlance/peer/limits.h"
#include "parlance/peer/message.h"

namespace parlance {

struct Capabilities {
  bool cancels = false;            // it has a message that says a call is no longer wanted
  bool answers_cancelled = false;  // a request that was cancelled still gets its (error) reply
  bool notices = true;
  // Above limits::running_calls: answer `overloaded`, or (net/rpc, which has no such answer that a client would understand)
  // stop reading until one is done.
  bool overload_stops_reading = false;
};

class Dialect {
 public:
  virtual ~Dialect() = default;

  virtual Message decode(BytesView frame) = 0;
  // A frame that the framing had to drop (too long): what to answer, if anything. `head` are its first bytes.
  virtual Message dropped(const Error& why, BytesView head) {
    static_cast<void>(head);
    return {.kind = MessageKind::malformed, .error = &why};
  }

  // Bytes behind which no frame can be found any more: what to answer before the connection ends. Only where an answer cannot be
  // mistaken for one to an earlier call.
  virtual Message broken(const Error& why) { return {.kind = MessageKind::malformed, .error = &why}; }

  virtual Result<void> encode_request(std::string& out, const RequestId& id, std::string_view method, const wire::Type& type,
                                      const void* parameters) = 0;
  virtual Result<void> encode_reply(std::string& out, const RequestId& id, std::string_view method, const wire::Type& type,
                                    const void* result) = 0;
  virtual Result<void> encode_error(std::string& out, const RequestId& id, std::string_view method, const Error& error) = 0;
  virtual Result<void> encode_notice(std::string& out, std::string_view method, const wire::Type& type,
                                     const void* parameters) = 0;
  virtual Result<void> encode_cancel(std::string& out, const RequestId& id, std::string_view reason) {
    static_cast<void>(out), static_cast<void>(id), static_cast<void>(reason);
    return fail(Errc::unknown_method, "this protocol has no cancel message");
  }
  // A reply to no call that waits: it came behind its deadline, twice, or was never asked for. It is dropped.
  virtual void late(const RequestId& id) { static_cast<void>(id); }

  virtual Capabilities capabilities() const = 0;
};

}  // namespace parlance
