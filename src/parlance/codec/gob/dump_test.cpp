// SPDX-License-Identifier: Apache-2.0
#include "parlance/codec/gob/dump.h"

#include <filesystem>

#include "parlance/codec/gob/described.h"
#include "parlance/codec/gob/test_messages.h"

namespace parlance::gob {
namespace {

using namespace test;

// Recorded streams that are gob from the first byte; the others are JSON, or begin with an HTTP exchange.
std::vector<std::string> gob_captures() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(vectors() + "captures")) {
    const std::string name = entry.path().stem().string();
    if (entry.path().extension() == ".json" && !name.starts_with("jsonrpc")) names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::size_t http_bytes(std::string_view stream) {
  return stream.starts_with("CONNECT") || stream.starts_with("HTTP/1.0 200") ? stream.find("\n\n") + 2 : 0;
}

TEST(Dump, EveryRecordedMessageIsDecodedAsInTheSidecar) {
  const auto names = gob_captures();
  ASSERT_GT(names.size(), 30U);
  for (const std::string& name : names) {
    const json::Value sidecar = parse(read_whole(vectors() + "captures/" + name + ".json"));
    for (const char* direction : {"c2s", "s2c"}) {
      const std::string stream = read_hex(vectors() + "captures/" + name + "." + direction + ".hex");
      const std::size_t preamble = http_bytes(stream);
      auto lines = dump(BytesView(stream).substr(preamble));
      for (json::Value& line : lines)
        line.object()->set("offset", line.integer_or("offset", 0) + static_cast<std::int64_t>(preamble));
      const json::Value* expected = sidecar.find(std::string("messages_") + direction);
      ASSERT_NE(expected, nullptr) << name;
      ASSERT_EQ(lines.size(), expected->array()->size()) << name << " " << direction;
      for (std::size_t n = 0; n < lines.size(); ++n)
        EXPECT_EQ(lines[n], (*expected->array())[n]) << name << " " << direction << "\n got      " << json::to_text(lines[n])
                                                     << "\n expected " << json::to_text((*expected->array())[n]);
    }
  }
}

TEST(Dump, KindsThatTheRpcTypesDoNotUse) {
  const json::Value expected = parse(read_whole(vectors() + "kinds.json"));
  const auto lines = dump(read_hex(vectors() + "kinds.hex"));
  ASSERT_EQ(lines.size(), expected.find("messages")->array()->size());
  for (std::size_t n = 0; n < lines.size(); ++n)
    EXPECT_EQ(lines[n], (*expected.find("messages")->array())[n])
        << "\n got      " << json::to_text(lines[n]) << "\n expected " << json::to_text((*expected.find("messages")->array())[n]);
}

TEST(Dump, TextNamesTypesAndValues) {
  const std::string text = dump_text(read_hex(vectors() + "captures/chat-result-custom.c2s.hex"));
  EXPECT_NE(text.find("       0      48  type #65 = struct Request { ServiceMethod string; Seq uint }\n"), std::string::npos)
      << text;
  EXPECT_NE(text.find("      48      21  Request {\"ServiceMethod\":\"RPCService.Chat\"}\n"), std::string::npos) << text;
  EXPECT_NE(text.find("type #73 = slice []proto.Message = []#67\n"), std::string::npos) << text;
  EXPECT_NE(text.find("inside: type #78 = struct Custom { Path string; Lines int; Ok bool }\n"), std::string::npos) << text;
}

TEST(Dump, LinesArePlainJson) {
  const std::string lines = dump_json_lines(read_hex(vectors() + "captures/stats.c2s.hex"));
  EXPECT_TRUE(
      lines.starts_with(R"({"offset":0,"id":-65,"typedef":["struct","Request",[["ServiceMethod",6],["Seq",3]]],"length":48})"))
      << lines;
}

TEST(Dump, FaultsAreLinesToo) {
  const std::string good = "\x05\x0c" + zero() + "\x02hi";
  const auto lines = dump("\x02\x54" + zero() + good + "\x30short");
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(lines[0].text_or("error", ""), "gob: unknown type id or corrupted data");
  EXPECT_EQ(lines[1], parse(R"({"offset":3,"id":6,"type":"string","value":"hi","length":6})"));
  EXPECT_EQ(lines[2], parse(R"({"offset":9,"truncated":true})"));
  EXPECT_EQ(dump("\xf7")[0].text_or("error", ""), "gob: encoded unsigned integer out of range");
  EXPECT_EQ(dump(u(1ULL << 32))[0].text_or("error", ""), "gob: message of 4294967296 bytes is too long");
}

// ---- the other way: a type in Go's notation and a JSON value -------------------------------------------------------------

json::Value through(std::string_view type, std::string_view value) {
  std::string stream;
  DescribedEncoder encoder;
  if (auto done = encoder.encode(stream, type, parse(value)); !done) return "refused: " + done.error().message;
  const auto lines = dump(stream);
  const json::Value* found = lines.back().find("value");
  return found != nullptr ? *found : lines.back();
}

TEST(DescribedEncoder, EveryKindArrives) {
  EXPECT_EQ(through("string", R"("hi")"), json::Value("hi"));
  EXPECT_EQ(through("int8", "-5"), json::Value(-5));
  EXPECT_EQ(through("uint64", "18446744073709551615"), json::Value(~std::uint64_t{0}));
  EXPECT_EQ(through("float64", "0.7"), json::Value(0.7));
  EXPECT_EQ(through("bool", "true"), json::Value(true));
  EXPECT_EQ(through("[]byte", R"("aGk=")"), parse(R"({"bytes":"6869"})"));
  EXPECT_EQ(through("complex128", R"({"re":1.5,"im":-2})"), parse(R"({"re":1.5,"im":-2})"));
  EXPECT_EQ(through("[]string", R"(["a","","b"])"), parse(R"(["a","","b"])"));
  EXPECT_EQ(through("[3]int", "[1,0,3]"), parse("[1,0,3]"));
  EXPECT_EQ(through("map[string]int", R"({"a":1,"b":0})"), parse(R"({"a":1,"b":0})"));
  EXPECT_EQ(through("map[int]bool", R"({"7":true})"), parse("[[7,true]]"));
  EXPECT_EQ(through("map[[2]int]string", R"([[[1,2],"x"]])"), parse(R"([[[1,2],"x"]])"));
  EXPECT_EQ(through("struct{}", "{}"), parse("{}"));
  EXPECT_EQ(through("struct { A, B int; C interface{} }", R"({"B":2,"C":[1,null,{"k":true}]})"),
            parse(R"({"B":2,"C":{"concrete":"[]interface {}","value":[{"concrete":"int","value":1},null,
                    {"concrete":"map[string]interface {}","value":{"k":{"concrete":"bool","value":true}}}]}})"));
}

