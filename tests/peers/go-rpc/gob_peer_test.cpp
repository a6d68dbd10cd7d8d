// SPDX-License-Identifier: Apache-2.0
// Our gob for Go's reader, and Go's gob for ours.
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "parlance/base/base64.h"
#include "parlance/codec/gob/described.h"
#include "parlance/codec/gob/dump.h"
#include "parlance/codec/gob/test_messages.h"

namespace parlance::gob {
namespace {

using namespace test;

class GobPeer : public testing::Test {
 protected:
  void SetUp() override {
    if (std::string_view(PARLANCE_GO_PEERS).empty())
      GTEST_SKIP() << "no go here: apt-get install golang-go, then configure again";
    std::string pattern = (std::filesystem::temp_directory_path() / "gob_peer_XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override {
    if (!folder_.empty()) std::filesystem::remove_all(folder_);
  }

  // Runs gob-check with these words and this input; returns its output or its error.
  std::string gob_check(const std::string& words, const std::string& input) {
    const std::string in = folder_ + "/in";
    const std::string out = folder_ + "/out";
    const std::string errors = folder_ + "/errors";
    std::ofstream(in, std::ios::binary) << input;
    const std::string command =
        std::string("'" PARLANCE_GO_PEERS "/gob-check' ") + words + " <" + in + " >" + out + " 2>" + errors;
    const int status = std::system(command.c_str());
    EXPECT_EQ(status, 0) << read_whole(errors);
    return read_whole(out);
  }

  static std::vector<json::Value> lines_of(const std::string& text) {
    std::vector<json::Value> lines;
    for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1)
      lines.push_back(parse(text.substr(at, text.find('\n', at) - at)));
    return lines;
  }

