// Messages between the processes of one run, which are numbered from 0: its ranks.
#pragma once

#include <optional>

#include "cluster/payload.hpp"

namespace graze::app {

struct RankMessage {
    int from = 0;
    Payload bytes;
};

// Called from one thread of a rank. Messages from one rank to another arrive in their order.
class Transport {
public:
    // A message is shorter than this.
    static constexpr std::size_t kMessageLimit = std::size_t{1} << 30;

    virtual ~Transport() = default;
    [[nodiscard]] virtual int rank() const noexcept = 0;
    [[nodiscard]] virtual int size() const noexcept = 0;
    // Returns when the bytes may be changed. Requires: fewer than kMessageLimit.
    virtual void send(int to, const Payload& bytes) = 0;
    // The next message that has arrived; does not wait.
    [[nodiscard]] virtual std::optional<RankMessage> poll() = 0;
    // Every rank calls it, and nothing after it.
    virtual void finish() = 0;
    // Ends all ranks at once.
    virtual void abort(int exit_code) = 0;
};

}  // namespace graze::app
