// SPDX-License-Identifier: Apache-2.0
// The permission of each message of a page (hub/team/permission_table.h). Values; any thread.
#pragma once

#include "parlance/hub/team/permission_table.h"
#include "parlance/protocol/page/messages.h"

namespace parlance::face {

// A command's permission is in its row (hub/conversation/command.h).
template <page::CarriesCommand Message>
using CommandNeeds = hub::Needs<Message, hub::rules_of<typename Message::Command>.permission>;

using PagePermissions = hub::PermissionTable<
    hub::Needs<page::Ready, hub::Permission::enter>, hub::Needs<page::OpenConversation, hub::Permission::read>,
    hub::Needs<page::OlderEvents, hub::Permission::read>, hub::Needs<page::ListConversations, hub::Permission::enter>,
    hub::Needs<page::GetConversation, hub::Permission::read>, hub::Needs<page::CloseConversation, hub::Permission::enter>,
    hub::Needs<page::NewConversation, hub::Permission::create>, CommandNeeds<page::Prompt>, CommandNeeds<page::Withdraw>,
    CommandNeeds<page::Stop>, CommandNeeds<page::GoOn>, CommandNeeds<page::RestartAgent>,
    hub::Needs<page::LookForAgents, hub::Permission::create>, CommandNeeds<page::Answer>, CommandNeeds<page::Reask>,
    CommandNeeds<page::SetConversation>, CommandNeeds<page::SetOption>, CommandNeeds<page::ClearConversation>,
    CommandNeeds<page::DeleteConversation>, hub::Needs<page::RevokeRule, hub::Permission::enter>,
    hub::Needs<page::Search, hub::Permission::read>, hub::Needs<page::KeptSessions, hub::Permission::create>,
    hub::Needs<page::AdoptSession, hub::Permission::create>, hub::Needs<page::FindFiles, hub::Permission::create>,
    hub::Needs<page::SearchMemories, hub::Permission::create>, hub::Needs<page::ListMemories, hub::Permission::create>,
    hub::Needs<page::ForgetMemory, hub::Permission::create>, hub::Needs<page::GetUsage, hub::Permission::enter>,
    hub::Needs<page::SetLimits, hub::Permission::administer>, hub::Needs<page::GetPush, hub::Permission::enter>,
    hub::Needs<page::PushSubscribe, hub::Permission::enter>, hub::Needs<page::PushRemove, hub::Permission::enter>,
    hub::Needs<page::GetMcpServers, hub::Permission::enter>, hub::Needs<page::ChangeMcpServer, hub::Permission::administer>,
    hub::Needs<page::Looking, hub::Permission::enter>, hub::Needs<page::GetModels, hub::Permission::administer>,
    hub::Needs<page::ListModels, hub::Permission::administer>, hub::Needs<page::TestModel, hub::Permission::administer>,
    hub::Needs<page::SaveModel, hub::Permission::administer>, hub::Needs<page::RemoveModel, hub::Permission::administer>,
    hub::Needs<page::GetSetup, hub::Permission::create>>;

}  // namespace parlance::face
