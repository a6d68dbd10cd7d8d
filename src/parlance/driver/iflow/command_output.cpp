// SPDX-License-Identifier: Apache-2.0
#include "parlance/driver/iflow/command_output.h"

#include <utility>

#include "parlance/process/child_process.h"

namespace parlance::driver {
namespace {

Task<Result<std::string>> run(Loop& loop, ChildSettings settings, std::size_t most) {
  const std::string name = settings.command.front();
  settings.stdin_from = ChildSettings::Stdin::null;
  PARLANCE_CO_TRY(child, ChildProcess::start(loop, std::move(settings)));
  const std::unique_ptr<ByteStream> stream = child->take_stream();
  std::string out;
  char buffer[4096];
  while (true) {
    const Result<std::size_t> read = co_await read_some(*stream, buffer);
    if (!read || *read == 0) break;
    out.append(buffer, *read);
    if (out.size() > most) co_return fail(Errc::overloaded, name + " prints more than " + std::to_string(most) + " bytes");
  }
  const ExitStatus status = co_await child->wait();
  if (status.code != 0) co_return fail(Errc::failed, name + ": " + status.describe());
  co_return out;
}

}  // namespace

Task<Result<std::string>> output_of(Loop& loop, ChildSettings settings, std::chrono::milliseconds patience, std::size_t most) {
  const std::string name = settings.command.front();
  Result<std::string> out = co_await with_deadline(loop, loop.now() + patience, run(loop, std::move(settings), most));
  if (!out && out.error().code == Errc::deadline_exceeded)
    co_return fail(Errc::deadline_exceeded, name + " has not ended within " + std::to_string(patience.count()) + " ms");
  co_return out;
}

}  // namespace parlance::driver
