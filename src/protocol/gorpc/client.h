// A Go net/rpc client. Errors of the other side are text only: Errc::failed, except the sentences of net/rpc itself.
// Loop thread only.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "base/limits.h"
#include "peer/peer.h"
#include "transport/byte_stream.h"

namespace parlance::gorpc {

enum class Codec { gob, json };

struct ClientSettings {
  Codec codec = Codec::gob;
  std::string http_path{};  // not empty: HTTP CONNECT to this path first ("/_goRPC_")
  PeerSettings peer{};
};

// A peer over the stream; run() must be started by the caller. With http_path the CONNECT is done first.
Task<Result<std::unique_ptr<Peer>>> connect(Loop& loop, std::unique_ptr<ByteStream> stream, ClientSettings settings = {});

// "RPCService.Chat" for chat.
template <class P, class R>
std::string method_of(std::string_view service, const wire::Call<P, R>& call) {
  return std::string(service) + "." + std::string(call.method);
}

}  // namespace parlance::gorpc
