// SPDX-License-Identifier: Apache-2.0
// A runner process beside a gateway for tests, and the search for its remaining processes.
#pragma once

#include <csignal>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "tests/system/conversations.h"

namespace parlance::test {

// The actions of runner tests, over any fixture with conversations (ConversationsTest and derived fixtures).
template <class Fixture>
class WithRunners : public Fixture {
 protected:
  using Fixture::done;
  using Fixture::folder;
  using Fixture::launch;
  using Fixture::open;
  using Fixture::path;
  using Fixture::until;
  using Fixture::with_program;
  static constexpr const char* runner_mark = "RUNNER_TEST_MARK";

  // On the runner's machine.
  std::string farm() const { return path("farm"); }
  // `machine`: its own files, if several runners have the same name.
  Words runner_words(const std::string& to, const std::string& name, const std::string& machine = {}) const {
    return with_program({"runner", "--to=ws" + to.substr(4) + "runner", "--name", name, "--folder", farm(), "--agent", "parlance",
                         "--state", path("runner-" + (machine.empty() ? name : machine)), "--rehearsal-pace-ms", "0"});
  }
  std::unique_ptr<Program> launch_runner(const std::string& to, const std::string& with_token, const std::string& name = "box",
                                         const std::string& machine = {}) {
    std::filesystem::create_directories(farm());
    return launch(runner_words(to, name, machine),
                  {{"PARLANCE_TOKEN", with_token}, {runner_mark, folder() + (machine.empty() ? name : machine)}});
  }
  void until_connected(Program& runner, std::size_t times = 1) {
    const auto connections = [&] {
      std::size_t found = 0;
      for (std::size_t at = 0; (at = runner.errors.find("is connected to", at)) != std::string::npos; ++at) ++found;
      return found;
    };
    until([&] { return connections() >= times || runner.ended(); }, "a runner that is connected");
    if (runner.ended()) throw std::runtime_error(runner.errors);
  }
  // Its processes, regardless of their current parent.
  std::vector<pid_t> processes_of(const std::string& name) const { return processes_with(runner_mark, folder() + name); }
  void until_no_process_of(const std::string& name) {
    Fixture::until_ended([&] { return processes_of(name); });
  }

  // The folders of the runner's sessions.
  std::vector<std::string> sessions_of(const std::string& name = "box") const {
    std::vector<std::string> found;
    std::error_code none;
    for (const auto& entry : std::filesystem::directory_iterator(path("runner-" + name) + "/runner-sessions", none))
      found.push_back(entry.path());
    return found;
  }

  std::string on_runner(PageClient& page, const std::string& name = "box", std::string_view more = "") {
    const std::string id =
        text_at(done(page, "new", R"("agent":")" + name + R"(/parlance","folder":")" + farm() + "\"" + std::string(more)),
                {"conversation", "id"});
    open(page, id);
    return id;
  }
  json::Value refused(PageClient& page, std::string_view type, std::string_view members) {
    const std::string number = page.request(type, members);
    until([&] { return page.answered(number); }, type);
    EXPECT_EQ(page.type_of_answer(number), "failed");
    return page.answers.at(number);
  }
  static std::string prompt_of(const std::string& id, const std::string& text) {
    return R"("conversation":")" + id + R"(","text":")" + text + "\"";
  }
};

// … at a gateway of `parlance up`.
using RunnerTest = WithRunners<ConversationsTest>;

}  // namespace parlance::test
