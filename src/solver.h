// solver.h: what the two solvers share: settings, the report to the outside, and the result.
#pragma once
#include <chrono>
#include <functional>
#include <string>

#include "block_psd_map.h"
#include "problem.h"

namespace psd {

struct Settings {
  double tol;  // on the gap, relative to max(1, |primal|)
  int max_iter;
  double max_work = kInf;  // where work_done() may be
  bool warm = false;       // the start is the end of a similar problem
  bool certified = true;   // else a primal point about within tol does, where that is cheaper

  // What is used up after an iteration: "max_iter", "max_work" or, if nothing is, "".
  std::string limit(int iteration) const;
  bool spent(int iteration) const { return !limit(iteration).empty(); }
};

struct Progress {
  int iteration;
  double primal, dual, gap;
  Index rank;
  double seconds;
};

// What the host hears: a report once an iteration, and more often a moment to throw in.
struct Monitor {
  std::function<void(const Progress&)> report;
  std::function<void()> check;
};

// Where a solver on the dual begins: to find that takes a while, and a root does without.
using Start = std::function<Vec()>;

struct Solution {
  Certificate certificate;  // the best primal point met, against the best dual value met
  Vec dual;                 // where the solver stopped
  int iterations = 0;
  std::string status;  // "converged", "stalled" or what its limit was
};

// Relative to max(1, |primal|).
double relative_gap(const Certificate& found);

// The block of a problem that is -sum_i w_i log f(x_i) for one PSD block f; null for others.
const PsdParts* log_density_block(const Problem& problem, const SmoothRisk& risk);

// A solver from a point of the dual on.
using Stage = std::function<Solution(const Settings&, const Vec&, const Monitor&)>;

// From where another solver stopped: iterations are counted on, and if that does not converge
// either, the better of both is kept.
Solution continued(Solution found, const Settings& settings, const Monitor& monitor,
                   const Stage& next);

// Keeps the best of what a solver finds, reports it, and says when it is good enough.
class Tracker {
 public:
  Tracker(const Settings& settings, const Monitor& monitor)
      : settings_(settings), monitor_(monitor), begin_(std::chrono::steady_clock::now()) {}

  // True when the gap is closed.
  bool record(Certificate found, const Vec& z, int iteration);

  // A simpler point in place of the best one, if that still closes the gap.
  bool prefer(Certificate simpler);

  double relative_gap() const;  // to max(1, |primal|)
  Index rank() const { return best_.certificate.rank; }

  Solution finish(const std::string& status) const;

 private:
  const Settings& settings_;
  const Monitor& monitor_;
  std::chrono::steady_clock::time_point begin_;
  Solution best_;
};

}  // namespace psd
