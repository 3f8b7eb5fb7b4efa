// normals.h: mixtures of normal distributions without correlations, made more likely by the EM
// algorithm.
#pragma once
#include "types.h"

namespace psd {

struct Normals {
  Mat mean, sd;  // one row a normal, one column a coordinate
  Vec share;
};

struct LikelyNormals {
  Normals normals;
  double
      log_likelihood;  // of the rows, each as often as its weight says; where the last round began
  Vec count;           // of the rows that belong to each normal, by weight
};

// At most `rounds`, until one gains no more than `gain`. No standard deviation falls below `least`,
// one number a coordinate; `round`: a normal has the same in all coordinates.
LikelyNormals more_likely(const ConstMat& x, const ConstVec& weights, Normals start,
                          const ConstVec& least, bool round, int rounds, double gain);

}  // namespace psd
