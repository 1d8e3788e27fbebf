// Handles: numbers that stand for objects. A number is never given twice, so that one that was freed
// is always told from one that lives, and no memory of the library is read through a wrong one.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>

#include "errors.hpp"

namespace graze::capi {

enum class HandleKind : std::uint8_t { Mesh = 1, Body = 2, Level = 3, World = 4, Character = 5 };

// All of these are safe from any thread.
// A number for the object. Throws std::bad_alloc, also where 2^24 of them live.
[[nodiscard]] std::uint64_t add_handle(HandleKind kind, std::shared_ptr<void> object);
// The object, or null where the number stands for none of that kind.
[[nodiscard]] std::shared_ptr<void> find_handle(HandleKind kind, std::uint64_t id) noexcept;
// False where the number stands for none of that kind.
[[nodiscard]] bool remove_handle(HandleKind kind, std::uint64_t id) noexcept;

// Object::kHandle is the kind, Object::kName its name in messages.
template <class Object>
[[nodiscard]] std::uint64_t add_object(std::shared_ptr<Object> object) {
    return add_handle(Object::kHandle, std::move(object));
}

// Sets `object`, or fails with GRAZE_BAD_HANDLE. `name` is that of the argument.
template <class Object>
[[nodiscard]] graze_status find_object(std::uint64_t id, const char* name,
                                       std::shared_ptr<Object>& object) noexcept {
    object = std::static_pointer_cast<Object>(find_handle(Object::kHandle, id));
    if (object) return GRAZE_OK;
    return fail(GRAZE_BAD_HANDLE, "%s: %llu is no %s, or one that was destroyed", name,
                static_cast<unsigned long long>(id), Object::kName);
}

template <class Object>
[[nodiscard]] graze_status destroy_object(std::uint64_t id) noexcept {
    forget_error();
    if (id == 0 || remove_handle(Object::kHandle, id)) return GRAZE_OK;
    return fail(GRAZE_BAD_HANDLE, "%llu is no %s, or one that was destroyed",
                static_cast<unsigned long long>(id), Object::kName);
}

// Who works with an object: one that changes it, or any number of others. Nobody waits, so that a
// callback that asks for the object of its own call gets an answer.
class InUse {
public:
    [[nodiscard]] bool try_change() noexcept {
        std::int32_t nobody = 0;
        return users_.compare_exchange_strong(nobody, -1, std::memory_order_acquire);
    }
    [[nodiscard]] bool try_read() noexcept {
        std::int32_t users = users_.load(std::memory_order_relaxed);
        while (users >= 0)
            if (users_.compare_exchange_weak(users, users + 1, std::memory_order_acquire))
                return true;
        return false;
    }
    void end_change() noexcept { users_.store(0, std::memory_order_release); }
    void end_read() noexcept { users_.fetch_sub(1, std::memory_order_release); }

private:
    std::atomic<std::int32_t> users_{0};  // -1: one that changes it
};

enum class Access : std::uint8_t { Change, Read };

// An object found by its number and taken for one call; what it was taken for ends with it.
template <class Object>
class Taken {
public:
    Taken() = default;
    ~Taken() { release(); }
    Taken(const Taken&) = delete;
    Taken& operator=(const Taken&) = delete;

    [[nodiscard]] graze_status take(std::uint64_t id, Access access, const char* name) noexcept {
        if (const graze_status status = find_object(id, name, object_)) return status;
        is_taken_ =
            access == Access::Change ? object_->in_use.try_change() : object_->in_use.try_read();
        access_ = access;
        if (is_taken_) return GRAZE_OK;
        return fail(GRAZE_BUSY, "%s: the %s is in use by another call", name, Object::kName);
    }
    [[nodiscard]] Object* operator->() const noexcept { return object_.get(); }
    [[nodiscard]] Object& operator*() const noexcept { return *object_; }

private:
    void release() noexcept {
        if (!is_taken_) return;
        if (access_ == Access::Change)
            object_->in_use.end_change();
        else
            object_->in_use.end_read();
    }
    std::shared_ptr<Object> object_;
    Access access_ = Access::Read;
    bool is_taken_ = false;
};

}  // namespace graze::capi
