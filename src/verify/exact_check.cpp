#include "graze/verify/exact_check.hpp"

#include "graze/verify/answers.hpp"
#include "graze/verify/oracle_method.hpp"

namespace graze::verify {

bool is_finite(const Question& question) noexcept {
    for (std::size_t c = 0; c < vertex_count(question.kind); ++c) {
        const MovingPoint& corner = question.record.corners[c];
        if (!graze::is_finite(corner.start) || !graze::is_finite(corner.end)) return false;
    }
    return true;
}

CcdResult exact_answer(const Question& question) noexcept {
    return answer_of(make_oracle(), question.kind, question.record, question.options);
}

ClaimSet faults_of(const Question& question, const CcdResult& truth,
                   const CcdResult& found) noexcept {
    ExactAnswers exact{truth, std::nullopt};
    if (const auto asked = tolerance_question(question.options, truth, found)) {
        exact.at_tolerance = exact_answer({question.kind, question.record, *asked});
    }
    return faults_of(question.options, exact, found);
}

}  // namespace graze::verify
