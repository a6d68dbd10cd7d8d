// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/gateway/doctor_over_http.h"

#include <array>

#include "parlance/codec/json/value.h"
#include "parlance/gateway/http_errors.h"
#include "parlance/process/child_process.h"

namespace parlance::app {
namespace {

using namespace std::chrono_literals;

constexpr auto patience = 60s;               // more than the sum of the time limits of all checks
constexpr std::size_t most_bytes = 1 << 20;  // a hundred findings are twenty thousand

class Busy {
 public:
  Busy(bool& busy, Signal& free) : busy_(busy), free_(free) { busy_ = true; }
  ~Busy() {
    busy_ = false;
    free_.notify_one();
  }
  Busy(const Busy&) = delete;
  Busy& operator=(const Busy&) = delete;

 private:
  bool& busy_;
  Signal& free_;
};

Task<Result<std::string>> all_of(ByteStream& stream) {
  std::string text;
  std::array<char, 16 << 10> buffer{};
  for (;;) {
    PARLANCE_CO_TRY(bytes, co_await read_some(stream, buffer));
    if (bytes == 0) co_return text;
    text.append(buffer.data(), bytes);
    if (text.size() > most_bytes)
      co_return fail(Errc::failed, "the report of parlance doctor is too long to show here; run parlance doctor in a terminal");
  }
}

}  // namespace

Task<void> DoctorOverHttp::get(HttpExchange& exchange) {
  while (busy_) co_await free_.wait();
  const Busy busy(busy_, free_);
  const std::string* language = exchange.request().query.find("language");
  auto report = co_await ask(language != nullptr && *language == "zh" ? "zh" : "en");
  HttpReply reply = report ? gateway::json_reply(*std::move(report)) : gateway::error_reply(report.error());
  co_await exchange.respond(std::move(reply));
}

Task<Result<std::string>> DoctorOverHttp::ask(std::string language) {
  if (settings_.command.empty())
    co_return fail(Errc::unknown_method, "this gateway knows no checks; run parlance doctor in a terminal");
  std::vector<std::string> command = settings_.command;
  command.push_back("--listen=" + listen_());
  command.push_back("--language=" + language);
  if (const std::string embed = settings_.embed_listen(); !embed.empty()) command.push_back("--embed-listen=" + embed);
  PARLANCE_CO_TRY(
      child,
      ChildProcess::start(loop_, {.command = std::move(command),
                                  .set = settings_.set,
                                  .withheld = Withheld::nothing,  // It checks the keys and the store that the services would use.
                                  .stdin_from = ChildSettings::Stdin::null}));
  const std::unique_ptr<ByteStream> stream = child->take_stream();
  PARLANCE_CO_TRY(text, co_await with_deadline(loop_, loop_.now() + patience, all_of(*stream)));
  if (json::is_valid(text)) co_return text;
  co_return fail((co_await child->why_it_ended()).in("parlance doctor"));
}

}  // namespace parlance::app
