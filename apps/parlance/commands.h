// The subcommands of `parlance`. Each is one file; main.cpp knows their flags. They return the exit code:
// 0 done, 1 failed, 2 usage, 3 refused by a person or a rule, 4 the agent could not be started, 5 timed out.
#pragma once

#include <string>
#include <vector>

#include "settings.h"

namespace parlance::app {

enum ExitCode : int { done = 0, failed = 1, usage = 2, refused = 3, not_started = 4, timed_out = 5 };

int run_up(const Settings& settings);
int run_gateway(const Settings& settings);
int run_agent(const Settings& settings);
int run_embed(const Settings& settings);
int run_config(const Settings& settings, bool with_origin);
int run_doctor(const Settings& settings);

struct RpcCall {
  std::string address;
  std::string method;      // Service.Method
  std::string parameters;  // JSON; "-" reads stdin
  bool json_codec = false;
  std::string http_path;
  std::string user;  // whose the socket may be, beside ours and root's
  double timeout_s = 30;
};
int run_rpc_call(const RpcCall& call);

struct RpcServe {
  std::string address;
  std::vector<std::string> methods;  // Service.Method=COMMAND
};
int run_rpc_serve(const RpcServe& serve);

struct RunCommand {
  std::string agent;
  std::string prompt;                // empty: stdin
  std::vector<std::string> command;  // behind --: the agent's program
  std::string folder;
  std::string mode = "default";
  std::string model;
  std::string approve = "ask";  // ask, all, none
  bool json = false;
  double timeout_s = 0;  // 0: none
};
int run_run(const Settings& settings, const RunCommand& command);

int run_serve_claude(const Settings& settings, const std::vector<std::string>& words);
// Whether we were started in Claude Code's place, by a host that knows of no subcommand.
bool is_claude_host(int argc, char** argv);

struct GobCommand {
  std::string file;    // "-" is stdin
  bool hex = false;    // the input is hex text (dump) or the output shall be (encode)
  bool types = false;  // dump: definitions too
  std::string type;    // encode: the type description
};
int run_gob_dump(const GobCommand& command);
int run_gob_encode(const GobCommand& command);

struct MemoryCommand {
  std::string what;                // store, search, get, list, delete, forget, export, import, stats, why
  std::vector<std::string> words;  // the text, the query, ids, or a file
  std::string category;
  std::string conversation;
  std::string source;
  std::string before;
  std::string from_sqlite;
  double importance = 0.7;
  double min_score = 0.7;
  std::size_t limit = 0;  // 0: the usual number
  bool json = false;
};
int run_memory(const Settings& settings, const MemoryCommand& command);

int run_describe(const std::string& protocol, const std::string& form);
int run_completion(const std::string& shell);

// One line on stderr, and the exit code.
int complain(const Error& error, int code = ExitCode::failed);

}  // namespace parlance::app
