// SPDX-License-Identifier: Apache-2.0
// For tests and benchmarks: the recorded sessions of tests/vectors/acp, read and compared. Throws where one is broken.
#pragma once

#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "parlance/codec/json/recording.h"
#include "parlance/codec/json/value.h"

namespace parlance::acp::test {

struct Record {
  bool from_client = false;
  bool is_message = false;  // otherwise `line` is a control line, or not JSON
  json::Value message{};
  std::string line{};
  std::int64_t connection = 0;
};

using json::test::recordings;

inline std::vector<Record> read_recording(const std::string& path) {
  std::ifstream file(path);
  std::vector<Record> records;
  for (std::string text; std::getline(file, text);) {
    const auto value = json::parse(text);
    if (!value) throw std::runtime_error(path + ": " + value.error().message);
    const std::string_view direction = value->text_or("dir", "");
    const bool from_client = direction == "c2a" || direction == "c2s";
    if (!from_client && direction != "a2c" && direction != "s2c") continue;  // notes of the recorder, and values of an SDK
    const json::Value* message = value->find("msg");
    if (message == nullptr) throw std::runtime_error(path + ": a record without a message");
    if (message->text() != nullptr && message->text()->starts_with("//#")) continue;  // the recorder's note about the end
    records.push_back({.from_client = from_client,
                       .is_message = message->object() != nullptr,
                       .message = *message,
                       .line = message->text() != nullptr ? *message->text() : json::to_text(*message),
                       .connection = value->integer_or("conn", 0)});
  }
  return records;
}

// A null is as good as nothing.
inline std::string missing_in(const json::Value& whole, const json::Value& part) {
  return json::test::missing_in(whole, part, json::test::Nulls::are_nothing);
}

}  // namespace parlance::acp::test
