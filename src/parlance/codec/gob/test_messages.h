// SPDX-License-Identifier: Apache-2.0
// Messages for the tests of this folder, in the shape of the Go types in tests/peers/go-rpc/proto, and readers of test data.
#pragma once

#include <deque>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "parlance/base/bytes.h"
#include "parlance/codec/gob/decoder.h"
#include "parlance/codec/gob/encoder.h"
#include "parlance/codec/gob/message.h"
#include "parlance/codec/json/typed.h"
#include "parlance/codec/json/value.h"
#include "parlance/wire/describe.h"

namespace parlance::gob::test {

using wire::field;
using wire::fields;

struct Request {
  std::string method{};
  std::uint64_t seq = 0;
  static constexpr auto wire = fields(field<&Request::method>("ServiceMethod", ""), field<&Request::seq>("Seq", ""));
};
struct Response {
  std::string method{};
  std::uint64_t seq = 0;
  std::string error{};
  static constexpr auto wire = fields(field<&Response::method>("ServiceMethod", ""), field<&Response::seq>("Seq", ""),
                                      field<&Response::error>("Error", ""));
};
struct Function {
  std::string name{};
  std::string arguments{};
  static constexpr auto wire = fields(field<&Function::name>("Name", ""), field<&Function::arguments>("Arguments", ""));
};
struct ToolCall {
  std::string id{};
  std::string type{};
  Function function{};
  static constexpr auto wire =
      fields(field<&ToolCall::id>("ID", ""), field<&ToolCall::type>("Type", ""), field<&ToolCall::function>("Function", ""));
};
struct ToolResult {
  std::string id{};
  std::string type{};
  wire::Raw result{};
  static constexpr auto wire =
      fields(field<&ToolResult::id>("ID", ""), field<&ToolResult::type>("Type", ""), field<&ToolResult::result>("Result", ""));
};
struct Message {
  std::string role{};
  std::string content{};
  std::vector<ToolCall> tool_calls{};
  std::vector<ToolResult> results{};
  static constexpr auto wire =
      fields(field<&Message::role>("Role", ""), field<&Message::content>("Content", ""),
             field<&Message::tool_calls>("ToolCalls", ""), field<&Message::results>("ToolExecutionResults", ""));
};
struct ToolFunction {
  std::string name{};
  std::string description{};
  std::map<std::string, wire::Raw> parameters{};
  static constexpr auto wire =
      fields(field<&ToolFunction::name>("Name", ""), field<&ToolFunction::description>("Description", ""),
             field<&ToolFunction::parameters>("Parameters", ""));
};
struct Tool {
  std::string type{};
  ToolFunction function{};
  static constexpr auto wire = fields(field<&Tool::type>("Type", ""), field<&Tool::function>("Function", ""));
};
struct ChatArgs {
  std::vector<Message> messages{};
  std::vector<Tool> tools{};
  static constexpr auto wire = fields(field<&ChatArgs::messages>("Messages", ""), field<&ChatArgs::tools>("Tools", ""));
};
struct ChatReply {
  std::string content{};
  std::vector<ToolCall> tools{};
  static constexpr auto wire = fields(field<&ChatReply::content>("Content", ""), field<&ChatReply::tools>("Tools", ""));
};
struct StatsReply {
  std::map<std::string, std::int64_t> stats{};
  static constexpr auto wire = fields(field<&StatsReply::stats>("Stats", ""));
};
struct MemorySearchArgs {
  std::string query{};
  std::string category{};
  std::int64_t limit = 0;
  double min_score = 0;
  static constexpr auto wire =
      fields(field<&MemorySearchArgs::query>("Query", ""), field<&MemorySearchArgs::category>("Category", ""),
             field<&MemorySearchArgs::limit>("Limit", ""), field<&MemorySearchArgs::min_score>("MinScore", ""));
};

// Every kind with a gob form. `Everything` of gob-check is the same in Go.
enum class Colour { none, red };
constexpr auto wire_names(Colour) { return wire::names("", "red"); }

struct Everything {
  bool on = false;
  std::int64_t whole = 0;
  std::int16_t small = 0;
  std::uint64_t natural = 0;
  double real = 0;
  float narrow = 0;
  std::string text{};
  wire::Blob blob{};
  std::vector<std::uint8_t> octets{};
  std::vector<std::string> words{};
  std::map<std::string, std::int64_t> counts{};
  std::optional<std::int64_t> maybe{};
  std::vector<std::optional<std::int64_t>> holes{};
  Function inner{};
  Colour colour = Colour::none;
  wire::Raw raw{};
  std::vector<wire::Raw> raws{};
  static constexpr auto wire = fields(
      field<&Everything::on>("On", ""), field<&Everything::whole>("Whole", ""), field<&Everything::small>("Small", ""),
      field<&Everything::natural>("Natural", ""), field<&Everything::real>("Real", ""), field<&Everything::narrow>("Narrow", ""),
      field<&Everything::text>("Text", ""), field<&Everything::blob>("Blob", ""), field<&Everything::octets>("Octets", ""),
      field<&Everything::words>("Words", ""), field<&Everything::counts>("Counts", ""), field<&Everything::maybe>("Maybe", ""),
      field<&Everything::holes>("Holes", ""), field<&Everything::inner>("Inner", ""), field<&Everything::colour>("Colour", ""),
      field<&Everything::raw>("Raw", ""), field<&Everything::raws>("Raws", ""));
};

// A conversation of the usual size: about 200 bytes of argument.
inline ChatArgs small_chat() {
  ChatArgs args;
  args.messages.push_back({.role = "system", .content = "You answer in one short sentence and never guess about files."});
  args.messages.push_back(
      {.role = "user", .content = "Which of the tests in src/codec touch the disk, and what would it take to keep them off it?"});
  args.messages.push_back({.role = "assistant", .content = "Two of them; read through an interface."});
  return args;
}

inline std::string read_whole(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file.good()) << path;
  return {std::istreambuf_iterator<char>(file), {}};
}
inline std::string vectors() { return std::string(PARLANCE_SOURCE_DIR) + "/tests/vectors/go-rpc/"; }
inline std::string read_hex(const std::string& path) {
  std::string bytes;
  EXPECT_TRUE(from_hex(read_whole(path), bytes)) << path;
  return bytes;
}
inline json::Value parse(std::string_view text) {
  auto value = json::parse(text);
  EXPECT_TRUE(value.has_value()) << text.substr(0, 400) << ": " << (value ? "" : value.error().message);
  return value ? *std::move(value) : json::Value();
}

