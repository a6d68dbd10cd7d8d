// SPDX-License-Identifier: Apache-2.0
// A person's answer from a frontend, and its check against the ask. Values; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parlance/base/result.h"
#include "parlance/hub/conversation/ask.h"

namespace parlance::hub {

struct Answer {
  std::string digest{};
  std::optional<std::string> option{};
  std::optional<std::string> text{};
  std::vector<std::vector<std::string>> answers{};
  std::optional<std::string> edited{};  // the person's version of the editable part; only with an option that allows
  std::string by = "person";
};

// Errors: invalid_params (no such option, incomplete answers).
Result<AskAnswer> checked_answer(const Ask& ask, const Answer& given);

// Checks a person's change and computes the digest again, because the approval covers only the changed version.
Result<void> take_edit(const Ask& ask, std::string_view folder, const Answer& given, AskAnswer& answer);

// "this was settled already: answered allow by person"
std::string how_settled(const Ask& ask);

}  // namespace parlance::hub
