// SPDX-License-Identifier: Apache-2.0
#include "parlance/model/provider/refused_attachments.h"

#include <algorithm>
#include <functional>
#include <initializer_list>

#include "parlance/base/text.h"
#include "parlance/model/provider/limits.h"

namespace parlance::model {
namespace {

std::size_t hash_of(const Attachment& attachment, std::string_view model) {
  const std::hash<std::string_view> hash;
  return hash(attachment.data.empty() ? attachment.url : attachment.data) * 31 + hash(model);
}

bool knows(const std::deque<std::size_t>& known, std::size_t hash) { return std::ranges::find(known, hash) != known.end(); }

void keep(std::deque<std::size_t>& known, std::size_t hash) {
  if (knows(known, hash)) return;
  known.push_back(hash);
  if (known.size() > limits::model_known_attachments) known.pop_front();
}

// As servers say it: "Could not process image", "image_url is only supported by certain models", "content must be a string".
bool is_about_attachments(std::string_view sentence) {
  const std::string lower = to_lower(sentence);
  return std::ranges::any_of(
      std::initializer_list<std::string_view>{"image", "vision", "multimodal", "must be a string", "file", "document", "pdf"},
      [&](std::string_view word) { return lower.find(word) != std::string::npos; });
}

}  // namespace

bool RefusedAttachments::contains(const Attachment& attachment, std::string_view model) const {
  return !refused_.empty() && knows(refused_, hash_of(attachment, model));
}

bool RefusedAttachments::take_out(ChatRequest& request, std::string_view sentence) {
  if (!is_about_attachments(sentence)) return false;
  const auto hash_here = [&request](const Attachment& attachment) { return hash_of(attachment, request.model); };
  bool fresh = false;
  visit_attachments(request.messages, [&](const std::vector<Attachment>& attachments, const std::string&) {
    fresh = fresh || std::ranges::any_of(attachments,
                                         [&](const Attachment& attachment) { return !knows(accepted_, hash_here(attachment)); });
  });
  bool taken = false;
  visit_attachments(request.messages, [&](std::vector<Attachment>& attachments, std::string& text) {
    std::erase_if(attachments, [&](const Attachment& attachment) {
      const std::size_t hash = hash_here(attachment);
      if (fresh && knows(accepted_, hash)) return false;
      keep(refused_, hash);
      add_note(text, unseen_note(attachment));
      return taken = true;
    });
  });
  return taken;
}

void RefusedAttachments::accept(const ChatRequest& request) {
  visit_attachments(request.messages, [&](const std::vector<Attachment>& attachments, const std::string&) {
    for (const Attachment& attachment : attachments) keep(accepted_, hash_of(attachment, request.model));
  });
}

}  // namespace parlance::model
