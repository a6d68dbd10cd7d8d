// SPDX-License-Identifier: Apache-2.0
// The host's answers to requests of pages that concern no single page (hub_over_page.h has the others), with the permissions of
// the page's caller. The dispatcher has checked the message's permission (permissions.h). A class for each subject answers its
// requests with `perform`. Loop thread only; hub and settings must outlive the object, and the object its tasks.
#pragma once

#include <string>

#include "parlance/face/page/conversations.h"
#include "parlance/face/page/mcp_servers.h"
#include "parlance/face/page/memories.h"
#include "parlance/face/page/models.h"
#include "parlance/face/page/push.h"
#include "parlance/face/page/setup.h"
#include "parlance/face/page/usage.h"

namespace parlance::face {

class PageAnswers {
 public:
  PageAnswers(Loop& loop, const std::string& home, agent::AgentBackend* memory, PagePush::Settings push, McpPort* mcp,
              PageModels::Settings models, AgentSetups setups)
      : conversations_(loop, home),
        memories_(memory),
        push_(std::move(push)),
        mcp_servers_(mcp),
        models_(loop, std::move(models)),
        setup_(loop, home, std::move(setups)) {}

  // A request without a class does not compile.
  template <class Message>
  Answered<Message> perform(Message& m, hub::UserHub& hub) {
    return perform_by(m, hub, conversations_, memories_, usage_, push_, mcp_servers_, models_, setup_);
  }

 private:
  template <class Message, class Subject, class... Others>
  static Answered<Message> perform_by(Message& m, hub::UserHub& hub, Subject& subject, Others&... others) {
    if constexpr (requires { subject.perform(m, hub); }) return subject.perform(m, hub);
    else return perform_by(m, hub, others...);
  }

  PageConversations conversations_;
  PageMemories memories_;
  PageUsage usage_;
  PagePush push_;
  PageMcpServers mcp_servers_;
  PageModels models_;
  PageSetup setup_;
};

}  // namespace parlance::face
