// SPDX-License-Identifier: Apache-2.0
#include "parlance/driver/acp/shared.h"

#include "parlance/driver/acp/words.h"
#include "parlance/hub/conversation/agent_info.h"
#include "parlance/hub/conversation/notice.h"
#include "parlance/process/program_words.h"

namespace parlance::driver {

void AcpShared::learn_place(std::optional<Error> missing, std::string as) {
  const hub::AgentInfo before = info();
  gone = std::move(missing);
  if (!as.empty() || gone) found_as = std::move(as);
  if (settings.changed && info() != before) settings.changed(info());
}

void AcpShared::learn_start(const Result<void>& opened) {
  if (opened) learn_place(std::nullopt);
  else if (opened.error().code == Errc::not_found && settings.url.empty()) learn_place(opened.error());
}

Task<void> AcpShared::recheck() {
  if (settings.find) {
    const auto found = co_await settings.find(true);
    learn_place(found ? std::nullopt : std::optional(found.error()), found ? found->detail : "");
  } else if (settings.url.empty() && !settings.command.empty()) {
    const bool there = !find_program(settings.command.front()).empty();
    learn_place(there ? std::nullopt : std::optional(no_acp_agent(settings)));
  }
}

std::optional<hub::event::Notice> AcpShared::write_settings(const hub::SessionSetup& setup) const {
  if (!settings.write_settings) return std::nullopt;
  std::string model = setup.model;
  if (model.empty()) model = hub::option_value(setup.options.value_or(std::vector<hub::AgentOption>{}), models_option);
  std::string message = settings.write_settings(model);
  if (message.empty()) return std::nullopt;
  return hub::event::Notice{.level = hub::NoticeLevel::warning, .text = std::move(message)};
}

}  // namespace parlance::driver
