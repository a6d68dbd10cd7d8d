// parlance rpc: Go net/rpc from a shell.
#include <cstdio>
#include <iostream>
#include <iterator>

#include "codec/json/typed.h"
#include "codec/json/value.h"
#include "commands.h"
#include "protocol/gorpc/client.h"
#include "protocol/gorpc/messages.h"
#include "protocol/gorpc/server.h"
#include "service/agent_link.h"
#include "supervised.h"
#include "transport/child_process.h"
#include "transport/sockets.h"

namespace parlance::app {
namespace {

// A gob sender must use exactly the types that the receiver declares, so the methods of seed 001 go through their declarations; any
// other method needs the JSON codec, where JSON is all there is.
class Method {
 public:
  virtual ~Method() = default;
  virtual Task<Result<std::string>> call(Peer& peer, std::string name, std::string json, Within time) const = 0;
  virtual void serve(Router& router, std::string name, std::function<Task<Result<std::string>>(std::string)> run) const = 0;
};

template <class P, class R>
class TypedMethod final : public Method {
 public:
  explicit TypedMethod(const wire::Call<P, R>& type) : type_(type) {}
  Task<Result<std::string>> call(Peer& peer, std::string name, std::string text, Within time) const override {
    PARLANCE_CO_TRY(parameters, json::from_text<P>(text, {.loose_names = true}));
    const Result<R> reply = co_await peer.call_named(name, type_, std::move(parameters), time);
    if (!reply) co_return std::unexpected(reply.error());
    co_return json::to_text(*reply);
  }
  void serve(Router& router, std::string name, std::function<Task<Result<std::string>>(std::string)> run) const override {
    router.on(std::move(name), type_, [run = std::move(run)](P parameters, Context&) -> Task<Result<R>> {
      PARLANCE_CO_TRY(text, co_await run(json::to_text(parameters)));
      co_return json::from_text<R>(text, {.loose_names = true});
    });
  }

