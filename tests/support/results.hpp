// Results and trials with something in every member, and their comparison bit by bit.
#pragma once

#include <gtest/gtest.h>

#include "milcci/model.hpp"
#include "milcci/trials.hpp"

namespace milcci::testing {

/// A summary with every member set and numbers that lose bits in careless printing.
FitSummary full_summary();

/// 5 trials of unequal length (one of a single sample), 4 channels, gaps, all three label types, groups,
/// times and a truth.
Trials full_trials();

/// Two categories over the trials of `full_trials`, one of them named so that no file system would like it.
FitResult full_result();

/// Equality to the last bit; the payload of a NaN counts too.
bool same_bits(const Matrix& a, const Matrix& b);
bool same_bits(const std::vector<Matrix>& a, const std::vector<Matrix>& b);
void expect_same(const Trials& a, const Trials& b);
void expect_same(const FitSummary& a, const FitSummary& b);
void expect_same(const FitResult& a, const FitResult& b);

}  // namespace milcci::testing
