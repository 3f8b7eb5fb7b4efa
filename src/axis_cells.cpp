#include "axis_cells.h"

#include <algorithm>
#include <set>

namespace psd {
namespace {

constexpr double kBaseReach = 12;  // sds: there the root of the base is as small

struct End {
  double place;
  double width;
  bool opens;
};

// Where sections begin and end inside the support. One that is wide, or constant, goes as far as
// the base does.
std::vector<End> ends_of(const Vec& at, const Vec& width, double reach, const Weight& weight) {
  std::vector<End> ends;
  const double base = kBaseReach * weight.sd;
  for (Index j = 0; j < at.size(); ++j) {
    const double own = reach * width[j], least = reach * std::min(width[j], weight.sd);
    const double low =
        std::max({weight.lower, at[j] - own, std::min(at[j] - least, weight.mean - base)});
    const double high =
        std::min({weight.upper, at[j] + own, std::max(at[j] + least, weight.mean + base)});
    if (!(low < high)) continue;
    ends.push_back({low, width[j], true});
    ends.push_back({high, width[j], false});
  }
  return ends;
}

}  // namespace

std::vector<Interval> covered(const Vec& at, const Vec& width, double reach, const Weight& weight) {
  std::vector<End> ends = ends_of(at, width, reach, weight);
  if (ends.empty()) return {{weight.lower, weight.upper, width.minCoeff()}};
  std::sort(ends.begin(), ends.end(),
            [](const End& one, const End& other) { return one.place < other.place; });
  std::multiset<double> open;
  std::vector<Interval> out;
  for (size_t i = 0; i + 1 < ends.size(); ++i) {
    if (ends[i].opens) {
      open.insert(ends[i].width);
    } else {
      open.erase(open.find(ends[i].width));
    }
    const double low = ends[i].place, high = ends[i + 1].place;
    if (open.empty() || !(low < high)) continue;
    const double narrowest = *open.begin();
    if (!out.empty() && out.back().high == low && out.back().width == narrowest) {
      out.back().high = high;
    } else {
      out.push_back({low, high, narrowest});
    }
  }
  return out;
}

}  // namespace psd
