#include "products.h"

#include <algorithm>
#include <vector>

#include "tiles.h"
#include "work.h"

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

// The result is made tile by tile, from strips of rows of one matrix and of columns of the other
// that are packed so as to be read in order, from the caches next to the processor.
constexpr Index kDeep = 256;      // of what is packed at a time,
constexpr Index kHigh = 96;       //   a multiple of the heights of tiles
constexpr Index kFewStrips = 4;   // of rows: columns need not be packed for those if they are
constexpr Index kNear = 1 << 20;  //  read in order, or the whole matrix is so small

struct View {
  explicit View(const Factor& f)
      : data(f.matrix.data()),
        rows(f.rows()),
        cols(f.cols()),
        down(f.transposed ? f.matrix.outerStride() : 1),
        right(f.transposed ? 1 : f.matrix.outerStride()) {}

  const double* at(Index i, Index j) const { return data + i * down + j * right; }
  bool quick() const { return right == 1 || rows * cols <= kNear; }  // to read along its rows

  const double* data;
  Index rows, cols, down, right;
};

// Rows of a matrix in strips of a height, each column after column, filled up with zeros.
template <Index height>
void pack(const View& from, Index first, Index rows, Index start, Index depth, double* out) {
  for (Index i = 0; i < rows; i += height, out += depth * height) {
    const Index left = std::min<Index>(height, rows - i), down = from.down, right = from.right;
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

// Columns to multiply by, in strips: packed or, if each is read only a few times, where they are.
// What is missing of the last strip is filled up with zeros.
class Columns {
 public:
  Columns(const View& from, bool in_place)
      : from_(from), whole_(in_place ? from.rows / kTileWide : 0) {}

  void go_to(Index start, Index depth) {
    start_ = start;
    depth_ = depth;
    const Index first = whole_ * kTileWide, rest = from_.rows - first;
    packed_.resize(static_cast<size_t>((rest + kTileWide - 1) / kTileWide * kTileWide * depth));
    pack<kTileWide>(from_, first, rest, start, depth, packed_.data());
  }

  template <class Tile>
  void tile(const double* rows, Index strip, double* out) const {
    if (strip < whole_) {
      const double* at = from_.at(strip * kTileWide, start_);
      Tile::make(rows, at, from_.right, from_.down, depth_, out);
    } else {
      const double* at = packed_.data() + (strip - whole_) * kTileWide * depth_;
      Tile::make(rows, at, kTileWide, 1, depth_, out);
    }
  }

 private:
  const View& from_;
  const Index whole_;
  Index start_ = 0, depth_ = 0;
  std::vector<double> packed_;
};

// Adds the products of packed rows with columns to rows of the result.
template <class Tile>
void add_tiles(const double* rows, const Columns& columns, Index high, Index depth, Index first,
               Mat& out) {
  double tile[Tile::tall * kTileWide];
  for (Index j = 0; j < out.cols(); j += kTileWide) {
    const Index wide = std::min(kTileWide, out.cols() - j);
    for (Index i = 0; i < high; i += Tile::tall) {
      const Index tall = std::min<Index>(Tile::tall, high - i);
      columns.template tile<Tile>(rows + i * depth, j / kTileWide, tile);
      for (Index c = 0; c < wide; ++c) {
        double* to = &out(first + i, j + c);
        for (Index r = 0; r < tall; ++r) to[r] += tile[c * Tile::tall + r];
      }
    }
  }
}

template <class Tile>
Mat tiled(const Factor& one, const Factor& other) {
  const View a(one), b(turned(other));  // columns as rows
  Mat out = Mat::Zero(a.rows, b.rows);
  Columns columns(b, a.rows <= kFewStrips * Tile::tall && b.quick());
  std::vector<double> rows(static_cast<size_t>(kHigh * std::min(kDeep, a.cols)));
  for (Index k = 0; k < a.cols; k += kDeep) {
    const Index depth = std::min(kDeep, a.cols - k);
    columns.go_to(k, depth);
    for (Index i = 0; i < a.rows; i += kHigh) {
      const Index high = std::min(kHigh, a.rows - i);
      pack<Tile::tall>(a, i, high, k, depth, rows.data());
      add_tiles<Tile>(rows.data(), columns, high, depth, i, out);
    }
  }
  return out;
}

Mat by_tiles(const Factor& a, const Factor& b) {
  if (b.cols() < a.rows() && b.cols() <= kFewStrips * SmallTile::tall && View(a).quick()) {
    return by_tiles(turned(b), turned(a)).transpose();
  }
  static const bool large = __builtin_cpu_supports("avx512f");
  return large && a.rows() > SmallTile::tall ? tiled<LargeTile>(a, b) : tiled<SmallTile>(a, b);
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
  add_work(one.rows(), one.cols(), other.cols());
  return tiles_pay(one, other) ? by_tiles(one, other) : by_eigen(one, other);
}

Mat lower_square(const ConstMat& m, const Vec& weights) {
  const Index size = m.rows();
  const Mat scaled = m * weights.asDiagonal();
  add_work(0.5, m.size(), size);
  Mat out = Mat::Zero(size, size);
  if (m.size() == 0) return out;  // of which Eigen would ask for the first entry
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
