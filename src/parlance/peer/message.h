// SPDX-License-Identifier: Apache-2.0
// Messages between two peers, in any dialect: requests, replies, notices and cancels. Views into their frame: valid while the
// frame is handled.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "parlance/base/result.h"
#include "parlance/wire/type.h"

namespace parlance {

// The caller's name for a call. Plain numbers are kept as numbers; other ids (text, a fraction, null) as their JSON text, because
// an id returns exactly as received: 1 is not "1".
struct RequestId {
  std::uint64_t number = 0;
  std::string raw{};  // not empty: the id is this JSON text
  bool present = false;

  static RequestId of(std::uint64_t n) { return {.number = n, .present = true}; }
  static RequestId of_raw(std::string json) { return {.raw = std::move(json), .present = true}; }
  friend bool operator==(const RequestId&, const RequestId&) = default;
};
std::string to_string(const RequestId& id);

// The outcome of a call whose reply lacks a required body (wire::Call::may_lack_body).
Error missing_body(std::string_view method);

// Parameters, a result: read into a declared type by the codec of the dialect.
class Body {
 public:
  virtual Result<void> read(const wire::Type& type, void* into) const = 0;

 protected:
  ~Body() = default;
};

enum class MessageKind : std::uint8_t {
  request,
  reply,  // with `error`: failed; with `answer`: an invalid reply, answered unless a call waits
  notice,
  cancel,     // `id` names the cancelled request
  ignored,    // no action: text between frames, part of a longer message
  malformed,  // `error` says why; answered if `answer`, and the end of the connection if `fatal`
};

struct Message {
  MessageKind kind = MessageKind::ignored;
  RequestId id{};
  std::string_view method{};
  const Body* body = nullptr;  // null: absent
  const Error* error = nullptr;
  bool answer = false;
  bool fatal = false;
};

}  // namespace parlance
