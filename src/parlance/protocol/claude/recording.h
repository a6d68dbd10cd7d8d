// SPDX-License-Identifier: Apache-2.0
// For tests and benchmarks: reads and compares the recorded sessions of tests/vectors/claude-control. Throws for a malformed
// recording.
#pragma once

#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "parlance/base/base64.h"
#include "parlance/codec/json/recording.h"
#include "parlance/codec/json/value.h"

namespace parlance::claude::test {

struct Record {
  bool from_host = false;
  bool is_message = false;  // Otherwise `line` is raw text or raw bytes outside of the protocol.
  json::Value message{};
  std::string line{};   // As written, without its end.
  std::string bytes{};  // As written: outside of the protocol, a part of a line or several lines.
};

using json::test::recordings;

inline std::vector<Record> read_recording(const std::string& path) {
  std::ifstream file(path);
  std::vector<Record> records;
  for (std::string text; std::getline(file, text);) {
    const auto value = json::parse(text);
    if (!value) throw std::runtime_error(path + ": " + value.error().message);
    const std::string_view direction = value->text_or("dir", "");
    if (direction != "h2a" && direction != "a2h") continue;
    Record record{.from_host = direction == "h2a"};
    if (const json::Value* message = value->find("msg"); message != nullptr) {
      record.is_message = message->object() != nullptr;
      record.message = *message;
      record.line = json::to_text(*message);
    } else if (const json::Value* bytes = value->find("raw_b64"); bytes != nullptr) {
      record.line = from_base64(*bytes->text()).value_or("");
    } else {
      record.line = value->text_or("raw", "");
    }
    record.bytes = record.is_message || value->find("msg") != nullptr ? record.line + "\n" : record.line;
    // For lines beyond the limit, the recorder wrote only their length.
    if (!record.from_host && !record.bytes.ends_with('\n')) record.bytes += '\n';
    while (record.line.ends_with('\n') || record.line.ends_with('\r')) record.line.pop_back();
    records.push_back(std::move(record));
  }
  return records;
}

inline std::string missing_in(const json::Value& whole, const json::Value& part) {
  return json::test::missing_in(whole, part, json::test::Nulls::count);
}

inline std::string subtype_of(const json::Value& message) {
  const json::Value* request = message.find("request");
  return std::string(request != nullptr ? request->text_or("subtype", "") : "");
}

// The request_id of a request or cancel, or of the request inside a reply, as text.
inline std::string id_of(const json::Value& message) {
  const json::Value* response = message.find("response");
  return std::string((response != nullptr ? *response : message).text_or("request_id", ""));
}

}  // namespace parlance::claude::test
