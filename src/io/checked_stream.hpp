// What all readers have in common of QueryStream's contract: ends and errors are final.
#pragma once

#include <optional>

#include "graze/io/query_file.hpp"

namespace graze::io {

class CheckedStream : public QueryStream {
public:
    explicit CheckedStream(QueryKind kind) noexcept : kind_(kind) {}

    [[nodiscard]] QueryKind kind() const noexcept final { return kind_; }

    [[nodiscard]] Expected<std::optional<QueryRecord>> next() final {
        if (failure_) return *failure_;
        if (ended_) return std::optional<QueryRecord>();
        Expected<std::optional<QueryRecord>> record = advance();
        if (!record) {
            failure_ = record.error();
        } else {
            ended_ = !record->has_value();
        }
        return record;
    }

private:
    [[nodiscard]] virtual Expected<std::optional<QueryRecord>> advance() = 0;

    QueryKind kind_;
    bool ended_ = false;
    std::optional<Error> failure_;
};

}  // namespace graze::io
