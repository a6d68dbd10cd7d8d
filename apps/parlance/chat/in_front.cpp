// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/chat/in_front.h"

namespace parlance::app {
namespace {

using Context = std::vector<hub::PromptContext>;

Context of(const editor::ContextChanged& report) {
  if (report.selection.state == editor::Nullable<editor::ContextSelection>::State::value) {
    const editor::ContextSelection& context_selection = report.selection.value;
    return {{.path = context_selection.file_path,
             .range = hub::LineRange{context_selection.line_start, context_selection.line_end},
             .text = context_selection.text}};
  }
  if (report.active_file.state == editor::Nullable<editor::ContextFile>::State::value)
    return {{.path = report.active_file.value.path}};
  return {};
}

}  // namespace

Task<Context> in_front(const editor::ContextChanged* report, hub::Editor& editor) {
  if (report != nullptr) co_return of(*report);
  const auto file = co_await editor.active_file();
  if (!file) co_return Context{};
  const auto selection = co_await editor.selection();
  if (!selection || selection->text.empty()) co_return Context{{.path = file->path}};
  co_return Context{{.path = file->path,
                     .range = hub::LineRange{selection->range.start.line + 1, selection->range.end.line + 1},
                     .text = selection->text}};
}

}  // namespace parlance::app
