// Blocks on ranks that are threads of this process: the scheduler and the journal, without MPI.
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <random>
#include <thread>

#include "cli/query_list.hpp"
#include "cluster/block_run.hpp"
#include "cluster/input_blocks.hpp"
#include "cluster/launch.hpp"
#include "commands/generate/generate_plan.hpp"

namespace graze::app {
namespace {

// Mailboxes that all ranks of a test share.
struct Mail {
    std::mutex mutex;
    std::map<int, std::vector<RankMessage>> boxes;
};

class ThreadTransport final : public Transport {
public:
    ThreadTransport(Mail& mail, int rank, int size) : mail_(mail), rank_(rank), size_(size) {}
    [[nodiscard]] int rank() const noexcept override { return rank_; }
    [[nodiscard]] int size() const noexcept override { return size_; }
    void send(int to, const Payload& bytes) override {
        const std::lock_guard lock(mail_.mutex);
        mail_.boxes[to].push_back({rank_, bytes});
    }
    [[nodiscard]] std::optional<RankMessage> poll() override {
        const std::lock_guard lock(mail_.mutex);
        std::vector<RankMessage>& box = mail_.boxes[rank_];
        if (box.empty()) return std::nullopt;
        RankMessage message = box.front();
        box.erase(box.begin());
        return message;
    }
    void finish() override { finished = true; }
    void abort(int) override { aborted = true; }
    std::atomic<bool> finished = false;
    std::atomic<bool> aborted = false;

private:
    Mail& mail_;
    int rank_;
    int size_;
};

Payload bytes_of(std::uint64_t value) {
    PayloadWriter bytes;
    bytes.natural(value);
    return bytes.take();
}

// What rank 0 returned, and the blocks in the order in which it reduced them.
struct RunOutcome {
    Expected<Payload> result = Payload();
    std::vector<std::uint64_t> reduced;
    std::size_t runs = 0;
    bool all_finished = true;
};

BlockJob squares(std::size_t count, std::atomic<std::size_t>& runs) {
    BlockJob job;
    job.count = count;
    job.name = [](std::size_t i) { return "number " + std::to_string(i); };
    job.run = [&runs](std::size_t i) -> Expected<Payload> {
        ++runs;
        // Blocks of very different length, the first among the longest.
        std::this_thread::sleep_for(std::chrono::milliseconds(i % 7 == 0 ? 8 : 0));
        return bytes_of(i * i);
    };
    return job;
}

RunOutcome run_on(int ranks, BlockJob job, std::atomic<std::size_t>& runs,
                  BlockJournal* journal = nullptr) {
    Mail mail;
    RunOutcome outcome;
    job.reduce = [&outcome](std::size_t i, const Payload& payload) -> Expected<void> {
        EXPECT_EQ(i, outcome.reduced.size());
        outcome.reduced.push_back(PayloadReader(payload).natural());
        return {};
    };
    const auto rank_main = [&](int rank) {
        ThreadTransport transport(mail, rank, ranks);
        RankSession session(transport);
        auto result = session.run(job, rank == 0 ? journal : nullptr, [] { return bytes_of(7); });
        if (result) {
            EXPECT_EQ(*result, bytes_of(7));
        }
        session.leave(result ? "" : result.error().message, std::chrono::seconds(20));
        if (!transport.finished || transport.aborted) outcome.all_finished = false;
        if (rank == 0) outcome.result = std::move(result);
    };
    std::vector<std::thread> others;
    for (int rank = 1; rank < ranks; ++rank)
        others.emplace_back(rank_main, rank);
    rank_main(0);
    for (std::thread& thread : others)
        thread.join();
    outcome.runs = runs;
    return outcome;
}

std::string journal_path(const std::string& name) {
    return (std::filesystem::temp_directory_path() / ("graze_cluster_test_" + name)).string();
}

TEST(BlockRun, ReducesEveryBlockOnceInOrderForEveryNumberOfRanks) {
    for (const int ranks : {1, 2, 3, 4, 8}) {
        for (const std::size_t count : {0U, 1U, 2U, 50U}) {
            std::atomic<std::size_t> runs = 0;
            const RunOutcome outcome = run_on(ranks, squares(count, runs), runs);
            ASSERT_TRUE(outcome.result) << outcome.result.error().message;
            ASSERT_EQ(outcome.reduced.size(), count);
            for (std::size_t i = 0; i < count; ++i)
                EXPECT_EQ(outcome.reduced[i], i * i);
            EXPECT_EQ(outcome.runs, count);
            EXPECT_TRUE(outcome.all_finished);
        }
    }
}

TEST(BlockRun, ReportsTheLowestBlockThatFailsWithItsName) {
    for (const int ranks : {1, 2, 4}) {
        std::atomic<std::size_t> runs = 0;
        BlockJob job = squares(60, runs);
        const auto good = job.run;
        job.run = [&good](std::size_t i) -> Expected<Payload> {
            if (i == 21) std::this_thread::sleep_for(std::chrono::milliseconds(30));
            if (i >= 21 && i <= 30) return Error{"bad number"};
            return good(i);
        };
        const RunOutcome outcome = run_on(ranks, job, runs);
        ASSERT_FALSE(outcome.result);
        EXPECT_NE(outcome.result.error().message.find("block 21 of 60 (number 21): bad number"),
                  std::string::npos)
            << outcome.result.error().message;
        EXPECT_LE(outcome.reduced.size(), 21U);
        EXPECT_LT(outcome.runs, 60U);  // nothing new after the failure
        EXPECT_TRUE(outcome.all_finished);
    }
}

TEST(BlockRun, WhatABlockThrowsIsItsError) {
    std::atomic<std::size_t> runs = 0;
    BlockJob job = squares(4, runs);
    job.run = [](std::size_t) -> Expected<Payload> { throw std::bad_alloc(); };
    const RunOutcome outcome = run_on(3, job, runs);
    ASSERT_FALSE(outcome.result);
    EXPECT_NE(outcome.result.error().message.find("out of memory"), std::string::npos);
}

TEST(BlockRun, ASlowBlockDoesNotStallTheOthers) {
    std::atomic<std::size_t> runs = 0;
    std::atomic<std::size_t> done_meanwhile = 0;
    BlockJob job = squares(40, runs);
    job.run = [&](std::size_t i) -> Expected<Payload> {
        if (i == 0) {
            // Until all blocks but the few that lie behind it are done, or far too long.
            for (int k = 0; k < 2000 && runs < 37; ++k)
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
            done_meanwhile = runs.load();
        } else {
            ++runs;
        }
        return bytes_of(i * i);
    };
    const RunOutcome outcome = run_on(3, job, runs);
    ASSERT_TRUE(outcome.result);
    EXPECT_GE(done_meanwhile, 37U);
}

TEST(BlockRun, GoesOnFromAJournalOnAnotherNumberOfRanks) {
    const std::string path = journal_path("resume");
    for (const std::size_t stop_at : {0U, 1U, 13U, 29U}) {
        std::atomic<std::size_t> runs = 0;
        {
            auto journal = BlockJournal::create(path, "squares");
            ASSERT_TRUE(journal);
            BlockJob job = squares(30, runs);
            const auto good = job.run;
            job.run = [&good, stop_at](std::size_t i) -> Expected<Payload> {
                return i >= stop_at ? Expected<Payload>(Error{"killed"}) : good(i);
            };
            EXPECT_FALSE(run_on(3, job, runs, &*journal).result);
        }
        const std::size_t before = runs;
        auto journal = BlockJournal::resume(path, "squares");
        ASSERT_TRUE(journal);
        EXPECT_EQ(journal->kept(), before);
        const RunOutcome outcome = run_on(2, squares(30, runs), runs, &*journal);
        ASSERT_TRUE(outcome.result);
        EXPECT_EQ(outcome.runs, 30U);  // none twice
        ASSERT_EQ(outcome.reduced.size(), 30U);
        EXPECT_EQ(outcome.reduced[29], 29U * 29U);
        journal->remove();
        EXPECT_FALSE(std::filesystem::exists(path));
    }
}

TEST(BlockJournal, HoldsABeginningOfWhatWasWrittenHoweverItIsDamaged) {
    const std::string path = journal_path("damage");
    std::string whole;
    {
        auto journal = BlockJournal::create(path, "settings of a run");
        ASSERT_TRUE(journal);
        for (std::uint64_t i = 0; i < 12; ++i)
            ASSERT_TRUE(journal->add(i, 100 + i, Payload(static_cast<std::size_t>(i * 5), 'x')));
    }
    {
        std::ifstream file(path, std::ios::binary);
        whole.assign(std::istreambuf_iterator<char>(file), {});
    }
    std::mt19937 random(5);
    for (int trial = 0; trial < 300; ++trial) {
        std::string damaged = whole;
        const std::size_t at = random() % whole.size();
        if (trial % 2 == 0)
            damaged.resize(at);
        else
            damaged[at] = static_cast<char>(damaged[at] ^ (1 << (random() % 8)));
        std::ofstream(path, std::ios::binary | std::ios::trunc) << damaged;
        auto journal = BlockJournal::resume(path, "settings of a run");
        if (!journal) continue;  // the first bytes, or the settings: refused
        std::uint64_t good = 0;
        while (good < 12 && journal->has(good, 100 + good)) {
            const auto payload = journal->read(good);
            ASSERT_TRUE(payload);
            EXPECT_EQ(*payload, Payload(static_cast<std::size_t>(good * 5), 'x'));
            ++good;
        }
        EXPECT_EQ(journal->kept(), good);
        // What is added after damage is found again.
        ASSERT_TRUE(journal->add(good, 7, Payload(3, 'y')));
        const auto again = BlockJournal::resume(path, "settings of a run");
        ASSERT_TRUE(again);
        EXPECT_TRUE(again->has(good, 7));
    }
    std::filesystem::remove(path);
}

TEST(BlockJournal, RefusesWhatIsOfAnotherCommandOrNoJournal) {
    const std::string path = journal_path("refuse");
    ASSERT_TRUE(BlockJournal::create(path, "one"));
    const auto other = BlockJournal::resume(path, "two");
    ASSERT_FALSE(other);
    EXPECT_NE(other.error().message.find("another command: one"), std::string::npos);
    EXPECT_TRUE(BlockJournal::resume(path, "one"));
    // Settings are text of a file: an error shows them as one short line.
    ASSERT_TRUE(BlockJournal::create(path, "three\n" + std::string(1000, 'x')));
    const auto long_one = BlockJournal::resume(path, "one");
    ASSERT_FALSE(long_one);
    EXPECT_EQ(long_one.error().message.find('\n'), std::string::npos);
    EXPECT_LT(long_one.error().message.size(), path.size() + 200);
    std::ofstream(path, std::ios::trunc) << "a text that somebody wrote, of some length";
    EXPECT_FALSE(BlockJournal::resume(path, "one"));
    EXPECT_FALSE(BlockJournal::create("/nowhere/at/all", "one"));
    std::filesystem::remove(path);
}

TEST(BlockJournal, DoesNotTakeABlockOfOtherContent) {
    const std::string path = journal_path("key");
    auto journal = BlockJournal::create(path, "s");
    ASSERT_TRUE(journal->add(3, 11, Payload(1, 'a')));
    EXPECT_TRUE(journal->has(3, 11));
    EXPECT_FALSE(journal->has(3, 12));
    EXPECT_FALSE(journal->has(4, 11));
    journal->remove();
}

Launch launched(std::map<std::string, std::string> variables) {
    return launch_of([variables](const char* name) -> const char* {
        const auto found = variables.find(name);
        return found == variables.end() ? nullptr : found->second.c_str();
    });
}

TEST(Launch, IsReadFromTheVariablesOfEachLauncher) {
    EXPECT_EQ(launched({}).ranks, 1);
    const Launch open_mpi = launched({{"OMPI_COMM_WORLD_SIZE", "8"},
                                      {"OMPI_COMM_WORLD_RANK", "5"},
                                      {"OMPI_COMM_WORLD_LOCAL_RANK", "1"}});
    EXPECT_EQ(open_mpi.ranks, 8);
    EXPECT_EQ(open_mpi.rank, 5);
    EXPECT_EQ(open_mpi.local_rank, 1);
    EXPECT_EQ(launched({{"PMI_SIZE", "3"}, {"PMI_RANK", "2"}}).rank, 2);
    EXPECT_EQ(launched({{"SLURM_STEP_NUM_TASKS", "4"}, {"SLURM_PROCID", "1"}}).ranks, 4);
    // A shell of an allocation, and nonsense.
    EXPECT_EQ(launched({{"SLURM_NTASKS", "64"}, {"SLURM_PROCID", "0"}}).ranks, 1);
    EXPECT_EQ(launched({{"OMPI_COMM_WORLD_SIZE", "many"}}).ranks, 1);
}

// This test is a program that was built without MPI.
TEST(Launch, AProgramWithoutMpiThatIsOneOfSeveralRanksStops) {
    ASSERT_EQ(::setenv("OMPI_COMM_WORLD_SIZE", "2", 1), 0);
    const auto joined = join_ranks();
    ASSERT_EQ(::setenv("OMPI_COMM_WORLD_SIZE", "1", 1), 0);
    const auto alone = join_ranks();
    ::unsetenv("OMPI_COMM_WORLD_SIZE");
    ASSERT_FALSE(joined);
    EXPECT_NE(joined.error().message.find("built without MPI"), std::string::npos);
    EXPECT_TRUE(alone);
    EXPECT_EQ(session(), nullptr);
}

TEST(Launch, GivesTheRanksOfAMachineItsDevicesInTurn) {
    EXPECT_EQ(device_of_rank({8, 0, 0}, nullptr, 4), "0");
    EXPECT_EQ(device_of_rank({8, 5, 5}, nullptr, 4), "1");
    EXPECT_EQ(device_of_rank({8, 5, 1}, "3,GPU-7", 4), "GPU-7");
    EXPECT_EQ(device_of_rank({8, 5, 1}, nullptr, 0), std::nullopt);
    EXPECT_EQ(device_of_rank({8, 5, 1}, "", 4), std::nullopt);
}

TEST(FullSet, HasTheProportionsOfThePublishedBenchmark) {
    const auto plan = plan_of("full", 0);
    ASSERT_TRUE(plan);
    std::map<std::pair<bool, QueryKind>, std::uint64_t> queries;
    std::map<std::string, int> places;
    for (const SetPart& part : *plan) {
        queries[{group_of(part) == "motion", kind_of(part)}] += count_of(part);
        ++places[scene_of(part) + std::to_string(shard_of(part)) +
                 std::string(short_name(kind_of(part)))];
    }
    EXPECT_EQ((queries[{false, QueryKind::VertexFace}]), 12'000U);
    EXPECT_EQ((queries[{false, QueryKind::EdgeEdge}]), 15'000U);
    EXPECT_EQ((queries[{true, QueryKind::VertexFace}]), 18'360'000U);
    EXPECT_EQ((queries[{true, QueryKind::EdgeEdge}]), 41'850'000U);
    EXPECT_EQ(places.size(), plan->size());  // no two at one place
}

TEST(FullSet, ShardsAreNamedByNumberListOrRemainder) {
    using Shards = std::vector<std::size_t>;
    EXPECT_EQ(shards_from("", 3), (Shards{0, 1, 2}));
    EXPECT_EQ(shards_from("2", 3), Shards{2});
    EXPECT_EQ(shards_from("2,0,2", 3), (Shards{0, 2}));
    EXPECT_EQ(shards_from("1/4", 10), (Shards{1, 5, 9}));
    for (const char* wrong : {"3", "-1", "x", "1,", "/", "4/4", "1/0", "1/", "1/2/3"})
        EXPECT_EQ(shards_from(wrong, 3), std::nullopt) << wrong;
}

TEST(ListBlocks, AreTheListInPieces) {
    const std::vector<generate::Family> families = {generate::Family::Near, generate::Family::Flat};
    const std::vector<QueryKind> kinds = {QueryKind::VertexFace, QueryKind::EdgeEdge};
    const ListRange range{17, 1000};
    auto blocks = ListBlocks::generated(families, kinds, range);
    const auto list = generated_list(families, kinds, range);
    std::uint64_t number = 17;
    for (std::size_t b = 0; b < blocks.count(); ++b) {
        EXPECT_EQ(blocks.number(b), number);
        const auto piece = blocks.read(b);
        const auto expected = list->next(static_cast<std::size_t>(kListBlock));
        ASSERT_TRUE(piece && expected);
        ASSERT_EQ(piece->size(), expected->size());
        for (std::size_t i = 0; i < piece->size(); ++i) {
            EXPECT_EQ((*piece)[i].place, (*expected)[i].place);
            EXPECT_EQ((*piece)[i].record, (*expected)[i].record);
        }
        number += piece->size();
    }
    EXPECT_EQ(number, 1017U);
}

// Stored queries, with samples and parts of them: the same as the list that is read in one go.
TEST(ListBlocks, OfStoredQueriesAreTheListInPieces) {
    std::vector<QueryInput> inputs;
    for (const io::EmbeddedSet& set : io::embedded_sets())
        inputs.push_back(input_from(set));
    for (const std::optional<std::uint64_t> sample : {std::optional<std::uint64_t>(), {3}, {700}}) {
        for (const ListRange range : {ListRange{0, std::nullopt}, ListRange{5, 1200}}) {
            auto blocks = ListBlocks::stored(inputs, sample, range);
            ASSERT_TRUE(blocks);
            std::vector<ListedQuery> all;
            for (std::size_t b = 0; b < blocks->count(); ++b) {
                EXPECT_EQ(blocks->number(b), range.first + all.size());
                const auto piece = blocks->read(b);
                ASSERT_TRUE(piece);
                all.insert(all.end(), piece->begin(), piece->end());
            }
            const auto list = stored_list(inputs, sample, range);
            const auto expected = list->next(10'000'000);
            ASSERT_TRUE(expected);
            ASSERT_EQ(all.size(), expected->size());
            for (std::size_t i = 0; i < all.size(); ++i) {
                ASSERT_EQ(all[i].place, (*expected)[i].place);
                ASSERT_EQ(all[i].record, (*expected)[i].record);
            }
        }
    }
}

}  // namespace
}  // namespace graze::app
