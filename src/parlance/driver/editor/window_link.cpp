// SPDX-License-Identifier: Apache-2.0
#include "parlance/driver/editor/window_link.h"

#include <algorithm>
#include <utility>

#include "parlance/async/scope.h"
#include "parlance/transport/sockets.h"

namespace parlance::driver {
namespace method = editor::method;

WindowLink::WindowLink(Loop& loop, WindowSettings settings)
    : loop_(loop), settings_(std::move(settings)), editor_(settings_.times.request), try_ended_(loop) {
  settings_.handlers.typed = {};
}

// A link that the editor's calls go over. It ends before the link does, also where `run` is given up.
struct WindowLink::InUse {
  InUse(WindowLink& window, EditorLink& link, bool second_version) : of(window) {
    of.link_ = &link;
    of.editor_.use(&link.peer());
    if (second_version) of.editor_.use_second_version();
  }
  ~InUse() {
    of.link_ = nullptr;
    of.editor_.use(nullptr);
  }
  InUse(const InUse&) = delete;
  InUse& operator=(const InUse&) = delete;
  WindowLink& of;
};

Task<void> WindowLink::run() {
  for (Duration wait = settings_.times.first_wait;;) {
    if (co_await live()) wait = settings_.times.first_wait;
    end_try();
    co_await sleep_for(loop_, wait);
    wait = std::min(wait * 2, settings_.times.most_wait);
  }
}

Task<void> WindowLink::tried() {
  while (!tried_) co_await try_ended_.wait();
}
void WindowLink::end_try() {
  tried_ = true;
  try_ended_.notify_all();
}

Task<bool> WindowLink::live() {
  auto stream = co_await with_deadline(loop_, loop_.now() + settings_.times.request, connect());
  if (!stream) {
    why_not_ = std::move(stream).error();
    co_return false;
  }
  EditorLink link(loop_, *std::move(stream), settings_.handlers, settings_.times.request);
  OneShot<Error> ended(loop_);
  Scope reading(loop_);
  reading.start([](EditorLink& over, OneShot<Error>& end) -> Task<void> { end.set(co_await over.run()); }(link, ended));
  const auto second_version = co_await greet(link);
  if (!second_version) {
    why_not_ = second_version.error();
    co_return false;
  }
  const InUse in_use(*this, link, *second_version);
  end_try();
  if (settings_.connected) settings_.connected();
  why_not_ = co_await end_of(link, ended);
  co_return true;
}

Task<Result<std::unique_ptr<ByteStream>>> WindowLink::connect() {
  return connect_to(loop_, settings_.address.socket, settings_.peers);
}

// Why the connection ended, or why it is ended: its heart has stopped.
Task<Error> WindowLink::end_of(EditorLink& link, OneShot<Error>& ended) {
  const auto end = [](OneShot<Error>& of) -> Task<Result<Error>> { co_return co_await of.get(); };
  for (;;) {
    auto over = co_await with_deadline(loop_, loop_.now() + settings_.times.heartbeat, end(ended));
    if (over) co_return *std::move(over);
    auto beat = co_await link.peer().call(method::ping, {}, within(settings_.times.pulse));
    if (!beat && (beat.error().code == Errc::deadline_exceeded || beat.error().code == Errc::disconnected))
      co_return std::move(beat).error();
  }
}

// Whether the window serves the second version. One of the first version does not know the call.
Task<Result<bool>> WindowLink::greet(EditorLink& link) {
  std::optional<std::string> token;
  if (!settings_.address.token.empty()) token = settings_.address.token;
  auto greeted = co_await link.initialize(settings_.ours, std::move(token));
  if (!greeted && greeted.error().code != Errc::unknown_method) co_return std::unexpected(std::move(greeted).error());
  co_return greeted.has_value();
}

void WindowLink::close() {
  end_try();
  if (link_ != nullptr) link_->close();
}

void WindowLink::send_status(editor::Status now) {
  if (link_ != nullptr) link_->send_status(std::move(now));
}

}  // namespace parlance::driver
