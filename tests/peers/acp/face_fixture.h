// SPDX-License-Identifier: Apache-2.0
// parlance serve-acp as a program, for other vendors' clients.
#pragma once

#include <cstdlib>
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/programs.h"

namespace parlance::test {

class AcpFrontendTest : public ProgramTest {
 protected:
  static std::string packages(const std::string& peer) {
    const char* const peers = std::getenv("PARLANCE_PEERS");
    return std::string(peers != nullptr ? peers : PARLANCE_SOURCE_DIR "/.peers") + "/" + peer + "/node_modules";
  }
  // Empty, or why the test cannot run.
  static std::string missing(const std::string& peer) {
    if (std::string_view(PARLANCE_NODE).empty()) return "no node here: apt-get install nodejs, then configure again";
    if (!std::filesystem::exists(packages(peer))) return "no " + packages(peer) + ": scripts/peers.sh install " + peer;
    return "";
  }
  Variables variables(Variables more = {}) const {
    Variables all{{"PARLANCE", parlance_program()},
                  {"WORK", path("work")},
                  {"PARLANCE_STATE", path("state")},
                  {"PARLANCE_REHEARSAL_PACE_MS", "0"},
                  {"PARLANCE_MODEL", "rehearsal"}};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  // Starts our server and returns its address.
  std::string listen(Words flags, Variables more = {}) {
    Words words{parlance_program(), "serve-acp", "--port", "0"};
    words.insert(words.end(), flags.begin(), flags.end());
    server = launch(std::move(words), variables(std::move(more)));
    until([&] { return server->errors.find("listening on ") != std::string::npos; }, "a server that listens");
    const std::size_t at = server->errors.find("ws://");
    return server->errors.substr(at, server->errors.find('\n', at) - at);
  }
  // The output of a client: every line is "ok …", and the last "end".
  static void expect_all_ok(const Finished& client) {
    EXPECT_THAT(client.out, testing::Not(testing::HasSubstr("NOT "))) << client.errors;
    EXPECT_THAT(client.out, testing::EndsWith("end\n")) << client.errors;
  }
  std::unique_ptr<Program> server;
};

}  // namespace parlance::test
