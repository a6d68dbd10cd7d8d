// SPDX-License-Identifier: Apache-2.0
// The memory cost of hostile input and idle connections. This file replaces operator new for the whole test program, to count.
#include <atomic>
#include <cstdlib>
#include <malloc.h>
#include <new>

#include "parlance/codec/gob/define.h"
#include "parlance/codec/gob/test_messages.h"

namespace {
std::atomic<std::size_t> live_bytes{0};
std::atomic<std::size_t> peak_bytes{0};
std::atomic<std::size_t> allocations{0};

void* counted(std::size_t size) {
  void* memory = std::malloc(size == 0 ? 1 : size);
  if (memory == nullptr) throw std::bad_alloc();
  const std::size_t now = live_bytes += malloc_usable_size(memory);
  std::size_t peak = peak_bytes;
  while (now > peak && !peak_bytes.compare_exchange_weak(peak, now)) {}
  ++allocations;
  return memory;
}
void uncounted(void* memory) noexcept {
  if (memory == nullptr) return;
  live_bytes -= malloc_usable_size(memory);
  std::free(memory);
}
}  // namespace

void* operator new(std::size_t size) { return counted(size); }
void* operator new[](std::size_t size) { return counted(size); }
void operator delete(void* memory) noexcept { uncounted(memory); }
void operator delete[](void* memory) noexcept { uncounted(memory); }
void operator delete(void* memory, std::size_t) noexcept { uncounted(memory); }
void operator delete[](void* memory, std::size_t) noexcept { uncounted(memory); }

namespace parlance::gob {
namespace {

using namespace test;

class Meter {
 public:
  Meter() : live_(live_bytes), allocations_(allocations) { peak_bytes = live_bytes.load(); }
  std::size_t peak() const { return peak_bytes - live_; }
  std::size_t kept() const { return live_bytes - live_; }
  std::size_t made() const { return allocations - allocations_; }

