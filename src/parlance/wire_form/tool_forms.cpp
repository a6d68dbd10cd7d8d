// SPDX-License-Identifier: Apache-2.0
#include "parlance/wire_form/tool_forms.h"

#include <utility>

#include "parlance/hub/conversation/tool_event.h"

namespace parlance::wire_form {
namespace {

struct Of {
  ToolContent operator()(const hub::ToolText& one) const { return {ToolText{.text = one.text}}; }
  ToolContent operator()(const hub::Diff& one) const {
    return {ToolDiff{.path = one.path, .before = one.before, .after = one.after}};
  }
  ToolContent operator()(const hub::ToolTerminal& one) const { return {ToolTerminal{.terminal = one.terminal}}; }
  ToolContent operator()(const hub::ToolPicture& one) const { return {ToolPicture{.attachment = one.attachment}}; }
};

struct From {
  hub::ToolContent operator()(ToolText& one) const { return hub::ToolText{.text = std::move(one.text)}; }
  hub::ToolContent operator()(ToolDiff& one) const {
    return hub::Diff{.path = std::move(one.path), .before = std::move(one.before), .after = std::move(one.after)};
  }
  hub::ToolContent operator()(ToolTerminal& one) const { return hub::ToolTerminal{.terminal = std::move(one.terminal)}; }
  hub::ToolContent operator()(ToolPicture& one) const { return hub::ToolPicture{.attachment = std::move(one.attachment)}; }
};

wire::Raw input_of(const std::string& json) { return {json.empty() ? "null" : json}; }
std::string json_of(wire::Raw input) { return input.json == "null" ? "" : std::move(input.json); }

}  // namespace

ToolStart of(const hub::event::ToolStart& start) {
  ToolStart form{.call = start.call,
                 .tool = start.tool,
                 .title = start.title,
                 .input = input_of(start.input_json),
                 .parent = start.parent,
                 .locations = start.locations};
  if (start.kind != hub::CallKind::other) form.kind = start.kind;
  return form;
}

hub::event::ToolStart from(ToolStart form) {
  return {.call = std::move(form.call),
          .tool = std::move(form.tool),
          .title = std::move(form.title),
          .input_json = json_of(std::move(form.input)),
          .parent = std::move(form.parent),
          .kind = form.kind.value_or(hub::CallKind::other),
          .locations = std::move(form.locations)};
}

ToolUpdate of(const hub::event::ToolUpdate& update) {
  ToolUpdate form{
      .call = update.call, .title = update.title, .kind = update.kind, .status = update.status, .locations = update.locations};
  if (update.input_json) form.input = input_of(*update.input_json);
  if (update.content) {
    form.content.emplace();
    for (const hub::ToolContent& one : *update.content) form.content->push_back(std::visit(Of{}, one));
  }
  return form;
}

hub::event::ToolUpdate from(ToolUpdate form) {
  hub::event::ToolUpdate update{.call = std::move(form.call),
                                .title = std::move(form.title),
                                .kind = form.kind,
                                .status = form.status,
                                .locations = std::move(form.locations)};
  if (form.input) update.input_json = json_of(*std::move(form.input));
  if (form.content) {
    update.content.emplace();
    for (ToolContent& one : *form.content) update.content->push_back(std::visit(From{}, one.value));
  }
  return update;
}

}  // namespace parlance::wire_form
