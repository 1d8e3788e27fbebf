#include "cli/options.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "graze/verify/methods.hpp"

namespace graze::app {
namespace {

// One row per method of a table; forms with published failures are there for who names them.
TEST(ChosenMethods, TakePartAsPublishedOnlyWhereNamed) {
    const auto names_of = [](const std::vector<std::string>& named) {
        std::vector<std::string_view> names;
        for (const Method& method :
             choose_methods(verify::all_methods(), named, {}, OracleUse::WhereNamed).methods)
            names.push_back(method.name);
        return names;
    };
    const auto unnamed = names_of({});
    EXPECT_EQ(std::count(unnamed.begin(), unnamed.end(), "floating-point-roots"), 1);
    EXPECT_EQ(std::count(unnamed.begin(), unnamed.end(), "oracle"), 0);
    EXPECT_TRUE(std::none_of(unnamed.begin(), unnamed.end(),
                             [](std::string_view name) { return name.ends_with("-published"); }));
    EXPECT_EQ(names_of({"root-parity-published", "tight-bernstein-published"}).size(), 2U);
}

}  // namespace
}  // namespace graze::app
