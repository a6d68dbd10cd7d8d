// SPDX-License-Identifier: Apache-2.0
// The steps of the play list, in the order of the page. An observation is a short fixed text: known_results.h names those of each agent.
#include <algorithm>
#include <filesystem>

#include "tests/peers/agents/play_list.h"

namespace parlance::test {
namespace {

constexpr std::string_view first_words = "the first words";
constexpr std::string_view png =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

std::string seen_if(bool unexpected, std::string text) { return unexpected ? std::move(text) : ""; }

// Empty after exactly one request.
std::string not_once(const PlayedTurn& turn) {
  if (turn.asks.empty()) return "not asked: " + turn.text + turn.output;
  return seen_if(turn.asks.size() > 1, "asked " + std::to_string(turn.asks.size()) + " times");
}

// The scripted model quotes the prompt if the agent offers no such tool.
bool offers_no_tool(const PlayedTurn& turn) {
  return turn.text.starts_with("Echo: ") || turn.text.contains("No such tool available") ||
         turn.text.contains("unsupported call");
}

// True while a program with these words runs.
bool runs(const Words& words) {
  std::string line;
  for (const std::string& word : words) line += word + '\0';
  for (const auto& entry : std::filesystem::directory_iterator("/proc"))
    if (read_file(entry.path().string() + "/cmdline") == line) return true;
  return false;
}

// Gemini CLI names a folder in its instructions, and its model writes the plan into a file there.
void write_plan_file(const std::string& requests, const std::string& home) {
  const std::size_t end = requests.rfind("/plans/");
  const std::size_t start = end == std::string::npos ? end : requests.rfind(home, end);
  if (start == std::string::npos || end - start > 300) return;
  const std::string folder = requests.substr(start, end - start) + "/plans";
  std::filesystem::create_directories(folder);
  write_file(folder + "/plan.md", "# The plan\n");
}

}  // namespace

std::string PlayListTest::start_step() {
  const PlayedTurn turn = play(says(std::string(first_words)));
  return seen_if(turn.text != first_words || turn.stop_reason != "end_turn", "said: " + turn.text);
}

std::string PlayListTest::allow_step() {
  const PlayedTurn turn = play(command("touch allowed.txt"), {"allow_once"});
  if (std::string seen = not_once(turn); !seen.empty()) return seen;
  return seen_if(!exists("allowed.txt"), "not carried out: " + turn.text + turn.output);
}

std::string PlayListTest::reject_step() {
  const std::size_t at = requests_since(0).size();
  const PlayedTurn turn = play(command("touch refused.txt"), {"reject_once", "call it kiwi"});
  if (std::string seen = not_once(turn); !seen.empty()) return seen;
  if (exists("refused.txt")) return "carried out";
  return seen_if(!requests_since(at).contains("call it kiwi"), "the model does not get the words");
}

std::string PlayListTest::diff_step() {
  play(filled(player_.real.tools.read, work() + "/a.txt"));  // several agents refuse to change an unread file
  const PlayedTurn turn = play(filled(player_.real.tools.change, ""), {"allow_once"});
  if (std::string seen = not_once(turn); !seen.empty()) return seen;
  if (turn.asks[0].find("diff") == nullptr) return "no diff";
  if (!text_at(turn.asks[0], {"diff", "before"}).contains("one") || !text_at(turn.asks[0], {"diff", "after"}).contains("two"))
    return "another diff: " + json::to_text(*turn.asks[0].find("diff"));
  return seen_if(!read_file(work() + "/a.txt").contains("two"), "not carried out: " + turn.text + turn.output);
}

std::string PlayListTest::new_file_step() {
  const PlayedTurn turn = play(filled(player_.real.tools.write, work() + "/new.txt"), {"allow_once"});
  if (std::string seen = not_once(turn); !seen.empty()) return seen;
  if (turn.asks[0].find("diff") == nullptr) return "no diff";
  if (at(turn.asks[0], {"diff"}).find("before") != nullptr) return "shown as a change of a file";
  return seen_if(!read_file(work() + "/new.txt").starts_with("x"), "not carried out: " + turn.text + turn.output);
}

// "Always" is offered for files of the folder, and for few commands.
std::string PlayListTest::always_step() {
  const std::string write = filled(player_.real.tools.write, work() + "/always.txt");
  const PlayedTurn first = play(write, {"allow_always"});
  if (std::string seen = not_once(first); !seen.empty()) return seen;
  std::filesystem::remove(work() + "/always.txt");
  const PlayedTurn second = play(write);
  if (!second.asks.empty()) return "asked again: " + json::to_text(second.asks[0]);
  return seen_if(!exists("always.txt"), "not carried out: " + second.text + second.output);
}

std::string PlayListTest::tasks_step() {
  if (player_.real.tools.tasks.empty()) return "no tool";
  const std::size_t before = page_->count(id_, "plan");
  const PlayedTurn turn = play(std::string(player_.real.tools.tasks), {"allow_once"});
  if (offers_no_tool(turn)) return "no tool";
  if (page_->count(id_, "plan") == before) return "no task list: " + turn.text + turn.output;
  const json::Value plan = page_->last(id_, "plan");
  return seen_if(
      !text_at(plan, {"entries", "0", "content"}).starts_with("read") || text_at(plan, {"entries", "1", "content"}) != "write",
      "another task list: " + json::to_text(plan));
}

std::string PlayListTest::plan_step() {
  if (player_.real.tools.leave_plan.empty()) return "no tool";
  set(R"("mode":"plan")");
  play(says("thinking"));
  write_plan_file(requests_since(0), path(".gemini"));
  const PlayedTurn turn = play(std::string(player_.real.tools.leave_plan), {"allow_once"});
  const std::string mode(page_->conversations[id_].text_or("mode", ""));
  set(R"("mode":"default")");
  if (offers_no_tool(turn)) return "no tool";
  if (std::string seen = not_once(turn); !seen.empty()) return seen;
  if (turn.asks[0].text_or("kind", "") != "plan") return "asked as " + json::to_text(turn.asks[0]);
  return seen_if(mode == "plan", "the mode stays");
}

std::string PlayListTest::question_step() {
  if (player_.real.tools.question.empty()) return "no tool";
  const PlayedTurn turn = play(std::string(player_.real.tools.question));
  if (offers_no_tool(turn)) return "no tool";
  if (std::string seen = not_once(turn); !seen.empty()) return seen;
  if (turn.asks[0].text_or("kind", "") != "question") return "asked as " + json::to_text(turn.asks[0]);
  return seen_if(!turn.text.contains("Blue"), "the model does not get the answer: " + turn.text);
}

std::string PlayListTest::stop_in_stream_step() {
  begin(says_slowly(200, 50));
  until([&] { return page_->text(id_).contains("w2 "); }, "the first words of a slow answer");
  done(*page_, "stop", R"("conversation":")" + id_ + "\"");
  const PlayedTurn turn = finish({});
  if (turn.text.contains("w199")) return "not stopped";
  if (turn.stop_reason != "cancelled") return "ends as " + turn.stop_reason;
  const PlayedTurn next = play(says("after the stop"));
  return seen_if(!next.text.contains("after the stop"), "the next prompt fails: " + next.text);
}

