#include "products.h"

#include <algorithm>
#include <vector>

// Not on Windows, where gcc does not align what functions for these instructions keep on the stack.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(_WIN32)
#define PSD_TILES
#endif

namespace psd {
namespace {

constexpr double kSmall = 2e4;  // multiplications: below, Eigen has less to prepare
constexpr Index kPanel = 96;    // columns of a triangle at a time

Mat by_eigen(const Factor& a, const Factor& b) {
  if (a.transposed && b.transposed) return a.matrix.transpose() * b.matrix.transpose();
  if (a.transposed) return a.matrix.transpose() * b.matrix;
  if (b.transposed) return a.matrix * b.matrix.transpose();
  return a.matrix * b.matrix;
}

#ifdef PSD_TILES

// The result is made tile by tile, each in the registers of the processor, from strips of rows of
// one matrix and of columns of the other that are packed so as to be read in order, from the caches
// next to it.
constexpr Index kTall = 8, kWide = 6;             // of a tile
constexpr Index kDeep = 256, kHigh = 12 * kTall;  // of what is packed at a time

typedef double Four __attribute__((vector_size(32), aligned(8)));

struct View {
  explicit View(const Factor& f)
      : data(f.matrix.data()),
        rows(f.rows()),
        cols(f.cols()),
        down(f.transposed ? f.matrix.outerStride() : 1),
        right(f.transposed ? 1 : f.matrix.outerStride()) {}

  const double* at(Index i, Index j) const { return data + i * down + j * right; }

  const double* data;
  Index rows, cols, down, right;
};

// Rows of a matrix in strips of a height, each column after column, filled up with zeros.
template <Index height>
void pack(const View& from, Index first, Index rows, Index start, Index depth, double* out) {
  for (Index i = 0; i < rows; i += height, out += depth * height) {
    const Index left = std::min(height, rows - i), down = from.down, right = from.right;
    const double* at = from.at(first + i, start);
    if (left < height) {
      std::fill(out, out + depth * height, 0.0);
      for (Index k = 0; k < depth; ++k) {
        for (Index r = 0; r < left; ++r) out[k * height + r] = at[r * down + k * right];
      }
    } else if (down == 1) {
      for (Index k = 0; k < depth; ++k) {
        for (Index r = 0; r < height; ++r) out[k * height + r] = at[r + k * right];
      }
    } else {
      for (Index k = 0; k < depth; ++k) {
        for (Index r = 0; r < height; ++r) out[k * height + r] = at[r * down + k];
      }
    }
  }
}

__attribute__((target("avx2,fma"))) void make_tile(const double* a, const double* b, Index depth,
                                                   double* out) {
  Four sums[kWide][2] = {};
  for (Index k = 0; k < depth; ++k, a += kTall, b += kWide) {
    const Four upper = *reinterpret_cast<const Four*>(a);
    const Four lower = *reinterpret_cast<const Four*>(a + 4);
#pragma GCC unroll 6
    for (Index j = 0; j < kWide; ++j) {
      const Four factor = {b[j], b[j], b[j], b[j]};
      sums[j][0] += upper * factor;
      sums[j][1] += lower * factor;
    }
  }
#pragma GCC unroll 6
  for (Index j = 0; j < kWide; ++j) {
    *reinterpret_cast<Four*>(out + j * kTall) = sums[j][0];
    *reinterpret_cast<Four*>(out + j * kTall + 4) = sums[j][1];
  }
}

// Adds the products of packed strips to rows of the result.
void add_tiles(const double* rows, const double* columns, Index high, Index depth, Index first,
               Mat& out) {
  double tile[kTall * kWide];
  for (Index j = 0; j < out.cols(); j += kWide) {
    const Index wide = std::min(kWide, out.cols() - j);
    for (Index i = 0; i < high; i += kTall) {
      const Index tall = std::min(kTall, high - i);
      make_tile(rows + i * depth, columns + j * depth, depth, tile);
      for (Index c = 0; c < wide; ++c) {
        double* to = &out(first + i, j + c);
        for (Index r = 0; r < tall; ++r) to[r] += tile[c * kTall + r];
      }
    }
  }
}

Mat by_tiles(const Factor& one, const Factor& other) {
  const View a(one), b(Factor(other.matrix, !other.transposed));  // columns as rows
  Mat out = Mat::Zero(a.rows, b.rows);
  const Index deepest = std::min(kDeep, a.cols), strips = (b.rows + kWide - 1) / kWide;
  std::vector<double> columns(static_cast<size_t>(strips * kWide * deepest));
  std::vector<double> rows(static_cast<size_t>(kHigh * deepest));
  for (Index k = 0; k < a.cols; k += kDeep) {
    const Index depth = std::min(kDeep, a.cols - k);
    pack<kWide>(b, 0, b.rows, k, depth, columns.data());
    for (Index i = 0; i < a.rows; i += kHigh) {
      const Index high = std::min(kHigh, a.rows - i);
      pack<kTall>(a, i, high, k, depth, rows.data());
      add_tiles(rows.data(), columns.data(), high, depth, i, out);
    }
  }
  return out;
}

bool tiles_pay(const Factor& a, const Factor& b) {
  static const bool able = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  const double size = static_cast<double>(a.rows()) * static_cast<double>(a.cols());
  return able && std::min(a.rows(), b.cols()) >= 4 && size * static_cast<double>(b.cols()) > kSmall;
}

#else

bool tiles_pay(const Factor&, const Factor&) { return false; }
Mat by_tiles(const Factor& a, const Factor& b) { return by_eigen(a, b); }

#endif

}  // namespace

Mat product(const Factor& one, const Factor& other) {
  eigen_assert(one.cols() == other.rows());
  return tiles_pay(one, other) ? by_tiles(one, other) : by_eigen(one, other);
}

Mat lower_square(const ConstMat& m, const Vec& weights) {
  const Index size = m.rows();
  const Mat scaled = m * weights.asDiagonal();
  Mat out = Mat::Zero(size, size);
  if (!tiles_pay(m, transposed(m))) {
    out.triangularView<Eigen::Lower>() = scaled * m.transpose();
    return out;
  }
  for (Index j = 0; j < size; j += kPanel) {
    const Index wide = std::min(kPanel, size - j);
    out.block(j, j, size - j, wide) =
        by_tiles(m.bottomRows(size - j), transposed(scaled.middleRows(j, wide)));
  }
  return out;
}

}  // namespace psd
