// SPDX-License-Identifier: Apache-2.0
// A Go net/rpc client. Errors of the other side are text only: Errc::failed, except the sentences of net/rpc itself.
// Loop thread only.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "parlance/peer/peer.h"
#include "parlance/transport/byte_stream.h"

namespace parlance::gorpc {

enum class Codec { gob, json };

struct ClientSettings {
  Codec codec = Codec::gob;
  std::string http_path{};  // Not empty: sends HTTP CONNECT to this path first ("/_goRPC_").
  // Every call carries a wire::Raw without a declared gob type. The type is inferred from the value (codec/gob/infer.h), or is
  // this type in Go's notation. With gob only; calls of declared types are refused.
  bool undeclared = false;
  std::string argument_type{};
  PeerSettings peer{};
};

// A peer over the stream; the caller starts run(). With http_path, the CONNECT is done first.
Task<Result<std::unique_ptr<Peer>>> connect(Loop& loop, std::unique_ptr<ByteStream> stream, ClientSettings settings = {});

// "RPCService.Chat" for chat.
template <class P, class R>
std::string method_of(std::string_view service, const wire::Call<P, R>& call) {
  return std::string(service) + "." + std::string(call.method);
}

}  // namespace parlance::gorpc
