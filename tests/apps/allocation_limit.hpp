// Lets operator new fail on demand, in the whole program that links this.
#pragma once

namespace graze::test {

// While it lives, `count` more allocations of this thread succeed, then all fail.
class AllocationLimit {
public:
    explicit AllocationLimit(long count);
    AllocationLimit(const AllocationLimit&) = delete;
    AllocationLimit& operator=(const AllocationLimit&) = delete;
    ~AllocationLimit();
};

}  // namespace graze::test
