// SPDX-License-Identifier: Apache-2.0
// Name -> handler. Registration is explicit and reachable from main. Connections share a router, and the router outlives the
// connections.
//
//   router.on(query, [](const Query& q, Context& c) -> Task<Result<QueryResult>> { … });
//   router.on(echo, [](const Echo& e, Context&) -> Result<Echo> { … });    // answers at once: no coroutine, no allocation
//   router.on(cancelled, [](const Cancelled&, Context&) { … });            // a notice: no answer
//   router.on(update, [](const Update& u, Context&) -> Task<void> { … });  // a slow notice: see peer.h
//
// Handlers run on the loop thread and must not destroy the calling peer (post such work to the loop). Parameters of a coroutine
// live until the coroutine ends. A handler removed while running, also by itself, runs to its end.
#pragma once

#include <concepts>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "parlance/async/task.h"
#include "parlance/base/clock.h"
#include "parlance/base/text.h"
#include "parlance/peer/message.h"
#include "parlance/wire/call.h"

namespace parlance {

class Peer;

// A handler's information about its call.
struct Context {
  Peer& peer;
  RequestId id{};  // absent for notices
  std::string method{};
  TimePoint deadline = never;
};

// The answer channel of a handler. A coroutine keeps the object; dropping the object without an answer answers `internal`.
class RunningCall {
 public:
  virtual Context& context() = 0;
  virtual void answer(const wire::Type& type, const void* result) = 0;
  virtual void answer(Error error) = 0;
  virtual ~RunningCall() = default;
};

class Handler {
 public:
  virtual ~Handler() = default;
  // Reads the parameters. Answers at once through `now` and returns an empty task, or returns a task that answers through the
  // call made by `keep`. An error is the answer.
  virtual Result<Task<void>> begin(const Body* body, RunningCall& now,
                                   const std::function<std::unique_ptr<RunningCall>()>& keep) = 0;
};

namespace detail {

template <class T>
inline constexpr bool is_task = false;
template <class T>
inline constexpr bool is_task<Task<T>> = true;

template <class P>
Result<void> read_parameters(const Body* body, P& into) {
  if (body != nullptr) return body->read(wire::type_of<P>(), &into);
  // Absent parameters are an empty object: an error only where something is required.
  for (const wire::Field& field : wire::type_of<P>().fields)
    if (field.presence == wire::Presence::required)
      return fail(Errc::invalid_params, "$." + std::string(field.name) + ": missing");
  return {};
}

// The only place for an exception of a waiting handler: logs the exception, and answers `internal`.
void handler_threw(RunningCall& call, const std::exception& bug);

template <class P, class R, class F>
class TypedHandler final : public Handler {
 public:
  explicit TypedHandler(F handler) : handler_(std::make_shared<F>(std::move(handler))) {}

  Result<Task<void>> begin(const Body* body, RunningCall& now,
                           const std::function<std::unique_ptr<RunningCall>()>& keep) override {
    using Returned = std::invoke_result_t<F&, P&, Context&>;
    if constexpr (is_task<Returned>) {
      auto parameters = std::make_unique<P>();  // a coroutine with parameters by value moves twice
      if (Result<void> read = read_parameters(body, *parameters); !read) return std::unexpected(std::move(read).error());
      return run(handler_, keep(), std::move(parameters));
    } else {
      P parameters{};
      if (Result<void> read = read_parameters(body, parameters); !read) return std::unexpected(std::move(read).error());
      const std::shared_ptr<F> handler = handler_;  // the handler may remove itself
      if constexpr (std::is_void_v<Returned>) (*handler)(parameters, now.context());
      else answer(now, (*handler)(parameters, now.context()));
      return Task<void>{};
    }
  }

 private:
  static void answer(RunningCall& call, Result<R>&& result) {
    if (result) call.answer(wire::type_of<R>(), &*result);
    else call.answer(std::move(result).error());
  }

  static Task<void> run(std::shared_ptr<F> handler, std::unique_ptr<RunningCall> call, std::unique_ptr<P> parameters) {
    using Returned = std::invoke_result_t<F&, P&, Context&>;
    try {
      if constexpr (std::same_as<Returned, Task<void>>) co_await (*handler)(*parameters, call->context());
      else answer(*call, co_await (*handler)(*parameters, call->context()));
    } catch (const std::exception& bug) {
      handler_threw(*call, bug);
    }
  }

  std::shared_ptr<F> handler_;
};

}  // namespace detail

class Router {
 public:
  struct Entry {
    std::unique_ptr<Handler> handler;
    bool notice = false;
  };

  template <class P, class R, class F>
  void on(const wire::Call<P, R>& call, F handler) {
    add(std::string(call.method), {std::make_unique<detail::TypedHandler<P, R, F>>(std::move(handler)), false});
  }
  // The same handler under another name ("Agent.Chat" for "RPCService.Chat").
  template <class P, class R, class F>
  void on(std::string method, const wire::Call<P, R>&, F handler) {
    add(std::move(method), {std::make_unique<detail::TypedHandler<P, R, F>>(std::move(handler)), false});
  }
  template <class P, class F>
  void on(const wire::Notice<P>& notice, F handler) {
    add(std::string(notice.method), {std::make_unique<detail::TypedHandler<P, wire::Nothing, F>>(std::move(handler)), true});
  }

  // A notice with an undeclared body, or with a handler that rarely waits (`begin` returns an empty task).
  void on_notice(std::string method, std::unique_ptr<Handler> handler) { add(std::move(method), {std::move(handler), true}); }

  // The message for an unknown method; by default "unknown method: NAME".
  void on_unknown(std::function<Error(std::string_view method)> explain) { explain_ = std::move(explain); }
  Error unknown(std::string_view method) const;

  // A protocol with mostly nameless notices needs no look-up.
  const Entry* find(std::string_view method) const {
    if (method.empty()) return nameless_;
    const auto found = entries_.find(method);
    return found == entries_.end() ? nullptr : &found->second;
  }
  bool has(std::string_view method) const { return find(method) != nullptr; }
  std::vector<std::string_view> methods() const;  // and notices, by name
  bool remove(std::string_view method);           // false: no such method

 private:
  void add(std::string method, Entry entry);
  std::unordered_map<std::string, Entry, TextHash, std::equal_to<>> entries_;
  const Entry* nameless_ = nullptr;  // in the entries: a move of the router keeps the addresses of the entries
  std::function<Error(std::string_view)> explain_;
};

}  // namespace parlance
