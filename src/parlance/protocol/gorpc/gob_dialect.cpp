// SPDX-License-Identifier: Apache-2.0
#include "parlance/base/log.h"
#include "parlance/codec/gob/decoder.h"
#include "parlance/codec/gob/described.h"
#include "parlance/codec/gob/encoder.h"
#include "parlance/codec/gob/infer.h"
#include "parlance/protocol/gorpc/dialect.h"
#include "parlance/protocol/gorpc/limits.h"
#include "parlance/wire/call.h"

namespace parlance::gorpc {
namespace {

struct Request {
  std::string service_method{};
  std::uint64_t seq = 0;
  static constexpr auto wire =
      wire::fields(wire::field<&Request::service_method>("ServiceMethod", "Name of the called method.").or_default(),
                   wire::field<&Request::seq>("Seq", "Number of the call, unique in the connection.").or_default());
};

struct Response {
  std::string service_method{};
  std::uint64_t seq = 0;
  std::string error{};
  static constexpr auto wire =
      wire::fields(wire::field<&Response::service_method>("ServiceMethod", "Name of the called method.").or_default(),
                   wire::field<&Response::seq>("Seq", "Number of the answered call.").or_default(),
                   wire::field<&Response::error>("Error", "Text of the error. Empty: the call succeeded.").or_default());
};

class GobBody final : public Body {
 public:
  explicit GobBody(gob::Decoder& decoder) : decoder_(decoder) {}
  Result<void> read(const wire::Type& type, void* into) const override { return decoder_.read(type, into); }

 private:
  gob::Decoder& decoder_;
};

// The common part of both ends: a decoder, an encoder, and the alternation of header and body.
class GobDialect : public Dialect {
 public:
  explicit GobDialect(const std::shared_ptr<gob::TypePool>& pool) : decoder_(pool), encoder_(pool), body_(decoder_) {}

  parlance::Message decode(BytesView frame) override {
    const Result<gob::Progress> progress = decoder_.feed(frame);
    if (!progress) return undecodable(progress.error());
    // Type definitions are never a header or a body, and a cut value continues in the next message.
    if (*progress != gob::Progress::value) return {};
    return body_due_ ? on_body() : on_header();
  }

  // The framing had to pass over a message.
  parlance::Message dropped(const Error& why, BytesView) override { return undecodable(why); }

  Result<void> encode_notice(std::string&, std::string_view, const wire::Type&, const void*) override {
    return fail(Errc::unknown_method, "net/rpc has no notices");
  }
  Capabilities capabilities() const override { return {.notices = false, .overload_stops_reading = true}; }

 protected:
  virtual parlance::Message on_header() = 0;
  virtual parlance::Message on_body() = 0;
  virtual parlance::Message undecodable(const Error& why) = 0;

  template <class Header>
  Result<void> encode_pair(std::string& out, const Header& header, const wire::Type& type, const void* body) {
    const std::size_t before = out.size();
    if (header_announced_) {
      if (Result<void> done = encoder_.encode(out, header); !done) return done;
      Result<void> done = encoder_.encode(out, type, body);
      if (!done) out.resize(before);
      return done;
    }
    // The first pair of a stream: the header contains the header's type definition, which must survive a failed body.
    std::string encoded_body;
    if (Result<void> done = encoder_.encode(encoded_body, type, body); !done) return done;
    if (Result<void> done = encoder_.encode(out, header); !done) return done;
    header_announced_ = true;
    out += encoded_body;
    return {};
  }

  // The body of an undeclared type: `said`, or inferred from the JSON if `said` is empty.
  Result<std::string> undeclared_body(const wire::Raw& raw, const std::string& said) {
    PARLANCE_TRY(value, json::parse(raw.json));
    gob::Inferred inferred{.type = said, .value = std::move(value)};
    if (said.empty()) {
      PARLANCE_TRY(found, gob::infer(inferred.value));
      inferred = std::move(found);
    }
    if (!undeclared_) undeclared_ = std::make_unique<gob::DescribedEncoder>(encoder_);
    std::string body;
    PARLANCE_TRY_DO(undeclared_->encode(body, inferred.type, inferred.value));
    return body;
  }

