#include "mpi/mpi_transport.hpp"

#include <dlfcn.h>

#include <array>
#include <filesystem>
#include <memory>

#include "mpi/mpi_plugin.hpp"

namespace graze::app {
namespace {

namespace fs = std::filesystem;

class MpiTransport final : public Transport {
public:
    MpiTransport(const GrazeMpiCalls& calls, int rank, int size)
        : calls_(calls), rank_(rank), size_(size) {}

    [[nodiscard]] int rank() const noexcept override { return rank_; }
    [[nodiscard]] int size() const noexcept override { return size_; }
    void send(int to, const Payload& bytes) override {
        calls_.send(to, bytes.data(), bytes.size());
    }
    [[nodiscard]] std::optional<RankMessage> poll() override {
        RankMessage message;
        std::size_t count = 0;
        if (!calls_.probe(&message.from, &count)) return std::nullopt;
        message.bytes.resize(count);
        calls_.receive(message.from, message.bytes.data(), count);
        return message;
    }
    void finish() override { calls_.finish(); }
    void abort(int exit_code) override { calls_.abort(exit_code); }

private:
    const GrazeMpiCalls& calls_;
    int rank_;
    int size_;
};

// Beside the program, as it is built, or where it is installed.
Expected<fs::path> plugin_path() {
    std::error_code error;
    const fs::path folder = fs::read_symlink("/proc/self/exe", error).parent_path();
    const std::array<fs::path, 2> places = {folder / kMpiPluginName,
                                            folder / GRAZE_MPI_PLUGIN_FOLDER / kMpiPluginName};
    for (const fs::path& place : places)
        if (fs::exists(place, error)) return place;
    return Error{places[0].string() + ": is missing, and so is " + places[1].string(),
                 ErrorCode::CannotRead};
}

}  // namespace

Expected<Transport*> join_by_mpi() {
    const Expected<fs::path> path = plugin_path();
    if (!path) return path.error();
    // The modules of Open MPI look for its names in the whole process.
    void* plugin = ::dlopen(path->c_str(), RTLD_NOW | RTLD_GLOBAL);
    void* found = plugin == nullptr ? nullptr : ::dlsym(plugin, kMpiTableName);
    if (found == nullptr) {
        const char* reason = ::dlerror();
        return Error{path->string() + ": " + (reason == nullptr ? "cannot be loaded" : reason),
                     ErrorCode::Unsupported};
    }
    const GrazeMpiCalls& calls = *reinterpret_cast<GrazeMpiTable>(found)();
    int rank = 0;
    int size = 1;
    if (!calls.start(&rank, &size)) return Error{"MPI cannot be started", ErrorCode::Unsupported};
    static std::unique_ptr<MpiTransport> transport;
    transport = std::make_unique<MpiTransport>(calls, rank, size);
    return transport.get();
}

}  // namespace graze::app
