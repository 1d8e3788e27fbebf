// An arm of seven joints (10^4 triangles) in a scene of 10^5 triangles: motions of 0.1 radians per joint
// checked by proof, and by FCL at samples of 1, 2 and 5 degrees; times, clearances, and the collisions
// that samples miss. Both check the same pairs of meshes.
//   robot_arm --count 500 [--seed S] [--repeats 3]
// Times are those of the processor, the least of the repeats, which take turns.
#include <fcl/fcl.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <ctime>
#include <numbers>
#include <random>

#include "graze/robot.hpp"

namespace graze::bench {
namespace {

using robot::Configuration;
using Triangles = std::vector<std::array<std::uint32_t, 3>>;

struct Mesh {
    std::vector<Vec3> vertices;
    Triangles triangles;
};
void append(Mesh& mesh, const Mesh& other) {
    const auto offset = static_cast<std::uint32_t>(mesh.vertices.size());
    mesh.vertices.insert(mesh.vertices.end(), other.vertices.begin(), other.vertices.end());
    for (const auto& [a, b, c] : other.triangles)
        mesh.triangles.push_back({a + offset, b + offset, c + offset});
}

// A capsule along z from 0 to `length`: a sphere in two halves with a tube between them.
Mesh capsule(double radius, double length, std::uint32_t sides, std::uint32_t rings) {
    Mesh mesh;
    mesh.vertices.push_back({0.0, 0.0, -radius});
    for (std::uint32_t i = 1; i < rings; ++i) {
        const double a = std::numbers::pi * (static_cast<double>(i) / rings - 0.5);
        const double z = radius * std::sin(a) + (2 * i >= rings ? length : 0.0);
        for (std::uint32_t j = 0; j < sides; ++j) {
            const double b = 2.0 * std::numbers::pi * j / sides;
            const double r = radius * std::cos(a);
            mesh.vertices.push_back({r * std::cos(b), r * std::sin(b), z});
        }
    }
    mesh.vertices.push_back({0.0, 0.0, length + radius});
    const auto at = [&](std::uint32_t i, std::uint32_t j) {
        return 1 + (i - 1) * sides + j % sides;
    };
    const auto top = static_cast<std::uint32_t>(mesh.vertices.size() - 1);
    for (std::uint32_t j = 0; j < sides; ++j) {
        mesh.triangles.push_back({0, at(1, j + 1), at(1, j)});
        for (std::uint32_t i = 1; i + 1 < rings; ++i) {
            mesh.triangles.push_back({at(i, j), at(i, j + 1), at(i + 1, j + 1)});
            mesh.triangles.push_back({at(i, j), at(i + 1, j + 1), at(i + 1, j)});
        }
        mesh.triangles.push_back({at(rings - 1, j), at(rings - 1, j + 1), top});
    }
    return mesh;
}

std::shared_ptr<const rigid::RigidBody> body_of(const Mesh& mesh) {
    auto body = rigid::RigidBody::create(mesh.vertices, mesh.triangles);
    return std::make_shared<const rigid::RigidBody>(*std::move(body));
}

constexpr double kLength = 0.2;
constexpr double kRadius = 0.05;

// Joints bend about y and rotate about z in turn.
robot::RobotDescription arm(const std::shared_ptr<const rigid::RigidBody>& mesh) {
    robot::RobotDescription description;
    description.name = "arm";
    description.links.push_back({"link0", {{mesh, {}}}});
    for (std::uint32_t j = 0; j < 7; ++j) {
        description.links.push_back({fmt::format("link{}", j + 1), {{mesh, {}}}});
        robot::Joint joint;
        joint.name = fmt::format("joint{}", j + 1);
        joint.kind = robot::JointKind::Revolute;
        joint.parent = j;
        joint.child = j + 1;
        joint.origin.translation = {0.0, 0.0, kLength};
        joint.axis = j % 2 == 0 ? Vec3{0.0, 0.0, 1.0} : Vec3{0.0, 1.0, 0.0};
        joint.lower = -2.9;
        joint.upper = 2.9;
        description.joints.push_back(joint);
    }
    return description;
}

// Blobs and thin rods about the arm, none near its base.
Mesh surroundings(std::mt19937_64& rng) {
    std::uniform_real_distribution<double> uniform(-1.0, 1.0);
    std::normal_distribution<double> normal;
    Mesh scene;
    while (scene.triangles.size() < 100'000) {
        const bool is_rod = scene.triangles.size() % 3 == 0;
        Mesh one = is_rod ? capsule(0.004, 0.5, 24, 26) : capsule(0.09, 0.05, 24, 26);
        const Vec3 where = {1.5 * uniform(rng), 1.5 * uniform(rng), 0.2 + 1.5 * uniform(rng)};
        if (std::hypot(where.x, where.y) < 0.35) continue;
        const Pose pose = {normalised({normal(rng), normal(rng), normal(rng), normal(rng)}), where};
        for (Vec3& p : one.vertices)
            p = apply(pose, p);
        append(scene, one);
    }
    return scene;
}

// --- FCL -----------------------------------------------------------------------------------------

using FclMesh = fcl::BVHModel<fcl::OBBRSSd>;

std::shared_ptr<FclMesh> fcl_mesh(const Mesh& mesh) {
    std::vector<fcl::Vector3d> vertices;
    for (const Vec3& p : mesh.vertices)
        vertices.emplace_back(p.x, p.y, p.z);
    std::vector<fcl::Triangle> triangles;
    for (const auto& t : mesh.triangles)
        triangles.emplace_back(t[0], t[1], t[2]);
    auto result = std::make_shared<FclMesh>();
    result->beginModel();
    result->addSubModel(vertices, triangles);
    result->endModel();
    return result;
}

fcl::Transform3d transform_of(const Pose& pose) {
    fcl::Transform3d result = fcl::Transform3d::Identity();
    const Quaternion& q = pose.rotation;
    result.linear() = fcl::Quaterniond(q.w, q.x, q.y, q.z).normalized().toRotationMatrix();
    result.translation() =
        fcl::Vector3d(pose.translation.x, pose.translation.y, pose.translation.z);
    return result;
}

struct Sampler {
    const robot::Scene& scene;
    std::shared_ptr<FclMesh> link;
    std::shared_ptr<FclMesh> environment;
    std::vector<robot::LinkPair> pairs;

