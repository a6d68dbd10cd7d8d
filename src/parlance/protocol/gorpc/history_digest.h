// SPDX-License-Identifier: Apache-2.0
// Names a list of messages by its content, so that a gateway and an agent cannot mean different messages. Pure; any thread.
#pragma once

#include <span>
#include <string>

#include "parlance/protocol/gorpc/messages.h"

namespace parlance::gorpc {

// The SHA-256 digest, in hex, of the messages of digest `before` and then `messages`. One hash for each message, over the previous
// digest and the fields of the message: several calls for parts give the digest of the whole. Empty `before`: no earlier messages.
// Precondition: the messages have no attachments.
std::string history_digest(std::string before, std::span<const Message> messages);

bool has_attachments(const Message& message);  // of the message, or of its results

}  // namespace parlance::gorpc
