// Small robots as text, and a folder to put files into.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "graze/urdf/urdf.hpp"

namespace graze::test {

class UrdfFolder : public testing::Test {
protected:
    UrdfFolder() {
        const auto* test = testing::UnitTest::GetInstance()->current_test_info();
        folder_ = std::filesystem::temp_directory_path() /
                  (std::string("graze_urdf_") + test->name() + std::to_string(::getpid()));
        std::filesystem::create_directories(folder_ / "meshes");
    }
    ~UrdfFolder() override {
        std::error_code ignored;
        std::filesystem::remove_all(folder_, ignored);
    }
    std::filesystem::path write(const std::string& name, const std::string& text) const {
        std::ofstream(folder_ / name, std::ios::binary) << text;
        return folder_ / name;
    }

    std::filesystem::path folder_;
};

// Two links and a joint; what is inside of the joint and of the second link can be set.
inline std::string two_links(const std::string& joint, const std::string& second = "",
                             const std::string& type = "revolute") {
    return "<robot name=\"r\"><link name=\"a\"/><link name=\"b\">" + second +
           "</link><joint name=\"j\" type=\"" + type +
           "\"><parent link=\"a\"/><child link=\"b\"/>" + joint + "</joint></robot>";
}
inline const std::string kLimits = "<limit lower=\"-1\" upper=\"1\" effort=\"1\" velocity=\"1\"/>";

inline std::string collision(const std::string& geometry) {
    return "<collision><geometry>" + geometry + "</geometry></collision>";
}

}  // namespace graze::test
