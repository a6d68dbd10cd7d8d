// SPDX-License-Identifier: Apache-2.0
// What a person answers in a webview, as answers of the hub, and what may be answered. Pure; any thread.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parlance/hub/hub.h"
#include "parlance/protocol/webview/messages.h"

namespace parlance::face {

// Options for which a webview has words.
std::vector<webview::OfferedOption> webview_options(const hub::Ask& ask);
// The headers of an ask's questions, or the questions themselves; none is empty, none there twice.
std::vector<std::string> webview_question_keys(const hub::Ask& ask);

// An answer, and what goes beside it.
struct WebviewAnswer {
  hub::GivenAnswer given{};
  bool stop = false;                      // the turn ends, too
  std::optional<hub::Mode> mode_after{};  // that the conversation is put into once it was given
};

// Errors: invalid_params (no such outcome); denied (nothing that is offered means it; the text lists what is).
Result<WebviewAnswer> approval_of(const hub::Ask& ask, std::string_view outcome);
// By header; what is missing was not answered. Errors: invalid_params (neither text nor a list of texts).
Result<WebviewAnswer> answers_of(const hub::Ask& ask, const std::map<std::string, wire::Raw>& answers);
// Errors: invalid_params (neither option nor approved; feedback without words); denied (nothing that is offered means it).
Result<WebviewAnswer> plan_answer_of(const hub::Ask& ask, webview::PlanOption option, std::string_view feedback);
Result<webview::PlanOption> plan_option_of(const webview::PlanAnswer& message);

}  // namespace parlance::face
