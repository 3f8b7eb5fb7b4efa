#include "work.h"

namespace psd {
namespace {

double done = 0;

}  // namespace

double work_done() { return done; }
void count_work(double multiplications) { done += multiplications; }

}  // namespace psd