 private:
  std::size_t live_;
  std::size_t allocations_;
};

const std::string args_types =
    define::structure(901, "A", {{"Messages", 902}}) + define::slice(902, "", 903) +
    define::structure(903, "M", {{"Role", id_string}, {"Content", id_string}, {"ToolExecutionResults", 904}}) +
    define::slice(904, "", 905) +
    define::structure(905, "TR", {{"ID", id_string}, {"Type", id_string}, {"Result", id_interface}});

std::string nested_interfaces(std::size_t levels) {
  const std::string one = s("[]interface {}") + i(920) + zero() + zero() + u(1);
  std::string value;
  value.reserve(one.size() * levels + 64);
  for (std::size_t n = 0; n < levels; ++n) value += one;
  value += s("string") + i(id_string) + zero() + zero() + s("deep");
  return i(901) + rec({{0, u(1) + rec({{2, u(1) + rec({{0, s("c1")}, {2, value}})}})}});
}

// Recursive types: the sender chooses the depth of a value, so the depth is checked before any recursion.
TEST(Bounds, NestedValuesOfATypeThatHoldsItselfAreRefusedAtOnce) {
  for (const std::size_t levels : {1'000U, 10'000U, 3'000'000U}) {
    KeepingDecoder keeper;
    ASSERT_TRUE(feed_all(keeper, define::structure(901, "T", {{"Next", 901}}) + define::slice(902, "", 902), [](Decoder&) {}));
    Decoder& decoder = keeper;
    const std::string list = i(901) + std::string(levels, '\1') + std::string(levels + 1, '\0');
    const auto progress = decoder.feed(list);
    ASSERT_FALSE(progress);
    EXPECT_EQ(progress.error().message, "gob: value nested too deeply (in T)");
    const std::string slices = i(902) + zero() + std::string(levels, '\1') + zero();
    EXPECT_FALSE(decoder.feed(slices));
  }
}

TEST(Bounds, AnArrayOfAnotherLengthIsRefused) {
  KeepingDecoder keeper;
  ASSERT_TRUE(feed_all(keeper, define::array(901, "", id_int, 3) + define::structure(902, "T", {{"A", 901}}), [](Decoder&) {}));
  Decoder& decoder = keeper;
  EXPECT_TRUE(decoder.feed(i(902) + rec({{0, u(3) + i(1) + i(2) + i(3)}})));
  EXPECT_FALSE(decoder.feed(i(902) + rec({{0, u(2) + i(1) + i(2)}})));
}

TEST(Bounds, TypesNestedDeeperThanAllowedAreRefusedThoughTheyEnd) {
  std::string types;
  for (int n = 0; n < 10; ++n) types += define::slice(901 + n, "", n == 9 ? TypeId{id_int} : 902 + n);
  const std::string value = i(901) + zero() + std::string(10, '\1') + i(7);
  for (const int allowed : {9, 10}) {
    Decoder decoder(nullptr, Limits{.depth = allowed});
    ASSERT_TRUE(feed_all(decoder, types, [](Decoder&) {}));
    EXPECT_EQ(decoder.feed(value).has_value(), allowed == 10);
  }
}

// 64 types with all possible references between them: checked once, not once for each path.
TEST(Bounds, TypesThatMeetAgainAndAgainAreLookedThroughOnce) {
  Decoder decoder;
  std::string types;
  using Fields = std::vector<std::pair<std::string_view, TypeId>>;
  for (int n = 0; n < 60; ++n)
    types += define::structure(901 + n, "S", n == 59 ? Fields{{"A", id_int}} : Fields{{"A", 902 + n}, {"B", 902 + n}});
  ASSERT_TRUE(feed_all(decoder, types, [](Decoder&) {}));
  const std::string value = i(901) + zero();
  EXPECT_TRUE(decoder.feed(value));
  std::string json;
  EXPECT_TRUE(decoder.read_json(json));
}

TEST(Bounds, NestedInterfaceValuesAreRefusedAtOnce) {
  for (const std::size_t levels : {1'000U, 10'000U, 3'000'000U}) {
    KeepingDecoder keeper;
    ASSERT_TRUE(feed_all(keeper, args_types + define::slice(920, "", id_interface), [](Decoder&) {}));
    Decoder& decoder = keeper;
    const std::string message = nested_interfaces(levels);
    const Meter meter;
    auto progress = decoder.feed(message);
    ASSERT_FALSE(progress);
    EXPECT_EQ(progress.error().message, "gob: value nested too deeply (in A)");
    EXPECT_FALSE(decoder.broken());
    EXPECT_LT(meter.peak(), 16U << 10);
    const std::string next = i(901) + zero();
    EXPECT_EQ(decoder.feed(next).value(), Progress::value);
  }
}

TEST(Bounds, NestingBelowTheLimitIsRead) {
  KeepingDecoder decoder;
  ASSERT_TRUE(feed_all(decoder, args_types + define::slice(920, "", id_interface), [](Decoder&) {}));
  ASSERT_TRUE(decoder.feed(nested_interfaces(190)));
  EXPECT_TRUE(decoder.read_any());
  EXPECT_TRUE(decoder.read<ChatArgs>());
  EXPECT_FALSE(decoder.feed(nested_interfaces(200)));
}

TEST(Bounds, AnnouncedLengthsAndCountsTakeNoMemory) {
  const Meter meter;
  EXPECT_EQ(split_message(u(1ULL << 32) + "x").state, Split::State::too_long);
  KeepingDecoder keeper;
  ASSERT_TRUE(feed_all(keeper, args_types, [](Decoder&) {}));
  for (const std::uint64_t count : {std::uint64_t{3}, std::uint64_t{100'000'000}, std::uint64_t{1} << 40, ~std::uint64_t{0}})
    EXPECT_FALSE(keeper.feed(i(901) + u(1) + u(count) + zero() + zero()));
  EXPECT_LT(meter.peak(), 32U << 10);
}

struct Empty {
  static constexpr std::array<wire::Field, 0> wire{};
};
struct Empties {
  std::vector<Message> messages{};
  std::vector<Empty> nothings{};
  std::map<std::string, Message> named{};
  static constexpr auto wire = fields(field<&Empties::messages>("Messages", ""), field<&Empties::nothings>("Nothings", ""),
                                      field<&Empties::named>("Named", ""));
};

// A byte on the wire becomes an object of a hundred bytes: the budget counts, not the message.
TEST(Bounds, SmallElementsCannotGrowWithoutEnd) {
  Limits limits;
  limits.value_bytes = 1 << 20;
  KeepingDecoder decoder(nullptr, limits);
  ASSERT_TRUE(feed_all(decoder,
                       define::structure(70, "E", {{"Messages", 71}, {"Nothings", 73}, {"Named", 75}}) +
                           define::slice(71, "", 72) + define::structure(72, "", {}) + define::slice(73, "", 74) +
                           define::structure(74, "", {}) + define::map(75, "", id_string, 72),
                       [](Decoder&) {}));
  const std::string many(500'000, '\0');
  const std::string messages = i(70) + rec({{0, u(many.size()) + many}});
  ASSERT_TRUE(decoder.feed(messages));
  {
    const Meter meter;
    EXPECT_EQ(decoder.read<Empties>().error().message, "gob: value takes too much memory (at $.Messages)");
    EXPECT_EQ(decoder.read_any().error().message, "gob: value takes too much memory");
    EXPECT_LT(meter.peak(), 4U << 20);
  }
  ASSERT_TRUE(decoder.feed(i(70) + rec({{2, u(many.size() / 2) + many}})));
  {
    const Meter meter;
    EXPECT_EQ(decoder.read<Empties>().error().message, "gob: value takes too much memory (at $.Named)");
    EXPECT_LT(meter.peak(), 4U << 20);
  }
  ASSERT_TRUE(decoder.feed(i(70) + rec({{1, u(many.size()) + many}})));
  EXPECT_EQ(decoder.read<Empties>().value().nothings.size(), many.size());
}

TEST(Bounds, LongNamesCannotGrowWithoutEnd) {
  Limits limits;
  limits.value_bytes = 1 << 20;
  KeepingDecoder decoder(nullptr, limits);
  const std::string name(1000, 'n');
  ASSERT_TRUE(feed_all(decoder, define::slice(70, "", 71) + define::structure(71, "", {{name, id_bool}}), [](Decoder&) {}));
  std::string body = i(70) + zero() + u(100'000);
  for (int n = 0; n < 100'000; ++n) body += rec({{0, u(1)}});
  ASSERT_TRUE(decoder.feed(body));
  const Meter meter;
  EXPECT_EQ(decoder.read_any().error().message, "gob: value takes too much memory");
  EXPECT_LT(meter.peak(), 4U << 20);
}

TEST(Bounds, TypesFieldsAndNamesAreCounted) {
  const auto refused = [](const Limits& limits, const std::string& stream) {
    KeepingDecoder decoder(nullptr, limits);
    auto done = feed_all(decoder, stream, [](Decoder&) {});
    EXPECT_EQ(decoder.broken(), !done);
    return done ? "taken" : done.error().message;
  };
  const std::string two = define::slice(70, "", id_int) + define::slice(71, "", id_int);
  EXPECT_EQ(refused({.types = 2}, two), "taken");
  EXPECT_EQ(refused({.types = 1}, two), "gob: too many types on one stream");
  const std::string fields = define::structure(70, "", {{"A", id_int}, {"B", id_int}});
  EXPECT_EQ(refused({.fields = 2}, fields), "taken");
  EXPECT_EQ(refused({.fields = 1}, fields), "gob: a type with too many fields");
  const std::string name = define::structure(70, std::string(5000, 'x'), {{std::string(10, 'f'), id_int}});
  EXPECT_EQ(refused({.name_bytes = 10}, name), "taken");
  EXPECT_EQ(refused({.name_bytes = 9}, name), "gob: name too long");
  EXPECT_EQ(refused({.definition_bytes = 5000}, name), "gob: type definitions too long");
  EXPECT_EQ(refused({}, message_of(i(-70) + u(3) + u(2) + u(1'000'000))), "gob: more fields than the definition has room for");
}

// Definitions with mutual references: read as our types, they would multiply.
TEST(Bounds, PlansCannotGrowWithoutEnd) {
  KeepingDecoder decoder;
  std::vector<std::pair<std::string_view, TypeId>> unnamed(1000, {"", id_int});
  std::string stream;
  std::vector<std::pair<std::string_view, TypeId>> lists;
  for (TypeId n = 0; n < 40; ++n) {
    stream += define::slice(1000 + n, "", 2000 + n) + define::structure(2000 + n, "", unnamed);
    lists.emplace_back("Messages", 1000 + n);
  }
  for (TypeId n = 0; n < 100; ++n) stream += define::structure(3000 + n, "", {lists.begin(), lists.begin() + (n < 50 ? 40 : 10)});
  ASSERT_TRUE(feed_all(decoder, stream, [](Decoder&) {}));
  const Meter meter;
  for (TypeId n = 0; n < 100; ++n) {
    ASSERT_TRUE(decoder.feed(i(3000 + n) + zero()));
    if (n < 50) EXPECT_EQ(decoder.read<ChatArgs>().error().message, "gob: type too complicated");
    else EXPECT_TRUE(decoder.read<ChatArgs>());
  }
  EXPECT_LT(meter.peak(), 8U << 20);
  EXPECT_LT(meter.kept(), 4U << 20);
}

TEST(Bounds, ACutValueIsHeldToTheMessageLimit) {
  Limits limits;
  limits.message_bytes = 200;
  KeepingDecoder decoder(nullptr, limits);
  ASSERT_TRUE(feed_all(decoder, args_types, [](Decoder&) {}));
  const std::string start = i(901) + u(1) + u(1) + u(2) + s(std::string(100, 'x')) + u(1) + u(1) + u(3) + s("x.List");
  ASSERT_EQ(decoder.feed(start + std::string(split_message(define::slice(930, "", id_string)).message)).value(),
            Progress::partial);
  EXPECT_EQ(decoder.feed(i(930) + u(0) + zero() + u(1) + s(std::string(150, 'y')) + zero() + zero() + zero()).error().message,
            "gob: message too long");
  EXPECT_FALSE(decoder.is_partial());
}

TEST(Bounds, AnIdleConnectionIsSmall) {
  auto pool = std::make_shared<TypePool>();
  const std::string chat = read_hex(vectors() + "captures/chat-text.c2s.hex");
  const auto connect = [&](std::vector<std::unique_ptr<Decoder>>& decoders, std::vector<std::unique_ptr<Encoder>>& encoders) {
    decoders.push_back(std::make_unique<Decoder>(pool));
    encoders.push_back(std::make_unique<Encoder>(pool));
    ASSERT_TRUE(feed_all(*decoders.back(), chat, [](Decoder& d) {
      if (d.has_field("ServiceMethod")) ASSERT_TRUE(d.read<Request>());
      else ASSERT_TRUE(d.read<ChatArgs>());
    }));
    std::string out;
    ASSERT_TRUE(encoders.back()->encode(out, Response{.method = "RPCService.Chat"}));
    ASSERT_TRUE(encoders.back()->encode(out, ChatReply{.content = "echo"}));
  };
  std::vector<std::unique_ptr<Decoder>> decoders;
  std::vector<std::unique_ptr<Encoder>> encoders;
  decoders.reserve(101);
  encoders.reserve(101);
  const Meter first;
  connect(decoders, encoders);
  const std::size_t with_shared = first.kept();
  const Meter meter;
  for (int n = 0; n < 100; ++n) connect(decoders, encoders);
  const std::size_t each = meter.kept() / 100;
  std::printf("one idle connection: %zu bytes; the first, with what all share: %zu bytes\n", each, with_shared);
  EXPECT_LT(each, 1024U);
  EXPECT_LT(with_shared, 16U << 10);
}

TEST(Bounds, TheSteadyPathAllocatesOnlyTheMessage) {
  auto pool = std::make_shared<TypePool>();
  Encoder encoder(pool);
  Decoder decoder(pool);
  std::string out;
  const ChatReply reply{.content = "a reply that is too long for the small string optimisation"};
  ASSERT_TRUE(encoder.encode(out, reply));
  ASSERT_TRUE(feed_all(decoder, out, [](Decoder& d) { ASSERT_TRUE(d.read<ChatReply>()); }));
  out.clear();
  ASSERT_TRUE(encoder.encode(out, reply));
  const std::string stream = out;
  const Meter meter;
  out.clear();
  ASSERT_TRUE(encoder.encode(out, reply));
  EXPECT_EQ(meter.made(), 0U);
  ChatReply read;
  ASSERT_TRUE(feed_all(decoder, stream, [&](Decoder& d) { ASSERT_TRUE(d.read(wire::type_of<ChatReply>(), &read)); }));
  EXPECT_EQ(meter.made(), 1U);  // its text
}

}  // namespace
}  // namespace parlance::gob
