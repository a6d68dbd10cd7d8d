// SPDX-License-Identifier: Apache-2.0
// The texts of `parlance doctor` in English and Simplified Chinese, by id. Texts of other programs (a server, SQLite, the system), names,
// addresses and commands are values of a text and stay untranslated. Pure; any thread.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "parlance/adapter/acp/plan_mode.h"

namespace parlance::app {

using adapter::Language;

// In the order of the table in texts.cpp, which does not compile otherwise.
enum class DoctorText : std::uint8_t {
  // Names of the examined parts.
  part_state_folder,
  part_disk,
  part_conversations,
  part_memory,
  part_store,
  part_model,
  part_agent,
  part_named_agent,
  part_agents,
  part_runner,
  part_token,
  part_service,
  part_gateway,
  part_embedding,
  part_settings,
  part_configuration,
  // Storage.
  folder_missing,
  folder_not_creatable,
  folder_choose_another,
  folder_open_to_others,
  folder_not_writable,
  folder_take_ownership,
  disk_free,
  disk_free_space,
  database_not_replaced,
  database_not_opened,
  database_recover,
  store_check_access,
  store_gateway,
  memory_none,
  memory_counts,
  memory_unreadable,
  // The model.
  model_none,
  model_rehearsal,
  model_found,
  model_key_none,
  model_key_from,
  model_key_missing,
  model_answers,
  model_has_name,
  model_lacks_name,
  model_choose_listed,
  model_web_page,
  model_give_address,
  model_correct_url,
  model_not_reachable,
  model_start_server,
  model_set_key,
  model_set_key_or_server,
  model_private_key_file,
  model_correct_connection,
  // Services.
  answers_on,
  not_running,
  no_answer,
  hanging_restarts,
  socket_of_other_user,
  socket_taken,
  service_down,
  service_read_output,
  gateway_not_loopback,
  gateway_other_program,
  gateway_free_port,
  embed_answers,
  embed_not_running,
  embed_check_back_end,
  embed_other_program,
  embed_free_port,
  embedder_works,
  embedder_check,
  // Agents.
  agents_correct_table,
  agent_at_address,
  agent_no_program,
  agent_install,
  agent_not_installed,
  agent_then_sign_in,
  agent_check_key_file,
  // Runners.
  runner_connected,
  runner_elsewhere,
  runner_not_connected,
  runner_start,
  runner_other_version,
  runner_no_version,
  way_accepts,
  way_unencrypted,
  way_form,
  way_make_token,
  way_certificate,
  way_use_token,
  way_update,
  way_reach,
  // Settings, and the end of the report.
  settings_no_file,
  all_well,
  problems,
};

// The text with {0}, {1}, … replaced by the values.
std::string text_of(DoctorText id, Language language, std::initializer_list<std::string_view> values = {});

}  // namespace parlance::app
