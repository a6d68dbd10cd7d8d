// SPDX-License-Identifier: Apache-2.0
// One end of a connection; calls the other side and serves its calls. Guarantees of every peer, for all dialects:
// - calls in both directions, any number in flight, replies in any order, ids kept with their type;
// - exactly one outcome for each call: reply, error, deadline, cancel, disconnect; late and duplicate replies are counted, reported to the
//   dialect and dropped;
// - after a disconnect of the other side, every pending call fails at once, with the reason;
// - every queue is bounded: a slow reader slows only its writer; replies are always read;
// - a bad frame is answered or skipped by the dialect, counted, and never ends a usable connection;
// - bytes without a further frame end the connection, after the dialect's answer;
// - handlers of requests run concurrently;
// - notices are handled in the order of the wire, also relative to requests and replies. A coroutine as the handler of a notice pauses
//   reading until its end: later frames wait in the transport, together with their sender, so no backlog grows here. Such a handler must
//   not wait for a call of this peer, whose reply would be behind the notice;
// - handlers end with their callers. After an end of input they finish, because the other side may still read (net/rpc clients that
//   shut down writing, `echo … | parlance sqlite`). After a hang-up (ByteStream::watch) or a broken connection they are cancelled at once,
//   also while reading waits for a running handler.
// A tap is a Frames around the Frames, invisible to the peer.
//
// Loop thread only. The router outlives the peer. A peer must not be destroyed inside one of its own handlers.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "parlance/async/channel.h"
#include "parlance/async/scope.h"
#include "parlance/peer/dialect.h"
#include "parlance/peer/limits.h"
#include "parlance/peer/pending_calls.h"
#include "parlance/peer/router.h"
#include "parlance/transport/frames.h"

namespace parlance {

struct PeerSettings {
  std::chrono::milliseconds call_timeout = limits::call_timeout;  // of a call without a timeout; zero: none
  std::size_t running_calls = limits::running_calls;
  std::size_t pending_calls = limits::pending_calls;
  // Asked once when the connection has ended: turns "end of stream" into the real reason ("claude exited with code 3: …").
  std::function<Task<Error>(Error)> explain_end{};
};

struct PeerStats {
  std::uint64_t calls = 0;     // sent
  std::uint64_t requests = 0;  // received
  std::uint64_t notices = 0;   // received
  std::uint64_t bad_frames = 0;
  std::uint64_t late_replies = 0;
  std::uint64_t overloaded = 0;  // requests refused because too many were running
  std::uint64_t cancelled = 0;   // requests cancelled by the other side
};

// How long a call may take.
struct Within {
  std::optional<Duration> time{};  // nothing: the peer's default
};
inline Within within(Duration time) { return {time}; }
inline constexpr Within no_deadline{Duration::max()};

template <class P, class R>
class CallAwaiter;

class Peer {
 public:
  Peer(Loop& loop, std::unique_ptr<Frames> frames, std::unique_ptr<Dialect> dialect, const Router& router,
       PeerSettings settings = {});
  ~Peer();
  Peer(const Peer&) = delete;
  Peer& operator=(const Peer&) = delete;

  // Reads until the connection ends, lets running handlers finish while their answers can be delivered, sends the queue. Returns
  // the reason; a normal end is Errc::disconnected with "end of stream". Start this once.
  Task<Error> run();

  // co_await peer.call(method, parameters, within(5s)): Result<R>. Destroying the awaiter cancels the call.
  template <class P, class R>
  CallAwaiter<P, R> call(const wire::Call<P, R>& method, std::type_identity_t<P> parameters, Within time = {});
  template <class P, class R>
  CallAwaiter<P, R> call_named(std::string_view method, const wire::Call<P, R>&, std::type_identity_t<P> parameters,
                               Within time = {});

  // Queued at once. Producers of many notices await wait_writable() between them; far above the mark, a notice is refused with
  // `overloaded`.
  template <class P>
  Result<void> notify(const wire::Notice<P>& notice, const std::type_identity_t<P>& parameters) {
    return send_notice(notice.method, wire::type_of<P>(), &parameters);
  }
  Task<void> wait_writable();
  bool has_room() const { return ended_ || !frames_->congested(); }  // otherwise waits

  void close();   // At once: pending calls fail, handlers are cancelled.
  void finish();  // No further requests from us; the queue is still sent, then the output ends.

  PeerStats stats() const;
  std::size_t pending_calls() const { return pending_.size(); }
  std::size_t running_calls() const { return running_count_; }
  Loop& loop() const { return loop_; }
  std::string name() const { return frames_->name(); }
  Dialect& dialect() { return *dialect_; }

