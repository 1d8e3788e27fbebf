#include "handles.hpp"

#include <cstddef>
#include <mutex>
#include <new>
#include <shared_mutex>
#include <vector>

namespace graze::capi {
namespace {

// Bits of a number: 8 of the kind, 32 of the generation, 24 of the slot. A slot is given to the next
// object with the next generation; after 2^32 - 1 of them it is given to nobody any more.
constexpr int kSlotBits = 24;
constexpr int kKindShift = 56;
constexpr std::uint64_t kSlotMask = (std::uint64_t{1} << kSlotBits) - 1;
constexpr std::uint32_t kLastGeneration = 0xffff'ffffU;

struct Slot {
    std::uint32_t generation = 1;
    HandleKind kind = HandleKind::Mesh;
    std::shared_ptr<void> object;
};

struct Table {
    std::shared_mutex mutex;
    std::vector<Slot> slots;
    std::vector<std::uint32_t> free;  // room for all slots: freeing one never allocates
};

// Never destroyed: other threads may still call while a program ends. In memory that is always there,
// so that to look for a handle never fails for want of any.
Table& handle_table() noexcept {
    alignas(Table) static std::byte memory[sizeof(Table)];
    static Table& table = *new (memory) Table;
    return table;
}

std::uint64_t number_of(HandleKind kind, std::uint32_t generation, std::uint32_t slot) noexcept {
    return std::uint64_t{static_cast<std::uint8_t>(kind)} << kKindShift |
           std::uint64_t{generation} << kSlotBits | slot;
}

// The slot that the number names, if it lives. Requires: the table is locked.
Slot* living_slot(Table& table, HandleKind kind, std::uint64_t id) noexcept {
    const std::uint64_t index = id & kSlotMask;
    if (index >= table.slots.size()) return nullptr;
    Slot& slot = table.slots[index];
    if (!slot.object || slot.kind != kind) return nullptr;
    const bool is_it = id == number_of(kind, slot.generation, static_cast<std::uint32_t>(index));
    return is_it ? &slot : nullptr;
}

}  // namespace

std::uint64_t add_handle(HandleKind kind, std::shared_ptr<void> object) {
    Table& table = handle_table();
    const std::unique_lock lock(table.mutex);
    if (table.free.empty()) {
        if (table.slots.size() > kSlotMask) throw std::bad_alloc();
        table.free.reserve(table.slots.size() + 1);
        table.slots.emplace_back();
        table.free.push_back(static_cast<std::uint32_t>(table.slots.size() - 1));
    }
    const std::uint32_t index = table.free.back();
    table.free.pop_back();
    Slot& slot = table.slots[index];
    slot.kind = kind;
    slot.object = std::move(object);
    return number_of(kind, slot.generation, index);
}

std::shared_ptr<void> find_handle(HandleKind kind, std::uint64_t id) noexcept {
    Table& table = handle_table();
    const std::shared_lock lock(table.mutex);
    const Slot* slot = living_slot(table, kind, id);
    return slot == nullptr ? nullptr : slot->object;
}

bool remove_handle(HandleKind kind, std::uint64_t id) noexcept {
    Table& table = handle_table();
    std::shared_ptr<void> object;  // outlives the lock: to destroy it may take long
    const std::unique_lock lock(table.mutex);
    Slot* slot = living_slot(table, kind, id);
    if (slot == nullptr) return false;
    object = std::move(slot->object);
    if (slot->generation == kLastGeneration) return true;
    ++slot->generation;
    table.free.push_back(static_cast<std::uint32_t>(id & kSlotMask));
    return true;
}

}  // namespace graze::capi
