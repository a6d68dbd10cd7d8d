// SPDX-License-Identifier: Apache-2.0
// The addresses of the frontends, and the permission of each. The gateway's own ones are in parlance/gateway/own_addresses.h. Messages
// inside frames and bodies (/ws, /webview, /acp, /runner) have rows in the tables of their frontends. Values; any thread.
#pragma once

#include "parlance/gateway/routes.h"

namespace parlance::app {

using gateway::Access;
using gateway::Address;
using hub::Permission;

inline constexpr std::array served_addresses{
    Address{"GET", "/ws", Access::socket, Permission::enter, true},
    Address{"GET", "/webview", Access::socket, Permission::enter, true},
    Address{"*", "/acp", Access::socket, Permission::enter},
    Address{"GET", "/runner", Access::runner, Permission::connect, true},
    Address{"GET", "/ws/chat", Access::socket_or_query, Permission::create, true},
    Address{"POST", "/v1/chat/completions", Access::token, Permission::create},
    Address{"POST", "/v1/embeddings", Access::token, Permission::create},
    Address{"GET", "/v1/models", Access::token, Permission::enter},
    Address{"GET", "/v1/models/*", Access::token, Permission::enter},
    Address{"GET", "/attachments/*", Access::token, Permission::read},
    Address{"GET", "/memory/search", Access::token, Permission::create},
    Address{"GET", "/memory/get", Access::token, Permission::create},
    Address{"POST", "/memory/store", Access::token, Permission::create},
    Address{"GET", "/memory/list", Access::token, Permission::create},
    Address{"DELETE", "/memory/forget", Access::token, Permission::create},
    Address{"GET", "/storage/stats", Access::token, Permission::create},
    Address{"GET", "/databases", Access::token, Permission::create},
    Address{"GET", "/sqlite", Access::socket, Permission::create, true},
    Address{"GET", "/doctor", Access::token, Permission::administer},
    Address{"GET", "/health", Access::token, Permission::enter},  // with the caller's runners; with all runners for an admin
    Address{"GET", "/ready", Access::probe, Permission::open},
    // Other APIs of the same vendors, answered with the ones that exist.
    Address{"*", "/v1/responses", Access::open, Permission::open},
    Address{"*", "/v1/responses/*", Access::open, Permission::open},
    Address{"*", "/v1/completions", Access::open, Permission::open},
    Address{"*", "/v1/messages", Access::open, Permission::open},
    // Addresses of the deployed gateway, answered with the reason for their absence.
    Address{"*", "/process", Access::open, Permission::open},
    Address{"*", "/process/*", Access::open, Permission::open},
    Address{"*", "/cron", Access::open, Permission::open},
    Address{"*", "/cron/*", Access::open, Permission::open},
    Address{"*", "/telegram", Access::open, Permission::open},
    Address{"*", "/telegram/*", Access::open, Permission::open},
};

consteval Address served(std::string_view method, std::string_view path) {
  return gateway::address_in(served_addresses, method, path);
}

}  // namespace parlance::app