 private:
  template <class P, class R>
  friend class CallAwaiter;
  class Running;
  class Immediate;

  struct End {
    Error reason;
    bool clean = false;
    bool gone = false;  // answers have no reader
  };
  // The other side hangs up. Reported inside a call of the frames, so the effect comes later in the turn.
  struct Gone final : HangUp, Ready {
    explicit Gone(Peer& owner) : peer(owner) {}
    void on_hang_up() override { peer.loop_.wake(*this); }
    void on_ready() override { peer.hung_up(); }
    Peer& peer;
    bool seen = false;
  };

  // An outgoing call; the untyped part of CallAwaiter.
  class Outgoing : public PendingCall, public ListHook {
   protected:
    friend class Peer;
    ~Outgoing() = default;
    virtual const wire::Type& parameter_type() const = 0;
    virtual const void* parameters() const = 0;
  };

  void submit(Outgoing& call, std::string_view method, Within time);
  void send_request(Outgoing& call);
  Result<void> send_notice(std::string_view method, const wire::Type& type, const void* parameters);
  static void on_abandoned(void* peer, std::uint64_t number, std::string_view reason);

  void handle(Message& message);
  void handle_request(Message& message);
  void handle_reply(Message& message);
  Task<void> begin_notice(Message& message);  // empty if handled
  Task<void> finish_notice(Task<void> notice);
  Result<Task<void>> begin(const Router::Entry& entry, const Message& message, RunningCall& now,
                           const std::function<std::unique_ptr<RunningCall>()>& keep);
  void handle_cancel(const RequestId& id);
  void answer(const RequestId& id, std::string_view method, const wire::Type& type, const void* result);
  void answer(const RequestId& id, std::string_view method, const Error& error);
  Task<void> send_waiting_calls();
  Task<End> read_until_end();
  Task<void> wait_for_a_handler();
  void hung_up();
  void cancel_running();
  void call_finished();

  Loop& loop_;
  std::unique_ptr<Frames> frames_;
  std::unique_ptr<Dialect> dialect_;
  const Router& router_;
  PeerSettings settings_;
  Capabilities capabilities_;
  PeerStats stats_;
  std::optional<Error> ended_;
  PendingCalls pending_;
  IntrusiveList<Outgoing> waiting_calls_;  // the output is congested
  IntrusiveList<Running> running_;
  std::size_t running_count_ = 0;
  bool sender_running_ = false;
  Signal handler_done_;
  Signal notice_done_;
  Gone gone_;
  Scope scope_;
};

template <class P, class R>
class CallAwaiter final : private Peer::Outgoing, private Ready {
 public:
  // `body_optional`: a reply without a body is a default R; otherwise an error.
  CallAwaiter(Peer& peer, std::string_view method, bool body_optional, P parameters, Within time)
      : peer_(peer), method_(method), body_optional_(body_optional), parameters_(std::move(parameters)), time_(time) {}
  CallAwaiter(const CallAwaiter&) = delete;
  CallAwaiter& operator=(const CallAwaiter&) = delete;

  bool await_ready() const { return false; }
  void await_suspend(std::coroutine_handle<> waiting) {
    waiting_ = waiting;
    peer_.submit(*this, method_, time_);
  }
  Result<R> await_resume() { return std::move(result_); }

 private:
  const wire::Type& parameter_type() const override { return wire::type_of<P>(); }
  const void* parameters() const override { return &parameters_; }
  Result<void> take(const Body* body) override {
    if (body != nullptr) return body->read(wire::type_of<R>(), &*result_);
    return body_optional_ ? Result<void>{} : fail(missing_body(method_));
  }
  void settled(Result<void> outcome) override {
    Peer::Outgoing::unlink();
    if (!outcome) result_ = std::unexpected(std::move(outcome).error());
    peer_.loop().wake(*this);
  }
  void on_ready() override { waiting_.resume(); }

  Peer& peer_;
  std::string_view method_;
  bool body_optional_;
  P parameters_;
  Within time_;
  Result<R> result_{};
  std::coroutine_handle<> waiting_;
};

template <class P, class R>
CallAwaiter<P, R> Peer::call(const wire::Call<P, R>& method, std::type_identity_t<P> parameters, Within time) {
  return CallAwaiter<P, R>(*this, method.method, method.may_lack_body(), std::move(parameters), time);
}
template <class P, class R>
CallAwaiter<P, R> Peer::call_named(std::string_view method, const wire::Call<P, R>& as, std::type_identity_t<P> parameters,
                                   Within time) {
  return CallAwaiter<P, R>(*this, method, as.may_lack_body(), std::move(parameters), time);
}

}  // namespace parlance
