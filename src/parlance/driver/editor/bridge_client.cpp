// SPDX-License-Identifier: Apache-2.0
#include "parlance/driver/editor/bridge_client.h"

#include <future>
#include <string_view>
#include <thread>
#include <utility>

#include "parlance/async/scope.h"
#include "parlance/codec/json/value.h"
#include "parlance/driver/editor/no_response.h"

namespace parlance::driver {
namespace {

using Answer = Result<std::string>;
constexpr auto any_method = wire::any_call();

Error in_words(Error error, std::string_view method, std::chrono::milliseconds timeout) {
  if (error.code == Errc::deadline_exceeded) {
    error.message = no_response(method, timeout);
  } else if (!error.data.empty() && error.code != Errc::disconnected) {  // an answer of the editor
    error.message = "RPC Error: " + error.message;
  }
  return error;
}

Task<void> ask(Peer* peer, Error why_not, std::string method, std::string params, std::chrono::milliseconds timeout,
               std::shared_ptr<std::promise<Answer>> into) {
  if (peer == nullptr) {
    into->set_value(fail(Errc::disconnected, "No editor is connected: " + why_not.message));
    co_return;
  }
  const Within time = timeout.count() == 0 ? no_deadline : within(timeout);
  auto answer = co_await peer->call_named(method, any_method, wire::Raw{std::move(params)}, time);
  if (answer) into->set_value(std::move(answer->json));
  else into->set_value(std::unexpected(in_words(std::move(answer).error(), method, timeout)));
}

std::unexpected<Error> closed() { return fail(Errc::disconnected, "The connection to the editor is closed"); }

}  // namespace

struct BridgeClient::Running {
  Loop loop;
  std::unique_ptr<EditorLink> link;    // one of the two
  std::unique_ptr<WindowLink> window;  // …
  std::unique_ptr<Scope> scope = std::make_unique<Scope>(loop);
  std::thread thread;

  // All users of the link end on this thread, before the link.
  void live() {
    if (window) scope->start(window->run());
    else scope->start([](EditorLink& over) -> Task<void> { co_await over.run(); }(*link));
    loop.run();
    scope->cancel();
    scope.reset();
    link.reset();
    window.reset();
  }
  void close() const {
    if (link) link->close();
    else window->close();
  }
  Task<void> send(std::string method, std::string params, std::chrono::milliseconds timeout,
                  std::shared_ptr<std::promise<Answer>> into) {
    if (window) co_await window->tried();
    Peer* const peer = window ? window->peer() : &link->peer();
    co_await ask(peer, window ? window->why_not() : Error{}, std::move(method), std::move(params), timeout, std::move(into));
  }
};

BridgeClient::BridgeClient(Open open, EditorHandlers handlers) : open_(std::move(open)), handlers_(std::move(handlers)) {}
BridgeClient::BridgeClient(WindowSettings window) : window_(std::move(window)) {}
BridgeClient::~BridgeClient() { stop(); }

Result<void> BridgeClient::start() {
  const std::lock_guard lock(mutex_);
  if (running_) return {};
  auto running = std::make_unique<Running>();
  if (window_) {
    running->window = std::make_unique<WindowLink>(running->loop, *window_);
  } else {
    PARLANCE_TRY(stream, open_(running->loop));
    running->link = std::make_unique<EditorLink>(running->loop, std::move(stream), handlers_);
  }
  running->thread = std::thread([run = running.get()] { run->live(); });
  running_ = std::move(running);
  return {};
}

void BridgeClient::stop() {
  std::unique_ptr<Running> ending;
  {
    const std::lock_guard lock(mutex_);
    ending = std::move(running_);
  }
  if (!ending) return;
  // Two turns of the loop: waiting callers get their error in the first.
  ending->loop.post([run = ending.get()] { run->close(); });
  ending->loop.post([run = ending.get()] { run->loop.stop(); });
  ending->thread.join();
}

Result<std::string> BridgeClient::send_request(std::string method, std::string params_json, std::chrono::milliseconds timeout) {
  if (const auto params = json::parse(params_json); !params || params->object() == nullptr)
    return fail(Errc::invalid_params, method + ": the parameters must be a JSON object");
  const auto into = std::make_shared<std::promise<Answer>>();
  auto answer = into->get_future();
  {
    const std::lock_guard lock(mutex_);
    if (!running_) return closed();
    running_->loop.post([run = running_.get(), method = std::move(method), params = std::move(params_json), timeout,
                         into]() mutable { run->scope->start(run->send(std::move(method), std::move(params), timeout, into)); });
  }
  return answer.get();
}

void BridgeClient::print(std::string text) {
  const std::lock_guard lock(mutex_);
  if (!running_ || window_) return;
  running_->loop.post([run = running_.get(), said = std::move(text)] { run->link->print(said); });
}

}  // namespace parlance::driver
