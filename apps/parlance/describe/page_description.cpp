// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/describe/page_description.h"

#include <concepts>
#include <variant>
#include <vector>

#include "parlance/codec/schema/json_schema.h"
#include "parlance/codec/schema/markdown.h"
#include "parlance/codec/schema/typescript.h"
#include "parlance/hub/conversation/agent_info.h"
#include "parlance/protocol/page/messages.h"
#include "parlance/wire_form/conversation_tables.h"
#include "parlance/wire_form/event_tables.h"
#include "parlance/wire_form/spending_tables.h"

namespace parlance::app {
namespace {

using schema::Root;
using wire::type_of;

// The value of `done` for each request: the Value of each message with a Value.
template <wire::FixedText Tag, class... Message>
schema::Lookup values_of(std::type_identity<wire::Tagged<Tag, Message...>>) {
  schema::Lookup values{.name = "RequestValues", .doc = "What `done` carries, by the `type` of the request.", .entries = {}};
  const auto add = [&]<class One>(std::type_identity<One>) {
    if constexpr (!std::same_as<One, page::Ready> && !std::same_as<One, wire::Other>)
      values.entries.emplace_back(One::tag,
                                  std::same_as<typename One::Value, wire::Nothing> ? nullptr : &type_of<typename One::Value>());
  };
  (add(std::type_identity<Message>{}), ...);
  return values;
}

schema::Lookup request_values() { return values_of(std::type_identity<page::PageMessage>{}); }

// Types whose stored form is also their form on the wire.
std::vector<Root> stored() {
  return {{.type = &type_of<hub::Conversation>()},  {.type = &type_of<hub::Ask>()},         {.type = &type_of<hub::Rule>()},
          {.type = &type_of<hub::AgentInfo>()},     {.type = &type_of<hub::ServiceInfo>()}, {.type = &type_of<hub::SpentOn>()},
          {.type = &type_of<hub::SpendingLimits>()}};
}

std::string page_markdown() {
  std::vector<const wire::Type*> messages{&type_of<page::PageMessage>(), &type_of<page::HostMessage>(), &type_of<page::Op>()};
  std::string values = "| request | value of `done` |\n| --- | --- |\n";
  for (const auto& [request, type] : request_values().entries) {
    values += "| `" + std::string(request) + "` | " + (type == nullptr ? "" : "`" + std::string(type->name) + "`") + " |\n";
    if (type != nullptr) messages.push_back(type);
  }
  std::vector<const wire::Type*> kept;
  for (const Root& root : stored()) kept.push_back(root.type);
  std::vector<const wire::Type*> events{&type_of<wire_form::EventHead>(), &wire_form::event_type()};
  return "# Page and gateway over WebSocket\n\nPrinted by `parlance describe`; do not edit by hand.\n\n"
         "One JSON object a text frame, on `/ws`. `apps/web/src/protocol.ts` is printed from the same tables. Conversations, "
         "events, "
         "asks and rules travel as they are stored and are described below the messages. The bytes of "
         "attachments are fetched by "
         "id: "
         "`GET /attachments/ID`, with the token in a header.\n\n## Messages of the page\n\n" +
         schema::markdown_union(type_of<page::PageMessage>()) + "\n" + values + "\n## Messages of the host\n\n" +
         schema::markdown_union(type_of<page::HostMessage>()) + "\nOperations of a `delta`:\n\n" +
         schema::markdown_union(type_of<page::Op>()) + "\n## Their members\n\n" + schema::markdown_types(messages) +
         "## What is stored\n\n" + schema::markdown_types(kept) +
         "## Events\n\nThe members of `EventHead`, a `kind`, and the members of that kind. A reader passes over kinds that it "
         "does not "
         "know.\n\n" +
         schema::markdown_union(wire_form::event_type()) + "\n" + schema::markdown_types(events);
}

constexpr std::string_view typescript_head =
    "// SPDX-License-Identifier: Apache-2.0\n// Messages between the page and its gateway: JSON objects, "
    "each in a WebSocket text frame.\n//\n// Printed from the tables of the gateway "
    "(protocol/page/messages.h, wire_form/event_tables.h) by `parlance describe page --form "
    "typescript`.\n// Do not edit by hand: `scripts/describe.sh` writes this file.\n//\n// The gateway "
    "keeps all state. After `ready` follows one `snapshot`. From then on, every change is a `delta` with "
    "the next `seq` of the\n// connection. A gap means a lost delta: send `ready` again and start from "
    "the new snapshot. The transcript of a conversation is a fold\n// over its events. Events have a "
    "`seq` inside the conversation, never change, and can be requested from any cursor on. A newer "
    "gateway\n// may send unknown kinds: skip these (unknown.ts).\n\n";

std::string page_typescript() {
  std::vector<Root> roots{
      {.type = &type_of<page::PageMessage>(),
       .name = "PageMessage",
       .doc = "Every message except `ready` carries a `request` and is answered once, by `done` or `failed`."},
      {.type = &type_of<page::HostMessage>(), .name = "HostMessage"},
      {.type = &type_of<page::Op>(), .name = "Op", .doc = "A change, in a `delta`."},
      {.type = &wire_form::event_type(),
       .name = "Event",
       .suffix = "Event",
       .head = &type_of<wire_form::EventHead>(),
       .doc = "An event of a conversation."},
      {.type = &type_of<wire_form::ToolContent>(), .name = "ToolContent", .doc = "Content of a call."}};
  for (const Root& root : stored()) roots.push_back(root);
  return std::string(typescript_head) + schema::typescript({.roots = std::move(roots), .lookups = {request_values()}});
}

}  // namespace

std::string page_form(const std::string& form) {
  if (form == "markdown") return page_markdown();
  if (form == "typescript") return page_typescript();
  return "{\"PageMessage\":" + schema::json_schema(type_of<page::PageMessage>()) +
         ",\"HostMessage\":" + schema::json_schema(type_of<page::HostMessage>()) + "}\n";
}

}  // namespace parlance::app
