#include "default_arithmetic.hpp"

namespace graze::oracle {
namespace {

class DefaultEnvironment {
public:
    DefaultEnvironment() noexcept
        : is_set_(std::fegetenv(&found_) == 0 && std::fesetenv(FE_DFL_ENV) == 0) {}
    ~DefaultEnvironment() {
        if (is_set_) std::fesetenv(&found_);
    }
    DefaultEnvironment(const DefaultEnvironment&) = delete;
    DefaultEnvironment& operator=(const DefaultEnvironment&) = delete;
    [[nodiscard]] bool is_set() const noexcept { return is_set_; }

private:
    std::fenv_t found_{};
    bool is_set_;
};

}  // namespace

bool call_with_default_arithmetic(void (*call)(void*), void* data) {
    const DefaultEnvironment environment;
    if (!environment.is_set()) return false;
    // Read at run time: compilers, which take the environment for constant, cannot move arithmetic
    // out of a call that they do not know.
    void (*const volatile unknown)(void*) = call;
    unknown(data);
    return true;
}

}  // namespace graze::oracle
