// SPDX-License-Identifier: Apache-2.0
// A Go net/rpc server in C++: the Arith.Multiply of Go's own documentation. Clients may speak gob or JSON; the server sees which.
// Prints its address, and serves until Ctrl-C.
#include <csignal>
#include <iostream>

#include "parlance/async/signals.h"
#include "parlance/protocol/gorpc/server.h"
#include "parlance/transport/sockets.h"

using namespace parlance;

// type Args struct { A, B int }. The table is all that gob, JSON and the documentation know of it.
struct Args {
  std::int64_t a = 0;
  std::int64_t b = 0;
  static constexpr auto wire = wire::fields(wire::field<&Args::a>("A", "A factor."), wire::field<&Args::b>("B", "The other."));
};
constexpr auto methods = wire::methods(wire::call<Args, std::int64_t>("Arith.Multiply", "Multiplies."));
constexpr const auto& multiply = wire::method<methods, "Arith.Multiply">;

int main() {
  ignore_sigpipe();
  Loop loop;  // the one thread where handlers run
  Router router;
  router.on(multiply, [](const Args& args, Context&) -> Result<std::int64_t> {
    std::int64_t product = 0;
    if (__builtin_mul_overflow(args.a, args.b, &product)) return fail(Errc::invalid_params, "the product is too large");
    return product;
  });
  gorpc::explain_unknown_methods(router);
  gorpc::Server server(loop, router);
  const auto listener = listen_tcp(loop, {.host = "127.0.0.1", .port = 0}, [&](auto stream) { server.serve(std::move(stream)); });
  if (!listener) {
    std::cerr << listener.error().message << '\n';
    return 1;
  }
  std::cout << (*listener)->address() << std::endl;
  SignalWatch signals(loop, {SIGINT, SIGTERM});
  loop.block_on(signals.next());
}
