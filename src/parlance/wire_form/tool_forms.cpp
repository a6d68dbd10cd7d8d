// SPDX-License-Identifier: Apache-2.0
#include "parlance/wire_form/tool_forms.h"

#include <utility>

#include "parlance/hub/conversation/tool_event.h"

namespace parlance::wire_form {
namespace {

struct Of {
  ToolContent operator()(const hub::ToolText& text) const { return {ToolText{.text = text.text}}; }
  ToolContent operator()(const hub::Diff& diff) const {
    return {ToolDiff{.path = diff.path, .before = diff.before, .after = diff.after}};
  }
  ToolContent operator()(const hub::ToolTerminal& terminal) const { return {ToolTerminal{.terminal = terminal.terminal}}; }
  ToolContent operator()(const hub::ToolPicture& tool_picture) const {
    return {ToolPicture{.attachment = tool_picture.attachment}};
  }
};

struct From {
  hub::ToolContent operator()(ToolText& text) const { return hub::ToolText{.text = std::move(text.text)}; }
  hub::ToolContent operator()(ToolDiff& tool_diff) const {
    return hub::Diff{
        .path = std::move(tool_diff.path), .before = std::move(tool_diff.before), .after = std::move(tool_diff.after)};
  }
  hub::ToolContent operator()(ToolTerminal& terminal) const {
    return hub::ToolTerminal{.terminal = std::move(terminal.terminal)};
  }
  hub::ToolContent operator()(ToolPicture& tool_picture) const {
    return hub::ToolPicture{.attachment = std::move(tool_picture.attachment)};
  }
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
    for (const hub::ToolContent& content : *update.content) form.content->push_back(std::visit(Of{}, content));
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
    for (ToolContent& content : *form.content) update.content->push_back(std::visit(From{}, content.value));
  }
  return update;
}

}  // namespace parlance::wire_form
