// SPDX-License-Identifier: Apache-2.0
// Recorded sessions of iFlow's own SDK with its results: our client gives the same results, plus the losses of the SDK.
#include <algorithm>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/iflow/chunk_mapper.h"
#include "parlance/iflow/raw_stream.h"
#include "parlance/protocol/acp/recording.h"

namespace parlance::iflow {
namespace {

const std::string folder = PARLANCE_SOURCE_DIR "/tests/vectors/acp";

// The SDK's results for its user.
std::vector<json::Value> of_the_sdk(const std::string& path) {
  std::ifstream file(path);
  std::vector<json::Value> out;
  for (std::string line; std::getline(file, line);) {
    const json::Value record = *json::parse(line);
    const json::Value* message = record.find("msg");
    if (record.text_or("dir", "") == "sdk" && message->find("type") != nullptr) out.push_back(*message);
  }
  return out;
}

std::vector<json::Value> of_ours(const std::string& path) {
  RawStream stream;
  std::vector<json::Value> out;
  for (const acp::test::Record& record : acp::test::read_recording(path)) {
    if (record.from_client) continue;
    if (const auto& parsed = stream.take(record.line, {}).parsed_message) out.push_back(to_json(*parsed));
  }
  return out;
}

// An error of the SDK itself: of a refused file, or of invalid JSON.
bool is_its_own(const json::Value& message) {
  if (message.text_or("type", "") != "error") return false;
  const std::string_view text = message.text_or("message", "");
  for (const char* beginning : {"File ", "Access denied", "Not a file", "Invalid JSON", "JSONDecodeError"})
    if (text.starts_with(beginning)) return true;
  return message.integer_or("code", 0) == -1;
}

// Both are the same message: for a tool call the SDK returns the same object repeatedly, so only its name can be compared.
bool same(const json::Value& theirs, const json::Value& ours) {
  if (theirs.text_or("type", "") != ours.text_or("type", "")) return false;
  if (theirs.text_or("type", "") == "tool_call") return theirs.text_or("id", "") == ours.text_or("id", "");
  if (theirs.text_or("type", "") == "error")
    return theirs.integer_or("code", 0) == ours.integer_or("code", 0) &&
           theirs.text_or("message", "") == ours.text_or("message", "");
  return theirs == ours;
}

class IflowReplay : public testing::TestWithParam<std::string> {};

TEST_P(IflowReplay, MessagesArriveInTheOrderOfTheSdk) {
  const std::string path = folder + "/" + GetParam();
  const std::vector<json::Value> ours = of_ours(path);
  auto at = ours.begin();
  for (const json::Value& message : of_the_sdk(path)) {
    if (is_its_own(message)) continue;
    at = std::ranges::find_if(at, ours.end(), [&](const json::Value& own) { return same(message, own); });
    ASSERT_NE(at, ours.end()) << GetParam() << ": " << json::to_text(message);
    ++at;
  }
}

std::vector<std::string> of_iflow() {
  std::vector<std::string> out;
  for (const std::string& name : acp::test::recordings(folder))
    if (name.starts_with("iflow-")) out.push_back(name);
  return out;
}
INSTANTIATE_TEST_SUITE_P(Recordings, IflowReplay, testing::ValuesIn(of_iflow()), [](const auto& info) {
  std::string name = info.param.substr(0, info.param.find('.'));
  std::ranges::replace(name, '-', '_');
  return name;
});

TEST(IflowReplayOfABurst, AllFiftyFramesAreReceived) {
  const auto count = [](const std::vector<json::Value>& messages) {
    return std::ranges::count_if(messages, [](const json::Value& message) { return message.text_or("type", "") == "assistant"; });
  };
  const std::string path = folder + "/iflow-22-burst-loss.ndjson";
  EXPECT_LT(count(of_the_sdk(path)), 50);
  EXPECT_GE(count(of_ours(path)), 50);
}

TEST(IflowReplayOfUpdates, APageShowsEachKindOnce) {
  RawStream stream;
  ChunkMapper mapper;
  std::vector<StreamChunk> chunks;
  for (const acp::test::Record& record : acp::test::read_recording(folder + "/iflow-04-updates-all-kinds.ndjson"))
    if (!record.from_client)
      if (const auto& parsed = stream.take(record.line, {}).parsed_message) mapper.map(*parsed, chunks);
  std::string shown;
  for (const StreamChunk& chunk : chunks) shown += std::string(to_json(chunk).text_or("chunkType", "")) + " ";
  EXPECT_EQ(
      shown,
      "thinking_start thinking_content thinking_end text text thinking_start thinking_content thinking_end text plan tool_start "
      "tool_start tool_start tool_output tool_end tool_start tool_end tool_start text text ");
}

}  // namespace
}  // namespace parlance::iflow
