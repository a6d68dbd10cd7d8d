// SPDX-License-Identifier: Apache-2.0
// Early ends of a turn, and notices for the person. Loop thread only.
#pragma once

#include <cstdint>
#include <string>

#include "parlance/driver/gorpc/absent_server.h"
#include "parlance/hub/agent/agent.h"

namespace parlance::hub::event {
struct Notice;  // hub/conversation/event.h
}

namespace parlance::driver {

// Asks the person after `rounds` rounds of tools. Returns false, with a notice in the turn, for a refusal and for no answer. Errors: the
// store's.
Task<Result<bool>> may_continue(hub::Turn& turn, std::uint32_t rounds);

// Each of these reports a failure in the turn, and returns the stop reason.
hub::StopReason out_of_rounds(hub::Turn& turn, std::uint32_t rounds);    // the limit of the prompt's options
hub::StopReason no_answer(hub::Turn& turn, const std::string& problem);  // an empty answer of the model
hub::StopReason cut_again(hub::Turn& turn);                              // limits::cut_answers answers in a row

hub::event::Notice absent_notice(const AbsentServer& server);
hub::event::Notice left_out_notice();  // the oldest turns exceed the context of the model

// Reports a failure if the model could not read some of the attachments, and returns whether it did. Some servers refuse an attachment
// only in the answer to a request: abilities must be requested again.
bool report_unseen(hub::Turn& turn, std::size_t unseen, std::size_t attached);

}  // namespace parlance::driver
