// SPDX-License-Identifier: Apache-2.0
#include "parlance/codec/gob/decoder.h"

#include <cmath>

#include <gmock/gmock.h>

#include "parlance/codec/gob/decoder_test_support.h"

namespace parlance::gob {
namespace {

using namespace test;

// Feeds a stream and reads its last value; an error of either as its text.
template <class T>
Result<T> read_last(BytesView stream) {
  KeepingDecoder decoder;
  Result<T> last = fail(Errc::failed, "no value");
  if (auto done = feed_all(decoder, stream, [&](Decoder& d) { last = d.read<T>(); }); !done) return std::unexpected(done.error());
  return last;
}
template <class T>
std::string refusal(BytesView stream) {
  auto value = read_last<T>(stream);
  return value ? "taken" : value.error().message;
}
std::string result_of(const std::string& interface_value) {
  auto args = read_last<ChatArgs>(args_types + chat_result(interface_value));
  return args ? args->messages.at(0).results.at(0).result.json : args.error().message;
}

// ---- recordings of Go, read into declared types --------------------------------------------------------------------------

std::vector<ChatArgs> recorded_chats(const std::string& name) {
  KeepingDecoder decoder;
  std::vector<ChatArgs> chats;
  EXPECT_TRUE(feed_all(decoder, read_hex(vectors() + "captures/" + name + ".c2s.hex"), [&](Decoder& d) {
    if (!d.has_field("Messages")) return;
    auto args = d.read<ChatArgs>();
    ASSERT_TRUE(args) << args.error().message;
    chats.push_back(*std::move(args));
  }));
  return chats;
}

TEST(Decoder, ReadsRecordedHeaderAndArguments) {
  KeepingDecoder decoder;
  std::vector<std::string> seen;
  ASSERT_TRUE(feed_all(decoder, read_hex(vectors() + "captures/chat-text.c2s.hex"), [&](Decoder& d) {
    if (d.has_field("ServiceMethod")) seen.push_back(d.read<Request>().value().method);
    else seen.push_back(d.read<ChatArgs>().value().messages.at(0).content);
  }));
  EXPECT_EQ(seen, (std::vector<std::string>{"RPCService.Chat", "hello"}));
  EXPECT_EQ(decoder.types().size(), 13U);
}

TEST(Decoder, ReadsValuesCutAtADefinition) {
  EXPECT_EQ(recorded_chats("chat-result-custom").at(0).messages.at(0).results.at(0).result.json,
            R"({"Path":"a.txt","Lines":3,"Ok":true})");
  const ChatArgs many = recorded_chats("chat-results-many").at(0);
  std::vector<std::string> results;
  for (const ToolResult& result : many.messages.at(0).results) results.push_back(result.result.json);
  EXPECT_EQ(results,
            (std::vector<std::string>{R"({"success":true})", R"({"success":true})", R"({"Path":"a.txt","Lines":3,"Ok":true})",
                                      R"({"Path":"a.txt","Lines":3,"Ok":true})", "\"file contents: 你好\"", ""}));
  EXPECT_FALSE(recorded_chats("chat-result-nested").empty());
  EXPECT_FALSE(recorded_chats("chat-result-slice").empty());
  EXPECT_EQ(recorded_chats("chat-result-bytes").at(0).messages.at(0).results.at(0).result.json.front(), '"');
}

TEST(Decoder, ReportsTheReadyValue) {
  KeepingDecoder decoder;
  EXPECT_FALSE(decoder.has_value());
  EXPECT_EQ(decoder.read<Request>().error().message, "gob: no value is ready");
  ASSERT_EQ(decoder.feed(split_message(request_type).message).value(), Progress::definition);
  EXPECT_FALSE(decoder.has_value());
  ASSERT_EQ(decoder.feed(i(900) + rec({{0, s("A.B")}, {1, u(7)}})).value(), Progress::value);
  EXPECT_EQ(decoder.type_id(), 900);
  EXPECT_EQ(decoder.type_name(), "R");
  EXPECT_TRUE(decoder.has_field("Seq"));
  EXPECT_FALSE(decoder.has_field("seq"));
  EXPECT_EQ(decoder.field_names(), (std::vector<std::string_view>{"ServiceMethod", "Seq"}));
  EXPECT_FALSE(decoder.is_empty_struct());
  EXPECT_EQ(decoder.read_any().value(), parse(R"({"ServiceMethod":"A.B","Seq":7})"));
  EXPECT_EQ(decoder.read<Request>().value().seq, 7U);  // as often as wanted
  ASSERT_TRUE(decoder.feed(split_message(define::structure(910, "", {})).message));
  ASSERT_EQ(decoder.feed(i(910) + zero()).value(), Progress::value);
  EXPECT_TRUE(decoder.is_empty_struct());
  ASSERT_EQ(decoder.feed(i(id_string) + zero() + s("hi")).value(), Progress::value);
  EXPECT_FALSE(decoder.is_struct());
  EXPECT_EQ(decoder.type_name(), "string");
  EXPECT_EQ(decoder.read<std::string>().value(), "hi");
}

// ---- section 2.5: input that a receiver must accept ----------------------------------------------------------------------

TEST(Decoder, MatchesFieldsByNameInAnyOrderAndSkipsTheRest) {
  const std::string stream =
      define::structure(5000, "x",
                        {{"Extra", 5001}, {"Seq", id_uint}, {"servicemethod", id_string}, {"ServiceMethod", id_string}}) +
      define::map(5001, "", id_string, id_int) +
      message_of(i(5000) + rec({{0, u(1) + s("k") + i(-5)}, {1, u(9)}, {2, s("no")}, {3, s("yes")}}));
  auto request = read_last<Request>(stream);
  ASSERT_TRUE(request) << request.error().message;
  EXPECT_EQ(request->method, "yes");
  EXPECT_EQ(request->seq, 9U);
}

TEST(Decoder, LeavesMissingFieldsAlone) {
  KeepingDecoder decoder;
  ASSERT_TRUE(feed_all(decoder, request_type + message_of(i(900) + rec({{0, s("new")}})), [](Decoder&) {}));
  Request request{.method = "old", .seq = 41};
  ASSERT_TRUE(decoder.read(wire::type_of<Request>(), &request));
  EXPECT_EQ(request.method, "new");
  EXPECT_EQ(request.seq, 41U);
}

TEST(Decoder, RefusesAStructWithoutACommonField) {
  EXPECT_EQ(refusal<ChatArgs>(define::structure(930, "", {{"Zzz", id_string}}) + message_of(i(930) + rec({{0, s("x")}}))),
            "gob: type mismatch: no fields matched compiling decoder for ChatArgs");
  EXPECT_EQ(refusal<ChatArgs>(define::structure(930, "", {}) + message_of(i(930) + zero())), "taken");
  EXPECT_EQ(refusal<wire::Nothing>(args_types + chat("x")), "taken");
}

TEST(Decoder, RefusesOtherKindsInTheWordsOfGo) {
  EXPECT_EQ(refusal<MemorySearchArgs>(define::structure(940, "", {{"MinScore", id_int}}) + message_of(i(940) + rec({{0, i(1)}}))),
            "gob: wrong type (float64) for received field .MinScore");
  EXPECT_EQ(
      refusal<MemorySearchArgs>(define::structure(940, "S", {{"Query", id_bytes}}) + message_of(i(940) + rec({{0, s("q")}}))),
      "gob: wrong type (string) for received field S.Query");
  EXPECT_EQ(refusal<ChatArgs>(define::structure(901, "A", {{"Messages", 902}}) + define::slice(902, "", 903) +
                              define::structure(903, "M", {{"Content", id_int}}) +
                              message_of(i(901) + rec({{0, u(1) + rec({{0, i(5)}})}}))),
            "gob: wrong type (string) for received field M.Content");
  EXPECT_EQ(refusal<ChatArgs>(message_of(i(id_string) + zero() + s("hi"))),
            "gob: type mismatch in decoder: want struct type ChatArgs; got non-struct");
  EXPECT_EQ(refusal<std::string>(message_of(i(id_int) + zero() + i(4))),
            "gob: decoding into local type string, received remote type int");
  EXPECT_EQ(refusal<ChatArgs>(define::structure(901, "A", {{"Messages", 999}}) + message_of(i(901) + zero())),
            "gob: wrong type ([]Message) for received field A.Messages");
}

TEST(Decoder, TakesEitherKindOfIntegerWhereTheValueFits) {
  const auto search = [](TypeId kind, const std::string& limit) {
    return read_last<MemorySearchArgs>(define::structure(940, "", {{"Limit", kind}}) + message_of(i(940) + rec({{0, limit}})));
  };
  EXPECT_EQ(search(id_uint, u(3)).value().limit, 3);
  EXPECT_EQ(search(id_uint, u(~0ULL)).error().message, "value for \"Limit\" out of range (at $.Limit)");
  const auto seq = [](const std::string& value) {
    return read_last<Request>(define::structure(940, "", {{"Seq", id_int}}) + message_of(i(940) + rec({{0, value}})));
  };
  EXPECT_EQ(seq(i(3)).value().seq, 3U);
  EXPECT_EQ(seq(i(-3)).error().message, "value for \"Seq\" out of range (at $.Seq)");
}

struct Narrow {
  std::vector<std::int8_t> numbers{};
  std::optional<float> real{};
  static constexpr auto wire = fields(field<&Narrow::numbers>("Numbers", ""), field<&Narrow::real>("Real", ""));
};

TEST(Decoder, RefusesNumbersOutOfRange) {
  const std::string types = define::structure(940, "", {{"Numbers", 941}, {"Real", id_float}}) + define::slice(941, "", id_int);
  EXPECT_EQ(read_last<Narrow>(types + message_of(i(940) + rec({{0, u(2) + i(-128) + i(127)}, {1, f(0.5)}}))).value().numbers,
            (std::vector<std::int8_t>{-128, 127}));
  EXPECT_EQ(refusal<Narrow>(types + message_of(i(940) + rec({{0, u(2) + i(1) + i(128)}}))),
            "value for \"int8\" out of range (at $.Numbers[1])");
  EXPECT_EQ(refusal<Narrow>(types + message_of(i(940) + rec({{1, f(1e300)}}))), "value for \"float32\" out of range (at $.Real)");
  EXPECT_TRUE(std::isinf(*read_last<Narrow>(types + message_of(i(940) + rec({{1, f(HUGE_VAL)}}))).value().real));
}

TEST(Decoder, AcceptsTheSameInputAsGo) {
  const auto content = [](const std::string& message) {
    auto args = read_last<ChatArgs>(args_types + message);
    return args ? args->messages.at(0).content : args.error().message;
  };
  EXPECT_EQ(content(chat("hi")), "hi");
  EXPECT_EQ(content(chat("")), "");                          // a zero field, sent all the same
  EXPECT_EQ(content(chat("\xff\xfe\x80")), "\xff\xfe\x80");  // Go's strings are any bytes
  EXPECT_EQ(content(message_of(i(901) + rec({{0, u(1) + rec({{1, s("hi")}})}}) + "\xde\xad")), "hi");
  const std::string body = i(901) + rec({{0, std::string("\xfe\0\1", 3) + rec({{1, s("hi")}})}});
  EXPECT_EQ(content(std::string("\xfe\0", 2) + static_cast<char>(body.size()) + body), "hi");
}

TEST(Decoder, OtherTypesMayBeRecursiveOrIncomplete) {
  const std::string recursive = define::structure(901, "A", {{"Messages", 902}, {"Rec", 901}, {"Gone", 999}}) +
                                define::slice(902, "", 903) + define::structure(903, "M", {{"Content", id_string}});
  EXPECT_EQ(refusal<ChatArgs>(recursive + message_of(i(901) + rec({{0, u(1) + rec({{0, s("hi")}})}, {1, zero()}}))), "taken");
  EXPECT_EQ(refusal<ChatArgs>(recursive + message_of(i(901) + rec({{2, u(1)}}))),
            "gob: unknown type id or corrupted data (in A)");
}

struct Tree {
  std::string name{};
  std::vector<Tree> kids{};
  static constexpr auto wire = fields(field<&Tree::name>("Name", ""), field<&Tree::kids>("Kids", ""));
};

TEST(Decoder, OurTypesMayContainThemselves) {
  std::string stream;
  Encoder encoder;
  ASSERT_TRUE(encoder.encode(stream, Tree{.name = "a", .kids = {{.name = "b", .kids = {{.name = "c"}}}, {.name = "d"}}}));
  auto tree = read_last<Tree>(stream);
  ASSERT_TRUE(tree) << tree.error().message;
  EXPECT_EQ(json::to_text(*tree), R"({"Name":"a","Kids":[{"Name":"b","Kids":[{"Name":"c","Kids":[]}]},{"Name":"d","Kids":[]}]})");
}

// ---- interface values ------------------------------------------------------------------------------------------------------

TEST(Decoder, InterfaceValuesOfEveryKnownName) {
  EXPECT_EQ(result_of(interface_value("string", id_string, zero() + s("v"))), "\"v\"");
  EXPECT_EQ(result_of(interface_value("int8", id_int, zero() + i(-5))), "-5");
  EXPECT_EQ(result_of(interface_value("uint64", id_uint, zero() + u(~0ULL))), "18446744073709551615");
  EXPECT_EQ(result_of(interface_value("float64", id_float, zero() + f(2.5))), "2.5");
  EXPECT_EQ(result_of(interface_value("bool", id_bool, zero() + u(1))), "true");
  EXPECT_EQ(result_of(interface_value("complex128", id_complex, zero() + f(1) + f(-2))), R"({"re":1,"im":-2})");
  EXPECT_EQ(result_of(interface_value("[]uint8", id_bytes, zero() + s("hi"))), "\"aGk=\"");
  EXPECT_EQ(result_of(zero()), "null");
  EXPECT_EQ(result_of(s("string") + i(id_string) + u(0) + zero() + s("v")), "\"v\"");  // the byte count is a lie
}

TEST(Decoder, InterfaceValuesMustFitTheirName) {
  EXPECT_EQ(result_of(interface_value("int8", id_int, zero() + i(300))),
            "value for \"int8\" out of range (at $.Messages[0].ToolExecutionResults[0].Result)");
  EXPECT_EQ(result_of(interface_value("uint16", id_uint, zero() + u(65536))).substr(0, 35),
            "value for \"uint16\" out of range (at");
  EXPECT_EQ(result_of(interface_value("string", id_int, zero() + i(5))).substr(0, 67),
            "gob: decoding into local type string, received remote type int (at ");
  EXPECT_EQ(result_of(interface_value("[]string", id_string, zero() + s("x"))).substr(0, 41),
            "gob: decoding into local type []string, r");
  EXPECT_EQ(result_of(interface_value("nope.T", id_string, zero() + s("x"))), "\"x\"");  // any other name goes by its definition
}

TEST(Decoder, DefinitionsBeforeTheValueServeInterfaceValues) {
  auto args =
      read_last<ChatArgs>(args_types + define::map(921, "", id_string, id_interface) +
                          chat_result(interface_value("map[string]interface {}", 921,
                                                      zero() + u(1) + s("k") + interface_value("int", id_int, zero() + i(5)))));
  EXPECT_EQ(args.value().messages.at(0).results.at(0).result.json, R"({"k":5})");
}

// The rest of a cut value is one message per definition; each may define another type first.
TEST(Decoder, ValueCutSeveralTimesInARow) {
  KeepingDecoder decoder;
  for (BytesView stream = args_types; !stream.empty();) {
    const Split split = split_message(stream);
    ASSERT_TRUE(decoder.feed(split.message));
    stream.remove_prefix(split.consumed);
  }
  const auto body_of = [](const std::string& definition) { return std::string(split_message(definition).message); };
  const std::string start = i(901) + u(1) + u(1) + u(3) + u(1) + u(1) + s("c1") + u(2) + s("x.List");
  ASSERT_EQ(decoder.feed(start + body_of(define::slice(930, "", 931))).value(), Progress::partial);
  EXPECT_TRUE(decoder.is_partial());
  EXPECT_FALSE(decoder.has_value());
  ASSERT_EQ(decoder.feed(body_of(define::structure(931, "", {{"A", id_int}, {"B", id_interface}}))).value(), Progress::partial);
  // Inside the interface value B, another cut: behind its definition goes a byte count, and the same message goes on.
  const std::string inner =
      s("x.Map") + body_of(define::map(932, "", id_string, id_bool)) + u(9) + i(932) + u(4) + zero() + u(1) + s("k") + u(1);
  ASSERT_EQ(
      decoder.feed(i(930) + u(7) + zero() + u(2) + rec({{0, i(7)}}) + u(2) + inner + zero() + zero() + zero() + zero()).value(),
      Progress::value);
  EXPECT_EQ(decoder.defined_inside(), (std::vector<TypeId>{930, 931, 932}));
  auto args = decoder.read<ChatArgs>();
  ASSERT_TRUE(args) << args.error().message;
  EXPECT_EQ(args->messages.at(0).results.at(0).result.json, R"([{"A":7},{"B":{"k":true}}])");
  // The definitions stay, and the next message is an ordinary one.
  ASSERT_EQ(decoder.feed(i(932) + zero() + u(1) + s("z") + u(0)).value(), Progress::value);
  EXPECT_EQ(decoder.read_any().value(), parse(R"({"z":false})"));
}

// Go ends a message where an interface value brings a new type, however many elements are still to come.
TEST(Decoder, ACountMayExceedTheMessageWhereElementsHoldInterfaceValues) {
  const std::string definition(split_message(define::structure(910, "R", {{"N", id_int}})).message);
  const std::string nothings(199, '\0');
  const std::string begin = define::structure(901, "V", {{"Values", 902}, {"Named", 903}}) +
                            define::slice(902, "", id_interface) + define::map(903, "", id_string, id_interface);
  const std::string element = i(910) + u(3) + rec({{0, i(7)}});
  const auto in_two = [&](const std::string& before, const std::string& after) {
    KeepingDecoder decoder;
    std::string json;
    const auto done = feed_all(decoder, begin + message_of(before + s("r0") + definition) + message_of(element + after + zero()),
                               [&](Decoder& d) { EXPECT_TRUE(d.read_json(json)); });
    EXPECT_TRUE(done) << done.error().message;
    return json;
  };
  EXPECT_THAT(in_two(i(901) + u(1) + u(200), nothings), testing::StartsWith(R"({"Values":[{"N":7},null,null,)"));
  std::string pairs;
  for (int n = 0; n < 59; ++n) pairs += s(std::to_string(n)) + zero();
  EXPECT_THAT(in_two(i(901) + u(2) + u(60) + s("first"), pairs), testing::StartsWith(R"({"Named":{"first":{"N":7},"0":null,)"));
}

TEST(Decoder, AnAbandonedCutValueLeavesTheStreamUsable) {
  KeepingDecoder decoder;
  ASSERT_TRUE(feed_all(decoder, args_types, [](Decoder&) {}));
  const std::string definition(split_message(define::slice(930, "", id_int)).message);
  ASSERT_EQ(decoder.feed(i(901) + u(1) + u(1) + u(3) + u(1) + u(3) + s("x.List") + definition).value(), Progress::partial);
  decoder.abandon();
  EXPECT_FALSE(decoder.is_partial());
  ASSERT_EQ(decoder.feed(split_message(chat("hi")).message).value(), Progress::value);
  EXPECT_EQ(decoder.read<ChatArgs>().value().messages.at(0).content, "hi");
  ASSERT_EQ(decoder.feed(i(930) + zero() + u(1) + i(4)).value(), Progress::value);  // its definition was kept
}

TEST(Decoder, UnknownInterfaceFieldsAreSkippedByDecoding) {
  // Go's own decoder drops "byte count" bytes here, too few behind an inner cut, and fails on Go's own output.
  KeepingDecoder decoder;
  const std::string types =
      define::structure(950, "E", {{"Extra", id_interface}, {"Seq", id_uint}}) + define::map(951, "", id_string, id_interface);
  ASSERT_TRUE(feed_all(decoder, types, [](Decoder&) {}));
  const std::string definition(split_message(define::structure(952, "C", {{"A", id_int}})).message);
  const std::string extra = s("map[string]interface {}") + i(951) + u(3) + zero() + u(1) + s("k") + s("x.C") + definition + u(5) +
                            i(952) + u(2) + rec({{0, i(1)}});
  ASSERT_EQ(decoder.feed(i(950) + rec({{0, extra}, {1, u(6)}})).value(), Progress::value);
  EXPECT_EQ(decoder.read<Request>().value().seq, 6U);
  EXPECT_EQ(decoder.read_any().value(), parse(R"({"Extra":{"k":{"A":1}},"Seq":6})"));
}

// ---- kinds that only read_any meets ----------------------------------------------------------------------------------------

TEST(Decoder, EveryOtherKindBecomesJson) {
  const auto any = [](const std::string& types, TypeId id, const std::string& value) {
    KeepingDecoder decoder;
    EXPECT_TRUE(feed_all(decoder, types + message_of(i(id) + value), [](Decoder&) {}));
    std::string text;
    auto done = decoder.read_json(text);
    return done ? text : done.error().message;
  };
  EXPECT_EQ(any(define::array(70, "", id_int, 3), 70, zero() + u(3) + i(1) + i(0) + i(-1)), "[1,0,-1]");
  EXPECT_EQ(any(define::map(70, "", id_int, id_bool), 70, zero() + u(2) + i(-4) + u(1) + i(9) + u(0)),
            R"({"-4":true,"9":false})");
  EXPECT_EQ(any(define::map(70, "", id_bool, id_string), 70, zero() + u(1) + u(1) + s("yes")), R"({"true":"yes"})");
  EXPECT_EQ(any(define::map(70, "", id_float, id_int), 70, zero() + u(1) + f(0.5) + i(2)), "[[0.5,2]]");
  const std::string opaque =
      message_of(i(-70) + u(5) + u(1) + u(1) + s("T") + u(1) + i(70) + zero() + zero() + zero());  // GobEncoderT
  EXPECT_EQ(any(opaque, 70, zero() + s("\x01\x02")), "\"AQI=\"");
  EXPECT_EQ(any("", id_float, zero() + f(NAN)), "null");
}

// ---- types -----------------------------------------------------------------------------------------------------------------

TEST(Decoder, ARefusedTypeIsTriedAgainWhenMoreIsDefined) {
  KeepingDecoder decoder;
  ASSERT_TRUE(feed_all(decoder, define::structure(901, "A", {{"Messages", 902}}) + message_of(i(901) + zero()), [](Decoder&) {}));
  EXPECT_FALSE(decoder.read<ChatArgs>());
  ASSERT_TRUE(feed_all(
      decoder, define::slice(902, "", 903) + define::structure(903, "M", {{"Content", id_string}}) + message_of(i(901) + zero()),
      [](Decoder&) {}));
  auto args = decoder.read<ChatArgs>();
  EXPECT_TRUE(args) << args.error().message;
}

TEST(Decoder, StreamsOfAPoolKeepTheirTypesApart) {
  auto pool = std::make_shared<TypePool>();
  KeepingDecoder a(pool);
  KeepingDecoder b(pool);
  ASSERT_TRUE(feed_all(a, define::structure(70, "R", {{"Seq", 71}}) + define::slice(71, "", id_int) + message_of(i(70) + zero()),
                       [](Decoder&) {}));
  ASSERT_TRUE(feed_all(b,
                       define::structure(70, "R", {{"Seq", 71}}) + define::map(71, "", id_string, id_int) +
                           message_of(i(70) + rec({{0, u(1) + s("k") + i(2)}})),
                       [](Decoder&) {}));
  EXPECT_EQ(b.read_any().value(), parse(R"({"Seq":{"k":2}})"));
  EXPECT_EQ(a.read_any().value(), parse("{}"));
  EXPECT_EQ(pool->counts().definitions, 3U);
}

TEST(Decoder, ThePoolDropsUnusedDefinitions) {
  auto pool = std::make_shared<TypePool>();
  {
    KeepingDecoder a(pool);
    KeepingDecoder b(pool);
    const std::string stream = args_types + chat("hi");
    for (KeepingDecoder* decoder : {&a, &b}) {
      ASSERT_TRUE(feed_all(*decoder, stream, [](Decoder&) {}));
      ASSERT_TRUE(decoder->read<ChatArgs>());
    }
    EXPECT_EQ(pool->counts().definitions, 5U);
    EXPECT_EQ(pool->counts().plans, 1U);
  }
  EXPECT_EQ(pool->counts().definitions, 0U);
  EXPECT_EQ(pool->counts().plans, 0U);
}

}  // namespace
}  // namespace parlance::gob