  template <class Header>
  Result<void> encode_undeclared(std::string& out, const Header& header, const void* raw, const std::string& said = {}) {
    PARLANCE_TRY(body, undeclared_body(*static_cast<const wire::Raw*>(raw), said));
    PARLANCE_TRY_DO(encoder_.encode(out, header));
    header_announced_ = true;
    out += body;
    return {};
  }

  parlance::Message fatal(std::string why) {
    error_ = Error{.code = Errc::disconnected, .message = std::move(why)};
    return {.kind = MessageKind::malformed, .error = &error_, .fatal = true};
  }

  gob::Decoder decoder_;
  gob::Encoder encoder_;
  GobBody body_;
  Error error_;
  bool body_due_ = false;
  bool header_announced_ = false;
  std::unique_ptr<gob::DescribedEncoder> undeclared_;  // made for the first such value
};

// ---- server ------------------------------------------------------------------------------------------------------------

// Keeps the stream in step although a Go client may break the alternation. After a failed encoding of an argument, the client
// sends the call's header without a body (vector: unregistered). From then on, Go's own server answers the wrong calls.
class GobServerDialect final : public GobDialect {
 public:
  using GobDialect::GobDialect;

  Result<void> encode_request(std::string&, const RequestId&, std::string_view, const wire::Type&, const void*) override {
    return fail(Errc::unknown_method, "a net/rpc server does not call its clients");
  }
  Result<void> encode_reply(std::string& out, const RequestId& id, std::string_view method, const wire::Type& type,
                            const void* result) override {
    reply_.service_method.assign(method);
    reply_.seq = id.number;
    reply_.error.clear();
    if (type.kind == wire::Kind::raw) return encode_undeclared(out, reply_, result);
    return encode_pair(out, reply_, type, result);
  }
  Result<void> encode_error(std::string& out, const RequestId& id, std::string_view method, const Error& error) override {
    // An empty text would read as success.
    Response header{
        .service_method = std::string(method), .seq = id.number, .error = error.message.empty() ? "error" : error.message};
    static constexpr wire::Nothing nothing{};
    return encode_pair(out, header, wire::type_of<wire::Nothing>(), &nothing);
  }

 private:
  parlance::Message on_header() override {
    if (!is_request()) {
      // The body of a call with a lost header. Before the first header, such a body means another protocol.
      if (request_type_ == 0 && !decoder_.is_empty_struct()) return fatal("the stream does not begin with a net/rpc request");
      if (++strays_ > limits::gob_stray_bodies) return fatal("values out of step with their headers");
      return {};
    }
    strays_ = 0;
    return take_header();
  }

  parlance::Message take_header() {
    request_type_ = decoder_.type_id();
    request_.seq = 0;
    request_.service_method.clear();
    if (const Result<void> read = decoder_.read(wire::type_of<Request>(), &request_); !read) return fatal(read.error().message);
    body_due_ = true;
    return {};
  }

  parlance::Message on_body() override {
    if (decoder_.type_id() == request_type_) {
      // The previous call's body never arrived: that call fails, and this is the header of the next.
      lost_method_.assign(request_.service_method);
      const std::uint64_t seq = request_.seq;
      if (parlance::Message broken = take_header(); broken.fatal) return broken;
      error_ = Error{.code = Errc::invalid_request, .message = "the argument of the call never came"};
      return {.kind = MessageKind::malformed, .id = RequestId::of(seq), .method = lost_method_, .error = &error_, .answer = true};
    }
    body_due_ = false;
    return {.kind = MessageKind::request, .id = RequestId::of(request_.seq), .method = request_.service_method, .body = &body_};
  }

  parlance::Message undecodable(const Error& why) override {
    if (decoder_.broken() || !body_due_) return fatal(why.message);
    body_due_ = false;
    error_ = Error{.code = Errc::invalid_params, .message = why.message};
    return {.kind = MessageKind::malformed,
            .id = RequestId::of(request_.seq),
            .method = request_.service_method,
            .error = &error_,
            .answer = true};
  }

