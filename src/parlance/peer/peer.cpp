// SPDX-License-Identifier: Apache-2.0
#include "parlance/peer/peer.h"

#include <vector>

#include "parlance/base/log.h"
#include "parlance/transport/limits.h"

namespace parlance {
namespace {

// Far above the mark at which producers wait: more than the largest frame, so that a frame always fits.
constexpr std::size_t refuse_notices_bytes = limits::frame_bytes + limits::write_queue_bytes;

Error closed_error(const std::string& name) {
  return {.code = Errc::disconnected, .message = name + ": the connection is closed"};
}

}  // namespace

// ---- calls of the other side -------------------------------------------------------------------------------------------

// Held by a coroutine handler; during its life, the call can be cancelled.
class Peer::Running final : public RunningCall, public ListHook {
 public:
  Running(Peer& peer, Context context) : peer_(peer), context_(std::move(context)) {
    peer_.running_.push_back(*this);
    ++peer_.running_count_;
  }
  ~Running() override {
    unlink();
    if (!answered_ && !cancelled && context_.id.present)
      peer_.answer(context_.id, context_.method, Error{.code = Errc::internal, .message = "the handler ended without an answer"});
    --peer_.running_count_;
    peer_.call_finished();
  }
  Context& context() override { return context_; }
  void answer(const wire::Type& type, const void* result) override {
    if (std::exchange(answered_, true) || !context_.id.present) return;
    peer_.answer(context_.id, context_.method, type, result);
  }
  void answer(Error error) override {
    if (std::exchange(answered_, true)) return;
    if (context_.id.present) peer_.answer(context_.id, context_.method, error);
  }
  const RequestId& id() const { return context_.id; }
  std::string_view method() const { return context_.method; }
  Scope::Handle child;
  bool cancelled = false;

 private:
  Peer& peer_;
  Context context_;
  bool answered_ = false;
};

// The call of a handler with an immediate answer: on the stack.
class Peer::Immediate final : public RunningCall {
 public:
  Immediate(Peer& peer, Message& message) : peer_(peer), message_(message) {}
  Context& context() override {
    if (!context_) context_.emplace(context_of(message_.id));
    return *context_;
  }
  // From here on, the other object answers.
  std::unique_ptr<Running> keep() { return std::make_unique<Running>(peer_, context_of(std::exchange(message_.id, {}))); }
  void answer(const wire::Type& type, const void* result) override {
    if (message_.id.present) peer_.answer(message_.id, message_.method, type, result);
  }
  void answer(Error error) override {
    if (message_.id.present) peer_.answer(message_.id, message_.method, error);
  }

 private:
  Context context_of(RequestId id) const { return {.peer = peer_, .id = std::move(id), .method = std::string(message_.method)}; }

