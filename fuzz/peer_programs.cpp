// SPDX-License-Identifier: Apache-2.0
#include "fuzz/peer_programs.h"

#include <cstdlib>
#include <filesystem>
#include <string>

#include "parlance/base/check.h"
#include "parlance/peer/peer.h"
#include "parlance/protocol/claude/agent.h"
#include "parlance/protocol/claude/host.h"
#include "parlance/protocol/gorpc/client.h"
#include "parlance/protocol/gorpc/messages.h"
#include "parlance/protocol/gorpc/server.h"
#include "parlance/protocol/jsonrpc/dialect.h"
#include "parlance/protocol/mcp/client.h"
#include "parlance/protocol/mcp/server.h"
#include "parlance/server/sqlite/sqlite_over_bridge.h"
#include "parlance/transport/framed_stream.h"

namespace parlance::fuzz {
namespace {

using namespace std::chrono_literals;

constexpr auto handler_time = 30min;           // of a handler that takes its time
constexpr std::size_t frame_bytes = 16 << 10;  // small enough to be passed by inputs of a fuzzer

template <class P, class R>
Task<void> call(Work& work, Peer& peer, std::string method, const wire::Call<P, R>& what, P parameters,
                Within time = no_deadline) {
  const Counted open(work.open);
  static_cast<void>(co_await peer.call_named(method, what, std::move(parameters), time));
}

// ---- Go net/rpc ----------------------------------------------------------------------------------------------------------

void serve_agent(Router& router, Work& work) {
  gorpc::serve_method(router, gorpc::stats, [](const wire::Nothing&, Context&) -> Result<gorpc::StatsReply> {
    return gorpc::StatsReply{.messages = 3};
  });
  gorpc::serve_method(router, gorpc::chat, [&work](const gorpc::ChatArgs& args, Context&) -> Task<Result<gorpc::ChatReply>> {
    const Counted running(work.running);
    co_await sleep_for(work.loop, handler_time);
    co_return gorpc::ChatReply{.content = args.messages.empty() ? "" : args.messages.back().content};
  });
  gorpc::explain_unknown_methods(router);
}

class GorpcServer final : public Program {
 public:
  GorpcServer(Work& work, std::unique_ptr<ByteStream> stream) : server_(work.loop, router_, {.running_calls = 4}) {
    serve_agent(router_, work);
    server_.serve(std::move(stream));
  }
  bool ended() const override { return server_.stats().open == 0; }

 private:
  Router router_;
  gorpc::Server server_;
};

class GorpcClient final : public Program {
 public:
  GorpcClient(Work& work, std::unique_ptr<ByteStream> stream, gorpc::Codec codec, bool http) : scope_(work.loop) {
    scope_.start(run(work, std::move(stream), codec, http));
  }
  ~GorpcClient() override { scope_.cancel(); }
  bool ended() const override { return ended_; }

