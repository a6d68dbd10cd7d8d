// SPDX-License-Identifier: Apache-2.0
// Requests of pages about their browser's notifications without an open page. Loop thread only; the subscriptions must outlive the
// object, and the object its tasks.
#pragma once

#include <string>
#include <utility>

#include "parlance/face/page/answered.h"
#include "parlance/protocol/page/push_messages.h"
#include "parlance/push/subscriptions.h"

namespace parlance::hub {
class UserHub;
}

namespace parlance::face {

class PagePush {
 public:
  struct Settings {
    push::Subscriptions* subscriptions = nullptr;  // null: the requests fail
    std::string public_key{};                      // of the subscriptions
  };
  explicit PagePush(Settings settings) : settings_(std::move(settings)) {}

  Answered<page::GetPush> perform(page::GetPush& m, hub::UserHub& hub);
  Answered<page::PushSubscribe> perform(page::PushSubscribe& m, hub::UserHub& hub);
  Answered<page::PushRemove> perform(page::PushRemove& m, hub::UserHub& hub);

 private:
  Result<page::PushValue> browsers(const hub::UserHub& hub) const;

  Settings settings_;
};

}  // namespace parlance::face
