// SPDX-License-Identifier: Apache-2.0
// The start of an agent, and the parts that all steps share; play_list_steps.cpp has the steps.
#include "tests/peers/agents/play_list.h"

#include <algorithm>
#include <filesystem>

#include "parlance/base/text.h"
#include "tests/peers/agents/known_results.h"

namespace parlance::test {
namespace {

std::string in_json(const std::string& text) { return json::to_text(json::Value(text)); }

std::string version_line(const Player& player) {
  if (player.launcher.empty()) return "The built-in agent, in each CI run.";
  return "Version " + version_of(player.real) + " of `" + std::string(player.real.package) + "`.";
}

}  // namespace

void PlayListTest::play_all(const Player& player) {
  player_ = player;
  if (std::string_view(PARLANCE_NODE).empty()) GTEST_SKIP() << "no node here: apt-get install nodejs, then configure again";
  if (!player.launcher.empty() && !std::filesystem::exists(in_packages(player.real, player.real.file)))
    GTEST_SKIP() << "no " << player.real.file << ": scripts/peers.sh install " << player.real.peer;
  prepare();
  start_gateway();
  begin_conversation("default");
  for (const auto& [step, function] :
       std::initializer_list<std::pair<std::string_view, Step>>{{"start", &PlayListTest::start_step},
                                                                {"allow", &PlayListTest::allow_step},
                                                                {"reject with words", &PlayListTest::reject_step},
                                                                {"diff", &PlayListTest::diff_step},
                                                                {"new file", &PlayListTest::new_file_step},
                                                                {"always", &PlayListTest::always_step},
                                                                {"task list", &PlayListTest::tasks_step},
                                                                {"question", &PlayListTest::question_step},
                                                                {"stop in the answer", &PlayListTest::stop_in_stream_step},
                                                                {"stop in a command", &PlayListTest::stop_in_tool_step},
                                                                {"picture", &PlayListTest::picture_step},
                                                                {"mode", &PlayListTest::mode_step},
                                                                {"model", &PlayListTest::model_step},
                                                                {"MCP", &PlayListTest::mcp_step},
                                                                {"long output", &PlayListTest::long_output_step},
                                                                {"Unicode", &PlayListTest::unicode_step},
                                                                {"two pages", &PlayListTest::two_pages_step},
                                                                {"plan", &PlayListTest::plan_step},
                                                                {"resume after a kill", &PlayListTest::resume_step},
                                                                {"session list", &PlayListTest::sessions_step}})
    run(step, function);
  hold_page(std::string(player_.name), version_line(player_), results_);
}

void PlayListTest::run(std::string_view step, Step play) {
  std::string seen;
  try {
    seen = (this->*play)();
  } catch (const std::exception& failure) {
    seen = failure.what();
    end_turn_of_failed_step();
  }
  const KnownResult* known = known_result(player_.name, step, seen);
  if (known != nullptr) {
    results_.push_back({std::string(step), std::string(known->cell), std::string(known->words)});
    return;
  }
  EXPECT_EQ(seen, "") << player_.name << ": " << step;
  results_.push_back({std::string(step), seen.empty() ? "works" : "FAULT", seen});
}

void PlayListTest::end_turn_of_failed_step() {
  try {
    done(*page_, "stop", R"("conversation":)" + in_json(id_));
    until([&] { return is_idle(); }, "the end of the turn of a failed step");
  } catch (const std::exception& failure) {
    ADD_FAILURE() << failure.what();
  }
}

// ---- the programs --------------------------------------------------------------------------------------------------------------------

// The model, a launcher as `npm install -g` makes it, and the MCP server.
void PlayListTest::prepare() {
  for (const char* const name : {"bin", "tmp"}) std::filesystem::create_directories(path(name));
  const RealAgent& real = player_.real;
  Words words{PARLANCE_NODE, PARLANCE_SOURCE_DIR "/tests/peers/models/" + std::string(real.model) + "/server.mjs",
              "--port",      "0",
              "--bodies",    path("requests")};
  for (std::string& flag : real.flags_of_model()) words.push_back(std::move(flag));
  const auto address_of = [this](Program& program) {
    until([&] { return !program.lines.empty() || program.ended(); }, "an address");
    const std::string& line = program.lines.at(0);
    const std::size_t at = line.find("http://");
    return line.substr(at, line.find_first_of("\", }", at) - at);
  };
  model_ = launch(std::move(words));
  model_url_ = address_of(*model_);

  const std::string server = PARLANCE_BINARY_DIR "/bin/mcp_fixture_server";
  std::string table = "[mcp.near]\n";
  if (real.mcp_by_address) {
    server_ = launch({server, "--http"});
    table += "url = \"" + address_of(*server_) + "\"\n";
  } else table += "command = [\"" + server + "\"]\n";
  write_file(path("parlance.toml"), table);

  if (player_.launcher.empty()) return;
  std::string script = "#!/bin/sh\n";
  for (const auto& [name, value] : prepared_agent(real, model_url_, folder())) script += "export " + name + "='" + value + "'\n";
  script += "export IS_SANDBOX=1 TMPDIR='" + path("tmp") + "'\nexec ";
  if (real.file.ends_with(".js")) script += std::string(PARLANCE_NODE) + " ";
  script += "'" + in_packages(real, real.file) + "' \"$@\" " + std::string(player_.words_of_launcher) + "\n";
  const std::string launcher = path("bin/" + std::string(player_.launcher));
  write_file(launcher, script);
  std::filesystem::permissions(launcher, std::filesystem::perms::owner_all);
}

void PlayListTest::start_gateway() {
  Words words{"--config", path("parlance.toml")};
  if (player_.launcher.empty())
    words.insert(words.end(),
                 {"--model", "openai", "--model-url", model_url_ + "/v1", "--model-name", "mock", "--titles", "off"});
  start_up(std::move(words), {{"PATH", path("bin") + ":" + std::string(std::getenv("PATH"))}, {"SHELL", "/bin/sh"}});
  until_agent();
  page_ = connect();
  second_ = connect();
}

void PlayListTest::begin_conversation(std::string_view mode) {
  write_file(work() + "/a.txt", "one INSIDE\n");
  id_ = text_at(done(*page_, "new",
                     R"("agent":")" + std::string(player_.real.preset) + R"(","folder":)" + in_json(work()) + R"(,"mode":")" +
                         std::string(mode) + "\""),
                {"conversation", "id"});
  open(*page_, id_);
  open(*second_, id_);
}

