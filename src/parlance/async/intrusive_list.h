// SPDX-License-Identifier: Apache-2.0
// A doubly linked list through its elements: linking allocates nothing, and the destructor of an element unlinks the element. The
// list does not own its elements. Loop thread only.
#pragma once

namespace parlance {

class ListHook {
 public:
  ListHook() = default;
  ListHook(const ListHook&) = delete;
  ListHook& operator=(const ListHook&) = delete;
  ~ListHook() { unlink(); }
  bool linked() const { return next_ != nullptr; }
  void unlink() {
    if (next_ == nullptr) return;
    previous_->next_ = next_;
    next_->previous_ = previous_;
    next_ = previous_ = nullptr;
  }

 private:
  template <class T>
  friend class IntrusiveList;
  ListHook* next_ = nullptr;
  ListHook* previous_ = nullptr;
};

// T derives from ListHook (once).
template <class T>
class IntrusiveList {
 public:
  IntrusiveList() { head_.next_ = head_.previous_ = &head_; }
  ~IntrusiveList() {
    while (!empty()) front().unlink();
    head_.next_ = head_.previous_ = nullptr;
  }
  IntrusiveList(const IntrusiveList&) = delete;
  IntrusiveList& operator=(const IntrusiveList&) = delete;

  bool empty() const { return head_.next_ == &head_; }
  T& front() { return static_cast<T&>(*head_.next_); }
  void push_back(T& element) {
    ListHook& hook = element;
    hook.previous_ = head_.previous_;
    hook.next_ = &head_;
    head_.previous_->next_ = &hook;
    head_.previous_ = &hook;
  }
  T* pop_front() {  // Null: the list is empty.
    if (empty()) return nullptr;
    T& first = front();
    first.unlink();
    return &first;
  }
  // `visit` may unlink its argument, and no other element.
  template <class F>
  void each(F visit) {
    for (ListHook* at = head_.next_; at != &head_;) {
      ListHook* next = at->next_;
      visit(static_cast<T&>(*at));
      at = next;
    }
  }

 private:
  ListHook head_;
};

}  // namespace parlance
