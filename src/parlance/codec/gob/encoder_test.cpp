// SPDX-License-Identifier: Apache-2.0
#include "parlance/codec/gob/encoder.h"

#include <random>

#include "parlance/codec/gob/dump.h"
#include "parlance/codec/gob/test_messages.h"

namespace parlance::gob {
namespace {

using namespace test;

template <class T>
std::string encoded(const T& value) {
  Encoder encoder;
  std::string out;
  auto done = encoder.encode(out, value);
  EXPECT_TRUE(done) << (done ? "" : done.error().message);
  return out;
}
std::string last_message(const std::string& stream) {
  std::string last;
  for (BytesView rest = stream; !rest.empty();) {
    const Split split = split_message(rest);
    last = split.message;
    rest.remove_prefix(split.consumed);
  }
  return last;
}
json::Value any_of(const std::string& stream) {
  KeepingDecoder decoder;
  json::Value value;
  auto done = feed_all(decoder, stream, [&](Decoder& d) { value = d.read_any().value(); });
  EXPECT_TRUE(done) << (done ? "" : done.error().message);
  return value;
}
template <class T>
T through(const T& value) {
  KeepingDecoder decoder;
  T back{};
  auto done = feed_all(decoder, encoded(value), [&](Decoder& d) {
    auto read = d.read<T>();
    ASSERT_TRUE(read) << read.error().message;
    back = *std::move(read);
  });
  EXPECT_TRUE(done) << (done ? "" : done.error().message);
  return back;
}
template <class T>
std::string refusal(const T& value) {
  Encoder encoder;
  std::string out = "before";
  auto done = encoder.encode(out, value);
  EXPECT_EQ(out, "before");
  return done ? "taken" : done.error().message;
}

TEST(Encoder, RequestHasTheBytesOfGo) {
  std::string go = read_hex(vectors() + "captures/chat-text.c2s.hex").substr(0, 48 + 21);
  // Ids are each sender's own: ff 81 and ff 82 are Go's -65 and 65; ours is 67, behind the two types of interface values.
  go.replace(1, 2, i(-67));
  go.replace(15, 2, i(67));
  go.replace(49, 2, i(67));
  EXPECT_EQ(to_hex(encoded(Request{.method = "RPCService.Chat"})), to_hex(go));
}

TEST(Encoder, ZeroFieldsAreLeftOutAndStructsAreNot) {
  EXPECT_EQ(to_hex(last_message(encoded(Request{}))), to_hex(i(67) + zero()));
  EXPECT_EQ(to_hex(last_message(encoded(ToolCall{.type = "t"}))), to_hex(i(67) + u(2) + s("t") + u(1) + zero() + zero()));
  EXPECT_EQ(to_hex(last_message(encoded(wire::Nothing{}))), to_hex(i(67) + zero()));
  EXPECT_EQ(to_hex(last_message(encoded(MemorySearchArgs{.min_score = -0.0}))), to_hex(i(67) + zero()));
  EXPECT_EQ(any_of(encoded(Everything{})), parse(R"({"Inner":{}})"));
}

TEST(Encoder, EmptyStructHasTheShapeOfGo) {
  Encoder encoder;
  std::string out;
  ASSERT_TRUE(encoder.encode_nothing(out));
  const std::size_t first = out.size();
  ASSERT_TRUE(encoder.encode_nothing(out));
  EXPECT_EQ(out.size() - first, 4U);  // 03 ff 86 00
  EXPECT_EQ(any_of(out), parse("{}"));
}

TEST(Encoder, ElementsAreSentZeroOrNot) {
  Everything value;
  value.words = {"", "a", ""};
  value.counts = {{"", 0}, {"k", -1}};
  value.holes = {std::nullopt, 4};
  EXPECT_EQ(any_of(encoded(value)), parse(R"({"Words":["","a",""],"Counts":{"":0,"k":-1},"Holes":[0,4],"Inner":{}})"));
}

TEST(Encoder, EveryKindArrives) {
  Everything value;
  value.on = true;
  value.whole = std::numeric_limits<std::int64_t>::min();
  value.small = -300;
  value.natural = ~std::uint64_t{0};
  value.real = 0.1;
  value.narrow = 0.7F;
  value.text = "héllo \"x\"";
  value.blob.bytes = std::string("\0\xff", 2);
  value.octets = {0, 127, 128, 255};
  value.words = {"one"};
  value.counts = {{"a", 1}};
  value.maybe = 5;
  value.holes = {7};
  value.inner.name = "n";
  value.colour = Colour::red;
  value.raw.json = R"({"a":[1,-2.5,"x",null,true,{}],"b":[]})";
  value.raws = {{"1"}, {"null"}, {R"("s")"}};
  EXPECT_EQ(parse(json::to_text(through(value))), parse(json::to_text(value)));
}

TEST(Encoder, TypesAreAnnouncedOnce) {
  Encoder encoder;
  std::string out;
  ASSERT_TRUE(encoder.encode(out, small_chat()));
  const std::size_t first = out.size();
  out.clear();
  ASSERT_TRUE(encoder.encode(out, small_chat()));
  EXPECT_LT(out.size() + 400, first);
  EXPECT_EQ(split_message(out).consumed, out.size());
}

TEST(Encoder, InterfaceTypesAreAnnouncedBeforeTheirFirstValue) {
  Encoder encoder;
  const auto sent = [&](std::string_view json) {
    std::string out;
    EXPECT_TRUE(encoder.encode(out, ToolResult{.id = "c", .result = {std::string(json)}}));
    std::vector<std::string> names;
    for (BytesView rest = out; !rest.empty();) {
      const Split split = split_message(rest);
      Cursor cursor(split.message);
      std::int64_t id = 0;
      cursor.read_int(id);
      Definition definition;
      if (id < 0 && definition.parse(cursor, {})) {
        definition.keep(split.message.substr(uint_size(int_bits(id))));
        names.emplace_back(definition.name());
      }
      rest.remove_prefix(split.consumed);
    }
    return names;
  };
  EXPECT_EQ(sent("5"), (std::vector<std::string>{"ToolResult"}));
  EXPECT_EQ(sent("[1]"), (std::vector<std::string>{"[]interface {}"}));
  EXPECT_EQ(sent(R"([{"a":1}])"), (std::vector<std::string>{"map[string]interface {}"}));
  EXPECT_EQ(sent(R"([{"a":1}])"), (std::vector<std::string>{}));
}

TEST(Encoder, InterfaceValuesHaveTheBytesOfGo) {
  const std::string stream = encoded(ToolResult{.result = {R"({"success": true})"}});
  const std::string go =
      s("map[string]interface {}") + i(65) + u(0x13) + zero() + u(1) + s("success") + s("bool") + "\x02\x02" + zero() + "\1";
  EXPECT_EQ(to_hex(last_message(stream)), to_hex(i(67) + u(3) + go + zero()));
}

TEST(Encoder, NumbersOfJsonBecomeIntOrFloat64) {
  const auto concrete = [](std::string_view json) {
    const auto lines = dump(encoded(ToolResult{.result = {std::string(json)}}));
    return json::to_text(*lines.back().find("value")->find("Result"));
  };
  EXPECT_EQ(concrete("-7"), R"({"concrete":"int","value":-7})");
  EXPECT_EQ(concrete("9223372036854775807"), R"({"concrete":"int","value":9223372036854775807})");
  EXPECT_EQ(concrete("9223372036854775808"), R"({"concrete":"float64","value":9.223372036854776e+18})");
  EXPECT_EQ(concrete("5.0"), R"({"concrete":"float64","value":5})");
  EXPECT_EQ(concrete("1e400"), R"({"concrete":"float64","value":null})");
  EXPECT_EQ(concrete("1e-400"), R"({"concrete":"float64","value":0})");
  EXPECT_EQ(concrete("0." + std::string(400, '0') + "1"), R"({"concrete":"float64","value":0})") << "tiny without any power";
  EXPECT_EQ(concrete("1" + std::string(800, '0') + "e-1"), R"({"concrete":"float64","value":null})") << "huge in spite of it";
}

struct Holder {
  std::vector<wire::Raw> values{};
  static constexpr auto wire = fields(field<&Holder::values>("Values", ""));
};
struct Cat {
  static constexpr std::string_view tag = "cat";
  static constexpr std::array<wire::Field, 0> wire{};
};
struct Shelter {
  wire::Tagged<"kind", Cat> animal{};
  static constexpr auto wire = fields(field<&Shelter::animal>("Animal", ""));
};

TEST(Encoder, AFailureLeavesOutputAndTypesUnchanged) {
  Encoder encoder;
  std::string out;
  EXPECT_FALSE(encoder.encode(out, Holder{.values = {{"1"}, {"{broken"}}}));
  EXPECT_EQ(out, "");
  ASSERT_TRUE(encoder.encode(out, Holder{.values = {{"[1]"}}}));
  EXPECT_EQ(any_of(out), parse(R"({"Values":[[1]]})"));
}

TEST(Encoder, RefusesTypesWithoutAGobForm) {
  EXPECT_EQ(refusal(Holder{.values = {{"[1,]"}}}).substr(0, 44), "gob: interface value is no JSON: at byte 3: ");
  EXPECT_EQ(refusal(Holder{.values = {{"\"\xff\""}}}), "gob: interface value is not UTF-8 (in Holder.Values)");
  EXPECT_EQ(refusal(Shelter{}).substr(0, 27), "gob: type has no gob form: ");
  EXPECT_EQ(refusal(wire::Raw{"1"}), "gob: an interface value cannot stand alone");
  EXPECT_EQ(refusal(std::optional<std::string>{}), "gob: cannot encode nil pointer of type string");
  EXPECT_EQ(refusal(Holder{.values = {{std::string(300, '[') + std::string(300, ']')}}}).substr(0, 32),
            "gob: interface value is no JSON:");
}

TEST(Encoder, LengthsAndCountsOfEverySizeAreRight) {
  for (const std::size_t size : {0U, 1U, 60U, 127U, 128U, 255U, 256U, 65535U, 65536U, 70000U}) {
    std::string json = "[";
    for (std::size_t n = 0; n < size; ++n) json += n == 0 ? "[7]" : ",[7]";
    json += "]";
    const Holder holder{.values = {{json}, {"{\"k\":" + json + "}"}, {"\"" + std::string(size, 'x') + "\""}}};
    EXPECT_EQ(parse(json::to_text(through(holder))), parse(json::to_text(holder))) << size;
  }
}

// ---- any value there and back ------------------------------------------------------------------------------------------------

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  std::uint64_t below(std::uint64_t bound) { return std::uniform_int_distribution<std::uint64_t>(0, bound - 1)(engine_); }
  std::string text() {
    std::string out;
    for (std::uint64_t n = below(4) == 0 ? below(300) : below(6); n > 0; --n) out += static_cast<char>(32 + below(95));
    return out;
  }
  json::Value value(int depth) {
    switch (below(depth > 0 ? 8 : 6)) {
      case 0: return {};
      case 1: return below(2) == 0;
      case 2: return static_cast<std::int64_t>(engine_()) >> below(64);
      case 3: return static_cast<double>(static_cast<std::int64_t>(engine_())) / 1024.0;
      case 4:
      case 5: return text();
      case 6: {
        json::Array array;
        for (std::uint64_t n = below(5); n > 0; --n) array.push_back(value(depth - 1));
        return array;
      }
      default: {
        json::Object object;
        for (std::uint64_t n = below(5); n > 0; --n) object.set(text(), value(depth - 1));
        return object;
      }
    }
  }

