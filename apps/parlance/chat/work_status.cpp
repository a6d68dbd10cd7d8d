// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/chat/work_status.h"

#include "parlance/hub/conversation/event.h"

namespace parlance::app {

void WorkStatus::begin_turn() { become({.state = editor::State::thinking}); }

void WorkStatus::receive(const hub::EventBody& body) {
  if (const hub::Ask* ask = ask_of(body)) asks_.insert_or_assign(ask->id, ask->title);
  else if (const auto* settled = std::get_if<hub::event::AskSettled>(&body)) asks_.erase(settled->ask);
  else if (const auto* start = std::get_if<hub::event::ToolStart>(&body)) {
    calls_.insert_or_assign(start->call, start->title);
    latest_ = start->call;
  } else if (const auto* end = std::get_if<hub::event::ToolEnd>(&body)) calls_.erase(end->call);
  else return;
  update();
}

void WorkStatus::end_turn() {
  asks_.clear();
  calls_.clear();
  become({.state = editor::State::idle});
}

void WorkStatus::update() {
  if (!asks_.empty()) return become({.state = editor::State::waiting, .text = asks_.begin()->second});
  if (calls_.empty()) return become({.state = editor::State::thinking});
  const auto latest = calls_.find(latest_);
  become({.state = editor::State::tool, .text = (latest == calls_.end() ? calls_.begin() : latest)->second});
}

void WorkStatus::become(editor::Status now) {
  if (now.state == last_sent_.state && now.text == last_sent_.text) return;
  last_sent_ = now;
  if (notify_) notify_(std::move(now));
}

}  // namespace parlance::app
