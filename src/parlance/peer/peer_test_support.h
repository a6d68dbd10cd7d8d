// SPDX-License-Identifier: Apache-2.0
// The base of this folder's tests: frames between a peer and the test, and a readable dialect.
//
//   `ask ID METHOD [TEXT]`   `yes ID [TEXT]`   `no ID CODE TEXT`   `notice METHOD [TEXT]`   `stop ID`
//
// Any other line is malformed: "? …" is answered, "! …" is fatal.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "parlance/base/text.h"
#include "parlance/peer/peer.h"

namespace parlance::test {

using Lines = std::vector<std::string>;

// An end of a connection without bytes. Reads the test's frames batch by batch, and records sent frames.
class ScriptedFrames final : public Frames, private Ready {
 public:
  explicit ScriptedFrames(Loop& loop) : loop_(loop), drained_(loop) {}

  void bring(Lines batch) { waiting_.push_back({.lines = std::move(batch)}), loop_.wake(*this); }
  void bring_dropped(Error why) { waiting_.push_back({.dropped = std::move(why)}), loop_.wake(*this); }
  void end() { waiting_.push_back({}), loop_.wake(*this); }
  void lose(Error why) { waiting_.push_back({.end = FramesEnd(std::move(why))}), loop_.wake(*this); }
  void break_off(Error why) { waiting_.push_back({.end = FramesEnd(std::move(why), true)}), loop_.wake(*this); }
  void hang_up() {
    if (watcher_ != nullptr) std::exchange(watcher_, nullptr)->on_hang_up();
  }
  void drain() {
    full = false;
    queued = 0;
    drained_.notify_all();
  }

  Lines sent;
  bool full = false;
  std::size_t queued = 0;
  bool closed = false;
  bool finished = false;
  bool watched() const { return watcher_ != nullptr; }
  std::size_t unread() const { return waiting_.size(); }

  void start_read(FramesDone& done) override { reader_ = &done, loop_.wake(*this); }
  void stop_read() override { reader_ = nullptr; }
  bool congested() const override { return full; }
  Signal& drained() override { return drained_; }
  std::size_t queued_bytes() const override { return queued; }
  void watch(HangUp* watcher) override { watcher_ = watcher; }
  void finish() override { finished = true; }
  void close() override {
    closed = true;
    drain();
    loop_.wake(*this);
  }
  std::string name() const override { return "script"; }

 private:
  struct Batch {
    Lines lines{};
    std::optional<Error> dropped{};
    std::optional<FramesEnd> end{};
  };
  std::string& begin_frame() override { return frame_; }
  Result<void> end_frame() override {
    std::string frame = std::exchange(frame_, {});
    if (!closed && !finished) sent.push_back(std::move(frame));
    return {};
  }
  void abandon_frame() override { frame_.clear(); }

  void on_ready() override {
    if (reader_ == nullptr) return;
    if (closed)
      return finish_read(std::unexpected(Error{.code = Errc::disconnected, .message = "script: the connection is closed"}));
    if (waiting_.empty()) return;
    now_ = std::move(waiting_.front());
    waiting_.pop_front();
    if (now_.end) return finish_read(std::unexpected(*now_.end));
    if (now_.dropped) return finish_read(FrameBatch{.dropped = &*now_.dropped});
    views_.assign(now_.lines.begin(), now_.lines.end());
    finish_read(FrameBatch{.frames = views_});
  }
  void finish_read(FramesRead read) { std::exchange(reader_, nullptr)->on_frames(std::move(read)); }

  Loop& loop_;
  Signal drained_;
  std::deque<Batch> waiting_;
  Batch now_;
  std::vector<BytesView> views_;
  FramesDone* reader_ = nullptr;
  HangUp* watcher_ = nullptr;
  std::string frame_;
};

struct Line {
  std::string text{};
  static constexpr auto wire = wire::fields(wire::field<&Line::text>("text", "What is said."));
};
struct Remark {  // may be left out
  std::string text{};
  static constexpr auto wire = wire::fields(wire::field<&Remark::text>("text", "What is said.").or_default());
};
inline constexpr auto methods = wire::methods(
    wire::call<Line, Line>("echo", "Answers at once."), wire::call<Line, Line>("wait", "Answers after a signal."),
    wire::call<Remark, Remark>("remark", "Needs nothing.").or_no_body(), wire::notice<Line>("note", "Is written down."));
inline constexpr const auto& echo = wire::method<methods, "echo">;
inline constexpr const auto& wait = wire::method<methods, "wait">;
inline constexpr const auto& remark = wire::method<methods, "remark">;
inline constexpr const auto& note = wire::method<methods, "note">;

class PlainDialect final : public Dialect {
 public:
  explicit PlainDialect(Capabilities can) : can_(can) {}

  Message decode(BytesView frame) override {
    BytesView rest = frame;
    const BytesView kind = word(rest);
    if (kind == "notice") return {.kind = MessageKind::notice, .method = word(rest), .body = body(rest)};
    if (kind != "ask" && kind != "yes" && kind != "no" && kind != "stop" && kind != "huh") return malformed(kind);
    const RequestId id = id_of(word(rest));
    if (kind == "stop") return {.kind = MessageKind::cancel, .id = id};
    if (kind == "ask") return {.kind = MessageKind::request, .id = id, .method = word(rest), .body = body(rest)};
    if (kind == "yes") return {.kind = MessageKind::reply, .id = id, .body = body(rest)};
    if (kind == "huh") error_ = {.code = Errc::invalid_request, .message = std::string(rest)};
    else error_ = {.code = code_of(word(rest)), .message = std::string(rest)};
    return {.kind = MessageKind::reply, .id = id, .error = &error_, .answer = kind == "huh"};
  }
  Message dropped(const Error& why, BytesView) override {
    return {.kind = MessageKind::malformed, .error = &why, .answer = true};
  }
  Message broken(const Error& why) override { return {.kind = MessageKind::malformed, .error = &why, .answer = true}; }