  Peer& peer_;
  Message& message_;
  std::optional<Context> context_;
};

// ---- life --------------------------------------------------------------------------------------------------------------

Peer::Peer(Loop& loop, std::unique_ptr<Frames> frames, std::unique_ptr<Dialect> dialect, const Router& router,
           PeerSettings settings)
    : loop_(loop),
      frames_(std::move(frames)),
      dialect_(std::move(dialect)),
      router_(router),
      settings_(std::move(settings)),
      capabilities_(dialect_->capabilities()),
      pending_(loop, &Peer::on_abandoned, this),
      handler_done_(loop),
      notice_done_(loop),
      gone_(*this),
      scope_(loop) {}

Peer::~Peer() {
  frames_->watch(nullptr);
  close();
}

void Peer::close() {
  if (!ended_) ended_ = closed_error(name());
  running_.each([](Running& call) { call.cancelled = true; });
  scope_.cancel();
  frames_->close();
  pending_.fail_all(*ended_);
  notice_done_.notify_all();
  handler_done_.notify_all();
}

void Peer::finish() { frames_->finish(); }

PeerStats Peer::stats() const {
  PeerStats stats = stats_;
  stats.late_replies = pending_.late_replies();
  return stats;
}

Task<Error> Peer::run() {
  End end = co_await read_until_end();
  if (end.gone) gone_.seen = true;
  else if (running_count_ != 0 || settings_.explain_end) frames_->watch(&gone_);
  if (gone_.seen) cancel_running();
  Error reason = end.reason;
  if (settings_.explain_end) reason = co_await settings_.explain_end(std::move(reason));
  const bool clean = end.clean && reason.message == end.reason.message;
  ended_ = clean ? Error{.code = Errc::disconnected, .message = name() + ": the other side closed the connection"} : reason;
  pending_.fail_all(*ended_);
  while (running_count_ != 0) co_await handler_done_.wait();
  frames_->finish();
  while (frames_->queued_bytes() != 0) co_await frames_->drained().wait();
  frames_->watch(nullptr);
  co_return *ended_;
}

Task<Peer::End> Peer::read_until_end() {
  // The other side may still read: its earlier requests are answered.
  const auto ended_by = [](const Message& fatal) {
    End end{.reason = *fatal.error};
    end.reason.code = Errc::disconnected;
    return end;
  };
  for (;;) {
    const FramesRead batch = co_await read_frames(*frames_);
    if (!batch) {
      const FramesEnd& end = batch.error();
      if (end.broken) {
        Message answered = dialect_->broken(end);
        handle(answered);
      }
      co_return End{.reason = end, .gone = !end.broken};
    }
    if (batch->empty()) co_return End{.reason = {.code = Errc::disconnected, .message = "end of stream"}, .clean = true};
    if (batch->dropped != nullptr) {
      Message dropped = dialect_->dropped(*batch->dropped, batch->dropped->data);
      handle(dropped);
      if (dropped.fatal) co_return ended_by(dropped);
    }
    for (const BytesView frame : *batch) {
      Message message = dialect_->decode(frame);
      if (message.kind != MessageKind::notice) handle(message);
      else if (Task<void> waits = begin_notice(message)) co_await finish_notice(std::move(waits));
      if (message.fatal) co_return ended_by(message);
      if (ended_) co_return End{.reason = *ended_, .gone = true};
      if (capabilities_.overload_stops_reading && running_count_ >= settings_.running_calls) co_await wait_for_a_handler();
      if (gone_.seen)
        co_return End{.reason = {.code = Errc::disconnected, .message = name() + ": the other side is gone"}, .gone = true};
    }
  }
}

// Reads pause meanwhile, so only a watch notices disconnected callers.
Task<void> Peer::wait_for_a_handler() {
  frames_->watch(&gone_);
  while (running_count_ >= settings_.running_calls && !gone_.seen) co_await handler_done_.wait();
  frames_->watch(nullptr);
}

void Peer::hung_up() {
  gone_.seen = true;
  cancel_running();
  frames_->close();  // queued frames have no reader
  handler_done_.notify_all();
}

void Peer::cancel_running() {
  std::vector<Scope::Handle> handlers;  // ending a handler may end others
  running_.each([&](Running& call) {
    call.cancelled = true;
    handlers.push_back(std::move(call.child));
  });
  for (Scope::Handle& handler : handlers) handler.cancel();
}

// ---- our calls -----------------------------------------------------------------------------------------------------------

void Peer::submit(Outgoing& call, std::string_view method, Within time) {
  TimePoint deadline = never;
  if (time.time) {
    if (*time.time != Duration::max()) deadline = loop_.now() + *time.time;
  } else if (settings_.call_timeout.count() != 0) {
    deadline = loop_.now() + settings_.call_timeout;
  }
  pending_.add(call, method, deadline);
  ++stats_.calls;
  if (ended_) return pending_.withdraw(call, *ended_);
  if (pending_.size() > settings_.pending_calls)
    return pending_.withdraw(
        call, {.code = Errc::overloaded,
               .message = name() + ": " + std::to_string(settings_.pending_calls) + " calls already wait for their reply"});
  if (!frames_->congested() && waiting_calls_.empty()) return send_request(call);
  waiting_calls_.push_back(call);
  if (!std::exchange(sender_running_, true)) scope_.start(send_waiting_calls());
}

void Peer::send_request(Outgoing& call) {
  Result<void> sent = frames_->compose([&](std::string& out) {
    return dialect_->encode_request(out, RequestId::of(call.number()), call.method(), call.parameter_type(), call.parameters());
  });
  if (sent) call.mark_sent();
  else pending_.withdraw(call, std::move(sent).error());
}

Task<void> Peer::send_waiting_calls() {
  while (!waiting_calls_.empty()) {
    while (frames_->congested()) co_await frames_->drained().wait();
    if (Outgoing* call = waiting_calls_.pop_front()) send_request(*call);
  }
  sender_running_ = false;
}

void Peer::on_abandoned(void* self, std::uint64_t number, std::string_view reason) {
  Peer& peer = *static_cast<Peer*>(self);
  if (!peer.capabilities_.cancels || peer.ended_) return;
  static_cast<void>(
      peer.frames_->compose([&](std::string& out) { return peer.dialect_->encode_cancel(out, RequestId::of(number), reason); }));
}

Result<void> Peer::send_notice(std::string_view method, const wire::Type& type, const void* parameters) {
  if (ended_) return std::unexpected(*ended_);
  if (frames_->queued_bytes() > refuse_notices_bytes)
    return fail(Errc::overloaded,
                name() + ": the other side does not read; " + std::to_string(frames_->queued_bytes()) + " bytes wait");
  return frames_->compose([&](std::string& out) { return dialect_->encode_notice(out, method, type, parameters); });
}

Task<void> Peer::wait_writable() {
  while (frames_->congested() && !ended_) co_await frames_->drained().wait();
}

// ---- incoming messages -----------------------------------------------------------------------------------------------------

void Peer::handle(Message& message) {
  switch (message.kind) {
    case MessageKind::request: return handle_request(message);
    case MessageKind::notice: return;  // see begin_notice
    case MessageKind::cancel: return handle_cancel(message.id);
    case MessageKind::ignored: return;
    case MessageKind::reply: return handle_reply(message);
    case MessageKind::malformed:
      ++stats_.bad_frames;
      if (message.answer) answer(message.id, message.method, *message.error);
      return;
  }
}

void Peer::handle_request(Message& message) {
  ++stats_.requests;
  const Router::Entry* entry = router_.find(message.method);
  if (entry == nullptr || entry->notice) return answer(message.id, message.method, router_.unknown(message.method));
  if (!capabilities_.overload_stops_reading && running_count_ >= settings_.running_calls) {
    ++stats_.overloaded;
    return answer(message.id, message.method,
                  Error{.code = Errc::overloaded,
                        .message = std::to_string(settings_.running_calls) + " calls are already running; try again later"});
  }
  Immediate now(*this, message);
  Running* kept = nullptr;
  // Exactly two references: a std::function of this size needs no allocation.
  Result<Task<void>> begun = begin(*entry, message, now, [&now, &kept] {
    auto call = now.keep();
    kept = call.get();
    return call;
  });
  if (!begun) return answer(message.id, message.method, begun.error());
  if (!*begun) return;
  Scope::Handle child = scope_.start(*std::move(begun));
  if (child && kept != nullptr) kept->child = std::move(child);
}

void Peer::handle_reply(Message& message) {
  // Our ids are plain numbers; a reply with any other id answers no call of ours.
  const std::uint64_t number = message.id.raw.empty() ? message.id.number : 0;
  if (message.answer) ++stats_.bad_frames;
  const bool waited = message.error != nullptr ? pending_.settle(number, *message.error) : pending_.settle(number, message.body);
  if (waited) return;
  // Its id is useless in an answer: the other side could take the id for one of its own.
  if (message.answer) answer(RequestId{}, message.method, *message.error);
  else dialect_->late(message.id);
}

Result<Task<void>> Peer::begin(const Router::Entry& entry, const Message& message, RunningCall& now,
                               const std::function<std::unique_ptr<RunningCall>()>& keep) {
  try {
    return entry.handler->begin(message.body, now, keep);
  } catch (const std::exception& bug) {
    detail::handler_threw(now, bug);
    return Task<void>{};
  }
}

Task<void> Peer::begin_notice(Message& message) {
  ++stats_.notices;
  const Router::Entry* entry = router_.find(message.method);
  if (entry == nullptr || !entry->notice) return {};  // unknown notices are ignored: newer peers send more kinds
  Immediate now(*this, message);
  Result<Task<void>> begun = begin(*entry, message, now, [&now] { return now.keep(); });
  if (begun) return *std::move(begun);
  log(LogLevel::info, "a notice could not be read", {{"method", std::string(message.method)}, {"reason", begun.error().message}});
  return {};
}

// In the scope, so that `close` ends this handler like the handlers of requests.
Task<void> Peer::finish_notice(Task<void> notice) {
  const auto run_and_notify = [](Task<void> handler, Signal& done) -> Task<void> {
    co_await std::move(handler);
    done.notify_all();
  };
  const Scope::Handle running = scope_.start(run_and_notify(std::move(notice), notice_done_));
  while (running && !ended_) co_await notice_done_.wait();
}

void Peer::handle_cancel(const RequestId& id) {
  Running* found = nullptr;
  running_.each([&](Running& call) {
    if (found == nullptr && call.id() == id) found = &call;
  });
  if (found == nullptr || !found->child) return;  // already answered
  ++stats_.cancelled;
  found->cancelled = true;
  const std::string method(found->method());
  const RequestId answered = found->id();
  Scope::Handle handler = std::move(found->child);
  handler.cancel();
  if (capabilities_.answers_cancelled)
    answer(answered, method, Error{.code = Errc::cancelled, .message = "cancelled by the caller"});
}

void Peer::answer(const RequestId& id, std::string_view method, const wire::Type& type, const void* result) {
  Result<void> sent = frames_->compose([&](std::string& out) { return dialect_->encode_reply(out, id, method, type, result); });
  if (!sent) answer(id, method, std::move(sent).error());
}

void Peer::answer(const RequestId& id, std::string_view method, const Error& error) {
  const Result<void> sent = frames_->compose([&](std::string& out) { return dialect_->encode_error(out, id, method, error); });
  if (!sent)
    log(LogLevel::error, "an error reply could not be encoded",
        {{"method", std::string(method)}, {"reason", sent.error().message}});
}

void Peer::call_finished() { handler_done_.notify_all(); }

}  // namespace parlance
