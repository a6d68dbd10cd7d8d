// SPDX-License-Identifier: Apache-2.0
// Requests of pages about use of models and spending limits. Loop thread only.
#pragma once

#include "parlance/face/page/answered.h"
#include "parlance/protocol/page/usage_messages.h"

namespace parlance::hub {
class UserHub;
}

namespace parlance::face {

class PageUsage {
 public:
  Answered<page::GetUsage> perform(page::GetUsage& m, hub::UserHub& hub);
  Answered<page::SetLimits> perform(page::SetLimits& m, hub::UserHub& hub);
};

}  // namespace parlance::face
