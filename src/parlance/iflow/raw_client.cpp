// SPDX-License-Identifier: Apache-2.0
#include "parlance/iflow/raw_client.h"

#include "parlance/iflow/frame_tap.h"

namespace parlance::iflow {

RawClient::RawClient(Loop& loop, Options options, bool capture_raw)
    : Client(loop, std::move(options)), capture_(capture_raw), arrived_(loop) {}

RawClient::~RawClient() = default;

std::unique_ptr<Frames> RawClient::wrapped(std::unique_ptr<Frames> frames) {
  ended_ = false;
  if (!capture_) return frames;
  return tapped(std::move(frames), [this](BytesView frame) { take(frame); });
}

void RawClient::take(BytesView frame) {
  waiting_.push_back(raw_.take(frame, wall_now()));
  if (waiting_.size() > raw_.history().size()) waiting_.pop_front();
  arrived_.notify_one();
}

void RawClient::on_end() {
  ended_ = true;
  arrived_.notify_all();
}

Task<std::optional<RawMessage>> RawClient::receive_raw_message() {
  queue().leave_unread();
  while (waiting_.empty() && !ended_) co_await arrived_.wait();
  if (waiting_.empty()) co_return std::nullopt;
  std::optional<RawMessage> message = std::move(waiting_.front());
  waiting_.pop_front();
  co_return message;
}

Task<std::optional<std::pair<RawMessage, std::optional<Message>>>> RawClient::receive_dual() {
  std::optional<RawMessage> raw = co_await receive_raw_message();
  if (!raw) co_return std::nullopt;
  std::optional<Message> parsed = raw->parsed_message;
  co_return std::pair(*std::move(raw), std::move(parsed));
}

}  // namespace parlance::iflow
