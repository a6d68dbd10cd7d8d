// SPDX-License-Identifier: Apache-2.0
// parlance rpc: Go net/rpc from a shell.
#include <cstdio>
#include <iostream>
#include <iterator>
#include <map>
#include <memory>

#include <CLI/CLI.hpp>

#include "apps/parlance/checks.h"
#include "apps/parlance/commands.h"
#include "apps/parlance/supervise/supervised.h"
#include "parlance/codec/gob/described.h"
#include "parlance/codec/gob/infer.h"
#include "parlance/codec/gob/limits.h"
#include "parlance/codec/json/typed.h"
#include "parlance/codec/json/value.h"
#include "parlance/driver/gorpc/agent_link.h"
#include "parlance/process/child_process.h"
#include "parlance/protocol/gorpc/client.h"
#include "parlance/protocol/gorpc/messages.h"
#include "parlance/protocol/gorpc/server.h"
#include "parlance/transport/sockets.h"

namespace parlance::app {
namespace {

struct RpcCall {
  std::string address;
  std::string method;      // Service.Method
  std::string parameters;  // JSON; "-" reads stdin
  std::string codec = "gob";
  std::string type;  // of the parameters, in Go's notation; empty: declared, or inferred
  std::string http_path;
  std::string user;  // owner of the socket besides this user and root
  double timeout_s = 30;
};

struct RpcServe {
  std::string address;
  std::vector<std::string> methods;  // Service.Method=COMMAND
};

// A gob sender must use types that fit the receiver's declarations, so the methods of our agent use their declarations. For other
// methods, the type comes from the JSON or from a person; a reply contains its own type.
class Method {
 public:
  virtual ~Method() = default;
  virtual Result<void> check(std::string_view json) const = 0;  // whether these can be its parameters
  virtual Task<Result<std::string>> call(Peer& peer, std::string name, std::string json, Within time) const = 0;
  virtual void serve(Router& router, std::string name, std::function<Task<Result<std::string>>(std::string)> run) const = 0;
};

template <class P, class R>
class TypedMethod final : public Method {
 public:
  explicit TypedMethod(const wire::Call<P, R>& type) : type_(type) {}
  Result<void> check(std::string_view text) const override {
    PARLANCE_TRY_DO(json::from_text<P>(text, {.loose_names = true, .known_only = true}));
    return {};
  }
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

constexpr auto any_method = wire::any_call();

const Method& method_for(std::string_view name) {
  static const TypedMethod any(any_method);
  static const auto known = [] {
    std::map<std::string_view, std::unique_ptr<Method>> all;
    gorpc::methods.each([&]<class P, class R>(const wire::Call<P, R>& call) {
      all.emplace(call.method, std::make_unique<TypedMethod<P, R>>(call));
    });
    return all;
  }();
  const auto found = known.find(name.substr(name.rfind('.') + 1));
  if (found == known.end()) return any;
  return *found->second;
}

bool is_known(std::string_view name) {
  return dynamic_cast<const TypedMethod<wire::Raw, wire::Raw>*>(&method_for(name)) == nullptr;
}

// The declared types if present, unless a person gives another type.
const Method& method_for(const RpcCall& call) {
  static const TypedMethod any(any_method);
  return call.type.empty() ? method_for(call.method) : any;
}

Task<void> run_peer(Peer& peer) { static_cast<void>(co_await peer.run()); }

int exit_code_of(const Error& error) { return error.code == Errc::deadline_exceeded ? ExitCode::timed_out : ExitCode::failed; }

// Whether the parameters fit this type, or an inferred type; checked before the connection.
Result<void> check_undeclared(const std::string& type, const std::string& parameters) {
  PARLANCE_TRY(value, json::parse(parameters));
  gob::Inferred argument{.type = type, .value = std::move(value)};
  if (type.empty()) {
    PARLANCE_TRY(inferred, gob::infer(argument.value));
    argument = std::move(inferred);
  }
  std::string encoded;
  return gob::DescribedEncoder().encode(encoded, argument.type, argument.value);
}

Task<int> call_once(Loop& loop, const RpcCall& call, std::string parameters) {
  SocketPeers peers;
  if (!call.user.empty()) {
    const auto user = user_id(call.user);
    if (!user) co_return complain(user.error().in("--agent-user"), ExitCode::usage);
    peers.users.push_back(*user);
  }
  auto stream = co_await connect_to(loop, call.address, std::move(peers));
  if (!stream) co_return complain(stream.error(), ExitCode::not_started);
  const bool json = call.codec == "json";
  auto peer = co_await gorpc::connect(loop, std::move(*stream),
                                      {.codec = json ? gorpc::Codec::json : gorpc::Codec::gob,
                                       .http_path = call.http_path,
                                       .undeclared = !json && (!call.type.empty() || !is_known(call.method)),
                                       .argument_type = call.type});
  if (!peer) co_return complain(peer.error(), ExitCode::not_started);
  Scope scope(loop);
  scope.start(run_peer(**peer));
  const auto time = within(std::chrono::duration_cast<Duration>(std::chrono::duration<double>(call.timeout_s)));
  const auto reply = co_await method_for(call).call(**peer, call.method, std::move(parameters), time);
  scope.cancel();
  if (!reply) co_return complain(reply.error().in(call.method), exit_code_of(reply.error()));
  std::printf("%s\n", reply->c_str());
  co_return ExitCode::done;
}

// Runs the command once for each call: the parameters on its stdin, the reply from its stdout, an error for a failing exit.
Task<Result<std::string>> run_command(Loop& loop, std::string command, std::string parameters) {
  PARLANCE_CO_TRY(child, ChildProcess::start(loop, {.command = {"/bin/sh", "-c", command}, .withheld = Withheld::own_secrets}));
  const auto stream = child->take_stream();
  // In parallel with reading: a command that answers before reading all its input would otherwise deadlock.
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
    if (output.size() + *got > limits::gob_message_bytes)
      co_return fail(Errc::failed, "the output of the command is larger than " + std::to_string(limits::gob_message_bytes >> 20) +
                                       " MiB, the limit of a message: print less");
    output.append(buffer.data(), *got);
  }
  const ExitStatus status = co_await child->wait();
  if (status.code != 0) co_return fail(Errc::failed, status.describe());
  co_return output.empty() ? std::string("{}") : output;
}

int run_rpc_call(const RpcCall& call) {
  std::string parameters = call.parameters;
  if (parameters == "-") parameters.assign(std::istreambuf_iterator<char>(std::cin), {});
  if (call.codec == "json" && !call.type.empty())
    return complain({.code = Errc::invalid_params, .message = "--type is of gob: JSON has no types"}, ExitCode::usage);
  if (!json::is_valid(parameters))
    return complain({.code = Errc::invalid_params, .message = "the parameters are no JSON: " + parameters}, ExitCode::usage);
  if (const auto fits = method_for(call).check(parameters); !fits)
    return complain(fits.error().in(call.method + ": the parameters"), ExitCode::usage);
  if (call.codec != "json" && (!call.type.empty() || !is_known(call.method)))
    if (const auto fits = check_undeclared(call.type, parameters); !fits)
      return complain(fits.error().in(call.method + ": the parameters"), ExitCode::usage);
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

}  // namespace

Action declare_rpc_call(CLI::App& app) {
  auto call = std::make_shared<RpcCall>();
  app.add_option("address", call->address, "A socket's path, or host:port.")->required();
  app.add_option("method", call->method, "Service.Method.")->required();
  app.add_option("parameters", call->parameters, "JSON; - reads from stdin.")->default_val("{}");
  app.add_option("--codec", call->codec, "Encoding of the values.")->check(CLI::IsMember({"gob", "json"}))->capture_default_str();
  app.add_option("--type", call->type,
                 "Go type of the parameters. Default: the type of the method, or a type inferred from the JSON.")
      ->type_name("TYPE");
  app.add_option("--http", call->http_path, "Path for a connection over HTTP CONNECT, usually /_goRPC_.")->type_name("PATH");
  app.add_option("--agent-user", call->user, "User whose socket is accepted, in addition to yours and root's.")
      ->type_name("USER");
  app.add_option("--timeout", call->timeout_s, "Seconds to wait for the reply.")
      ->check(seconds_above_zero())
      ->type_name("SECONDS")
      ->capture_default_str();
  return [call](const Settings&, const Words&) { return run_rpc_call(*call); };
}

Action declare_rpc_serve(CLI::App& app) {
  auto serve = std::make_shared<RpcServe>();
  app.add_option("address", serve->address, "A socket's path, or host:port.")->required();
  app.add_option("methods", serve->methods, "Service.Method=COMMAND, any number.")->required();
  return [serve](const Settings&, const Words&) { return run_rpc_serve(*serve); };
}

}  // namespace parlance::app