 private:
  Task<void> run(Work& work, std::unique_ptr<ByteStream> stream, gorpc::Codec codec, bool http) {
    auto peer = co_await gorpc::connect(work.loop, std::move(stream), {.codec = codec, .http_path = http ? "/_goRPC_" : ""});
    if (peer) {
      Scope calls(work.loop);
      calls.start(call(work, **peer, "RPCService.Stats", gorpc::stats, wire::Nothing{}));
      calls.start(call(work, **peer, "RPCService.Chat", gorpc::chat, gorpc::ChatArgs{}));
      calls.start(call(work, **peer, "RPCService.Stats", gorpc::stats, wire::Nothing{}, within(500ms)));
      static_cast<void>(co_await (*peer)->run());
      co_await calls.join();
    }
    ended_ = true;
  }
  bool ended_ = false;
  Scope scope_;
};

// ---- JSON-RPC ------------------------------------------------------------------------------------------------------------

inline constexpr auto methods = wire::methods(
    wire::call<wire::Raw, wire::Raw>("echo", "Answers at once."), wire::call<wire::Raw, wire::Raw>("slow", "Answers later."),
    wire::notice<wire::Raw>("heard", "Is heard at once."), wire::notice<wire::Raw>("update", "Takes its time."));

class Jsonrpc final : public Program {
 public:
  Jsonrpc(Work& work, std::unique_ptr<ByteStream> stream, std::unique_ptr<Framing> framing, jsonrpc::Settings settings)
      : peer_(work.loop, framed_stream(work.loop, std::move(stream), std::move(framing)), jsonrpc::dialect(std::move(settings)),
              router_, {.running_calls = 8}),
        scope_(work.loop) {
    router_.on(wire::method<methods, "echo">, [](const wire::Raw& said, Context&) -> Result<wire::Raw> { return said; });
    router_.on(wire::method<methods, "slow">, [&work](const wire::Raw& said, Context&) -> Task<Result<wire::Raw>> {
      const Counted running(work.running);
      co_await sleep_for(work.loop, handler_time);
      co_return said;
    });
    router_.on(wire::method<methods, "heard">, [](const wire::Raw&, Context&) {});
    router_.on(wire::method<methods, "update">, [&work](const wire::Raw&, Context&) -> Task<void> {
      const Counted running(work.running);
      co_await sleep_for(work.loop, 1ms);
    });
    scope_.start(run());
    for (int i = 0; i < 3; ++i) scope_.start(call(work, peer_, "echo", wire::any_call(), wire::Raw{"{}"}));
    scope_.start(call(work, peer_, "echo", wire::any_call(), wire::Raw{"{}"}, within(500ms)));
  }
  ~Jsonrpc() override { scope_.cancel(); }
  bool ended() const override { return ended_; }

 private:
  Task<void> run() {
    static_cast<void>(co_await peer_.run());
    ended_ = true;
  }
  bool ended_ = false;
  Router router_;
  Peer peer_;
  Scope scope_;
};

// ---- Model Context Protocol ------------------------------------------------------------------------------------------------

class McpServer final : public Program {
 public:
  McpServer(Work& work, std::unique_ptr<ByteStream> stream)
      : server_(work.loop, {.info = {.name = "fuzz", .version = "1"}, .state_secret = "known"}), scope_(work.loop) {
    server_.add({.name = "echo"}, [&work](mcp::Raw arguments, mcp::Request& request) -> Task<Result<mcp::CallToolResult>> {
      const Counted running(work.running);
      request.progress(1);
      co_await sleep_for(work.loop, handler_time);
      mcp::CallToolResult result;
      result.content.emplace().push_back(mcp::text(arguments.json));
      co_return result;
    });
    server_.add({.name = "ask"}, [&work](mcp::Raw, mcp::Request& request) -> Task<Result<mcp::CallToolResult>> {
      const Counted running(work.running);
      PARLANCE_CO_TRY_DO(co_await request.elicit("q", {.message = "?"}));
      co_return mcp::CallToolResult{};
    });
    scope_.start(run(framed_stream(work.loop, std::move(stream), line_framing(frame_bytes))));
  }
  ~McpServer() override { scope_.cancel(); }
  bool ended() const override { return ended_; }

 private:
  Task<void> run(std::unique_ptr<Frames> frames) {
    static_cast<void>(co_await server_.serve(std::move(frames)));
    ended_ = true;
  }
  bool ended_ = false;
  mcp::Server server_;
  Scope scope_;
};

class McpClient final : public Program {
 public:
  McpClient(Work& work, std::unique_ptr<ByteStream> stream, mcp::Era era)
      : client_(work.loop, framed_stream(work.loop, std::move(stream), line_framing(frame_bytes)),
                {.info = {.name = "fuzz", .version = "1"}, .handlers = handlers(work), .era = era}),
        scope_(work.loop) {
    scope_.start(talk(work));
  }
  ~McpClient() override { scope_.cancel(); }
  bool ended() const override { return client_.ended().has_value(); }