// Several agents refuse a long `sleep`.
std::string PlayListTest::stop_in_tool_step() {
  const Words endless{"tail", "-f", work() + "/a.txt"};
  begin(command("tail -f " + endless[2]));
  until_observed([&] { return !ask_in_state(*page_, "open").is_null() || runs(endless) || is_idle(); },
                 "a request or the command");
  if (const json::Value ask = ask_in_state(*page_, "open"); !ask.is_null()) give(ask, {"allow_once"});
  until_observed([&] { return runs(endless) || is_idle(); }, "the command");
  if (is_idle()) return "not run: " + finish({}).text;
  done(*page_, "stop", R"("conversation":")" + id_ + "\"");
  const PlayedTurn turn = finish({});
  if (turn.stop_reason != "cancelled") return "ends as " + turn.stop_reason;
  const TimePoint limit = Clock::now() + 5s;
  while (runs(endless) && Clock::now() < limit) loop.run_for(10ms);
  return seen_if(runs(endless), "the command goes on");
}

std::string PlayListTest::picture_step() {
  const std::size_t at = requests_since(0).size();
  const PlayedTurn turn = play(
      says("a picture"), {}, R"(,"attachments":[{"name":"p.png","media_type":"image/png","data":")" + std::string(png) + "\"}]");
  return seen_if(!requests_since(at).contains(png.substr(0, 16)), "the model does not get the picture: " + turn.text);
}

