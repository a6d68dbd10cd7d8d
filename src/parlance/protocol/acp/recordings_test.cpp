// SPDX-License-Identifier: Apache-2.0
// Every message of every recorded session, in both directions: parsed into its declared type and written again, without a loss
// except members outside the protocol.
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "parlance/codec/json/typed.h"
#include "parlance/protocol/acp/dialect.h"
#include "parlance/protocol/acp/messages.h"
#include "parlance/protocol/acp/recording.h"

namespace parlance::acp {
namespace {

using test::Record;

const std::string recordings_folder = PARLANCE_SOURCE_DIR "/tests/vectors/acp";

template <class T>
Result<std::string> read_and_write(std::string_view text) {
  auto value = json::from_text<T>(text);
  if (!value) return std::unexpected(value.error());
  return json::to_text(*value);
}

using ReadAndWrite = Result<std::string> (*)(std::string_view);
struct Known {
  ReadAndWrite parameters = nullptr;
  ReadAndWrite reply = nullptr;  // null: a notice
};

template <class P, class R>
void add(std::map<std::string, Known, std::less<>>& all, const wire::Call<P, R>& call) {
  all[std::string(call.method)] = {&read_and_write<P>, &read_and_write<R>};
}
template <class P>
void add(std::map<std::string, Known, std::less<>>& all, const wire::Notice<P>& notice) {
  all[std::string(notice.method)] = {&read_and_write<P>, nullptr};
}

const std::map<std::string, Known, std::less<>>& known(bool of_agent) {
  static const auto tables = [] {
    std::pair<std::map<std::string, Known, std::less<>>, std::map<std::string, Known, std::less<>>> both;
    method::of_agent.each([&](const auto& method) { add(both.first, method); });
    method::of_client.each([&](const auto& method) { add(both.second, method); });
    return both;
  }();
  return of_agent ? tables.first : tables.second;
}

// Faults of the recorded messages: the recorder's probes with wrong parameters, and a capability of a draft.
const std::set<std::string, std::less<>> known_faults{
    "lost: reply $.agentCapabilities.sessionCapabilities.fork is missing",
    "lost: logout $.sessionId is missing",
    "lost: session/list $.sessionId is missing",
    "refused: fs/read_text_file $.path: missing",
    "refused: session/prompt $.prompt: expected an array, found text",
    "refused: session/prompt $.prompt[0].text: missing",
};

std::string without_numbers(std::string text) {
  std::string out;
  bool inside = false;
  for (const char c : text) {
    inside = c == '[' ? true : inside;
    if (!inside) out += c;
    if (c == ']') inside = false;
  }
  return out;
}

class Recorded : public testing::TestWithParam<std::string> {
 protected:
  void look(const std::string& what, ReadAndWrite read, const json::Value* original) {
    if (original == nullptr || original->is_null()) return;
    const auto again = read(json::to_text(*original));
    ++looked_at_;
    if (!again) {
      report("refused: " + what + " " + again.error().message);
      return;
    }
    std::string lost = test::missing_in(*json::parse(*again), *original);
    if (!lost.empty()) report("lost: " + what + " " + without_numbers(lost));
  }
  std::size_t looked_at_ = 0;
  void report(const std::string& what) {
    if (!known_faults.contains(what)) faults_ += what + "\n";
  }
  std::string faults_;
};

TEST_P(Recorded, NothingOfItIsLost) {
  std::map<std::pair<bool, std::string>, const Known*> asked;  // by sender and id
  for (const Record& record : test::read_recording(recordings_folder + "/" + GetParam())) {
    if (!record.is_message) continue;
    const json::Value* id = record.message.find("id");
    if (const std::string_view name = record.message.text_or("method", ""); !name.empty()) {
      const auto found = known(record.from_client).find(name);
      if (found == known(record.from_client).end()) continue;
      if (id != nullptr) asked[{record.from_client, json::to_text(*id)}] = &found->second;
      look(std::string(name), found->second.parameters, record.message.find("params"));
    } else if (id != nullptr) {
      const auto found = asked.find({!record.from_client, json::to_text(*id)});
      if (found != asked.end() && found->second->reply != nullptr)
        look("reply", found->second->reply, record.message.find("result"));
    }
  }
  EXPECT_EQ(faults_, "");
  EXPECT_TRUE(looked_at_ != 0 || GetParam().starts_with("iflow-25"));  // this session contains no message
}

INSTANTIATE_TEST_SUITE_P(Vectors, Recorded, testing::ValuesIn(test::recordings(recordings_folder)), [](const auto& info) {
  std::string name;
  for (const char c : info.param) name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return name;
});

}  // namespace
}  // namespace parlance::acp
