// SPDX-License-Identifier: Apache-2.0
// Turns during random kills of gateway or agent: the final text equals the text of undisturbed turns. PARLANCE_KILL_SEED repeats
// a run, PARLANCE_KILLS extends a run.
#include <cstdlib>
#include <filesystem>
#include <map>
#include <random>
#include <set>

#include "tests/system/conversations.h"

namespace parlance::test {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

std::uint64_t number_from(const char* name, std::uint64_t otherwise) {
  const char* const text = std::getenv(name);
  return text != nullptr ? std::strtoull(text, nullptr, 10) : otherwise;
}

std::string member(const json::Value& of, std::string_view name) { return std::string(of.text_or(name, "")); }

// The text of a call that was running at its gateway's death: the only permitted difference.
constexpr std::string_view unknown_effect = "parlance restarted during this call";

// A turn for a reader: without its division into pieces, names, numbers and times.
class Reading {
 public:
  void add(const json::Value& event) {
    const std::string kind = member(event, "kind");
    const std::string text = member(event, "text");
    if (kind == "text") join("text: ", text);
    else if (kind == "thinking_content") join("thought: ", text);
    else if (kind == "tool_output") outputs_[member(event, "call")] += text;
    else if (kind == "tool_start") line("call: " + member(event, "tool") + " " + member(event, "title"));
    else if (kind == "tool_end") line("call " + member(event, "state") + ": " + outputs_[member(event, "call")]);
    else if (kind == "plan") line("plan: " + json::to_text(at(event, {"entries"})));
    else if (kind == "ask_settled") line("settled: " + member(event, "state") + " " + member(event, "chosen"));
    else if (kind == "error") line("error: " + member(event, "code") + " " + member(event, "message"));
    else if (kind == "turn_end") line("end: " + member(event, "stop_reason"));
    else if (const json::Value* ask = event.find("ask"); ask != nullptr && ask->object() != nullptr)
      line("ask: " + member(*ask, "title") + " " + json::to_text(at(*ask, {"diff"})));
  }
  const std::string& text() const { return text_; }

 private:
  void join(const std::string& name, const std::string& piece) {
    if (open_ != name) text_ += "\n" + name;
    open_ = name;
    text_ += piece;
  }
  void line(const std::string& one) {
    text_ += "\n" + one;
    open_.clear();
  }
  std::string text_;
  std::string open_;
  std::map<std::string, std::string> outputs_;
};

class TurnsGoOn : public ConversationsTest {
 protected:
  static inline const std::vector<std::string> prompts{"slow 60 15", "think once", "write a.txt hello", "list",
                                                       "ask",        "plan",       "run echo said-it",  "markdown"};