TEST(DescribedEncoder, ADeclaredTypeIsCheckedAndThenEncodedAsAnyOther) {
  constexpr std::string_view type = "struct File { Name string; Size int }";
  const auto value = parse(R"({"Name":"a","Size":3})");
  std::string declared;
  std::string plain;
  DescribedEncoder first;
  ASSERT_TRUE(first.declare(type));
  ASSERT_TRUE(first.declare(type));
  ASSERT_TRUE(first.encode(declared, type, value));
  ASSERT_TRUE(DescribedEncoder().encode(plain, type, value));
  EXPECT_EQ(declared, plain);
  EXPECT_FALSE(first.declare("nonsense["));
  EXPECT_FALSE(first.declare("interface{}"));
}

TEST(DescribedEncoder, NamedStructsMayContainThemselvesAndAreKnownAfterwards) {
  std::string stream;
  DescribedEncoder encoder;
  ASSERT_TRUE(encoder.encode(stream, "struct Tree {\n  Name string\n  Kids []Tree\n}",
                             parse(R"({"Name":"a","Kids":[{"Name":"b"},{}]})")));
  const std::size_t first = stream.size();
  ASSERT_TRUE(encoder.encode(stream, "Tree", parse(R"({"Name":"c"})")));
  EXPECT_EQ(stream.size() - first, 8U);  // no definition again
  const auto lines = dump(stream);
  EXPECT_EQ(*lines[2].find("value"), parse(R"({"Name":"a","Kids":[{"Name":"b"},{}]})"));
  EXPECT_EQ(*lines[3].find("value"), parse(R"({"Name":"c"})"));
}

TEST(DescribedEncoder, RefusalsNameThePlaceAndLeaveNothingBehind) {
  EXPECT_EQ(through("struct{A []int}", R"({"A":[1,"x"]})"), json::Value("refused: $.A[1]: expected an integer"));
  EXPECT_EQ(through("struct{A int}", R"({"B":1})"), json::Value("refused: $: expected no field B"));
  EXPECT_EQ(through("struct{A nope}", "{}"), json::Value("refused: type, character 14: unknown type nope"));
  EXPECT_EQ(through("struct{A int, B int}", "{}"), json::Value("refused: type, character 13: expected ; or }"));
  EXPECT_EQ(through("uint", "-1"), json::Value("refused: $: expected an integer that is not negative"));
  std::string stream = "before";
  DescribedEncoder encoder;
  EXPECT_FALSE(encoder.encode(stream, "struct R {A int}", parse(R"({"A":"x"})")));
  EXPECT_EQ(stream, "before");
  EXPECT_TRUE(encoder.encode(stream, "struct R {A int}", parse(R"({"A":1})")));
}

}  // namespace
}  // namespace parlance::gob
