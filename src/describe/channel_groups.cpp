#include "milcci/channel_groups.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "core/json_object.hpp"
#include "core/shown_name.hpp"
#include "describe/aligned.hpp"
#include "milcci/error.hpp"

namespace milcci {
namespace {

double log_choose(double n, double k) {
  return std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1);
}

// P(X >= found), X members of a group of n when `drawn` of N channels are members.
double chance_of(std::size_t found, std::size_t n, std::size_t drawn, std::size_t N) {
  double sum = 0;
  for (std::size_t k = found; k <= std::min(n, drawn); ++k) {
    if (drawn - k > N - n) continue;
    const auto real = [](std::size_t x) { return static_cast<double>(x); };
    sum += std::exp(log_choose(real(n), real(k)) + log_choose(real(N - n), real(drawn - k)) -
                    log_choose(real(N), real(drawn)));
  }
  return std::min(1.0, sum);
}

// q of the i-th smallest p: the smallest p_l n / l of all l >= i.
void set_false_discovery_rates(std::vector<GroupShare>& shares) {
  std::vector<std::size_t> order(shares.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return shares[i].p; });
  double least = 1.0;
  for (std::size_t rank = order.size(); rank > 0; --rank) {
    GroupShare& share = shares[order[rank - 1]];
    least = std::min(least, share.p * static_cast<double>(shares.size()) / static_cast<double>(rank));
    share.q = least;
  }
}

}  // namespace

std::vector<GroupShare> channel_groups(const Model& model) {
  if (model.channel_groups.empty())
    throw Error(
        ErrorKind::bad_input,
        "the channels of this model have no groups; give them with the trials, such as the brain region of "
        "every channel, and fit again");
  std::map<std::string, std::size_t> sizes;
  std::size_t N = 0;  // channels whose group is known
  for (const std::string& group : model.channel_groups)
    if (!group.empty()) ++sizes[group], ++N;
  std::vector<GroupShare> shares;
  for (const FittedCategory& fitted : model.categories)
    for (Index j = 0; j < fitted.n_components(); ++j)
      for (std::size_t i = 0; i < fitted.variants.size(); ++i) {
        const Vector size = fitted.variants[i].col(j).cwiseAbs();
        double whole = 0;
        for (std::size_t n = 0; n < model.channel_groups.size(); ++n)
          if (!model.channel_groups[n].empty()) whole += size(static_cast<Index>(n));
        if (!(whole > 0)) continue;
        std::map<std::string, GroupShare> of_group;
        for (const auto& [group, n] : sizes)
          of_group[group] = {.category = fitted.category.spec.name,
                             .component = j,
                             .option = fitted.category.options[i],
                             .group = group,
                             .n_channels = n,
                             .expected = static_cast<double>(n) / static_cast<double>(N)};
        std::size_t n_members = 0;
        for (std::size_t n = 0; n < model.channel_groups.size(); ++n) {
          if (model.channel_groups[n].empty()) continue;
          const double own = size(static_cast<Index>(n));
          GroupShare& share = of_group[model.channel_groups[n]];
          share.share += own / whole;
          if (own > 0) ++share.n_members, ++n_members;
        }
        for (auto& [group, share] : of_group) {
          share.p = chance_of(share.n_members, share.n_channels, n_members, N);
          shares.push_back(std::move(share));
        }
      }
  set_false_discovery_rates(shares);
  return shares;
}

std::string to_text(const std::vector<GroupShare>& shares) {
  constexpr double kStandsOut = 0.05;
  std::vector<std::vector<std::string>> rows = {
      {"component", "option", "group", "members", "of", "share", "expected", "q"}};
  for (auto first = shares.begin(); first != shares.end();) {
    const auto last = std::find_if(first, shares.end(), [&](const GroupShare& share) {
      return share.category != first->category || share.component != first->component ||
             share.option != first->option;
    });
    const auto largest =
        std::max_element(first, last, [](const auto& a, const auto& b) { return a.share < b.share; });
    for (auto share = first; share != last; ++share)
      if (share->q < kStandsOut || share == largest)
        rows.push_back({fmt::format("{} {}", shown_name(share->category, 24), share->component + 1),
                        shown_name(share->option, 24), shown_name(share->group, 24),
                        std::to_string(share->n_members), std::to_string(share->n_channels),
                        fmt::format("{:.0f} %", 100 * share->share),
                        fmt::format("{:.0f} %", 100 * share->expected),
                        fmt::format("{:.2g}{}", share->q, share->q < kStandsOut ? " *" : "")});
    first = last;
  }
  return aligned(rows, 3, "") + "\n* more members than chance gives (false discovery rate below 0.05)\n";
}

std::string to_json(const std::vector<GroupShare>& shares) {
  Json json = {{"groups", Json::array()}};
  for (const GroupShare& share : shares)
    json["groups"].push_back({{"category", share.category},
                              {"component", share.component + 1},
                              {"option", share.option},
                              {"group", share.group},
                              {"n_channels", share.n_channels},
                              {"n_members", share.n_members},
                              {"share", share.share},
                              {"expected", share.expected},
                              {"p", share.p},
                              {"q", share.q}});
  return dump_json(json, -1, "groups of channels", ErrorKind::bad_input);
}

}  // namespace milcci
