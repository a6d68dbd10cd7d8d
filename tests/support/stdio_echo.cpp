// SPDX-License-Identifier: Apache-2.0
// Echoes stdin to stdout through stdio_stream, for stdio_test. "ready" comes first; "exit" in the input ends it by exit(), with the
// stream still open.
#include <cstdio>
#include <cstdlib>
#include <string>

#include "parlance/async/loop.h"
#include "parlance/async/signals.h"
#include "parlance/transport/stdio.h"

int main() {
  using namespace parlance;
  fill_standard_descriptors();
  ignore_sigpipe();
  Loop loop;
  auto stream = stdio_stream(loop);
  if (!stream) {
    std::fprintf(stderr, "%s\n", stream.error().message.c_str());
    return 2;
  }
  std::printf("a stray print\n");  // must not reach the other side
  std::fflush(stdout);
  const auto echo = [&]() -> Task<void> {
    ByteStream& both = **stream;
    if (!co_await write_all(both, "ready\n")) co_return;
    char buffer[4096];
    for (;;) {
      const auto bytes = co_await read_some(both, buffer);
      if (!bytes || *bytes == 0) co_return;
      const BytesView text(buffer, *bytes);
      if (text.find("exit") != text.npos) std::exit(0);
      if (!co_await write_all(both, text)) co_return;
    }
  };
  loop.block_on(echo());
  return 0;
}
