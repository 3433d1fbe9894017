// Lets Python look up from a long computation: for Ctrl-C, and to show how far it is. Not more often than
// people notice, because other threads of Python may have to be waited for.
#pragma once

#include <nanobind/nanobind.h>

#include <chrono>
#include <optional>

#include "bind.hpp"
#include "milcci/fit.hpp"

namespace milcci::python {

class Listener {
 public:
  explicit Listener(const Anything& show) : show_(show) {}

  /// Called without the GIL; tell(show) is called with it, if there is something to show to. What Python
  /// raises ends the computation, and is raised by `rethrow`.
  template <class Tell>
  Continue operator()(bool is_urgent, const Tell& tell) {
    const auto now = std::chrono::steady_clock::now();
    if (!is_urgent && now - last_ < std::chrono::milliseconds(50)) return Continue::yes;
    const nb::gil_scoped_acquire gil;
    try {
      if (PyErr_CheckSignals() != 0) throw nb::python_error();
      if (!show_.is_none()) tell(show_);
    } catch (nb::python_error& error) {
      raised_.emplace(std::move(error));
    }
    last_ = std::chrono::steady_clock::now();
    return raised_ ? Continue::stop : Continue::yes;
  }
  void rethrow() {
    if (raised_) throw std::move(*raised_);
  }

 private:
  nb::object show_;
  std::optional<nb::python_error> raised_;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

}  // namespace milcci::python
