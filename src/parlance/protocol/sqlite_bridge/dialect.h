// SPDX-License-Identifier: Apache-2.0
// The envelope of NDJSON version 1: lines become requests, and answers become lines. Sans-I/O; any thread.
//
// Not a `Dialect` for a Peer: here, `cancel` is a request, and its answer reports whether the cancel came in time. A cancelled request is
// answered after its real end, because its caller must know whether the write took effect.
#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "parlance/base/bytes.h"
#include "parlance/codec/json/typed.h"
#include "parlance/protocol/sqlite_bridge/messages.h"

namespace parlance::sqlite_bridge {

struct Request {
  std::string id{};  // JSON text as received: null, a text or a number.
  std::string command{};
  std::string payload{};    // JSON object.
  std::string key() const;  // Equal for equal ids with any escapes; empty for null.
};

struct BadRequest {
  std::string id = "null";
  Failure failure{};
};

// Content of a line.
std::expected<Request, BadRequest> decode(BytesView line);
std::string key_of(std::string_view id_json);

void begin_answer(std::string& out, std::string_view id);  // Followed by the JSON of the data.
inline void end_answer(std::string& out) { out += '}'; }
void encode_error(std::string& out, std::string_view id, const Failure& failure);

template <class T>
void encode_answer(std::string& out, std::string_view id, const T& data) {
  begin_answer(out, id);
  json::write(out, wire::type_of<T>(), &data);
  end_answer(out);
}

}  // namespace parlance::sqlite_bridge