std::string PlayListTest::mode_step() {
  set(R"("mode":"yolo")");
  const PlayedTurn turn = play(command("touch free.txt"));
  set(R"("mode":"default")");
  if (!turn.asks.empty()) return "asked";
  return seen_if(!exists("free.txt"), "not carried out: " + turn.text + turn.output);
}

std::string PlayListTest::model_step() {
  const std::string before = model_of_last_request();
  const std::vector<std::string> models = offered_models();
  for (const std::string& choice : models) {
    const bool is_option = choice.starts_with("\"option\"");
    done(*page_, is_option ? "set_option" : "set", R"("conversation":")" + id_ + "\"," + choice);
    play(says("with another model"));
    if (model_of_last_request() != before) return "";
  }
  return "offers " + std::to_string(models.size()) + " models, the requests name " + before;
}

std::string PlayListTest::mcp_step() {
  const PlayedTurn turn = play(std::string(player_.real.tools.mcp), {"allow_once"});
  if (std::string seen = not_once(turn); !seen.empty()) return seen;
  return seen_if(!(turn.text + turn.output).contains("This is a simple text response"), "no result: " + turn.text + turn.output);
}

std::string PlayListTest::two_pages_step() {
  const auto equal = [&] { return page_->seqs(id_) == second_->seqs(id_) && page_->text(id_) == second_->text(id_); };
  until(equal, "the same events on both pages");
  return seen_if(page_->gaps + second_->gaps > 0 || !ask_in_state(*page_, "open").is_null(), "the pages differ");
}

std::string PlayListTest::long_output_step() {
  const PlayedTurn answer = play(says_slowly(3'000, 0));
  std::string all;
  for (int i = 0; i < 3'000; ++i) all += "w" + std::to_string(i) + " ";
  if (!answer.text.contains(all.substr(0, all.size() - 1))) return "the answer is cut: " + answer.text.substr(0, 200);
  const PlayedTurn turn = play(command("seq 100000 160000"), {"allow_once"});
  if (turn.stop_reason != "end_turn") return "ends as " + turn.stop_reason;
  // Agents cut long output in different places; a page needs a part.
  return seen_if(turn.output.size() < 1'000, "no output: " + turn.output);
}

std::string PlayListTest::unicode_step() {
  const std::string words = "é 漢字 \u05d0\u0301 👩‍👩‍👧";
  const std::size_t at = requests_since(0).size();
  const PlayedTurn turn = play(says(words));
  if (turn.text != words) return "said: " + turn.text;
  return seen_if(!requests_since(at).contains(words), "the model gets another text");
}

std::string PlayListTest::resume_step() {
  page_.reset();
  second_.reset();
  kill_everything();
  start_gateway();
  open(*page_, id_);
  open(*second_, id_);
  const std::size_t at = requests_since(0).size();
  const PlayedTurn turn = play(says("after the kill"));
  if (turn.text != "after the kill") return "said: " + turn.text;
  return seen_if(!requests_since(at).contains(first_words), "the model does not get the conversation");
}

// A gateway without conversations lists the agent's own sessions, and continues the first session.
std::string PlayListTest::sessions_step() {
  const std::string where = R"("agent":")" + std::string(player_.real.preset) + R"(","folder":")" + work() + "\"";
  try {
    done(*page_, "sessions", where);
  } catch (const std::exception& failure) {
    return std::string("not listed: ") + failure.what();
  }
  page_.reset();
  second_.reset();
  kill_everything();
  std::filesystem::remove_all(state());
  start_gateway();
  const json::Value list = done(*page_, "sessions", where);
  const std::string session = text_at(list, {"sessions", "0", "id"});
  if (session.empty()) return "an empty list: " + json::to_text(list);
  id_ = text_at(done(*page_, "adopt", where + R"(,"session":")" + session + "\""), {"conversation", "id"});
  open(*page_, id_);
  until([&] { return page_->conversations[id_].text_or("state", "") == "idle"; }, "the history of a session");
  if (!page_->text(id_).contains(first_words)) return "no history: " + page_->text(id_).substr(0, 200);
  const PlayedTurn turn = play(says("from the list"));
  return seen_if(turn.text != "from the list", "said: " + turn.text);
}

}  // namespace parlance::test