 private:
  const wire::Call<P, R>& type_;
};

inline constexpr wire::Call<wire::Raw, wire::Raw> any_method{"", ""};

const Method& method_for(std::string_view name) {
  static const TypedMethod chat(gorpc::chat);
  static const TypedMethod chat_stream(gorpc::chat_stream);
  static const TypedMethod chat_cancel(gorpc::chat_cancel);
  static const TypedMethod stats(gorpc::stats);
  static const TypedMethod search(gorpc::memory_search);
  static const TypedMethod get(gorpc::memory_get);
  static const TypedMethod store(gorpc::memory_store);
  static const TypedMethod list(gorpc::memory_list);
  static const TypedMethod forget(gorpc::memory_forget);
  static const TypedMethod abilities(gorpc::abilities);
  static const TypedMethod any(any_method);
  const std::string_view method = name.substr(name.rfind('.') + 1);
  if (method == gorpc::chat.method) return chat;
  if (method == gorpc::chat_stream.method) return chat_stream;
  if (method == gorpc::chat_cancel.method) return chat_cancel;
  if (method == gorpc::stats.method) return stats;
  if (method == gorpc::memory_search.method) return search;
  if (method == gorpc::memory_get.method) return get;
  if (method == gorpc::memory_store.method) return store;
  if (method == gorpc::memory_list.method) return list;
  if (method == gorpc::memory_forget.method) return forget;
  if (method == gorpc::abilities.method) return abilities;
  return any;
}

bool is_known(std::string_view name) {
  return dynamic_cast<const TypedMethod<wire::Raw, wire::Raw>*>(&method_for(name)) == nullptr;
}

Task<void> run_peer(Peer& peer) { static_cast<void>(co_await peer.run()); }

Task<int> call_once(Loop& loop, const RpcCall& call, std::string parameters) {
  SocketPeers peers;
  if (!call.user.empty()) {
    const auto user = user_id(call.user);
    if (!user) co_return complain(user.error().in("--agent-user"), ExitCode::usage);
    peers.users.push_back(*user);
  }
  auto stream = co_await connect_to(loop, call.address, std::move(peers));
  if (!stream) co_return complain(stream.error(), ExitCode::not_started);
  auto peer = co_await gorpc::connect(
      loop, std::move(*stream), {.codec = call.json_codec ? gorpc::Codec::json : gorpc::Codec::gob, .http_path = call.http_path});
  if (!peer) co_return complain(peer.error(), ExitCode::not_started);
  Scope scope(loop);
  scope.start(run_peer(**peer));
  const auto time = within(std::chrono::duration_cast<Duration>(std::chrono::duration<double>(call.timeout_s)));
  const auto reply = co_await method_for(call.method).call(**peer, call.method, std::move(parameters), time);
  scope.cancel();
  if (!reply)
    co_return complain(reply.error().in(call.method),
                       reply.error().code == Errc::deadline_exceeded ? ExitCode::timed_out : ExitCode::failed);
  std::printf("%s\n", reply->c_str());
  co_return ExitCode::done;
}

// One run of the command a call: the parameters on its stdin, the reply from its stdout, an error from a failing exit.
Task<Result<std::string>> run_command(Loop& loop, std::string command, std::string parameters) {
  PARLANCE_CO_TRY(child, ChildProcess::start(loop, {.command = {"/bin/sh", "-c", command}}));
  const auto stream = child->take_stream();
  // Beside the reading: a command that answers before it has read everything would wait for us, and we for it.
  const auto feed = [](ByteStream& into, const std::string& text) -> Task<void> {
    static_cast<void>(co_await write_all(into, text));
    into.close_output();
  };
  Scope feeding(loop);
  feeding.start(feed(*stream, parameters));
  std::string output;
  std::vector<char> buffer(16 << 10);
  for (;;) {
    const auto got = co_await read_some(*stream, buffer);
    if (!got || *got == 0) break;
    if (output.size() + *got > limits::gob_message_bytes) co_return fail(Errc::failed, "the command's output is too large");
    output.append(buffer.data(), *got);
  }
  const ExitStatus status = co_await child->wait();
  if (status.code != 0) co_return fail(Errc::failed, status.describe());
  co_return output.empty() ? std::string("{}") : output;
}

}  // namespace

int run_rpc_call(const RpcCall& call) {
  std::string parameters = call.parameters;
  if (parameters == "-") parameters.assign(std::istreambuf_iterator<char>(std::cin), {});
  if (!call.json_codec && !is_known(call.method))
    return complain({.code = Errc::invalid_params,
                     .message = call.method + ": only the methods of our agent (Chat, ChatStream, ChatCancel, Stats, "
                                              "Abilities, MemorySearch, MemoryGet, MemoryStore, MemoryList, MemoryForget) have "
                                              "declared gob types here; use --codec json for others"},
                    ExitCode::usage);
  if (!json::is_valid(parameters))
    return complain({.code = Errc::invalid_params, .message = "the parameters are no JSON: " + parameters}, ExitCode::usage);
  Loop loop;
  return loop.block_on(call_once(loop, call, std::move(parameters)));
}

int run_rpc_serve(const RpcServe& serve) {
  Loop loop;
  Router router;
  for (const std::string& entry : serve.methods) {
    const std::size_t equals = entry.find('=');
    if (equals == std::string::npos || entry.find('.') > equals)
      return complain({.code = Errc::invalid_params, .message = "\"" + entry + "\": give Service.Method=COMMAND"},
                      ExitCode::usage);
    method_for(entry.substr(0, equals))
        .serve(router, entry.substr(0, equals), [&loop, command = entry.substr(equals + 1)](std::string parameters) {
          return run_command(loop, command, std::move(parameters));
        });
  }
  gorpc::explain_unknown_methods(router);
  EndWatch end(loop);
  gorpc::Server server(loop, router);
  const auto accept = [&](std::unique_ptr<ByteStream> stream) { server.serve(std::move(stream)); };
  const auto path = socket_path(serve.address);
  const auto tcp = parse_host_port(serve.address.starts_with("tcp:") ? std::string_view(serve.address).substr(4)
                                                                     : std::string_view(serve.address));
  if (!path && !tcp)
    return complain(
        {.code = Errc::invalid_params, .message = "\"" + serve.address + "\" is no address: give a path or host:port"},
        ExitCode::usage);
  auto listener = path ? listen_unix(loop, *path, accept) : listen_tcp(loop, *tcp, accept);
  if (!listener) return complain(listener.error(), ExitCode::not_started);
  announce_ready("rpc", (*listener)->address(), "parlance rpc: ready on " + (*listener)->address());
  loop.block_on(end.wait());
  return ExitCode::done;
}

}  // namespace parlance::app
