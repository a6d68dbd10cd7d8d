#include "hub/event.h"

namespace parlance::hub {

std::string_view to_string(Mode mode) {
  switch (mode) {
    case Mode::default_: return "default";
    case Mode::auto_edit: return "autoEdit";
    case Mode::yolo: return "yolo";
    case Mode::plan: return "plan";
    case Mode::smart: return "smart";
  }
  return "default";
}

EventBody::EventBody() = default;
EventBody::EventBody(const EventBody& other) = default;
EventBody::EventBody(EventBody&& other) noexcept = default;
EventBody& EventBody::operator=(const EventBody& other) = default;
EventBody& EventBody::operator=(EventBody&& other) noexcept = default;
EventBody::~EventBody() = default;
bool operator==(const EventBody& a, const EventBody& b) {
  return static_cast<const AnyEvent&>(a) == static_cast<const AnyEvent&>(b);
}

bool append_piece(EventBody& before, EventBody& next) {
  if (auto* text = std::get_if<event::Text>(&before)) {
    const auto* more = std::get_if<event::Text>(&next);
    if (more != nullptr) text->text += more->text;
    return more != nullptr;
  }
  if (auto* thought = std::get_if<event::ThinkingContent>(&before)) {
    const auto* more = std::get_if<event::ThinkingContent>(&next);
    if (more != nullptr) thought->text += more->text;
    return more != nullptr;
  }
  if (auto* output = std::get_if<event::ToolOutput>(&before)) {
    const auto* more = std::get_if<event::ToolOutput>(&next);
    if (more == nullptr || more->call != output->call || more->progress != output->progress) return false;
    output->text += more->text;
    return true;
  }
  return false;
}

namespace {

std::size_t weight_of(const std::optional<std::string>& text) { return text ? text->size() : 0; }
std::size_t weight_of(const std::optional<Diff>& diff) { return diff ? weight_of(diff->before) + weight_of(diff->after) : 0; }
std::size_t weight_of(const Ask& ask) {
  return ask.title.size() + ask.why.size() + weight_of(ask.detail) + weight_of(ask.diff) + weight_of(ask.plan);
}

struct Weigh {
  std::size_t operator()(const event::UserMessage& e) const {
    return e.text.size() + (e.attachments ? e.attachments->size() * sizeof(AttachmentInfo) : 0);
  }
  std::size_t operator()(const event::Text& e) const { return e.text.size(); }
  std::size_t operator()(const event::ThinkingContent& e) const { return e.text.size(); }
  std::size_t operator()(const event::ToolStart& e) const { return e.title.size() + e.input_json.size(); }
  std::size_t operator()(const event::ToolOutput& e) const { return e.text.size(); }
  std::size_t operator()(const event::ToolEnd& e) const { return weight_of(e.diff); }
  std::size_t operator()(const event::ToolConfirmation& e) const { return weight_of(e.ask); }
  std::size_t operator()(const event::UserQuestion& e) const { return weight_of(e.ask); }
  std::size_t operator()(const event::PlanApproval& e) const { return weight_of(e.ask); }
  std::size_t operator()(const event::AskSettled& e) const { return weight_of(e.text); }
  std::size_t operator()(const event::Plan& e) const {
    std::size_t bytes = 0;
    for (const PlanEntry& entry : e.entries) bytes += entry.content.size();
    return bytes;
  }
  std::size_t operator()(const event::Failure& e) const { return e.message.size() + e.detail.size(); }
  template <class Small>
  std::size_t operator()(const Small&) const {
    return 0;
  }
};

}  // namespace

std::size_t weight_of(const EventBody& body) { return sizeof(Event) + std::visit(Weigh{}, body); }

}  // namespace parlance::hub
