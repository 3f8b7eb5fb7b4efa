// model_near.h: a fitted function as it is near some points.
#pragma once
#include <vector>

#include "model.h"

namespace psd {

// The sections that count at some of these points, all others being lost in rounding beside them:
// of many narrow ones only those close by.
std::vector<Index> near_sections(const Model& model, const ConstMat& points);

// The model of these sections alone.
Model only(const Model& model, const std::vector<Index>& sections);

}  // namespace psd
