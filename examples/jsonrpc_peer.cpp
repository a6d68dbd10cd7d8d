// SPDX-License-Identifier: Apache-2.0
// A JSON-RPC 2.0 peer on stdin and stdout, one message a line. Either side may call the other: who asks for a greeting is asked for
// the name first, while the greeting waits.
//
//   -> {"jsonrpc":"2.0","id":1,"method":"greet"}
//   <- {"jsonrpc":"2.0","id":1,"method":"name","params":{}}
//   -> {"jsonrpc":"2.0","id":1,"result":{"text":"Ada"}}
//   <- {"jsonrpc":"2.0","id":1,"result":{"text":"Hello, Ada"}}
#include <iostream>

#include "parlance/peer/peer.h"
#include "parlance/protocol/jsonrpc/dialect.h"
#include "parlance/transport/framed_stream.h"
#include "parlance/transport/stdio.h"

using namespace parlance;

struct Words {
  std::string text;
  static constexpr auto wire = wire::fields(wire::field<&Words::text>("text", "What is said."));
};
constexpr auto methods = wire::methods(wire::call<wire::Nothing, Words>("greet", "Says hello."),
                                       wire::call<wire::Nothing, Words>("name", "Who are you?"));
constexpr const auto& greet = wire::method<methods, "greet">;  // what we serve
constexpr const auto& name = wire::method<methods, "name">;    // what we ask

int main() {
  Loop loop;
  Router router;
  router.on(greet, [](const wire::Nothing&, Context& context) -> Task<Result<Words>> {
    PARLANCE_CO_TRY(who, co_await context.peer.call(name, {}, within(std::chrono::seconds(10))));  // an error is the answer
    co_return Words{"Hello, " + who.text};
  });
  auto stream = stdio_stream(loop);
  if (!stream) {
    std::cerr << stream.error().message << '\n';
    return 1;
  }
  Peer peer(loop, framed_stream(loop, *std::move(stream), line_framing()), jsonrpc::dialect(), router);
  loop.block_on(peer.run());  // until the other side ends its output
}
