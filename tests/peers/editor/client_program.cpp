// SPDX-License-Identifier: Apache-2.0
// A program that asks the editor which started it, by the calls for programs without a loop; what it hears it says on stderr.
#include <cstdio>
#include <thread>
#include <vector>

#include "parlance/driver/editor/mode.h"

int main() {
  const auto ask = [](const char* method, const char* params = "{}",
                      std::chrono::milliseconds timeout = std::chrono::seconds(10)) {
    const auto answer = parlance::driver::send_vscode_request(method, params, timeout);
    std::fprintf(stderr, "%s: %s\n", method, answer ? answer->c_str() : answer.error().message.c_str());
    return answer.has_value();
  };
  if (!ask("getActiveFile")) return 1;
  ask("showDiff", R"({"title":"T","originalPath":"/w/a","modifiedContent":"é"})");
  ask("fly");
  ask("never", "{}", std::chrono::milliseconds(50));
  std::vector<std::thread> all;
  for (int i = 0; i < 8; ++i) all.emplace_back([] { parlance::driver::send_vscode_request("ping").value_or(""); });
  for (std::thread& one : all) one.join();
  ask("ping");
  std::printf("a stray print\n");  // must not get between the messages
  return 0;
}