    [[nodiscard]] bool collides(const Configuration& q) const {
        const auto poses = scene.robot().link_poses(q);
        std::vector<fcl::Transform3d> at;
        for (const Pose& pose : *poses)
            at.push_back(transform_of(pose));
        const fcl::CollisionRequestd request;
        const auto meet = [&](const FclMesh* a, const fcl::Transform3d& pose_a, const FclMesh* b,
                              const fcl::Transform3d& pose_b) {
            fcl::CollisionResultd result;
            return fcl::collide(a, pose_a, b, pose_b, request, result) > 0;
        };
        for (std::size_t i = 1; i < at.size(); ++i)
            if (meet(environment.get(), fcl::Transform3d::Identity(), link.get(), at[i]))
                return true;
        for (const auto& [i, j] : pairs)
            if (meet(link.get(), at[i], link.get(), at[j])) return true;
        return false;
    }
    // At steps of at most `degrees` of the joint that moves most; the start is known to be free.
    [[nodiscard]] bool finds(const Configuration& a, const Configuration& b, double degrees) const {
        double most = 0.0;
        for (std::size_t i = 0; i < a.size(); ++i)
            most = std::max(most, std::fabs(b[i] - a[i]));
        const int steps =
            std::max(1, static_cast<int>(std::ceil(most * 180.0 / std::numbers::pi / degrees)));
        Configuration q = a;
        for (int k = 1; k <= steps; ++k) {
            const double s = static_cast<double>(k) / steps;
            for (std::size_t i = 0; i < a.size(); ++i)
                q[i] = (1.0 - s) * a[i] + s * b[i];
            if (collides(q)) return true;
        }
        return false;
    }
};

template <class Call>
double microseconds(const Call& call) {
    const auto now = [] {
        std::timespec time{};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
        return 1e6 * static_cast<double>(time.tv_sec) + 1e-3 * static_cast<double>(time.tv_nsec);
    };
    const double start = now();
    call();
    return now() - start;
}
double quantile(std::vector<double> values, double fraction) {
    if (values.empty()) return 0.0;
    std::sort(values.begin(), values.end());
    return values[static_cast<std::size_t>(fraction * static_cast<double>(values.size() - 1))];
}

struct Request {
    std::uint64_t count = 300;
    std::uint64_t seed = 1;
    int repeats = 3;
    bool without_fcl = false;
    bool without_clearance = false;
};

constexpr std::array kDegrees = {1.0, 2.0, 5.0};

int compare(const Request& request) {
    std::mt19937_64 rng(request.seed);
    const Mesh link = capsule(kRadius, kLength, 24, 27);
    const Mesh environment = surroundings(rng);
    const auto link_body = body_of(link);
    const auto arm_robot = robot::Robot::create(arm(link_body));
    robot::SceneOptions options;
    options.on_environment = {0};
    const auto scene =
        robot::Scene::create(*arm_robot, {{"environment", {body_of(environment), {}}}}, options);
    if (!scene) {
        fmt::print(stderr, "{}\n", scene.error().message);
        return 2;
    }
    Sampler sampler{*scene, fcl_mesh(link), fcl_mesh(environment), {}};
    for (robot::LinkId i = 0; i < 8; ++i)
        for (robot::LinkId j = i + 1; j < 8; ++j)
            if (!std::binary_search(scene->allowed().begin(), scene->allowed().end(),
                                    robot::LinkPair(i, j)))
                sampler.pairs.emplace_back(i, j);
    fmt::print("{} triangles of the arm, {} of the environment, {} pairs of links\n",
               8 * link.triangles.size(), environment.triangles.size(), sampler.pairs.size());

    std::uniform_real_distribution<double> angle(-2.0, 2.0);
    std::vector<double> by_proof;
    std::vector<double> of_contacts;
    std::array<std::vector<double>, 3> by_samples;
    std::array<std::uint64_t, 3> missed{};
    std::array<std::uint64_t, 3> invented{};
    std::array<std::uint64_t, 6> histogram{};
    std::uint64_t contacts = 0;
    std::uint64_t undecided = 0;
    std::uint64_t checks = 0;
    std::uint64_t done = 0;
    while (done < request.count) {
        Configuration a;
        Configuration b;
        for (std::size_t i = 0; i < 7; ++i) {
            a.push_back(angle(rng));
            b.push_back(a.back() + (rng() % 2 == 0 ? 0.1 : -0.1));
        }
        if (scene->check_state(a)->verdict != Verdict::Separated) continue;
        ++done;
        robot::SegmentResult result;
        double proof = 1e300;
        std::array<double, 3> samples = {1e300, 1e300, 1e300};
        std::array<bool, 3> found{};
        for (int repeat = 0; repeat < request.repeats; ++repeat) {
            proof = std::min(proof, microseconds([&] { result = *scene->check_motion(a, b); }));
            for (std::size_t k = 0; k < 3 && !request.without_fcl; ++k)
                samples[k] = std::min(
                    samples[k], microseconds([&] { found[k] = sampler.finds(a, b, kDegrees[k]); }));
        }
        checks += result.checks;
        const bool is_contact = result.verdict == Verdict::Contact;
        contacts += is_contact ? 1 : 0;
        undecided += result.verdict == Verdict::Unresolved ? 1 : 0;
        by_proof.push_back(proof);
        if (is_contact) of_contacts.push_back(proof);
        for (std::size_t k = 0; k < 3; ++k) {
            by_samples[k].push_back(samples[k]);
            missed[k] += is_contact && !found[k] ? 1 : 0;
            invented[k] += result.verdict == Verdict::Separated && found[k] ? 1 : 0;
        }
        if (result.verdict == Verdict::Separated && !request.without_clearance) {
            robot::CheckOptions with_clearance;
            with_clearance.clearance_accuracy = 0.1;
            const double c = scene->check_motion(a, b, with_clearance)->clearance_lower;
            ++histogram[c < 1e-3   ? 0
                        : c < 3e-3 ? 1
                        : c < 0.01 ? 2
                        : c < 0.03 ? 3
                        : c < 0.1  ? 4
                                   : 5];
        }
    }
    fmt::print("{} segments: {} with a contact, {} undecided, {} checks each\n", done, contacts,
               undecided, checks / done);
    fmt::print("clearance below 1 mm, 3 mm, 10 mm, 30 mm, 100 mm, above: {}\n",
               fmt::join(histogram, ", "));
    fmt::print("{:>12} {:>12} {:>12} {:>12} {:>14} {:>10}\n", "", "median us", "p90 us", "p99 us",
               "missed", "invented");
    const auto row = [&](const std::string& name, const std::vector<double>& times,
                         const std::string& misses, std::uint64_t wrong) {
        fmt::print("{:>12} {:12.1f} {:12.1f} {:12.1f} {:>14} {:>10}\n", name, quantile(times, 0.5),
                   quantile(times, 0.9), quantile(times, 0.99), misses, wrong);
    };
    row("proof", by_proof, fmt::format("0 of {}", contacts), 0);
    row("(contacts)", of_contacts, "", 0);
    for (std::size_t k = 0; k < 3 && !request.without_fcl; ++k)
        row(fmt::format("FCL {} deg", kDegrees[k]), by_samples[k],
            fmt::format("{} of {}", missed[k], contacts), invented[k]);
    return 0;
}

int run(int argc, char** argv) {
    Request request;
    CLI::App app{"Motions of an arm by proof, and by FCL at samples"};
    app.add_option("--count", request.count, "segments");
    app.add_option("--seed", request.seed, "of the scene and the segments");
    app.add_option("--repeats", request.repeats, "of each, the least time counts");
    app.add_flag("--without-clearance", request.without_clearance, "no histogram");
    app.add_flag("--without-fcl", request.without_fcl, "by proof alone");
    CLI11_PARSE(app, argc, argv);
    return compare(request);
}

}  // namespace
}  // namespace graze::bench

int main(int argc, char** argv) {
    return graze::bench::run(argc, argv);
}
