// SPDX-License-Identifier: Apache-2.0
#include "parlance/protocol/mcp/request_log.h"

#include <utility>

namespace parlance::mcp {
namespace {

std::string key_of(const RequestId& id) { return !id.raw.empty() ? id.raw : id.present ? std::to_string(id.number) : "null"; }

class LoggedDialect final : public Dialect {
 public:
  LoggedDialect(std::unique_ptr<Dialect> inner, std::shared_ptr<RequestLog> log)
      : inner_(std::move(inner)), log_(std::move(log)) {}

  Message decode(BytesView frame) override { return seen(inner_->decode(frame)); }
  Message dropped(const Error& why, BytesView head) override { return seen(inner_->dropped(why, head)); }
  Message broken(const Error& why) override { return inner_->broken(why); }

  Result<void> encode_request(std::string& out, const RequestId& id, std::string_view method, const wire::Type& type,
                              const void* parameters) override {
    return inner_->encode_request(out, id, method, type, parameters);
  }
  Result<void> encode_reply(std::string& out, const RequestId& id, std::string_view method, const wire::Type& type,
                            const void* result) override {
    Result<void> done = inner_->encode_reply(out, id, method, type, result);
    if (done) log_->ended(id, "ok");  // otherwise an error follows in its place
    return done;
  }
  Result<void> encode_error(std::string& out, const RequestId& id, std::string_view method, const Error& error) override {
    log_->ended(id, "error");
    return inner_->encode_error(out, id, method, error);
  }
  Result<void> encode_notice(std::string& out, std::string_view method, const wire::Type& type, const void* parameters) override {
    return inner_->encode_notice(out, method, type, parameters);
  }
  Result<void> encode_cancel(std::string& out, const RequestId& id, std::string_view reason) override {
    return inner_->encode_cancel(out, id, reason);
  }
  Capabilities capabilities() const override { return inner_->capabilities(); }

 private:
  Message seen(Message message) {
    if (message.kind == MessageKind::request || (message.kind == MessageKind::malformed && message.answer))
      log_->began(message.id, message.method);
    else if (message.kind == MessageKind::cancel && !inner_->capabilities().answers_cancelled)
      log_->ended(message.id, "cancelled");
    return message;
  }

  std::unique_ptr<Dialect> inner_;
  std::shared_ptr<RequestLog> log_;
};

}  // namespace

void RequestLog::began(const RequestId& id, std::string_view method) {
  std::string key = key_of(id);
  Waiting waiting{.record = {.id = key, .method = std::string(method)}, .began = Clock::now()};
  waiting_.insert_or_assign(std::move(key), std::move(waiting));
}

RequestLog::Waiting* RequestLog::find(const RequestId& id) {
  const auto found = waiting_.find(key_of(id));
  return found != waiting_.end() ? &found->second : nullptr;
}

void RequestLog::ended(const RequestId& id, std::string_view status) {
  auto gone = waiting_.extract(key_of(id));
  if (!gone) return;
  Answered& record = gone.mapped().record;
  if (record.status.empty()) record.status = status;
  record.took = Clock::now() - gone.mapped().began;
  on_answered_(record);
}

void RequestLog::name(const RequestId& id, std::string_view name) {
  if (Waiting* const waiting = find(id)) waiting->record.name = name;
}
void RequestLog::about(const RequestId& id, std::string_view what) {
  if (Waiting* const waiting = find(id)) waiting->record.about = what;
}
void RequestLog::failed(const RequestId& id) {
  if (Waiting* const waiting = find(id)) waiting->record.status = "error";
}

std::unique_ptr<Dialect> logged_dialect(std::unique_ptr<Dialect> inner, std::shared_ptr<RequestLog> log) {
  return std::make_unique<LoggedDialect>(std::move(inner), std::move(log));
}

}  // namespace parlance::mcp
