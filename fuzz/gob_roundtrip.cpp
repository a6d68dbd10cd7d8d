// SPDX-License-Identifier: Apache-2.0
// Any JSON document as a gob interface value and back: the value is the same, whatever its numbers, names and nesting.
#include <cmath>
#include <cstdint>

#include "parlance/base/check.h"
#include "parlance/codec/gob/decoder.h"
#include "parlance/codec/gob/encoder.h"
#include "parlance/codec/gob/message.h"

namespace {

using namespace parlance;

struct Holder {
  wire::Raw first{};
  std::vector<wire::Raw> more{};
  static constexpr auto wire = wire::fields(wire::field<&Holder::first>("First", ""), wire::field<&Holder::more>("More", ""));
};

// JSON has no infinity: 1e400 goes out as one and comes back as null.
void drop_infinities(json::Value& value) {
  if (const auto* number = std::get_if<double>(&value.data); number != nullptr && !std::isfinite(*number)) value = json::Value();
  if (json::Array* array = value.array())
    for (json::Value& element : *array) drop_infinities(element);
  if (json::Object* object = value.object())
    for (auto& member : object->members) drop_infinities(member.second);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  auto expected = json::parse(text);
  auto pool = std::make_shared<gob::TypePool>();
  gob::Encoder encoder(pool);
  std::string stream;
  const Holder holder{.first = {text}, .more = {{"null"}, {text}}};
  const bool sent = text.empty() || encoder.encode(stream, holder).has_value();
  if (!sent) {
    PARLANCE_CHECK(stream.empty(), "nothing written by a failed encode");
    return 0;
  }
  if (text.empty()) return 0;
  PARLANCE_CHECK(expected.has_value(), "only JSON is encoded");
  drop_infinities(*expected);

  gob::Decoder decoder(pool);
  for (BytesView rest = stream; !rest.empty();) {
    const gob::Split split = gob::split_message(rest);
    PARLANCE_CHECK(split.state == gob::Split::State::message, "whole messages");
    rest.remove_prefix(split.consumed);
    PARLANCE_CHECK(decoder.feed(split.message), "messages that our decoder takes");
  }
  auto back = decoder.read<Holder>();
  PARLANCE_CHECK(back, "a value that our decoder reads");
  PARLANCE_CHECK(back->more.size() == 2 && back->more[0].json == "null", "the elements");
  for (const std::string& json : {back->first.json, back->more[1].json}) {
    const auto value = json::parse(json.empty() ? "null" : json);
    PARLANCE_CHECK(value && *value == *expected, "the same value");
  }
  return 0;
}
