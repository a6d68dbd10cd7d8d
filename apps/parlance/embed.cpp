// SPDX-License-Identifier: Apache-2.0
// parlance embed: the embedding service, by the built-in embedder or in front of another service.
#include "apps/parlance/commands.h"
#include "apps/parlance/config/embed_address.h"
#include "apps/parlance/embedding.h"
#include "apps/parlance/supervise/supervised.h"
#include "parlance/base/log.h"
#include "parlance/server/embed/embed_over_http.h"

namespace parlance::app {
namespace {

using namespace std::chrono_literals;

constexpr auto embed_drain_time = 3s;  // running requests may end; then connections are closed

}  // namespace

int run_embed(const Settings& settings) {
  const auto listen = parse_host_port(settings.text("embed-listen"));
  if (!listen)
    return complain({.code = Errc::invalid_params,
                     .message = "--embed-listen: \"" + settings.text("embed-listen") +
                                "\" is no address; give ADDR:PORT, for example 127.0.0.1:50001"},
                    ExitCode::usage);
  Loop loop;
  const auto chosen = choose_embedder(loop, settings, "embed-backend");
  if (!chosen) return complain(chosen.error(), ExitCode::usage);

  server::EmbedServiceSettings wanted{.listen = *listen, .backend = chosen->backend};
  wanted.http.both_loopbacks = settings["embed-listen"].origin == default_origin;
  auto service = std::make_unique<server::EmbedOverHttp>(loop, *chosen->embedder, wanted);
  auto started = service->start();
  // The person did not choose the default port. If another program uses it, the service takes a free port, and `parlance up` reports the
  // port.
  if (!started && started.error().code != Errc::invalid_params && is_supervised() &&
      settings["embed-listen"].origin == default_origin) {
    log(LogLevel::info, "the usual port is taken", {{"address", settings.text("embed-listen")}});
    wanted.listen.port = 0;
    service = std::make_unique<server::EmbedOverHttp>(loop, *chosen->embedder, wanted);
    started = service->start();
  }
  if (!started) {
    const Error error = started.error().code == Errc::invalid_params
                            ? started.error()
                            : Error{.code = started.error().code,
                                    .message = started.error().message +
                                               " (another embedding service? --embed-listen chooses "
                                               "another address)"};
    return complain(error, started.error().code == Errc::invalid_params ? ExitCode::usage : ExitCode::not_started);
  }
  EndWatch end(loop);
  const PublishedEmbedAddress published(settings, service->url());
  announce_ready("embed", service->url(), "parlance embed: ready on " + service->url() + ", " + chosen->backend);
  const auto serve = [&]() -> Task<void> {
    co_await end.wait();
    co_await service->drain(loop.now() + embed_drain_time);
  };
  loop.block_on(serve());
  return ExitCode::done;
}

}  // namespace parlance::app
