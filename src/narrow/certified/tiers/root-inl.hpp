// A bracket around the only root of the cubic in a piece (docs/derivations/certified.md, CERT-3).
//
// Contract: bracket_root() finds a bracket (with proof) or none; never wrong.
//
// Notation
//   f, c, b, size, u   as in cubic-inl.hpp
//   piece              [begin, end] with exactly one root, f(begin) and f(end) of certain and
//                      opposite signs (Roots::One)
//   [lower, upper]     the bracket; middle: the guess in it
//
// Proved: f(lower) has certainly the sign of f(begin), and f(upper) certainly that of f(end), where
// they are not these ends themselves. f is continuous, so the only root of the piece is between.
// Certain: |value(f, t)| > 128u size, above its error of 108u size (cubic-inl.hpp).
//
// How the root is guessed is no part of the proof, and its rounding errors need no bound: the root
// of the parabola with the ends and the mean of f, then two steps of Halley's iteration. A poor or
// not even finite guess fails the test of signs.
#if defined(GRAZE_TIERS_ROOT_INL_HPP) == defined(GRAZE_TIERS_TOGGLE)
#ifdef GRAZE_TIERS_ROOT_INL_HPP
#undef GRAZE_TIERS_ROOT_INL_HPP
#else
#define GRAZE_TIERS_ROOT_INL_HPP
#endif

#include "narrow/certified/tiers/cubic-inl.hpp"
#include "narrow/certified/tiers/quad-inl.hpp"
#include "narrow/certified/tiers/target-inl.hpp"

GRAZE_TIERS_BEGIN
namespace graze::certified {
namespace {
namespace GRAZE_TIERS_NAMESPACE {

struct Bracket {
    double lower = 0.0;
    double upper = 0.0;
    double middle = 0.0;
    bool found = false;
};

// --- Guesses, unproved --------------------------------------------------------------------------

// f in powers of t: a0 + a1 t + a2 t^2 + a3 t^3.
struct Powers {
    double a0;
    double a1;
    double a2;
    double a3;
};
GRAZE_FAST Powers powers_of(const Cubic& f) noexcept {
    const double c = f.c2 - f.c1;
    return {f.c0, f.c1 - 3.0 * f.c0, (c - f.c1) + 3.0 * f.c0, (f.c3 - f.c0) - c};
}

// A guess of a root, how far it moved, and the slope of f near it.
struct Guess {
    double root = 0.0;
    double moved = 0.0;
    double slope = 0.0;
    double value = 0.0;  // where the last move began
};

// The root in the piece of the parabola with the ends of f and its mean. NaN if it has none there.
GRAZE_FAST double root_of_parabola(const Piece& p) noexcept {
    const double middle = 0.75 * (p.b1 + p.b2) - 0.25 * (p.b0 + p.b3);
    const double fall = p.b0 - middle;
    const double discriminant = fall * fall - (fall - (middle - p.b3)) * p.b0;
    const double root = square_root(discriminant);
    return p.begin + (p.end - p.begin) * (p.b0 / (p.b0 > 0.0 ? fall + root : fall - root));
}

// One step of Halley's iteration, which triples the number of right digits:
// t - f f' / (f'^2 - f f''/2).
GRAZE_FAST Guess improved(const Powers& f, double t) noexcept {
    const double square = t * t;
    const double y = (f.a3 * t + f.a2) * square + (f.a1 * t + f.a0);
    const double triple = 3.0 * f.a3 * t;
    const double dy = (triple + 2.0 * f.a2) * t + f.a1;
    const double half_ddy = triple + f.a2;
    const double step = (y * dy) / (dy * dy - y * half_ddy);
    return {t - step, -step, dy, y};
}

// The steps below this are the last: the error after it is of the order of its cube, 2^-51.
constexpr double kLastStep = 0x1p-17;
GRAZE_FAST bool is_settled(double moved) noexcept {
    return moved < kLastStep && moved > -kLastStep;
}

// Where two steps from a good beginning did not do: the same within a bracket, which is halved
// where a step leaves it.
GRAZE_FAST Guess patient_guess(const Powers& f, const Piece& piece) noexcept {
    double l = piece.begin;
    double h = piece.end;
    double r = 0.5 * (l + h);
    Guess guess;
    for (int step = 0; step < 24; ++step) {
        guess = improved(f, r);
        if ((guess.value > 0.0) == (piece.b0 > 0.0)) {
            l = r;
        } else {
            h = r;
        }
        if (!(guess.root >= l && guess.root <= h)) guess.root = 0.5 * (l + h);
        guess.moved = guess.root - r;
        r = guess.root;
        if (is_settled(guess.moved)) break;
    }
    return guess;
}

// --- The proof ----------------------------------------------------------------------------------

// The radius is where f should be beyond its error on either side: 2.5 errors by the slope, a few
// units in the last place of t, and what the cubic convergence leaves. If f is not certain there,
// the bracket is widened, twice.
GRAZE_FAST Bracket prove_root(const Cubic& f, const Piece& piece, const Guess& guess) noexcept {
    const double error = kValueError * f.size + kUnderflow;
    const double sign = piece.b0 > 0.0 ? 1.0 : -1.0;
    const double moved = magnitude_of(guess.moved);
    double radius =
        (2.5 * error / magnitude_of(guess.slope) + 8.0 * kU) + 4.0 * (moved * moved) * moved;
    for (int attempt = 0; attempt < 3; ++attempt) {
        Bracket bracket{guess.root - radius, guess.root + radius, guess.root, false};
        if (bracket.lower < piece.begin) bracket.lower = piece.begin;
        if (bracket.upper > piece.end) bracket.upper = piece.end;
        const bool low_ok = bracket.lower == piece.begin || sign * value(f, bracket.lower) > error;
        const bool high_ok = bracket.upper == piece.end || sign * value(f, bracket.upper) < -error;
        bracket.found = low_ok && high_ok;
        if (bracket.found) return bracket;
        radius *= 16.0;
    }
    return {};
}
GRAZE_FAST Bracket bracket_root(const Cubic& f, const Piece& piece) noexcept {
    const Powers powers = powers_of(f);
    const Guess guess = improved(powers, improved(powers, root_of_parabola(piece)).root);
    const bool inside = guess.root >= piece.begin && guess.root <= piece.end;
    if (inside && is_settled(guess.moved)) return prove_root(f, piece, guess);
    return prove_root(f, piece, patient_guess(powers, piece));
}

}  // namespace GRAZE_TIERS_NAMESPACE
}  // namespace
}  // namespace graze::certified
GRAZE_TIERS_END

#endif  // GRAZE_TIERS_ROOT_INL_HPP