 private:
  static mcp::ClientHandlers handlers(Work& work) {
    return {.elicit = [&work](mcp::ElicitParams) -> Task<Result<mcp::ElicitResult>> {
      const Counted running(work.running);
      co_await sleep_for(work.loop, handler_time);
      co_return mcp::ElicitResult{};
    }};
  }
  Task<void> talk(Work& work) {
    const Counted open(work.open);
    if (!co_await client_.connect()) co_return;
    static_cast<void>(co_await client_.list_tools());
    static_cast<void>(co_await client_.call_tool("t", {"{}"}, {.progress = [](const mcp::Progress&) {}}));
  }
  mcp::Client client_;
  Scope scope_;
};

// ---- Claude Code -----------------------------------------------------------------------------------------------------------

class ClaudeHost final : public Program, private claude::HostHandler {
 public:
  ClaudeHost(Work& work, std::unique_ptr<ByteStream> stream)
      : work_(work),
        host_(work.loop, framed_stream(work.loop, std::move(stream), line_framing(frame_bytes)), *this),
        scope_(work.loop) {
    scope_.start(run());
    scope_.start(talk());
  }
  ~ClaudeHost() override { scope_.cancel(); }
  bool ended() const override { return ended_; }

 private:
  void on_line(const claude::StreamLine&) override { ++lines_; }
  Task<Result<claude::PermissionResult>> can_use_tool(const claude::CanUseTool&) override {
    const Counted running(work_.running);
    co_await sleep_for(work_.loop, handler_time);
    co_return claude::PermissionResult{claude::Allow{}};
  }
  Task<Result<wire::Raw>> hook_callback(claude::HookCallback) override { co_return wire::Raw{"{}"}; }
  Task<Result<claude::McpReply>> mcp_message(claude::McpMessage) override { co_return claude::McpReply{}; }
  bool congested() const override { return lines_ % 3 == 2; }
  Task<void> wait_writable() override {
    const Counted running(work_.running);
    co_await sleep_for(work_.loop, 1ms);
    lines_ = 0;
  }
  Task<void> run() {
    static_cast<void>(co_await host_.run());
    ended_ = true;
  }
  Task<void> talk() {
    const Counted open(work_.open);
    static_cast<void>(co_await host_.initialize());
    static_cast<void>(host_.send_text("hello"));
    static_cast<void>(co_await host_.set_model("m"));
    static_cast<void>(co_await host_.interrupt());
  }
  Work& work_;
  int lines_ = 0;
  bool ended_ = false;
  claude::Host host_;
  Scope scope_;
};

class ClaudeAgent final : public Program, private claude::AgentHandler {
 public:
  ClaudeAgent(Work& work, std::unique_ptr<ByteStream> stream)
      : work_(work),
        agent_(work.loop, framed_stream(work.loop, std::move(stream), line_framing(frame_bytes)), *this),
        scope_(work.loop) {
    scope_.start(run());
    scope_.start(ask());
  }
  ~ClaudeAgent() override { scope_.cancel(); }
  bool ended() const override { return ended_; }

