#include "apps/parlance/supervise/alive.h"

#include <vector>

#include "parlance/async/scope.h"
#include "parlance/base/text.h"
#include "parlance/base/uri.h"
#include "parlance/protocol/gorpc/client.h"
#include "parlance/protocol/gorpc/messages.h"
#include "parlance/transport/sockets.h"

namespace parlance::app {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t most_answer_bytes = 1 << 20;  // of /health: a line for each service
constexpr auto call_time = 60s;                     // whoever asks gives up much sooner

class RpcQuestion final : public AliveQuestion {
 public:
  RpcQuestion(Loop& loop, std::string address) : loop_(loop), address_(std::move(address)) {}
  Task<Result<void>> ask() override {
    // Whatever ends this early leaves a connection of which nobody knows how far it has come.
    auto connection = std::move(connection_);
    if (!connection) {
      PARLANCE_CO_TRY(stream, co_await connect_to(loop_, address_));
      PARLANCE_CO_TRY(peer, co_await gorpc::connect(loop_, std::move(stream)));
      connection = std::make_unique<Connection>(loop_, std::move(peer));
    }
    const auto told = co_await connection->peer->call_named("RPCService.Abilities", gorpc::abilities, {}, within(call_time));
    if (!told && told.error().code != Errc::failed && told.error().code != Errc::unknown_method)
      co_return std::unexpected(told.error());
    connection_ = std::move(connection);
    co_return Result<void>{};
  }

 private:
  struct Connection {
    Connection(Loop& loop, std::unique_ptr<Peer> p) : peer(std::move(p)), scope(loop) { scope.start(run(*peer)); }
    ~Connection() { scope.cancel(); }
    static Task<void> run(Peer& peer) { static_cast<void>(co_await peer.run()); }
    std::unique_ptr<Peer> peer;
    Scope scope;
  };
  Loop& loop_;
  std::string address_;
  std::unique_ptr<Connection> connection_;
};

// By hand: the supervisor needs no libcurl for the one answer that only has to come.
class HttpQuestion final : public AliveQuestion {
 public:
  HttpQuestion(Loop& loop, const std::string& url, std::string path, const std::string& token) : loop_(loop) {
    std::string_view authority(url);
    if (authority.starts_with("http://")) authority.remove_prefix(7);
    authority = authority.substr(0, authority.find('/'));
    address_ = authority;
    request_ = "GET " + path + " HTTP/1.1\r\nHost: " + address_ + "\r\n";
    if (!token.empty()) request_ += "Authorization: Bearer " + token + "\r\n";
    request_ += "\r\n";
  }
  Task<Result<void>> ask() override {
    auto stream = std::move(stream_);
    if (!stream) {
      const auto where = parse_host_port(address_);
      if (!where) co_return fail(Errc::invalid_params, "\"" + address_ + "\" is no address");
      PARLANCE_CO_TRY(connected, co_await connect_tcp(loop_, *where));
      stream = std::move(connected);
    }
    PARLANCE_CO_TRY_DO(co_await write_all(*stream, request_));
    PARLANCE_CO_TRY_DO(co_await read_answer(*stream));
    stream_ = std::move(stream);
    co_return Result<void>{};
  }

 private:
  static Task<Result<void>> read_answer(ByteStream& stream) {
    std::string answer;
    std::vector<char> buffer(4096);
    std::size_t whole = std::string::npos;
    while (answer.size() < whole) {
      PARLANCE_CO_TRY(got, co_await read_some(stream, buffer));
      if (got == 0) co_return fail(Errc::disconnected, "the connection ended");
      answer.append(buffer.data(), got);
      if (answer.size() > most_answer_bytes) co_return fail(Errc::failed, "the answer has no end");
      if (whole == std::string::npos) whole = length_of(answer);
    }
    if (!answer.starts_with("HTTP/1.1 ")) co_return fail(Errc::failed, "that is no answer");
    co_return Result<void>{};
  }
  // Of the head and what it announces, once the head is there.
  static std::size_t length_of(std::string_view answer) {
    const std::size_t head = answer.find("\r\n\r\n");
    if (head == std::string_view::npos) return std::string_view::npos;
    for (const std::string_view line : split(answer.substr(0, head), '\n'))
      if (const std::string lower = to_lower(trim(line)); lower.starts_with("content-length:"))
        return head + 4 + parse_number<std::size_t>(trim(std::string_view(lower).substr(15))).value_or(0);
    return head + 4;
  }
  Loop& loop_;
  std::string address_;
  std::string request_;
  std::unique_ptr<ByteStream> stream_;
};

}  // namespace

std::unique_ptr<AliveQuestion> ask_over_rpc(Loop& loop, std::string address) {
  return std::make_unique<RpcQuestion>(loop, std::move(address));
}
std::unique_ptr<AliveQuestion> ask_over_http(Loop& loop, const std::string& url, std::string path, std::string token) {
  return std::make_unique<HttpQuestion>(loop, url, std::move(path), token);
}

}  // namespace parlance::app
