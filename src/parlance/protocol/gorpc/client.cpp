// SPDX-License-Identifier: Apache-2.0
#include "parlance/protocol/gorpc/client.h"

#include <array>

#include "parlance/codec/gob/limits.h"
#include "parlance/protocol/gorpc/dialect.h"
#include "parlance/protocol/gorpc/framing.h"
#include "parlance/protocol/gorpc/opening.h"
#include "parlance/transport/framed_stream.h"

namespace parlance::gorpc {
namespace {

const Router& nothing_served() {
  static const Router router;
  return router;
}

// Go's server loses bytes that come together with the CONNECT, so nothing is sent before its answer.
Task<Result<Bytes>> http_connect(ByteStream& stream, const std::string& path) {
  const std::string request = "CONNECT " + path + " HTTP/1.0\n\n";
  if (const auto written = co_await write_all(stream, request); !written) co_return std::unexpected(written.error());
  Bytes answer;
  for (;;) {
    const HttpOpening head = read_http_head(answer);
    if (head.broken) co_return fail(Errc::failed, "unexpected HTTP response: " + answer.substr(0, 80));
    if (head.complete) {
      const std::string_view status = std::string_view(answer).substr(0, answer.find_first_of("\r\n"));
      if (!status.ends_with(" 200 Connected to Go RPC"))
        co_return fail(Errc::failed, "unexpected HTTP response: " + std::string(status));
      co_return answer.substr(head.consumed);
    }
    std::array<char, 256> buffer;
    const auto got = co_await read_some(stream, buffer);
    if (!got) co_return std::unexpected(got.error());
    if (*got == 0) co_return fail(Errc::disconnected, "closed instead of answering CONNECT");
    answer.append(buffer.data(), *got);
  }
}

}  // namespace

Task<Result<std::unique_ptr<Peer>>> connect(Loop& loop, std::unique_ptr<ByteStream> stream, ClientSettings settings) {
  Bytes rest;
  if (!settings.http_path.empty()) {
    PARLANCE_CO_TRY(read, co_await http_connect(*stream, settings.http_path));
    rest = std::move(read);
  }
  const bool json = settings.codec == Codec::json;
  auto frames = framed_stream(loop, std::move(stream), json ? json_object_framing(limits::gob_message_bytes) : gob_framing(),
                              {.already_read = std::move(rest)});
  auto pool = std::make_shared<gob::TypePool>();
  auto dialect = json                  ? json_dialect(Role::client)
                 : settings.undeclared ? undeclared_gob_dialect(std::move(pool), settings.argument_type)
                                       : gob_dialect(Role::client, std::move(pool));
  co_return std::make_unique<Peer>(loop, std::move(frames), std::move(dialect), nothing_served(), std::move(settings.peer));
}

}  // namespace parlance::gorpc