 private:
  std::mt19937_64 engine_;
};

TEST(Encoder, AnyJsonReturnsUnchanged) {
  for (unsigned seed = 0; seed < 2000; ++seed) {
    Random random(seed);
    Holder holder;
    for (std::uint64_t n = random.below(4); n > 0; --n) holder.values.push_back({json::to_text(random.value(5))});
    EXPECT_EQ(parse(json::to_text(through(holder))), parse(json::to_text(holder))) << "seed " << seed;
  }
}

TEST(Encoder, AnyMessageReturnsUnchanged) {
  for (unsigned seed = 0; seed < 500; ++seed) {
    Random random(seed);
    Everything value;
    value.on = random.below(2) == 0;
    value.whole = static_cast<std::int64_t>(random.below(~std::uint64_t{0})) >> random.below(64);
    value.small = static_cast<std::int16_t>(random.below(65536));
    value.natural = random.below(~std::uint64_t{0}) >> random.below(64);
    value.real = static_cast<double>(random.below(1000)) / 7;
    value.text = random.text();
    value.blob.bytes = random.text();
    for (auto n = random.below(4); n > 0; --n) value.octets.push_back(static_cast<std::uint8_t>(random.below(256)));
    for (auto n = random.below(4); n > 0; --n) value.words.push_back(random.text());
    for (auto n = random.below(4); n > 0; --n) value.counts[random.text()] = static_cast<std::int64_t>(random.below(1000)) - 500;
    if (random.below(2) == 0) value.maybe = 1 + random.below(9);
    value.inner.arguments = random.text();
    value.raw.json = json::to_text(random.value(3));
    if (value.raw.json == "null") value.raw.json.clear();
    EXPECT_EQ(parse(json::to_text(through(value))), parse(json::to_text(value))) << "seed " << seed;
  }
}

}  // namespace
}  // namespace parlance::gob