// ---- turns ---------------------------------------------------------------------------------------------------------------------------

void PlayListTest::begin(const std::string& text, const std::string& members) {
  first_event_ = page_->events(id_).size();
  turns_before_ = page_->count(id_, "turn_end");
  done(*page_, "prompt", R"("conversation":)" + in_json(id_) + R"(,"text":)" + in_json(text) + members);
}

bool PlayListTest::is_idle() {
  const json::Value& conversation = page_->conversations[id_];
  return conversation.text_or("state", "") == "idle" && page_->count(id_, "turn_end") > turns_before_;
}

PlayedTurn PlayListTest::play(const std::string& text, const GivenReply& reply, const std::string& members) {
  begin(text, members);
  return finish(reply);
}

PlayedTurn PlayListTest::finish(const GivenReply& reply) {
  PlayedTurn turn;
  until(
      [&] {
        json::Value ask;
        const auto same = [&](const json::Value& earlier) { return earlier.text_or("id", "") == ask.text_or("id", ""); };
        while (!(ask = ask_in_state(*page_, "open")).is_null() && std::ranges::none_of(turn.asks, same)) {
          turn.asks.push_back(ask);
          give(ask, reply);
        }
        return ask.is_null() && is_idle();
      },
      "the end of a turn");
  const auto& events = page_->events(id_);
  for (std::size_t i = first_event_; i < events.size(); ++i) {
    const std::string_view kind = events[i].text_or("kind", "");
    if (kind == "text") turn.text += events[i].text_or("text", "");
    if (kind == "tool_output") turn.output += events[i].text_or("text", "");
    if (kind == "tool_update")
      if (const json::Value* content = events[i].find("content")) turn.output += json::to_text(*content);
    if (kind == "turn_end") turn.stop_reason = events[i].text_or("stop_reason", "");
    if (kind == "error") turn.text += "[error: " + json::to_text(events[i]) + "]";
  }
  return turn;
}