 private:
  std::string folder_;
};

Everything full() {
  Everything value;
  value.on = true;
  value.whole = std::numeric_limits<std::int64_t>::min();
  value.small = -300;
  value.natural = ~std::uint64_t{0};
  value.real = 0.1;
  value.narrow = 0.5F;
  value.text = "héllo";
  value.blob.bytes = std::string("\0\xff", 2);
  value.octets = {0, 127, 128, 255};
  value.words = {"one", "", "three"};
  value.counts = {{"a", 1}, {"", -70000}};
  value.maybe = 5;
  value.holes = {7, std::nullopt};
  value.inner.name = "n";
  value.colour = Colour::red;
  value.raw.json = R"({"a":[1,-2.5,"x",null,true,{}],"b":[0],"long":")" + std::string(300, 'l') + "\"}";
  value.raws = {{"1"}, {R"(["s"])"}};
  return value;
}

TEST_F(GobPeer, GoReadsEveryKindOfOurs) {
  Encoder encoder;
  std::string stream;
  ASSERT_TRUE(encoder.encode(stream, full()));
  ASSERT_TRUE(encoder.encode(stream, Everything{}));
  ASSERT_TRUE(encoder.encode(stream, full()));
  const auto lines = lines_of(gob_check("Everything", stream));
  ASSERT_EQ(lines.size(), 3U);
  const json::Value ours = parse(json::to_text(full()));
  for (const auto& [go_name, value] : lines[0].object()->members) {
    if (go_name == "Holes") EXPECT_EQ(value, parse("[7,0]"));
    else if (go_name == "Octets") EXPECT_EQ(value, json::Value("AH+A/w=="));
    else EXPECT_EQ(value, *ours.find(go_name)) << go_name << " " << json::to_text(value);
  }
  EXPECT_EQ(lines[1].text_or("Text", "?"), "");
  EXPECT_EQ(lines[2], lines[0]);
}

TEST_F(GobPeer, GoReadsNilAndEmptyInterfaceValues) {
  Encoder encoder;
  std::string stream;
  ASSERT_TRUE(encoder.encode(stream, Everything{.raw = {R"({"a":[],"b":{},"c":null,"d":""})"}, .raws = {{"null"}, {""}, {"0"}}}));
  const auto lines = lines_of(gob_check("Everything", stream));
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_EQ(*lines[0].find("Raw"), parse(R"({"a":null,"b":{},"c":null,"d":""})"));  // Go reads an empty slice as nil
  EXPECT_EQ(*lines[0].find("Raws"), parse("[null,null,0]"));
}

TEST_F(GobPeer, GoReadsOurCalls) {
  Encoder encoder;
  std::string stream;
  ChatArgs args = small_chat();
  args.messages.push_back(
      {.role = "tool", .results = {{.id = "c1", .type = "function", .result = {R"({"success":true,"lines":[1,2]})"}}}});
  args.tools.push_back({.type = "function",
                        .function = {.name = "read", .parameters = {{"type", {R"("object")"}}, {"required", {R"(["path"])"}}}}});
  ASSERT_TRUE(encoder.encode(stream, Request{.method = "RPCService.Chat", .seq = 1}));
  ASSERT_TRUE(encoder.encode(stream, args));
  ASSERT_TRUE(encoder.encode(stream, Response{.method = "RPCService.Chat", .seq = 1, .error = "no"}));
  ASSERT_TRUE(encoder.encode_nothing(stream));
  const auto lines = lines_of(gob_check("Request ChatArgs Response Nothing", stream));
  ASSERT_EQ(lines.size(), 4U);
  EXPECT_EQ(lines[0], parse(R"({"ServiceMethod":"RPCService.Chat","Seq":1})"));
  const json::Value& message = (*lines[1].find("Messages")->array())[3];
  EXPECT_EQ(*(*message.find("ToolExecutionResults")->array())[0].find("Result"), parse(R"({"success":true,"lines":[1,2]})"));
  const json::Value& function = *(*lines[1].find("Tools")->array())[0].find("Function");
  EXPECT_EQ(*function.find("Parameters"), parse(R"({"type":"object","required":["path"]})"));
  EXPECT_EQ(lines[2], parse(R"({"ServiceMethod":"RPCService.Chat","Seq":1,"Error":"no"})"));
  EXPECT_EQ(lines[3], parse("{}"));
}

TEST_F(GobPeer, GoSkipsOurInterfaceValues) {
  // Go skips by the inner byte counts, so each count must be right. (A nil breaks Go 1.19's skipping, from any sender: Go reads a
  // type id behind the empty name. So the test contains none.)
  Encoder encoder;
  std::string stream;
  ASSERT_TRUE(encoder.encode(stream, full()));
  ASSERT_TRUE(encoder.encode(stream, ToolResult{.id = "x", .type = "after", .result = full().raw}));
  ASSERT_TRUE(encoder.encode(stream, std::string("last")));
  const auto lines = lines_of(gob_check("? ? string", stream));
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_EQ(lines[0], json::Value("last"));
}

TEST_F(GobPeer, GoWritesOurValuesBackUnchanged) {
  Encoder encoder;
  std::string stream;
  ASSERT_TRUE(encoder.encode(stream, full()));
  ASSERT_TRUE(encoder.encode(stream, Everything{}));
  KeepingDecoder decoder;
  std::vector<Everything> back;
  ASSERT_TRUE(feed_all(decoder, gob_check("-echo", stream), [&](Decoder& d) {
    auto value = d.read<Everything>();
    ASSERT_TRUE(value) << value.error().message;
    back.push_back(*std::move(value));
  }));
  ASSERT_EQ(back.size(), 2U);
  Everything expected = full();
  expected.holes = {7, 0};
  EXPECT_EQ(parse(json::to_text(back[0])), parse(json::to_text(expected)));
  EXPECT_EQ(parse(json::to_text(back[1])), parse(json::to_text(Everything{})));
}

TEST_F(GobPeer, GoReadsTypesWrittenOut) {
  DescribedEncoder encoder;
  std::string stream;
  ASSERT_TRUE(encoder.encode(
      stream,
      "struct R { Triple [3]int; Point complex128; ByNumber map[int]string; ByArray map[[2]int]bool; "
      "Tree struct Tree { Name string; Kids []Tree }; Values []any; Nothings []struct{} }",
      parse(R"({"Triple":[1,0,-3],"ByNumber":{"-4":"x"},"Tree":{"Kids":[{"Name":"b"}]},"Values":[1,[]],"Nothings":[{},{}]})")));
  KeepingDecoder decoder;
  EXPECT_TRUE(feed_all(decoder, stream, [](Decoder& d) { EXPECT_TRUE(d.read_any()); }));
  gob_check("?", stream);
}

TEST_F(GobPeer, WeReadTheRareKindsOfGo) {
  const json::Value expected = parse(read_whole(vectors() + "kinds.json"));
  const auto lines = dump(gob_check("-emit", ""));
  ASSERT_EQ(lines.size(), expected.find("messages")->array()->size());
  for (std::size_t n = 0; n < lines.size(); ++n) {
    const json::Value* value = lines[n].find("value");  // ids and names are the Go version's own
    const json::Value* recorded = (*expected.find("messages")->array())[n].find("value");
    ASSERT_EQ(value == nullptr, recorded == nullptr);
    if (value != nullptr) EXPECT_EQ(*value, *recorded);
  }
}

// A stream of gob-check -random: every value is read by our decoder, and written again by our encoder with Go's printed type.
std::string rewritten(const json::Value& stream) {
  const auto& types = *stream.find("types")->array();
  DescribedEncoder encoder;
  KeepingDecoder decoder;
  std::string out;
  std::size_t values = 0;
  const auto fed = feed_all(decoder, from_base64(stream.text_or("gob", "")).value(), [&](Decoder& ready) {
    const std::string& type = *types.at(values++).text();
    const auto value = ready.read_any();
    ASSERT_TRUE(value) << value.error().message << ", " << type;
    const auto written = encoder.encode(out, type, *value);
    ASSERT_TRUE(written) << written.error().message << ", " << type;
  });
  EXPECT_TRUE(fed) << fed.error().message << ", value " << values << " of " << types.size();
  EXPECT_EQ(values, types.size());
  return out;
}

// Differential fuzzing against Go. PARLANCE_GOB_SEEDS="FIRST COUNT" names other seeds; a failure prints its seed.
TEST_F(GobPeer, RandomValuesOfGoComeBackTheSame) {
  const char* const chosen = std::getenv("PARLANCE_GOB_SEEDS");
  const std::string seeds = chosen != nullptr ? chosen : "1 4";
  std::string ours;
  for (const json::Value& stream : lines_of(gob_check("-random " + seeds, "")))
    ours += R"({"gob":")" + to_base64(rewritten(stream)) + "\"}\n";
  gob_check("-same " + seeds, ours);
}

}  // namespace
}  // namespace parlance::gob
