// SPDX-License-Identifier: Apache-2.0
// The permission of each message of a webview (hub/team/permission_table.h). Files of the gateway's machine need `create`, so a viewer has
// none; which files, says WebviewEditor::folders_here. Values; any thread.
#pragma once

#include "parlance/hub/team/permission_table.h"
#include "parlance/protocol/webview/requests.h"

namespace parlance::face {

using WebviewPermissions = hub::PermissionTable<
    hub::Needs<webview::Ready, hub::Permission::enter>, hub::Needs<webview::RecheckCli, hub::Permission::create>,
    hub::Needs<webview::PickFiles, hub::Permission::create>, hub::Needs<webview::ListWorkspaceFiles, hub::Permission::create>,
    hub::Needs<webview::SearchFiles, hub::Permission::create>, hub::Needs<webview::ReadFiles, hub::Permission::create>,
    hub::Needs<webview::OpenFile, hub::Permission::create>, hub::Needs<webview::SendMessage, hub::Permission::prompt>,
    hub::Needs<webview::ToolApproval, hub::Permission::answer>, hub::Needs<webview::QuestionAnswer, hub::Permission::answer>,
    hub::Needs<webview::PlanAnswer, hub::Permission::answer>, hub::Needs<webview::CancelCurrent, hub::Permission::stop>,
    hub::Needs<webview::NewConversation, hub::Permission::create>, hub::Needs<webview::SwitchConversation, hub::Permission::read>,
    hub::Needs<webview::DeleteConversation, hub::Permission::remove>,
    hub::Needs<webview::ClearConversation, hub::Permission::change>, hub::Needs<webview::SetMode, hub::Permission::change>,
    hub::Needs<webview::SetThink, hub::Permission::change>, hub::Needs<webview::SetModel, hub::Permission::change>,
    hub::Needs<webview::SetWorkspaceFolder, hub::Permission::create>,
    hub::Needs<webview::IdeContextChanged, hub::Permission::enter>, hub::Needs<webview::PickedFiles, hub::Permission::create>,
    hub::Needs<webview::WorkspaceFolders, hub::Permission::create>>;

}  // namespace parlance::face
