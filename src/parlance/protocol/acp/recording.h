// For tests and benchmarks: the recorded sessions of tests/vectors/acp, read and compared. Throws where one is broken.
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "parlance/codec/json/value.h"

namespace parlance::acp::test {

struct Record {
  bool from_client = false;
  bool is_message = false;  // otherwise `line` is a control line, or what is no JSON
  json::Value message{};
  std::string line{};
  std::int64_t connection = 0;
};

inline std::vector<std::string> recordings(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".ndjson") names.push_back(entry.path().filename().string());
  std::ranges::sort(names);
  return names;
}

inline std::vector<Record> read_recording(const std::string& path) {
  std::ifstream file(path);
  std::vector<Record> records;
  for (std::string text; std::getline(file, text);) {
    const auto value = json::parse(text);
    if (!value) throw std::runtime_error(path + ": " + value.error().message);
    const std::string_view direction = value->text_or("dir", "");
    const bool from_client = direction == "c2a" || direction == "c2s";
    if (!from_client && direction != "a2c" && direction != "s2c") continue;  // what the recorder says, what an SDK yielded
    const json::Value* message = value->find("msg");
    if (message == nullptr) throw std::runtime_error(path + ": a record without a message");
    if (message->text() != nullptr && message->text()->starts_with("//#")) continue;  // of the recorder: how the connection ended
    records.push_back({.from_client = from_client,
                       .is_message = message->object() != nullptr,
                       .message = *message,
                       .line = message->text() != nullptr ? *message->text() : json::to_text(*message),
                       .connection = value->integer_or("conn", 0)});
  }
  return records;
}

// Empty when everything in `part` is in `whole`, with the same values; otherwise where it is not. A null is as good as nothing.
inline std::string missing_in(const json::Value& whole, const json::Value& part, const std::string& where = "$") {
  if (const json::Object* wanted = part.object()) {
    if (whole.object() == nullptr) return where + " is no object";
    for (const auto& [name, value] : wanted->members) {
      if (value.is_null()) continue;
      const json::Value* found = whole.find(name);
      if (found == nullptr) return where + "." + name + " is missing";
      if (auto why = missing_in(*found, value, where + "." + name); !why.empty()) return why;
    }
    return "";
  }
  if (const json::Array* wanted = part.array()) {
    const json::Array* found = whole.array();
    if (found == nullptr || found->size() != wanted->size()) return where + " is another list";
    for (std::size_t i = 0; i < wanted->size(); ++i)
      if (auto why = missing_in((*found)[i], (*wanted)[i], where + "[" + std::to_string(i) + "]"); !why.empty()) return why;
    return "";
  }
  return whole == part ? "" : where + " is " + json::to_text(whole) + ", not " + json::to_text(part);
}

}  // namespace parlance::acp::test