void PlayListTest::give(const json::Value& ask, const GivenReply& reply) {
  if (ask.text_or("kind", "") == "question") {
    done(*page_, "answer",
         R"("ask":)" + in_json(text_at(ask, {"id"})) + R"(,"digest":")" + text_at(ask, {"digest"}) + R"(","answers":[["Blue"]])");
    return;
  }
  done(*second_, "answer", answer_to(ask, reply.kind) + (reply.words.empty() ? "" : R"(,"text":)" + in_json(reply.words)));
  until([&] { return page_->asks[text_at(ask, {"id"})].text_or("state", "") != "open"; }, "the answer on the first page");
}

void PlayListTest::set(const std::string& members) { done(*page_, "set", R"("conversation":)" + in_json(id_) + "," + members); }

// ---- words and traces ----------------------------------------------------------------------------------------------------------------

std::string PlayListTest::filled(std::string_view words, std::string_view value) const {
  return replaced(replaced(std::string(words), "%", value), "{w}", work());
}

std::string PlayListTest::says(const std::string& text) const {
  if (player_.real.model == "mock-model") return "say:\"" + text + "\"";
  return R"(@mock text {"chunk":1000,"text":)" + in_json(text) + "}";
}

std::string PlayListTest::says_slowly(int words, int pause_ms) const {
  if (player_.real.model == "mock-model") return "lorem:" + std::to_string(words) + " slow:" + std::to_string(pause_ms);
  return R"(@mock slow {"chunks":)" + std::to_string(words) + R"(,"delay_ms":)" + std::to_string(pause_ms) + "}";
}

bool PlayListTest::exists(const std::string& file) const { return std::filesystem::exists(work() + "/" + file); }

std::string PlayListTest::requests_since(std::size_t at) const {
  const std::string all = read_file(path("requests"));
  return at < all.size() ? all.substr(at) : "";
}

// From the body; Gemini names its model in the path.
std::string PlayListTest::model_of_last_request() const {
  const std::string all = requests_since(0);
  if (all.empty()) return "";
  const std::size_t start = all.rfind('\n', all.size() - 2);
  const std::vector<std::string_view> parts =
      split(std::string_view(all).substr(start == std::string::npos ? 0 : start + 1), '\t');
  const std::string_view address = parts.at(0);
  if (const std::size_t at = address.find("/models/"); at != std::string_view::npos)
    return std::string(address.substr(at + 8, address.find(':', at) - at - 8));
  const auto body = json::parse(parts.at(1));
  return body ? std::string(body->text_or("model", "")) : "";
}

std::vector<std::string> PlayListTest::offered_models() {
  std::vector<std::string> choices;
  const json::Value& agent = page_->agents[std::string(player_.real.preset)];
  const auto each = [](const json::Value* list, const auto& take) {
    if (list != nullptr && list->array() != nullptr)
      for (const json::Value& entry : *list->array()) take(entry);
  };
  each(agent.find("models"), [&](const json::Value& model) { choices.push_back("\"model\":" + json::to_text(model)); });
  each(agent.find("options"), [&](const json::Value& option) {
    if (option.text_or("category", "") != "model") return;
    each(option.find("values"), [&](const json::Value& value) {
      choices.push_back(R"("option":)" + in_json(text_at(option, {"id"})) + R"(,"value":)" + in_json(text_at(value, {"value"})));
    });
  });
  // Some agents offer models of their vendor first, which need a network.
  std::ranges::stable_partition(choices, [](const std::string& choice) { return choice.contains("other"); });
  return choices;
}

}  // namespace parlance::test
