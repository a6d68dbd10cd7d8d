// parlance: one binary, a subcommand for each of its programs. Only flags are declared here; each command is a file of its own.
#include <algorithm>
#include <cstdio>
#include <functional>
#include <map>
#include <string>

#include <CLI/CLI.hpp>

#include "apps/sqlite-helper/helper.h"
#include "async/signals.h"
#include "base/log.h"
#include "commands.h"
#include "transport/stdio.h"
#include "usage.h"

namespace parlance::app {
namespace {

// Adds flags for settings of the table; what was given ends up in `flags` under the setting's name.
class Flags {
 public:
  void add(CLI::App& app, std::initializer_list<std::string_view> names) {
    for (const std::string_view name : names) {
      const SettingSpec& spec = spec_of(name);
      std::string help(spec.doc);
      if (!spec.fallback.empty() && !spec.value_name.empty()) help += " Default: " + std::string(spec.fallback) + ".";
      help += " [" + std::string(spec.environment) + "]";
      const std::string flag = "--" + std::string(name);
      // `parlance agent --socket PATH` is the shorter name of the same, and so are those of `parlance embed`.
      std::string shown = name == "agent-socket" ? flag + ",--socket" : flag;
      if (app.get_name() == "embed" && name == "embed-listen") shown += ",--listen";
      if (app.get_name() == "embed" && name == "embed-backend") shown += ",--backend";
      if (spec.value_name.empty()) {
        app.add_flag_callback(shown, [this, key = std::string(name)] { values[key] = "true"; }, help);
      } else {
        app.add_option_function<std::string>(
               shown, [this, key = std::string(name)](const std::string& value) { values[key] = value; }, help)
            ->type_name(std::string(spec.value_name));
      }
    }
  }
  void add_common(CLI::App& app) {
    app.add_option("--config", file, "Read this file instead of ./parlance.toml and the one in your configuration folder.")
        ->type_name("FILE");
    add(app, {"state", "log-level", "log-json"});
  }
  std::map<std::string, std::string> values;
  std::string file;
};

constexpr const char* overview =
    "parlance speaks the protocols between AI agents, editors, gateways and tools.\n\n"
    "Examples:\n"
    "  parlance up                               gateway and agent; prints the address of the page\n"
    "  parlance up --model openai --model-url http://127.0.0.1:11434/v1 --model-name qwen3\n"
    "  parlance rpc call /tmp/ocg-agent.sock RPCService.Stats '{}'\n"
    "  parlance memory search 'which port'       what agents remember\n"
    "  parlance gob dump stream.bin              what a recorded gob stream says\n"
    "  parlance doctor                           is everything right on this machine?\n\n"
    "Every flag can also be set in parlance.toml or by an environment variable; `parlance config --origin` shows where each "
    "value came from.";

}  // namespace

int complain(const Error& error, int code) {
  std::fprintf(stderr, "parlance: %s\n", error.message.c_str());
  return code;
}

namespace {

int run(int argc, char** argv) {
  CLI::App app(overview, "parlance");
  app.set_version_flag("--version", std::string("parlance ") + PARLANCE_VERSION);
  app.require_subcommand(1);
  app.get_formatter()->column_width(34);
  Flags flags;
  std::function<int(const Settings&)> chosen;
  const auto command = [&](CLI::App& parent, const std::string& name, const std::string& doc) -> CLI::App& {
    CLI::App& sub = *parent.add_subcommand(name, doc);
    flags.add_common(sub);
    return sub;
  };
  const auto runs = [&](CLI::App& sub, std::function<int(const Settings&)> action) {
    sub.callback([&chosen, action = std::move(action)] { chosen = action; });
  };

  CLI::App& up =
      command(app, "up",
              "Starts gateway, agent and embedding service, keeps them running, and prints the address of the page. Ctrl-C stops "
              "all.\n\n"
              "Example: parlance up --listen 127.0.0.1:0 --ready-file /tmp/ready.json");
  const auto flags_of_up = {"listen",
                            "agent-socket",
                            "agent-socket-link",
                            "agent-socket-group",
                            "agent-user",
                            "embed-listen",
                            "embed-url",
                            "embed-backend",
                            "embed-model",
                            "embed-key-file",
                            "token",
                            "open",
                            "ready-file",
                            "folder",
                            "model",
                            "model-url",
                            "model-name",
                            "model-key-file",
                            "scenario",
                            "rehearsal-pace-ms",
                            "recall",
                            "claude-command",
                            "claude-hooks",
                            "allow-host",
                            "ask-wait",
                            "databases"};
  for (const char* name : flags_of_up) flags.add(up, {name});
  runs(up, run_up);

  CLI::App& gateway = command(app, "gateway", "HTTP, the page and the conversations, in front of an agent's socket.");
  flags.add(gateway, {"listen", "agent-socket", "agent-user", "embed-listen", "token", "open", "ready-file", "folder", "model",
                      "model-name", "claude-command", "claude-hooks", "allow-host", "ask-wait", "databases"});
  runs(gateway, run_gateway);

  CLI::App& agent = command(
      app, "agent",
      "Our agent behind Go net/rpc on a Unix socket.\n\nExample: parlance agent --socket /tmp/ocg-agent.sock --model rehearsal");
  flags.add(agent, {"agent-socket", "agent-socket-link", "agent-socket-group", "embed-url", "embed-model", "embed-key-file",
                    "model", "model-url", "model-name", "model-key-file", "scenario", "rehearsal-pace-ms", "recall"});
  runs(agent, run_agent);

  CLI::App& embed = command(app, "embed",
                            "The embedding service: texts to vectors over HTTP, for programs of this machine.\n\n"
                            "Example: parlance embed --backend http://127.0.0.1:8080\n"
                            "         curl -d '{\"text\":\"a cup of tea\"}' http://127.0.0.1:50001/embed");
  flags.add(embed, {"embed-listen", "embed-backend", "embed-model", "embed-key-file"});
  runs(embed, run_embed);

  RunCommand run_wanted;
  CLI::App& run_one =
      command(app, "run",
              "One prompt to one agent, here in the terminal: its text on stdout, approvals and questions on stderr.\n\n"
              "Example: parlance run claude 'what does this folder hold?'");
  run_one.add_option("agent", run_wanted.agent, "claude or parlance.")->required();
  run_one.add_option("prompt", run_wanted.prompt, "What to do; from stdin when it is not given.");
  run_one.add_option("--cwd", run_wanted.folder, "The working folder.")->type_name("DIR");
  run_one.add_option("--mode", run_wanted.mode, "What may be done without asking.")
      ->check(CLI::IsMember({"default", "autoEdit", "yolo", "plan", "smart"}))
      ->capture_default_str();
  run_one.add_option("--with-model", run_wanted.model, "The agent's model; by default its own choice.")->type_name("NAME");
  run_one.add_option("--approve", run_wanted.approve, "Who answers: ask you, or all, or none.")
      ->check(CLI::IsMember({"ask", "all", "none"}))
      ->capture_default_str();
  run_one.add_flag("--json", run_wanted.json, "Events as JSON lines on stdout.");
  run_one.add_option("--timeout", run_wanted.timeout_s, "Seconds after which it is stopped (exit code 5).")
      ->check(CLI::PositiveNumber);
  flags.add(run_one, {"claude-command", "claude-hooks", "model", "model-url", "model-name", "model-key-file", "scenario",
                      "rehearsal-pace-ms"});
  runs(run_one, [&](const Settings& settings) { return run_run(settings, run_wanted); });

  CLI::App& serve_claude = command(
      app, "serve-claude",
      "Stands in for Claude Code where a host starts it (the Claude agent SDK): takes its flags and speaks its protocol on "
      "stdin and stdout. Flags that the agent behind it does not keep are named on stderr.\n\nExample: "
      "pathToClaudeCodeExecutable: '/usr/bin/parlance'");
  flags.add(serve_claude, {"serve-agent"});
  serve_claude.allow_extras();
  runs(serve_claude, [&](const Settings& settings) { return run_serve_claude(settings, serve_claude.remaining()); });

  CLI::App& rpc = *app.add_subcommand("rpc", "Go net/rpc from a shell.");
  rpc.require_subcommand(1);
  RpcCall call;
  std::string codec = "gob";
  CLI::App& rpc_call = command(rpc, "call",
                               "Calls a method and prints its reply as JSON.\n\nExample: parlance rpc call /tmp/ocg-agent.sock "
                               "RPCService.MemorySearch '{\"Query\":\"tea\"}'");
  rpc_call.add_option("address", call.address, "A socket's path, or host:port.")->required();
  rpc_call.add_option("method", call.method, "Service.Method.")->required();
  rpc_call.add_option("parameters", call.parameters, "JSON; - reads it from stdin.")->default_val("{}");
  rpc_call.add_option("--codec", codec, "How values travel.")->check(CLI::IsMember({"gob", "json"}))->capture_default_str();
  rpc_call.add_option("--http", call.http_path, "Go through HTTP CONNECT to this path first, usually /_goRPC_.")
      ->type_name("PATH");
  rpc_call.add_option("--agent-user", call.user, "Whose the socket may be, beside yours and root's.")->type_name("USER");
  rpc_call.add_option("--timeout", call.timeout_s, "Seconds to wait for the reply.")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  runs(rpc_call, [&](const Settings&) {
    call.json_codec = codec == "json";
    return run_rpc_call(call);
  });
  RpcServe serve;
  CLI::App& rpc_serve =
      command(rpc, "serve",
              "Serves methods, each by a command that reads the parameters from stdin and writes the reply.\n\n"
              "Example: parlance rpc serve /tmp/x.sock 'RPCService.Stats=echo {\\\"Stats\\\":{\\\"messages\\\":1}}'");
  rpc_serve.add_option("address", serve.address, "A socket's path, or host:port.")->required();
  rpc_serve.add_option("methods", serve.methods, "Service.Method=COMMAND, any number.")->required();
  runs(rpc_serve, [&](const Settings&) { return run_rpc_serve(serve); });

  CLI::App& gob = *app.add_subcommand("gob", "Go's gob encoding.");
  gob.require_subcommand(1);
  GobCommand dump;
  CLI::App& gob_dump =
      command(gob, "dump", "Shows a recorded stream, message by message.\n\nExample: parlance gob dump --text stream.bin");
  gob_dump.add_option("file", dump.file, "The stream; - is stdin.")->default_val("-");
  gob_dump.add_flag("--hex", dump.hex, "The input is hex text.");
  gob_dump.add_flag("--text", dump.types, "For people, with the types; otherwise JSON lines.");
  runs(gob_dump, [&](const Settings&) { return run_gob_dump(dump); });
  GobCommand encode;
  CLI::App& gob_encode =
      command(gob, "encode",
              "Writes JSON values, one a line, as gob.\n\n"
              "Example: echo '{\"Name\":\"a\",\"Size\":3}' | parlance gob encode 'struct File { Name string; Size int }' --hex");
  gob_encode.add_option("type", encode.type, "The type of the values, as Go writes it.")->required();
  gob_encode.add_option("file", encode.file, "The values; - is stdin.")->default_val("-");
  gob_encode.add_flag("--hex", encode.hex, "Write hex text.");
  runs(gob_encode, [&](const Settings&) { return run_gob_encode(encode); });

  MemoryCommand remembered;
  CLI::App& memory =
      *app.add_subcommand("memory", "What agents remember: store, search, list, forget, export and import, also while one runs.");
  memory.require_subcommand(1);
  const CLI::IsMember categories({"preference", "decision", "fact", "entity", "other"});
  const auto memory_command = [&](const std::string& name, const std::string& doc) -> CLI::App& {
    CLI::App& sub = command(memory, name, doc);
    flags.add(sub, {"embed-url", "embed-model", "embed-key-file"});
    if (name != "export") sub.add_flag("--json", remembered.json, "For programs: one JSON document.");
    runs(sub, [&remembered, name](const Settings& settings) {
      remembered.what = name;
      return run_memory(settings, remembered);
    });
    return sub;
  };
  const auto by_category = [&](CLI::App& sub, const char* doc) {
    sub.add_option("--category", remembered.category, doc)->check(categories);
  };
  const auto by_conversation = [&](CLI::App& sub, const char* doc) {
    sub.add_option("--conversation", remembered.conversation, doc)->type_name("ID");
  };
  CLI::App& memory_store = memory_command("store",
                                          "Stores a text, unless the same is there already.\n\n"
                                          "Example: parlance memory store --category decision 'We deploy on Tuesdays.'");
  memory_store.add_option("text", remembered.words, "The text; - reads it from stdin.")->required();
  by_category(memory_store, "What kind of memory it is; other if not given.");
  memory_store.add_option("--importance", remembered.importance, "From 0 to 1.")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
  memory_store.add_option("--source", remembered.source, "Who says so, by which it can be forgotten; manual if not given.")
      ->type_name("KIND");
  CLI::App& memory_search = memory_command("search",
                                           "Finds what a text means, best first.\n\n"
                                           "Example: parlance memory search 'when do we deploy?'");
  memory_search.add_option("query", remembered.words, "What is looked for.")->required();
  by_category(memory_search, "Only this kind.");
  memory_search.add_option("--limit", remembered.limit, "How many at most; 5 if not given.")
      ->check(CLI::Range(1, 100))
      ->type_name("N");
  memory_search.add_option("--min-score", remembered.min_score, "From 0 to 1; 0.7 is what a person calls a match.")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
  memory_command("get", "Shows one memory.\n\nExample: parlance memory get mem_01ARZ3NDEKTSV4RRFFQ6")
      .add_option("id", remembered.words, "Its id.")
      ->required()
      ->expected(1);
  CLI::App& memory_list =
      memory_command("list", "Lists memories, the newest first.\n\nExample: parlance memory list --category preference");
  by_category(memory_list, "Only this kind.");
  by_conversation(memory_list, "Only what this conversation made.");
  memory_list.add_option("--limit", remembered.limit, "How many at most; 50 if not given.")
      ->check(CLI::Range(1, 200))
      ->type_name("N");
  memory_list.add_option("--before", remembered.before, "Where the last list ended.")->type_name("ID");
  memory_command("delete", "Deletes memories by their ids.\n\nExample: parlance memory delete mem_01ARZ3NDEKTSV4RRFFQ6")
      .add_option("id", remembered.words, "Which.")
      ->required();
  CLI::App& memory_forget = memory_command("forget",
                                           "Forgets all that a conversation or a kind of source made.\n\n"
                                           "Example: parlance memory forget --conversation conv_01ARZ3NDEKTSV4RRFFQ6");
  by_conversation(memory_forget, "What this conversation made.");
  memory_forget.add_option("--source", remembered.source, "What came from this kind of source: manual, agent, import, …")
      ->type_name("KIND");
  CLI::App& memory_export = memory_command("export",
                                           "Writes memories as JSON lines, with ids and times.\n\n"
                                           "Example: parlance memory export memories.jsonl");
  memory_export.add_option("file", remembered.words, "A new file; - is stdout.")->expected(0, 1);
  by_category(memory_export, "Only this kind.");
  by_conversation(memory_export, "Only what this conversation made.");
  CLI::App& memory_import =
      memory_command("import",
                     "Reads what export wrote. What is there already is left alone, so it can be repeated.\n\n"
                     "Example: parlance memory import memories.jsonl\n"
                     "         parlance memory import --from-sqlite ~/.openclaw/memory.db");
  CLI::Option* import_file =
      memory_import.add_option("file", remembered.words, "JSON lines, of which only \"text\" must be there; - is stdin.")
          ->expected(0, 1);
  memory_import
      .add_option("--from-sqlite", remembered.from_sqlite, "A database of the deployed program: its table vector_memories.")
      ->type_name("FILE")
      ->excludes(import_file);
  memory_command("stats", "How many there are, and how they are searched.");
  memory_command(
      "serve",
      "An MCP server on stdin and stdout with the tools memory_search, memory_store and memory_forget, for agents that are "
      "not ours.\n\nExample: claude mcp add memory -- parlance memory serve");
  memory_command("why",
                 "Says where a memory came from: the conversation and what was said there.\n\n"
                 "Example: parlance memory why mem_01ARZ3NDEKTSV4RRFFQ6")
      .add_option("id", remembered.words, "Its id.")
      ->required()
      ->expected(1);

  // Its flags are its own: what follows the word is read there.
  app.add_subcommand("sqlite",
                     "sqlite-helper: databases for an editor (JSON lines) and for AI clients (--mcp).\n\n"
                     "Example: parlance sqlite --mcp --db notes.db");

  bool origin = false;
  CLI::App& config = command(app, "config", "Prints every setting.");
  config.add_flag("--origin", origin, "And where it came from.");
  for (const SettingSpec& spec : all_settings())
    if (spec.name != "state" && spec.name != "log-level" && spec.name != "log-json") flags.add(config, {spec.name});
  runs(config, [&](const Settings& settings) { return run_config(settings, origin); });

  CLI::App& doctor =
      command(app, "doctor",
              "Looks at everything that has to be right on this machine, with the flags that `parlance up` is to be "
              "started with; asks the model's server, too.\n\n"
              "Example: parlance doctor --model openai --model-url http://127.0.0.1:11434/v1");
  for (const char* name : flags_of_up) flags.add(doctor, {name});
  runs(doctor, run_doctor);

  std::string protocol;
  std::string form = "markdown";
  CLI::App& describe = command(
      app, "describe", "Prints the messages of a protocol, or the policy.\n\nExample: parlance describe page --form typescript");
  describe.add_option("protocol", protocol, "gorpc, page, sqlite_bridge, mcp, sqlite_mcp or policy; none lists them.");
  describe.add_option("--form", form, "How.")->check(CLI::IsMember({"markdown", "typescript", "schema"}))->capture_default_str();
  runs(describe, [&](const Settings&) { return run_describe(protocol, form); });

  std::string shell;
  CLI::App& completion = command(
      app, "completion",
      "Prints a completion script.\n\nExample: parlance completion bash > ~/.local/share/bash-completion/completions/parlance");
  completion.add_option("shell", shell, "Which shell.")->required()->check(CLI::IsMember({"bash", "zsh", "fish"}));
  runs(completion, [&](const Settings&) { return run_completion(shell); });

  if (argc > 1 && std::string_view(argv[1]) == "sqlite") return run_sqlite_helper(argc - 1, argv + 1, "parlance sqlite");
  if (is_claude_host(argc, argv)) {
    const auto settings = resolve_settings({}, "");
    if (!settings) return complain(settings.error(), ExitCode::usage);
    return run_serve_claude(*settings, {argv + 1, argv + argc});
  }
  // What stands behind -- is the agent's program, with flags of its own.
  if (argc > 2 && std::string_view(argv[1]) == "run") {
    char** const dashes = std::find_if(argv, argv + argc, [](const char* word) { return std::string_view(word) == "--"; });
    if (dashes != argv + argc) run_wanted.command.assign(dashes + 1, argv + argc);
    argc = static_cast<int>(dashes - argv);
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return tell_usage(app, error);
  }
  const auto settings = resolve_settings(flags.values, flags.file);
  if (!settings) return complain(settings.error(), ExitCode::usage);
  LogSettings log{.json = settings->is_on("log-json"), .program = "parlance " + app.get_subcommands().front()->get_name()};
  parse_log_level(settings->text("log-level"), log.level);
  set_log(std::move(log));
  return chosen(*settings);
}

}  // namespace
}  // namespace parlance::app

int main(int argc, char** argv) {
  parlance::fill_standard_descriptors();  // with stdin closed, the loop's own descriptor would become it
  parlance::ignore_sigpipe();
  return parlance::app::run(argc, argv);
}
