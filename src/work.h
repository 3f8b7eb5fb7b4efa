// work.h: how much has been computed so far, in multiplications of large products; what takes as
// long counts as many. Unlike a clock it is the same on every machine, so that what is stopped by
// it can be found again.
#pragma once

namespace psd {

double work_done();

// Adds the product of the factors, sizes of matrices as a rule.
void count_work(double multiplications);
template <class... Factors>
void add_work(Factors... factors) {
  count_work((1.0 * ... * static_cast<double>(factors)));
}

}  // namespace psd