  Result<void> encode_request(std::string& out, const RequestId& id, std::string_view method, const wire::Type& type,
                              const void* parameters) override {
    return say(out, "ask " + to_string(id) + " " + std::string(method), type, parameters);
  }
  Result<void> encode_reply(std::string& out, const RequestId& id, std::string_view, const wire::Type& type,
                            const void* result) override {
    return say(out, "yes " + to_string(id), type, result);
  }
  Result<void> encode_error(std::string& out, const RequestId& id, std::string_view, const Error& error) override {
    if (error.message.contains("unspeakable")) return fail(Errc::internal, "not even that can be said");
    out += "no " + (id.present ? to_string(id) : "-") + " " + std::string(parlance::to_string(error.code)) + " " + error.message;
    return {};
  }
  Result<void> encode_notice(std::string& out, std::string_view method, const wire::Type& type, const void* parameters) override {
    return say(out, "notice " + std::string(method), type, parameters);
  }
  Result<void> encode_cancel(std::string& out, const RequestId& id, std::string_view reason) override {
    out += "stop " + to_string(id) + " " + std::string(reason);
    return {};
  }
  Capabilities capabilities() const override { return can_; }

 private:
  struct TextBody final : Body {
    std::string_view text;
    Result<void> read(const wire::Type& type, void* into) const override {
      if (text == "unreadable") return fail(Errc::invalid_params, "$.text: unreadable");
      *static_cast<std::string*>(type.fields[0].at(into)) = text;
      return {};
    }
  };

  static BytesView word(BytesView& rest) {
    const std::size_t end = std::min(rest.find(' '), rest.size());
    const BytesView found = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    return found;
  }
  static RequestId id_of(BytesView text) {
    const auto number = parse_number<std::uint64_t>(text);
    return number ? RequestId::of(*number) : RequestId::of_raw(std::string(text));
  }
  static Errc code_of(BytesView name) {
    for (const Errc code : all_error_codes)
      if (parlance::to_string(code) == name) return code;
    return Errc::failed;
  }
  const Body* body(BytesView text) {
    body_.text = text;
    return text.empty() ? nullptr : &body_;
  }
  Message malformed(BytesView kind) {
    error_ = {.code = Errc::invalid_request, .message = "no message"};
    return {.kind = MessageKind::malformed, .error = &error_, .answer = kind == "?", .fatal = kind == "!"};
  }
  static Result<void> say(std::string& out, std::string head, const wire::Type& type, const void* value) {
    const auto& text = *static_cast<const std::string*>(type.fields[0].at(const_cast<void*>(value)));
    if (text.starts_with("unsayable")) return fail(Errc::internal, text);
    out += head;
    if (!text.empty()) out += " " + text;
    return {};
  }

  Capabilities can_;
  TextBody body_;
  Error error_;
};

// A peer and the test at its other end. `wait` answers after `go` is notified.
struct Talk {
  Loop loop{Loop::Time::virtual_};
  Router router;
  Signal go{loop};
  Lines noted;
  int waits_ended = 0;  // answered or cancelled
  ScriptedFrames* frames = nullptr;
  std::optional<Peer> peer;
  std::optional<Error> end;
  Scope running{loop};  // the peer's own task, which ends before the peer
  Scope scope{loop};

  explicit Talk(Capabilities can = {.cancels = true}, PeerSettings settings = {}) {
    router.on(echo, [](const Line& line, Context&) -> Result<Line> { return line; });
    router.on(note, [this](const Line& line, Context&) { noted.push_back(line.text); });
    router.on(wait, [this](const Line& line, Context&) -> Task<Result<Line>> {
      struct Guard {
        int& ended;
        ~Guard() { ++ended; }
      } const guard{waits_ended};
      co_await go.wait();
      co_return line;
    });
    auto script = std::make_unique<ScriptedFrames>(loop);
    frames = script.get();
    peer.emplace(loop, std::move(script), std::make_unique<PlainDialect>(can), router, std::move(settings));
    running.start([](Peer& p, std::optional<Error>& e) -> Task<void> { e = co_await p.run(); }(*peer, end));
  }
  ~Talk() {
    scope.cancel();
    drop_peer();
  }
  void drop_peer() {
    running.cancel();
    peer.reset();
  }

  void settle() {
    while (loop.run_ready()) {}
  }
  Lines take_sent() {
    settle();
    return std::exchange(frames->sent, {});
  }
  Lines say(Lines batch) {
    frames->bring(std::move(batch));
    return take_sent();
  }
  Lines release() {
    go.notify_all();
    return take_sent();
  }
  Scope::Handle call(std::string text, std::optional<Result<Line>>& into, Within time = {}) {
    return scope.start([](Peer& p, std::string t, Within w, std::optional<Result<Line>>& i) -> Task<void> {
      i = co_await p.call(wait, {.text = std::move(t)}, w);
    }(*peer, std::move(text), time, into));
  }
};

}  // namespace parlance::test
