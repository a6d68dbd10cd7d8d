// SPDX-License-Identifier: Apache-2.0
// parlance agent: our agent behind Go net/rpc on a Unix socket (docs/protocol/gorpc.md).
#include "parlance/agent/agent.h"

#include <filesystem>
#include <optional>

#include "apps/parlance/commands.h"
#include "apps/parlance/config/check_settings.h"
#include "apps/parlance/config/deployed_settings.h"
#include "apps/parlance/config/own_model.h"
#include "apps/parlance/embedding.h"
#include "apps/parlance/open_memory.h"
#include "apps/parlance/supervise/supervised.h"
#include "parlance/base/check.h"
#include "parlance/base/log.h"
#include "parlance/base/text.h"
#include "parlance/model/connection/stored_model.h"
#include "parlance/model/provider/make_model.h"
#include "parlance/model/settings.h"
#include "parlance/protocol/gorpc/server.h"
#include "parlance/server/agent/agent_over_gorpc.h"
#include "parlance/store/chat_counts.h"
#include "parlance/store/state_parts.h"
#include "parlance/transport/private_file.h"
#include "parlance/transport/socket_link.h"
#include "parlance/transport/sockets.h"

namespace parlance::app {
namespace {

using namespace std::chrono_literals;

constexpr auto chat_drain_time = 3s;               // running chats may end; then the sockets close
constexpr std::string_view memory_alone = "none";  // of --model: Chat is answered "agent not initialized"

Result<model::ModelSettings> model_settings(const Settings& settings) {
  model::ModelSettings model;
  const auto kind = model::kind_from(settings.text("model"));
  PARLANCE_CHECK(kind, "settings.cpp lets no other kind of model through");
  model.kind = *kind;
  model.url = settings.text("model-url");
  model.name = settings.text("model-name");
  model.rehearsal.scenario = settings.text("scenario");
  const auto pace = parse_number<int>(settings.text("rehearsal-pace-ms"));
  if (!pace || *pace < 0)
    return fail(Errc::invalid_params,
                "rehearsal-pace-ms: \"" + settings.text("rehearsal-pace-ms") + "\" is no number of milliseconds; give 0 or more");
  model.rehearsal.pace = std::chrono::milliseconds(*pace);
  PARLANCE_TRY(key, model::find_api_key(*kind, environment_variable, settings.text("model-key-file")));
  model.key = std::move(key);
  return model;
}

// A model without a setting of a person follows the stored connection, and is the rehearsal without one.
Result<std::unique_ptr<model::Model>> chosen_model(Loop& loop, const Settings& settings) {
  const bool follows = follows_connections(settings);
  Settings otherwise = settings;
  if (follows) otherwise.set("model", {std::string(spec_of("model").fallback), std::string(default_origin)});
  PARLANCE_TRY(wanted, model_settings(otherwise));
  auto made = model::make_model(loop, std::move(wanted));
  if (!made) return fail(std::move(made).error().in("the model"));
  if (!follows) return made;
  const Setting& name = settings["model-name"];
  const bool is_named = name.origin != default_origin && !is_stored_connection(name);
  return std::make_unique<model::StoredModel>(loop, state_folder(settings), is_named ? name.value : "", *std::move(made));
}

std::string model_in_words(const agent::ChatAgent& agent) {
  return "model " + std::string(agent.language_model().name()) +
         (agent.language_model().scripted() ? " (scripted: no language model answers)" : "");
}

// The link for programs with the fixed usual address. A failure is logged, and the agent continues.
std::optional<SocketLink> link_to(const Settings& settings, const std::string& socket) {
  const Setting& link = settings["agent-socket-link"];
  const bool usual = socket == usual_agent_socket();
  if (link.value == "none" || link.value == socket || (!usual && link.origin == default_origin)) return std::nullopt;
  auto made = SocketLink::make(link.value, std::filesystem::absolute(socket).string());
  if (made) return *std::move(made);
  complain(made.error().in("no link to the agent's socket"));
  return std::nullopt;
}

// The usual socket has its own folder; other folders must exist.
Result<SocketPeers> prepare_socket(const Settings& settings) {
  const std::string& socket = settings.text("agent-socket");
  const bool has_own_folder = socket == usual_agent_socket() && socket != seed_agent_socket;
  if (has_own_folder) PARLANCE_TRY_DO(keep_private_folder(std::filesystem::path(socket).parent_path().string()));
  SocketPeers peers;
  if (settings.text("agent-socket-group").empty()) return peers;
  if (has_own_folder)
    return fail(Errc::invalid_params, "--agent-socket-group: no other user can enter the folder of " + socket +
                                          "; give an --agent-socket in a folder that the group can enter");
  PARLANCE_TRY(group, group_id(settings.text("agent-socket-group")));
  peers.group = group;
  return peers;
}

// A lost memory differs from an empty memory: reported now and at each memory call. Chats continue without memory.
void report_lost_memory(const Settings& settings) {
  if (!settings.text("store").empty()) return;
  if (const auto there = store::check_part(state_folder(settings), "memory.db"); !there)
    log(LogLevel::error, "there is no memory", {{"why", there.error().message}});
}

}  // namespace

int run_agent(const Settings& settings) {
  if (const auto checked = check_settings(settings, {"model", "model-url", "model-key-file", "scenario", "rehearsal-pace-ms",
                                                     "agent-socket-group", "embed-key-file", "store"});
      !checked)
    return complain(checked.error(), ExitCode::usage);
  keep_store_to_ourselves();
  if (const auto kept = keep_state_folder(settings); !kept) return complain(kept.error(), ExitCode::not_started);
  auto peers = prepare_socket(settings);
  if (!peers)
    return complain(peers.error(), peers.error().code == Errc::invalid_params ? ExitCode::usage : ExitCode::not_started);
  Loop loop;
  std::unique_ptr<model::Model> model;
  if (settings.text("model") != memory_alone) {
    auto made = chosen_model(loop, settings);
    if (!made) return complain(made.error(), ExitCode::usage);
    model = *std::move(made);
  }

  report_lost_memory(settings);
  const auto chosen = choose_embedder(loop, settings, "embed-url");
  if (!chosen) return complain(chosen.error(), ExitCode::usage);
  const auto memory = open_memory(loop, settings, *chosen->embedder);
  memory->embed_in_background();
  store::ChatCounts counts(loop, state_folder(settings));
  std::optional<agent::ChatAgent> agent;
  if (model != nullptr)
    agent.emplace(loop, std::move(model), memory.get(),
                  agent::AgentSettings{.recall = settings.is_on("recall"), .counted = [&](const agent::ChatStats& more) {
                                         counts.add({more.sessions, more.messages, more.tool_calls});
                                       }});
  server::ChatStreams streams(loop);
  Router router;
  server::serve_agent(
      router, {.loop = loop, .agent = agent ? &*agent : nullptr, .memory = memory.get(), .streams = streams, .counts = &counts});

  EndWatch end(loop);
  gorpc::Server server(loop, router);
  auto listener = listen_unix(
      loop, settings.text("agent-socket"), [&](std::unique_ptr<ByteStream> stream) { server.serve(std::move(stream)); },
      *std::move(peers));
  if (!listener) return complain(listener.error(), ExitCode::not_started);
  auto link = link_to(settings, settings.text("agent-socket"));
  announce_ready(
      "agent", (*listener)->address(),
      "parlance agent: ready on " + (*listener)->address() + ", " + (agent ? model_in_words(*agent) : "memory alone, no model"));

  const auto serve = [&]() -> Task<void> {
    co_await end.wait();
    link.reset();
    listener->reset();
    co_await server.drain(loop.now() + chat_drain_time);
    static_cast<void>(co_await counts.sums());
  };
  loop.block_on(serve());
  return ExitCode::done;
}

}  // namespace parlance::app