  bool is_request() const {
    return request_type_ != 0 ? decoder_.type_id() == request_type_
                              : decoder_.is_struct() && (decoder_.has_field("ServiceMethod") || decoder_.has_field("Seq"));
  }

  Request request_;
  Response reply_;
  std::string lost_method_;
  gob::TypeId request_type_ = 0;
  int strays_ = 0;
};

// ---- client ------------------------------------------------------------------------------------------------------------

class GobClientDialect : public GobDialect {
 public:
  using GobDialect::GobDialect;

  Result<void> encode_request(std::string& out, const RequestId& id, std::string_view method, const wire::Type& type,
                              const void* parameters) override {
    request_.service_method.assign(method);
    request_.seq = id.number;
    return encode_pair(out, request_, type, parameters);
  }
  Result<void> encode_reply(std::string&, const RequestId&, std::string_view, const wire::Type&, const void*) override {
    return fail(Errc::unknown_method, "a net/rpc client is not called");
  }
  Result<void> encode_error(std::string&, const RequestId&, std::string_view, const Error&) override {
    return fail(Errc::unknown_method, "a net/rpc client is not called");
  }

 private:
  parlance::Message on_header() override {
    if (decoder_.type_id() != response_type_) {
      if (!decoder_.is_struct() ||
          !(decoder_.has_field("Seq") || decoder_.has_field("Error") || decoder_.has_field("ServiceMethod")))
        return fatal("the stream does not carry net/rpc responses");
      response_type_ = decoder_.type_id();
    }
    response_.seq = 0;
    response_.error.clear();
    response_.service_method.clear();
    if (const Result<void> read = decoder_.read(wire::type_of<Response>(), &response_); !read) return fatal(read.error().message);
    body_due_ = true;
    return {};
  }

  parlance::Message on_body() override {
    body_due_ = false;
    if (!response_.error.empty()) {
      error_ = Error{.code = code_of_text(response_.error), .message = response_.error};
      return {.kind = MessageKind::reply, .id = RequestId::of(response_.seq), .error = &error_};
    }
    return {.kind = MessageKind::reply, .id = RequestId::of(response_.seq), .body = &body_};
  }

  parlance::Message undecodable(const Error& why) override {
    if (decoder_.broken() || !body_due_) return fatal(why.message);
    body_due_ = false;
    error_ = Error{.code = Errc::failed, .message = "reading body " + why.message};
    return {.kind = MessageKind::reply, .id = RequestId::of(response_.seq), .error = &error_};
  }

  Response response_;
  gob::TypeId response_type_ = 0;  // of the last header

 protected:
  Request request_;
};

class UndeclaredGobDialect final : public GobClientDialect {
 public:
  UndeclaredGobDialect(const std::shared_ptr<gob::TypePool>& pool, std::string argument_type)
      : GobClientDialect(pool), argument_type_(std::move(argument_type)) {}

  Result<void> encode_request(std::string& out, const RequestId& id, std::string_view method, const wire::Type& type,
                              const void* parameters) override {
    if (type.kind != wire::Kind::raw)
      return fail(Errc::invalid_params, "this connection carries arguments of undeclared types alone");
    request_.service_method.assign(method);
    request_.seq = id.number;
    return encode_undeclared(out, request_, parameters, argument_type_);
  }

 private:
  std::string argument_type_;
};

}  // namespace

std::unique_ptr<Dialect> gob_dialect(Role role, std::shared_ptr<gob::TypePool> pool) {
  if (role == Role::server) return std::make_unique<GobServerDialect>(pool);
  return std::make_unique<GobClientDialect>(pool);
}

std::unique_ptr<Dialect> undeclared_gob_dialect(std::shared_ptr<gob::TypePool> pool, std::string argument_type) {
  return std::make_unique<UndeclaredGobDialect>(pool, std::move(argument_type));
}

Errc code_of_text(std::string_view text) {
  if (text.starts_with("rpc: can't find") || text.starts_with("rpc: service/method request ill-formed"))
    return Errc::unknown_method;
  if (text.starts_with("gob: ") || text.ends_with(" is required")) return Errc::invalid_params;
  if (text.starts_with("memory not found")) return Errc::not_found;
  return Errc::failed;
}

}  // namespace parlance::gorpc
