// SPDX-License-Identifier: Apache-2.0
// A room during a chat: its output, its answerer and its follower. Loop thread only.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "apps/parlance/chat/chat_place.h"
#include "apps/parlance/chat/editor_asks.h"
#include "apps/parlance/chat/rooms.h"
#include "apps/parlance/terminal/terminal_asks.h"
#include "apps/parlance/terminal/terminal_output.h"
#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/follower.h"

namespace parlance::app {

struct Talk {
  Talk(std::unique_ptr<Room> in, ChatPlace& place, const std::string& approve)
      : room(std::move(in)),
        follower(room->hub, room->conversation, room->hub.find(room->conversation)->last_seq),
        output(place.paper, {.chat = true}),
        asks(room->hub, output, place.console, approve) {
    if (place.editor != nullptr && approve == "ask")
      in_editor.emplace(room->hub, *place.editor, asks, place.paper.notes_in_terminal() ? &output : nullptr);
  }
  AskAnswerer& answerer() { return in_editor ? static_cast<AskAnswerer&>(*in_editor) : asks; }
  // The present row; null: another program deleted the conversation, or the person may no longer read it.
  const hub::Conversation* present() const { return room->hub.find(room->conversation); }
  // The same, or the last row before the deletion.
  const hub::Conversation& row() {
    const hub::Conversation* const now = present();
    if (now != nullptr) last_row = *now;
    return now != nullptr ? *now : last_row;
  }

  std::unique_ptr<Room> room;
  hub::Follower follower;
  TerminalOutput output;
  TerminalAsks asks;
  std::optional<EditorAsks> in_editor{};
  hub::Conversation last_row{};
};

}  // namespace parlance::app
