// SPDX-License-Identifier: Apache-2.0
// Any bytes as a gob stream: every message is fed, and every value is read as JSON, into declared types and as a dump. Checks
// beyond "no crash": a fault never leaves a value ready, the resulting JSON is valid, and memory stays within the limits.
#include <cstdint>

#include "parlance/base/check.h"
#include "parlance/codec/gob/decoder.h"
#include "parlance/codec/gob/dump.h"
#include "parlance/codec/gob/message.h"

namespace {

using namespace parlance;
using wire::field;
using wire::fields;

struct Part {
  std::string id{};
  wire::Raw result{};
  std::vector<Part> parts{};
  static constexpr auto wire =
      fields(field<&Part::id>("ID", ""), field<&Part::result>("Result", ""), field<&Part::parts>("Parts", ""));
};
struct Message {
  std::string role{};
  std::string content{};
  std::vector<Part> calls{};
  std::vector<Part> results{};
  static constexpr auto wire =
      fields(field<&Message::role>("Role", ""), field<&Message::content>("Content", ""), field<&Message::calls>("ToolCalls", ""),
             field<&Message::results>("ToolExecutionResults", ""));
};
struct Arguments {
  std::vector<Message> messages{};
  std::map<std::string, std::int64_t> stats{};
  std::string method{};
  std::uint64_t seq = 0;
  std::optional<double> score{};
  std::int8_t limit = 0;
  wire::Blob blob{};
  std::vector<std::uint8_t> octets{};
  wire::Raw tools{};
  static constexpr auto wire =
      fields(field<&Arguments::messages>("Messages", ""), field<&Arguments::stats>("Stats", ""),
             field<&Arguments::method>("ServiceMethod", ""), field<&Arguments::seq>("Seq", ""),
             field<&Arguments::score>("MinScore", ""), field<&Arguments::limit>("Limit", ""), field<&Arguments::blob>("Blob", ""),
             field<&Arguments::octets>("Octets", ""), field<&Arguments::tools>("Tools", ""));
};

void read_every_way(gob::Decoder& decoder) {
  std::string text;
  if (decoder.read_json(text)) PARLANCE_CHECK(json::is_valid(text), "JSON");
  text.clear();
  if (decoder.read_json(text, gob::Form::annotated)) PARLANCE_CHECK(json::is_valid(text), "JSON");
  (void)decoder.read_any();
  (void)decoder.read<Arguments>();
  (void)decoder.read<Message>();
  (void)decoder.read<std::vector<std::string>>();
  (void)decoder.read<std::map<std::string, wire::Raw>>();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const BytesView input(reinterpret_cast<const char*>(data), size);
  gob::Limits limits;
  limits.message_bytes = 64 << 10;
  limits.value_bytes = 1 << 20;
  gob::Decoder decoder(nullptr, limits);
  for (BytesView stream = input; !decoder.broken();) {
    const gob::Split split = gob::split_message(stream, limits.message_bytes);
    if (split.state != gob::Split::State::message) break;
    stream.remove_prefix(split.consumed);
    const auto progress = decoder.feed(split.message);
    PARLANCE_CHECK(decoder.has_value() == (progress && *progress == gob::Progress::value), "a value exactly when feed says so");
    if (decoder.has_value()) read_every_way(decoder);
  }
  PARLANCE_CHECK(decoder.memory_bytes() < limits.message_bytes + (64 << 10), "tables and kept bytes within the limits");
  (void)gob::dump_text(input, limits);
  return 0;
}
