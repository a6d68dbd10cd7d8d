// SPDX-License-Identifier: Apache-2.0
// `parlance up` in a folder of the test: gateway and rehearsal agent on a free port and a socket of its own.
#pragma once

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <stdexcept>

#include <gmock/gmock.h>

#include "parlance/process/strays.h"
#include "parlance/transport/http/http_client.h"
#include "tests/support/programs.h"

namespace parlance::test {

class UpTest : public ProgramTest {
 protected:
  // A mark in the environment of every process of the test's `up`, to find all of them regardless of their parent.
  static constexpr const char* mark_name = "SYSTEM_TEST_MARK";

  Words up_words(Words more = {}) const {
    Words words =
        with_program({"up", "--listen", "127.0.0.1:0", "--embed-listen", "127.0.0.1:0", "--agent-socket", socket(), "--state",
                      state(), "--ready-file", ready_file(), "--folder", work(), "--rehearsal-pace-ms", "0"});
    // Installed agents of the machine would come before the rehearsal.
    if (std::ranges::find(more, "--default-agent") == more.end()) words.insert(words.end(), {"--default-agent", "parlance"});
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  std::string socket() const { return path("agent.sock"); }
  std::string state() const { return path("state"); }
  std::string ready_file() const { return path("ready.json"); }
  std::string work() const { return path("work"); }

  std::unique_ptr<Program> launch_up(Words more = {}, Variables set = {}) {
    std::filesystem::create_directories(work());
    set.emplace_back(mark_name, folder());
    set.emplace_back("PARLANCE_DUMPABLE", "1");  // otherwise only root could read the mark
    return launch(up_words(std::move(more)), std::move(set));
  }
  // Ready, or the test has failed.
  void start_up(Words more = {}, Variables set = {}) {
    up = launch_up(std::move(more), std::move(set));
    until_file(ready_file(), [&] { return !read_file(ready_file()).empty() || up->ended(); }, "the ready file");
    if (up->ended()) throw std::runtime_error("up ended: " + up->errors);
    ready = parsed(read_file(ready_file()));
    base = text_at(ready, {"services", "gateway", "address"});
    token = text_at(ready, {"token"});
  }
  // As if the power had failed.
  void kill_everything() {
    const std::vector<pid_t> killed = marked_processes();
    for (const pid_t pid : killed) ::kill(pid, SIGKILL);
    for (const pid_t pid : killed) EXPECT_TRUE(Watched(pid).ends_within());
    until([&] { return up->ended(); }, "the end of everything");
    up.reset();
    std::filesystem::remove(ready_file());
  }

  pid_t service_pid(std::string_view service) const {
    return static_cast<pid_t>(at(ready, {"services", service}).integer_or("pid", 0));
  }

  HttpRequest request(std::string method, std::string_view address, std::string body = "") const {
    return {.method = std::move(method),
            .url = base + std::string(address),
            .headers = {{"Authorization", "Bearer " + token}, {"Content-Type", "application/json"}},
            .body = std::move(body),
            .total_timeout = std::chrono::duration_cast<std::chrono::milliseconds>(long_enough)};
  }
  Result<HttpResponse> send(HttpRequest wanted) { return get(client.fetch(std::move(wanted))); }
  HttpResponse answer(std::string method, std::string_view address, std::string body = "") {
    auto response = send(request(std::move(method), address, std::move(body)));
    if (!response) throw std::runtime_error(response.error().message);
    return *std::move(response);
  }
  // "ready", "starting", "down", or "" when the gateway does not answer.
  std::string agent_state() {
    const auto health = send(request("GET", "health"));
    return health && health->status == 200 ? text_at(parsed(health->body), {"services", "0", "state"}) : "";
  }
  std::string chat(std::string_view text) {
    const auto response =
        answer("POST", "v1/chat/completions",
               R"({"model":"rehearsal","messages":[{"role":"user","content":")" + std::string(text) + R"("}]})");
    return response.status == 200 ? text_at(parsed(response.body), {"choices", "0", "message", "content"}) : response.body;
  }

  // Processes of the test's `up` and below, by the mark in their environment.
  std::vector<pid_t> marked_processes() const { return processes_with(mark_name, folder()); }

  HttpClient client{loop};
  std::unique_ptr<Program> up;
  json::Value ready;
  std::string base;  // "http://127.0.0.1:PORT/"
  std::string token;
};

}  // namespace parlance::test
