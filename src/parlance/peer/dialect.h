// SPDX-License-Identifier: Apache-2.0
// Converts frames to messages and back. One instance for each connection: gob keeps its type tables here. Sans-I/O; loop thread
// only. Each encode_* appends the content of a frame; a failure leaves the output and the state unchanged.
#pragma once

#include <string>

#include "parlance/base/bytes.h"
#include "parlance/peer/limits.h"
#include "parlance/peer/message.h"

namespace parlance {

struct Capabilities {
  bool cancels = false;            // the dialect has a cancel message for calls
  bool answers_cancelled = false;  // a cancelled request still gets its (error) reply
  bool notices = true;
  // Above limits::running_calls: answer `overloaded`, or (net/rpc, whose clients would not understand this answer) stop reading
  // until a call ends.
  bool overload_stops_reading = false;
};

class Dialect {
 public:
  virtual ~Dialect() = default;

  virtual Message decode(BytesView frame) = 0;
  // A frame dropped by the framing (too long): returns the answer, if any. `head` contains its first bytes.
  virtual Message dropped(const Error& why, BytesView head) {
    static_cast<void>(head);
    return {.kind = MessageKind::malformed, .error = &why};
  }

  // Bytes without a further frame: returns the answer before the end of the connection. Only if no client can mistake the answer
  // for a reply to an earlier call.
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
  // A reply without a waiting call: after its deadline, repeated, or never requested. The reply is dropped.
  virtual void late(const RequestId& id) { static_cast<void>(id); }

  virtual Capabilities capabilities() const = 0;
};

}  // namespace parlance
