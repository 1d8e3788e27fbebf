// How a caller ends a long search early, and hears how far it is.
//
// Both are values of two words that neither allocate nor throw, so that options which hold them can
// be copied within functions that are noexcept. What they point to outlives the call.
#pragma once

#include <atomic>
#include <cstdint>
#include <stop_token>

namespace graze {

// Asked now and then by whoever works, from any of its threads. The default never asks for a stop.
class StopToken {
public:
    using Question = bool (*)(const void* context) noexcept;

    constexpr StopToken() noexcept = default;
    constexpr explicit StopToken(Question question, const void* context = nullptr) noexcept
        : question_(question), context_(context) {}
    // A flag that another thread or a signal handler sets; kept by address.
    explicit StopToken(const std::atomic<bool>& flag) noexcept
        : StopToken(
              [](const void* context) noexcept {
                  const auto* asked = static_cast<const std::atomic<bool>*>(context);
                  return asked->load(std::memory_order_relaxed);
              },
              &flag) {}
    explicit StopToken(const std::atomic<bool>&&) = delete;
    // The standard library's token, of std::jthread say; kept by address.
    explicit StopToken(const std::stop_token& token) noexcept
        : StopToken(
              [](const void* context) noexcept {
                  return static_cast<const std::stop_token*>(context)->stop_requested();
              },
              &token) {}
    explicit StopToken(const std::stop_token&&) = delete;

    [[nodiscard]] bool stop_requested() const noexcept {
        return question_ != nullptr && question_(context_);
    }

private:
    Question question_ = nullptr;
    const void* context_ = nullptr;
};

// Asks a token once in 256 calls, for loops whose rounds take a microsecond or so. A stop is final:
// what one part of a search has left undone for it no other part may take for done.
class StopPoll {
public:
    StopPoll() noexcept = default;
    explicit StopPoll(const StopToken& token) noexcept : token_(token) {}

    [[nodiscard]] bool operator()() noexcept {
        if (is_stopped_ || (calls_++ & kMask) != 0) return is_stopped_;
        return now();
    }
    // Asks at once, for rounds that take longer.
    [[nodiscard]] bool now() noexcept {
        ask();
        return is_stopped_;
    }
    // The same for who looks at the answer later.
    void ask() noexcept { is_stopped_ = is_stopped_ || token_.stop_requested(); }
    [[nodiscard]] bool is_stopped() const noexcept { return is_stopped_; }
    [[nodiscard]] const StopToken& token() const noexcept { return token_; }

private:
    static constexpr std::uint32_t kMask = 255;
    StopToken token_;
    std::uint32_t calls_ = 0;
    bool is_stopped_ = false;
};

// Hears the share of the work that is done, in [0, 1]: an estimate that never goes back within one
// call. Called from the thread that searches. The default hears nothing.
class ProgressSink {
public:
    using Report = void (*)(void* context, double share) noexcept;

    constexpr ProgressSink() noexcept = default;
    constexpr explicit ProgressSink(Report report, void* context = nullptr) noexcept
        : report_(report), context_(context) {}

    void tell(double share) const noexcept {
        if (report_ != nullptr) report_(context_, share);
    }

private:
    Report report_ = nullptr;
    void* context_ = nullptr;
};

}  // namespace graze
