// SPDX-License-Identifier: Apache-2.0
// Requests of pages about connections to language models (model/connection/connections.h). Loop thread only; outlives its tasks.
#pragma once

#include <string>
#include <utility>

#include "parlance/async/loop.h"
#include "parlance/face/page/answered.h"
#include "parlance/model/connection/connections.h"
#include "parlance/protocol/page/model_messages.h"

namespace parlance::hub {
class UserHub;
}

namespace parlance::face {

class PageModels {
 public:
  struct Settings {
    std::string folder{};    // of the stored connections; empty: the requests fail
    std::string fixed_by{};  // the setting with precedence over the connections
  };
  PageModels(Loop& loop, Settings settings) : loop_(loop), settings_(std::move(settings)) {}

  Answered<page::GetModels> perform(page::GetModels& m, hub::UserHub& hub);
  Answered<page::ListModels> perform(page::ListModels& m, hub::UserHub& hub);
  Answered<page::TestModel> perform(page::TestModel& m, hub::UserHub& hub);
  Answered<page::SaveModel> perform(page::SaveModel& m, hub::UserHub& hub);
  Answered<page::RemoveModel> perform(page::RemoveModel& m, hub::UserHub& hub);

 private:
  Result<model::Connections> stored_models() const;

  Loop& loop_;
  Settings settings_;
};

}  // namespace parlance::face
