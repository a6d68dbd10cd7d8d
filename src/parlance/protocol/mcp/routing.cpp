// SPDX-License-Identifier: Apache-2.0
#include "parlance/protocol/mcp/routing.h"

#include "parlance/protocol/jsonrpc/dialect.h"
#include "parlance/protocol/mcp/methods.h"

namespace parlance::mcp {
namespace {

// A cancelled request gets no answer. Ids are text or integers. Handlers choose error codes outside JSON-RPC's definitions.
// Servers write replies with stray bytes and words; the call must not wait for another reply.
std::unique_ptr<Dialect> plain_dialect() {
  return jsonrpc::dialect({.cancel_method = std::string(method::cancelled),
                           .cancel_member = "requestId",
                           .answers_cancelled = false,
                           .exact_codes = true,
                           .ids = jsonrpc::Ids::text_or_integer,
                           .lines = jsonrpc::Lines::repaired_replies});
}

class RoutingDialect final : public Dialect {
 public:
  explicit RoutingDialect(std::shared_ptr<Route> route) : route_(std::move(route)), inner_(plain_dialect()) {}

  Message decode(BytesView frame) override {
    Message message = inner_->decode(frame);
    // Both -32700 and -32600 are malformed; the mapping to HTTP needs only this fact.
    malformed_ = message.kind == MessageKind::malformed;
    return message;
  }
  Message dropped(const Error& why, BytesView head) override { return inner_->dropped(why, head); }
  Message broken(const Error& why) override { return inner_->broken(why); }

  Result<void> encode_request(std::string& out, const RequestId& id, std::string_view method, const wire::Type& type,
                              const void* parameters) override {
    route_->what = Route::What::request;
    route_->id = id;
    route_->error_code = 0;
    return inner_->encode_request(out, id, method, type, parameters);
  }
  Result<void> encode_reply(std::string& out, const RequestId& id, std::string_view method, const wire::Type& type,
                            const void* result) override {
    route_->what = Route::What::reply;
    route_->id = id;
    route_->error_code = 0;
    return inner_->encode_reply(out, id, method, type, result);
  }
  Result<void> encode_error(std::string& out, const RequestId& id, std::string_view method, const Error& error) override {
    route_->what = Route::What::reply;
    route_->id = id;
    route_->error_code =
        std::exchange(malformed_, false) ? -32600 : jsonrpc::exact_code(error).value_or(jsonrpc::code_of(error.code));
    return inner_->encode_error(out, id, method, error);
  }
  Result<void> encode_notice(std::string& out, std::string_view method, const wire::Type& type, const void* parameters) override {
    route_->what = Route::What::notice;
    route_->id = {};
    route_->error_code = 0;
    return inner_->encode_notice(out, method, type, parameters);
  }
  Result<void> encode_cancel(std::string& out, const RequestId& id, std::string_view reason) override {
    route_->what = Route::What::notice;
    route_->id = {};
    route_->error_code = 0;
    return inner_->encode_cancel(out, id, reason);
  }
  Capabilities capabilities() const override { return inner_->capabilities(); }

 private:
  std::shared_ptr<Route> route_;
  std::unique_ptr<Dialect> inner_;
  bool malformed_ = false;
};

}  // namespace

std::unique_ptr<Dialect> dialect(std::shared_ptr<Route> route) {
  if (route == nullptr) return plain_dialect();
  return std::make_unique<RoutingDialect>(std::move(route));
}

}  // namespace parlance::mcp
