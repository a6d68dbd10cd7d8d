// SPDX-License-Identifier: Apache-2.0
// Refused attachments of a server's models, known by the hash of their data and model. A refusal names neither the attachment nor a
// text-only model. So suspects are the attachments without an earlier answer of the model, and other conversations keep theirs. Memory:
// the last limits::model_known_attachments hashes of each kind. Loop thread only.
#pragma once

#include <cstddef>
#include <deque>
#include <string_view>

#include "parlance/model/model.h"

namespace parlance::model {

class RefusedAttachments {
 public:
  bool contains(const Attachment& attachment, std::string_view model) const;
  // The server refused the request with this sentence. True: the sentence is about attachments, and the request has no suspect any
  // more: each became a note for the model.
  bool take_out(ChatRequest& request, std::string_view sentence);
  void accept(const ChatRequest& request);  // after an answer

 private:
  std::deque<std::size_t> refused_;  // hashes
  std::deque<std::size_t> accepted_;
};

}  // namespace parlance::model
