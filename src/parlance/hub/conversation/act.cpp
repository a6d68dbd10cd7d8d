// SPDX-License-Identifier: Apache-2.0
#include "parlance/hub/conversation/act.h"

#include <utility>

namespace parlance::hub {
namespace {

std::string text_of_act(const Act& act) {
  const std::string value = act.value.value_or("");
  const bool yes = value == "true";
  if (act.what == act::title) return "the title is \"" + value + "\" now.";
  if (act.what == act::model) return "the model is " + (value.empty() ? "the agent's own choice" : value) + " now.";
  if (act.what == act::think) return yes ? "the agent now thinks before answering." : "the agent now answers without thinking.";
  if (act.what == act::archived) return yes ? "this conversation is archived." : "this conversation is no longer archived.";
  if (act.what == act::access && value == "team") return "the team may read this conversation and take part.";
  if (act.what == act::access && value == "view") return "the team may read this conversation.";
  if (act.what == act::access) return "this conversation is private.";
  if (act.what == act::stop) return "this turn was stopped.";
  if (act.what == act::resume) return "the queued prompts go out now.";
  if (act.what == act::restart) return "the agent has been restarted.";
  if (act.what == act::withdraw)
    return value.empty() ? "a queued prompt was withdrawn." : "a queued prompt of " + value + " was withdrawn.";
  return "";
}

}  // namespace

std::string sentence_of(const Act& act) {
  std::string text = text_of_act(act);
  if (act.by && !text.empty()) return *act.by + ": " + text;
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

}  // namespace parlance::hub