 private:
  void on_line(const claude::StreamLine& line) override { static_cast<void>(agent_.send(std::string(line.json))); }
  Task<Result<wire::Raw>> initialize(claude::Initialize) override {
    const Counted running(work_.running);
    co_await sleep_for(work_.loop, handler_time);
    co_return wire::Raw{"{}"};
  }
  Task<Result<claude::ModeReply>> set_permission_mode(claude::SetPermissionMode) override { co_return claude::ModeReply{}; }
  Task<Result<wire::Raw>> set_model(claude::SetModel) override { co_return wire::Raw{"{}"}; }
  Task<Result<wire::Raw>> set_max_thinking_tokens(claude::SetMaxThinkingTokens) override { co_return wire::Raw{"{}"}; }
  Task<Result<claude::Interrupted>> interrupt() override { co_return claude::Interrupted{}; }
  Task<Result<claude::McpStatus>> mcp_status() override { co_return claude::McpStatus{}; }
  Task<Result<claude::McpReply>> mcp_message(claude::McpMessage) override { co_return claude::McpReply{}; }
  Task<void> input_ended() override { co_await sleep_for(work_.loop, 1ms); }
  Task<void> run() {
    static_cast<void>(co_await agent_.run());
    ended_ = true;
  }
  Task<void> ask() {
    const Counted open(work_.open);
    static_cast<void>(co_await agent_.can_use_tool({.tool_name = "Bash", .input = {"{}"}}));
    static_cast<void>(co_await agent_.hook_callback({.callback_id = "h", .input = {"{}"}}, no_deadline));
  }
  Work& work_;
  bool ended_ = false;
  claude::AgentSide agent_;
  Scope scope_;
};

// ---- databases over lines ----------------------------------------------------------------------------------------------------

class Bridge final : public Program {
 public:
  Bridge(Work& work, std::unique_ptr<ByteStream> stream)
      : engine_(engine(work.loop)),
        bridge_(*engine_, framed_stream(work.loop, std::move(stream), line_framing(frame_bytes)), {.version = "1"}),
        scope_(work.loop) {
    scope_.start(run());
  }
  ~Bridge() override { scope_.cancel(); }
  bool ended() const override { return ended_; }

 private:
  // Nothing is to be found where it may look, and nothing may be made: what comes is judged, and no thread is started.
  static std::unique_ptr<sqlite::Engine> engine(Loop& loop) {
    static const std::string nowhere = [] {
      std::string path = (std::filesystem::temp_directory_path() / "parlance-fuzz-XXXXXX").string();
      PARLANCE_CHECK(::mkdtemp(path.data()) != nullptr, "a folder of our own");
      std::atexit([] { std::filesystem::remove(nowhere_path()); });
      nowhere_path() = path;
      return path;
    }();
    auto made = sqlite::Engine::make(loop, {.paths = {.allowed_folders = {nowhere}}, .read_only = true});
    PARLANCE_CHECK(made.has_value(), "an engine");
    return *std::move(made);
  }
  static std::string& nowhere_path() {
    static auto& path = *new std::string;
    return path;
  }
  Task<void> run() {
    co_await bridge_.run();
    ended_ = true;
  }
  bool ended_ = false;
  std::unique_ptr<sqlite::Engine> engine_;
  server::SqliteBridge bridge_;
  Scope scope_;
};

}  // namespace

std::unique_ptr<Program> begin(std::uint8_t which, Work& work, std::unique_ptr<ByteStream> stream) {
  switch (which % 13) {
    case 0: return std::make_unique<GorpcServer>(work, std::move(stream));  // both codecs, and HTTP: the first bytes tell
    case 1: return std::make_unique<GorpcClient>(work, std::move(stream), gorpc::Codec::gob, false);
    case 2: return std::make_unique<GorpcClient>(work, std::move(stream), gorpc::Codec::json, false);
    case 3: return std::make_unique<GorpcClient>(work, std::move(stream), gorpc::Codec::gob, true);
    case 4:
      return std::make_unique<Jsonrpc>(work, std::move(stream), content_length_framing(frame_bytes),
                                       jsonrpc::Settings{.cancel_method = "$/cancelRequest"});
    case 5: return std::make_unique<Jsonrpc>(work, std::move(stream), line_framing(frame_bytes), jsonrpc::Settings{});
    case 6:
      return std::make_unique<Jsonrpc>(work, std::move(stream), line_framing(frame_bytes),
                                       jsonrpc::Settings{.lines = jsonrpc::Lines::json_or_text});
    case 7: return std::make_unique<McpServer>(work, std::move(stream));
    case 8: return std::make_unique<McpClient>(work, std::move(stream), mcp::Era::legacy);
    case 9: return std::make_unique<McpClient>(work, std::move(stream), mcp::Era::undecided);
    case 10: return std::make_unique<ClaudeHost>(work, std::move(stream));
    case 11: return std::make_unique<ClaudeAgent>(work, std::move(stream));
    default: return std::make_unique<Bridge>(work, std::move(stream));
  }
}

}  // namespace parlance::fuzz
