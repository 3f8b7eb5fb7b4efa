// exp_moments.h: int_0^length s^k exp(-rate s - precision s^2 / 2) ds for k = 0..4, where the
// density falls all the way. All terms are positive, so nothing is lost to cancellation.
#pragma once
#include <array>

namespace psd {

using PowerMoments = std::array<double, 5>;

// rate, precision >= 0; `length` may be infinite if one of them is positive.
PowerMoments falling_moments(double rate, double precision, double length);

}  // namespace psd