  pid_t pid_of(std::string_view service) const {
    for (const pid_t pid : marked_processes())
      if (read_file("/proc/" + std::to_string(pid) + "/cmdline").find('\0' + std::string(service) + '\0') != std::string::npos)
        return pid;
    return 0;
  }
  // A page of the gateway as soon as a gateway runs; null before.
  std::unique_ptr<PageClient> page_again(const std::string& id) {
    auto frames =
        get(connect_websocket(loop, {.url = "ws" + base.substr(4) + "ws", .subprotocols = {"parlance.v1", "token." + token}}));
    if (!frames) return nullptr;
    auto made = std::make_unique<PageClient>(loop, *std::move(frames));
    until([&] { return made->ready || made->ended; }, "the snapshot");
    if (!made->ready) return nullptr;
    open(*made, id);
    return made;
  }
  // The answer to every request of the test.
  static std::string answer_for(const json::Value& ask) {
    const std::string card = R"("ask":")" + text_at(ask, {"id"}) + R"(","digest":")" + text_at(ask, {"digest"}) + '"';
    if (text_at(ask, {"kind"}) == "question") return card + R"(,"option":"decline")";
    return card + R"(,"option":")" + text_at(ask, {"options", "0", "id"}) + '"';
  }

  // Sends `text` as the conversation's turn number `turn` and answers the requests. `service`: killed `kills` times during the
  // turn.
  std::string played(const std::string& id, const std::string& text, std::size_t turn, std::string_view service, int kills) {
    std::unique_ptr<PageClient> page;
    // The service may have been killed at the end of the previous turn.
    until_observed([&] { return (page = page_again(id)) != nullptr; }, "a gateway");
    prompt(*page, id, text);
    std::set<std::string> answered;
    const auto over = [&] { return page && page->count(id, "turn_end") >= turn; };
    const auto some_time = [&] { return std::chrono::milliseconds(std::uniform_int_distribution(0, 60)(dice)); };
    TimePoint next = Clock::now() + some_time();
    const TimePoint limit = Clock::now() + 300s;
    while (!over()) {
      if (Clock::now() > limit) throw std::runtime_error("no end of: " + text);
      if (!page || page->ended) {
        page = page_again(id);
        answered.clear();  // messages in transit may be lost: an unconfirmed answer is sent again
      }
      if (!page) {
        loop.run_for(5ms);
        continue;
      }
      if (kills > 0 && Clock::now() >= next) {
        if (const pid_t pid = pid_of(service); pid > 0) {
          ::kill(pid, SIGKILL);
          --kills;
          ++killed;
        }
        next = Clock::now() + 300ms + some_time();
      }
      for (const auto& [ask, card] : page->asks)
        if (card.text_or("state", "") == "open" && (kills == 0 || dice() % 20 == 0) && answered.insert(ask).second)
          page->request("answer", answer_for(card));
      loop.run_for(2ms);
    }
    Reading reading;
    std::size_t ended = 0;
    for (const json::Value& event : page->events(id)) {
      if (ended + 1 == turn) reading.add(event);
      if (member(event, "kind") == "turn_end") ++ended;
    }
    EXPECT_EQ(page->gaps, 0U);
    return reading.text();
  }

  void compare_with_kills_of(std::string_view service) {
    start_up();
    until_agent();
    auto page = connect();
    const std::string whole = new_conversation(*page);
    const std::string disturbed = new_conversation(*page);
    page.reset();
    const auto kills = static_cast<int>(number_from("PARLANCE_KILLS", 1));
    for (std::size_t i = 0; i < prompts.size(); ++i) {
      SCOPED_TRACE(prompts[i]);
      const std::string expected = played(whole, prompts[i], i + 1, service, 0);
      std::filesystem::remove(work() + "/a.txt");
      const std::string shown = played(disturbed, prompts[i], i + 1, service, kills);
      EXPECT_EQ(std::filesystem::exists(work() + "/a.txt"), prompts[i].starts_with("write"));
      std::filesystem::remove(work() + "/a.txt");
      if (shown.find(unknown_effect) != std::string::npos) ++unknown;
      else EXPECT_EQ(shown, expected);
    }
    RecordProperty("kills", killed);
    std::printf("  %d kills of the %s, %d calls of unknown effect, seed %llu\n", killed, std::string(service).c_str(), unknown,
                static_cast<unsigned long long>(seed));
    EXPECT_GE(killed, 2) << "or nothing was tried";
    EXPECT_LE(unknown, kills);
  }

  const std::uint64_t seed = number_from("PARLANCE_KILL_SEED", std::random_device{}() % 1'000'000);
  std::mt19937_64 dice{seed};
  int killed = 0;
  int unknown = 0;
};

TEST_F(TurnsGoOn, AGatewayThatIsKilledLosesAndDoublesNothing) { compare_with_kills_of("gateway"); }

TEST_F(TurnsGoOn, AnAgentThatIsKilledLosesAndDoublesNothing) { compare_with_kills_of("agent"); }

TEST_F(TurnsGoOn, ATurnThatWentOnCanBeStoppedAndTheQueueIsThere) {
  start_up();
  until_agent();
  auto page = connect();
  const std::string id = new_conversation(*page);
  prompt(*page, id, "slow 100000 5");
  prompt(*page, id, "help");
  until([&] { return page->text(id).size() > 100; }, "some text");
  ASSERT_EQ(::kill(service_pid("gateway"), SIGKILL), 0);
  until([&] { return page->ended; }, "the end of the page's connection");
  page.reset();
  until_observed([&] { return (page = page_again(id)) != nullptr; }, "a gateway");
  const std::size_t before = page->text(id).size();
  until([&] { return page->text(id).size() > before + 100; }, "the text to go on");
  EXPECT_EQ(page->count(id, "turn_start"), 1U);
  EXPECT_EQ(page->conversations[id].find("queued")->array()->size(), 1U);
  done(*page, "stop", R"("conversation":")" + id + "\"");
  until_turns(*page, id, 1);
  EXPECT_EQ(text_at(page->last(id, "turn_end"), {"stop_reason"}), "cancelled");
}

}  // namespace
}  // namespace parlance::test
