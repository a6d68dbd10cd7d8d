// SPDX-License-Identifier: Apache-2.0
#include "parlance/protocol/mcp/http_session.h"

#include "parlance/protocol/mcp/limits.h"

namespace parlance::mcp {

HttpSession::HttpSession(Loop& on, Server& server, std::string session_id)
    : loop(on), id(std::move(session_id)), last_used(on.now()), scope_(on) {
  streams_.emplace(0, std::make_shared<EventStream>(loop, "0"));
  auto route = std::make_shared<Route>();
  auto made = std::make_unique<MessageFrames>(loop, "http session", route,
                                              [this](const Route& to, std::string frame) { route_out(to, std::move(frame)); });
  frames = made.get();
  peer =
      std::make_unique<Session>(loop, server, std::move(made), server.router(),
                                SessionSettings{.route = route, .close_stream = [this](const RequestId& request) {
                                                  if (const auto found = running_.find(key_of(request)); found != running_.end())
                                                    found->second->ask_to_return();
                                                }});
  const auto run = [](Session& session) -> Task<void> { static_cast<void>(co_await session.run()); };
  scope_.start(run(*peer));
}

void HttpSession::close() {
  peer->close();
  for (auto& [number, stream] : streams_) stream->finish();
}

void HttpSession::route_out(const Route& route, std::string frame) {
  if (route.what == Route::What::reply) {
    const auto found = running_.find(route.id.present ? key_of(route.id) : std::string());
    if (found == running_.end()) return;  // cancelled meanwhile
    found->second->add(std::move(frame), true);
    found->second->finish();
    running_.erase(found);
    return;
  }
  const auto found = route.belongs_to.present ? running_.find(key_of(route.belongs_to)) : running_.end();
  EventStream& stream = found == running_.end() ? *streams_.at(0) : *found->second;
  if (stream.add(std::move(frame), false) || route.what != Route::What::request) return;
  frames->receive(R"({"jsonrpc":"2.0","id":)" + key_of(route.id) +
                  R"(,"error":{"code":-32000,"message":"the client does not read its messages"}})");
}

Result<std::shared_ptr<EventStream>> HttpSession::begin_stream(const std::string& id_json) {
  sweep_streams();
  if (running_.contains(id_json)) return fail(Errc::invalid_request, "a request with this id is running");
  if (streams_.size() > limits::mcp_http_streams) return fail(Errc::overloaded, "too many requests at once");
  const std::uint64_t number = next_stream_++;
  auto stream = std::make_shared<EventStream>(loop, std::to_string(number));
  running_.emplace(id_json, stream);
  streams_.emplace(number, stream);
  return stream;
}

void HttpSession::end_stream(const std::string& id_json) {
  const auto found = running_.find(id_json);
  if (found == running_.end()) return;
  found->second->finish();
  running_.erase(found);
}

std::pair<std::shared_ptr<EventStream>, std::uint64_t> HttpSession::find_stream(std::string_view last_event_id) {
  const std::size_t dash = last_event_id.find('-');
  if (dash != std::string_view::npos) {
    const auto number = parse_number<std::uint64_t>(last_event_id.substr(0, dash));
    const auto event = parse_number<std::uint64_t>(last_event_id.substr(dash + 1));
    if (number && event)
      if (const auto found = streams_.find(*number); found != streams_.end()) return {found->second, *event};
  }
  return {streams_.at(0), streams_.at(0)->sent()};
}

void HttpSession::forget(const std::shared_ptr<EventStream>& stream) {
  std::erase_if(streams_, [&](const auto& entry) { return entry.first != 0 && entry.second == stream; });
}

// Removes finished streams without a reader: their client has not resumed them within the time limit.
void HttpSession::sweep_streams() {
  std::erase_if(streams_, [&](const auto& entry) {
    return entry.first != 0 && entry.second->finished() && !entry.second->has_reader() &&
           loop.now() - entry.second->quiet_since() > limits::mcp_stream_kept;
  });
}

}  // namespace parlance::mcp
