// SPDX-License-Identifier: Apache-2.0
#include "parlance/driver/page/page_link.h"

#include <utility>

#include "parlance/base/log.h"

namespace parlance::driver {

PageLink::PageLink(Loop& loop, std::unique_ptr<Frames> frames, PageListener& listener)
    : loop_(loop), frames_(std::move(frames)), listener_(listener) {}

Task<Error> PageLink::run() {
  while (!ended_) {
    const FramesRead batch = co_await read_frames(*frames_);
    if (!batch) {
      ended_ = batch.error();
    } else if (batch->empty()) {
      ended_ = Error{.code = Errc::disconnected, .message = "the gateway closed the connection"};
    } else {
      if (batch->dropped != nullptr)
        log(LogLevel::warn, "a message of the gateway is skipped", {{"error", batch->dropped->message}});
      for (const BytesView frame : *batch) take(frame);
    }
  }
  for (const auto& [request, waiting] : std::exchange(pending_, {})) waiting->set(fail(Errc::disconnected, ended_->message));
  co_return *ended_;
}

void PageLink::ready(std::vector<std::string> conversations) {
  wanted_ = std::move(conversations);
  page::Ready message;
  if (!wanted_.empty()) message.conversations = wanted_;
  static_cast<void>(frames_->send(json::to_text(page::PageMessage{std::move(message)})));
}

Task<PageLink::Answer> PageLink::ask(std::string request, std::string message) {
  while (frames_->congested() && !ended_) co_await frames_->drained().wait();
  if (ended_) co_return fail(Errc::disconnected, ended_->message);
  if (const auto sent = frames_->send(message); !sent) co_return fail(Errc::overloaded, sent.error().message);
  const auto waiting = std::make_shared<OneShot<Answer>>(loop_);
  pending_.emplace(request, waiting);
  co_return co_await waiting->get();
}

// An answer to a call that its caller gave up has no reader.
void PageLink::settle(const std::string& request, Answer answer) {
  const auto found = pending_.extract(request);
  if (!found.empty()) found.mapped()->set(std::move(answer));
}

void PageLink::take(BytesView frame) {
  auto message = json::from_text<page::HostMessage>(frame);
  if (!message) {
    log(LogLevel::warn, "a message of the gateway cannot be read", {{"error", message.error().message}});
    return;
  }
  if (auto* done = std::get_if<page::Done>(&message->value)) {
    settle(done->request, done->value ? std::move(done->value->json) : std::string());
  } else if (auto* failed = std::get_if<page::Failed>(&message->value)) {
    settle(failed->request, std::unexpected(Error{.code = error_code_named(failed->code).value_or(Errc::failed),
                                                  .message = std::move(failed->message)}));
  } else if (auto* snapshot = std::get_if<page::Snapshot>(&message->value)) {
    last_delta_ = snapshot->seq;
    listener_.on_snapshot(std::move(*snapshot));
  } else if (auto* delta = std::get_if<page::Delta>(&message->value)) {
    if (delta->seq != ++last_delta_) return ready(wanted_);  // the snapshot replaces this change too
    for (page::Op& change : delta->ops) listener_.on_change(std::move(change));
  }
}

}  // namespace parlance::driver
