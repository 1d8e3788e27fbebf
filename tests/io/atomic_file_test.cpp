// What a written file does to what was there before: permissions, links, several files at once.
// Defends G-FILES-3 (docs/GUARANTEES.md).
#include "graze/io/atomic_file.hpp"

#include <grp.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <functional>

#include "io/files.hpp"

namespace graze::io {
namespace {

namespace fs = std::filesystem;
using test::TempFolder;

std::unique_ptr<AtomicFile> created(const fs::path& path) {
    auto file = AtomicFile::create(path, Packing::Plain);
    EXPECT_TRUE(file) << (file ? "" : file.error().message);
    return file ? std::move(*file) : nullptr;
}

Expected<void> put(AtomicFile& file, const std::string& text) {
    return file.write(std::span(reinterpret_cast<const unsigned char*>(text.data()), text.size()));
}

void write_new(const fs::path& path, const std::string& text) {
    const auto file = created(path);
    ASSERT_NE(file, nullptr);
    ASSERT_TRUE(put(*file, text));
    ASSERT_TRUE(file->commit());
}

std::string text_of(const fs::path& path) {
    std::ifstream in(path);
    return {std::istreambuf_iterator<char>(in), {}};
}

void write_plainly(const fs::path& path, const std::string& text) {
    std::ofstream(path) << text;
}

mode_t mode_of(const fs::path& path) {
    struct stat status = {};
    EXPECT_EQ(::stat(path.c_str(), &status), 0);
    return status.st_mode & 07777;
}

// In a process of its own, without the rights of root where this one has them.
bool holds_for_a_plain_user(const std::function<bool()>& claim) {
    const pid_t child = fork();
    if (child == 0) {
        constexpr uid_t kNobody = 65534;
        const bool is_plain = geteuid() != 0 || (setgroups(0, nullptr) == 0 &&
                                                 setgid(kNobody) == 0 && setuid(kNobody) == 0);
        _exit(is_plain && claim() ? 0 : 1);
    }
    int status = 0;
    return waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

TEST(AtomicFile, KeepsThePermissionsOfTheFileThatItReplaces) {
    const TempFolder folder;
    for (const mode_t mode : {0600U, 0640U, 0644U, 0755U, 0666U}) {
        const fs::path path = folder / "a";
        write_plainly(path, "old");
        ASSERT_EQ(::chmod(path.c_str(), mode), 0);
        {
            const auto file = created(path);
            // The text is not open to others while it is written, either.
            for (const auto& entry : fs::directory_iterator(path.parent_path()))
                EXPECT_EQ(mode_of(entry.path()), mode);
            ASSERT_TRUE(put(*file, "new"));
            ASSERT_TRUE(file->commit());
        }
        EXPECT_EQ(text_of(path), "new");
        EXPECT_EQ(mode_of(path), mode);
    }
}

TEST(AtomicFile, ANewFileHasTheUsualPermissions) {
    const TempFolder folder;
    const mode_t mask = ::umask(027);
    write_new(folder / "a", "text");
    ::umask(mask);
    EXPECT_EQ(mode_of(folder / "a"), 0640U);
}

TEST(AtomicFile, DoesNotReplaceAFileThatMayNotBeWritten) {
    const TempFolder folder;
    const fs::path path = folder / "a";
    write_plainly(path, "old");
    ASSERT_EQ(::chmod(path.c_str(), 0444), 0);
    ASSERT_EQ(::chmod(path.parent_path().c_str(), 0777), 0);
    EXPECT_TRUE(holds_for_a_plain_user([&] {
        const auto file = AtomicFile::create(path, Packing::Plain);
        return !file && file.error().message.ends_with("cannot be written: Permission denied");
    }));
    EXPECT_EQ(text_of(path), "old");
    EXPECT_EQ(folder.entries(), 1U);
}

TEST(AtomicFile, FollowsLinksAlsoThoseThatLeadToNothing) {
    const TempFolder folder;
    fs::create_directory(folder / "deep");
    fs::create_symlink("deep/second", folder / "first");
    fs::create_symlink("../target", folder / "deep/second");
    for (const std::string text : {"made", "replaced"}) {
        write_new(folder / "first", text);
        EXPECT_TRUE(fs::is_symlink(folder / "first"));
        EXPECT_TRUE(fs::is_symlink(folder / "deep/second"));
        EXPECT_FALSE(fs::is_symlink(folder / "target"));
        EXPECT_EQ(text_of(folder / "target"), text);
    }
    fs::create_symlink("no/such/folder", folder / "astray");
    EXPECT_FALSE(AtomicFile::create(folder / "astray", Packing::Plain));
    fs::create_symlink("round", folder / "round");
    const auto round = AtomicFile::create(folder / "round", Packing::Plain);
    ASSERT_FALSE(round);
    EXPECT_NE(round.error().message.find("symbolic links"), std::string::npos);
    EXPECT_TRUE(fs::is_symlink(folder / "round"));
}

TEST(AtomicFile, IsNotThereBeforeItIsCommittedThoughItIsPrepared) {
    const TempFolder folder;
    const fs::path path = folder / "a";
    {
        const auto file = created(path);
        ASSERT_TRUE(put(*file, "text"));
        ASSERT_TRUE(file->prepare());
        EXPECT_FALSE(fs::exists(path));
        ASSERT_TRUE(file->prepare());
        ASSERT_TRUE(file->commit());
        EXPECT_EQ(text_of(path), "text");
        const auto other = created(folder / "b");
        ASSERT_TRUE(other->prepare());
    }
    EXPECT_EQ(folder.entries(), 1U);
}

// What a signal handler does. In a process of its own: nothing works afterwards.
TEST(AtomicFile, UnfinishedFilesOfAllThreadsCanBeRemovedAtOnce) {
    const TempFolder folder;
    const fs::path path = folder / "a";
    const pid_t child = fork();
    if (child == 0) {
        std::vector<std::unique_ptr<AtomicFile>> files;
        for (int i = 0; i < 100; ++i)
            files.push_back(std::move(*AtomicFile::create(path, Packing::Plain)));
        files.erase(files.begin() + 10, files.begin() + 20);
        for (int i = 0; i < 5; ++i)
            files.push_back(std::move(*AtomicFile::create(path, Packing::Plain)));
        const bool done = files[3]->commit().has_value();
        remove_part_files();
        _exit(done ? 0 : 1);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(WEXITSTATUS(status), 0);
    EXPECT_EQ(folder.entries(), 1U);
}

// In a process of its own: the limit holds for every file of a process.
TEST(AtomicFile, AFullDiskHasACodeOfItsOwn) {
    const TempFolder folder;
    const fs::path path = folder / "a";
    const pid_t child = fork();
    if (child == 0) {
        const rlimit limit{4096, 4096};
        std::signal(SIGXFSZ, SIG_IGN);
        if (setrlimit(RLIMIT_FSIZE, &limit) != 0) _exit(2);
        const auto file = created(path);
        const std::string much(100'000, 'x');
        Expected<void> written = put(*file, much);
        if (written) written = file->commit();
        _exit(!written && written.error().code == ErrorCode::DiskFull ? 0 : 1);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(WEXITSTATUS(status), 0);
    EXPECT_FALSE(fs::exists(path));
    const auto folder_itself = AtomicFile::create(folder / ".", Packing::Plain);
    ASSERT_FALSE(folder_itself);
    EXPECT_EQ(folder_itself.error().code, ErrorCode::CannotWrite);
}

}  // namespace
}  // namespace graze::io