// The output of Go's encoder, for input made by hand.
inline std::string u(std::uint64_t value) {
  std::string out;
  write_uint(out, value);
  return out;
}
inline std::string i(std::int64_t value) {
  std::string out;
  write_int(out, value);
  return out;
}
inline std::string f(double value) {
  std::string out;
  write_double(out, value);
  return out;
}
inline std::string s(std::string_view text) {
  std::string out;
  write_bytes(out, text);
  return out;
}
inline std::string zero() { return std::string(1, '\0'); }
// A struct value: fields by number, in ascending order.
inline std::string rec(std::initializer_list<std::pair<int, std::string>> sent) {
  std::string out;
  int last = -1;
  for (const auto& [number, value] : sent) {
    out += u(static_cast<std::uint64_t>(number - last)) + value;
    last = number;
  }
  return out + zero();
}
inline std::string message_of(const std::string& body) { return s(body); }

// Keeps its input, so that a test may feed temporary text and read the value later.
class KeepingDecoder : public Decoder {
 public:
  using Decoder::Decoder;
  Result<Progress> feed(BytesView message) { return Decoder::feed(kept_.emplace_back(message)); }

 private:
  std::deque<std::string> kept_;
};

// Feeds every message of a stream, and passes each value to the test.
template <class D, class OnValue>
Result<void> feed_all(D& decoder, BytesView stream, OnValue on_value) {
  while (!stream.empty()) {
    const Split split = split_message(stream);
    if (split.state != Split::State::message) return fail(Errc::failed, "the stream ends inside a message");
    stream.remove_prefix(split.consumed);
    auto progress = decoder.feed(split.message);
    if (!progress) return std::unexpected(std::move(progress).error());
    if (*progress == Progress::value) on_value(decoder);
  }
  return {};
}

}  // namespace parlance::gob::test
