// tiles.h: small tiles of products of matrices, each made in the registers of the processor.
//
// For instructions that not every processor of a kind has: ask whether this one does.
#pragma once
#include "types.h"

// Not on Windows, where gcc does not align what functions for these instructions keep on the stack.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(_WIN32)
#define PSD_TILES

namespace psd {

constexpr Index kTileWide = 6;

typedef double Four __attribute__((vector_size(32), aligned(8)));
typedef double Eight __attribute__((vector_size(64), aligned(8)));

// out = the product of `tall` rows, packed one column after the other, with kTileWide columns: the
// entry k of column j is b[k * down + j * right]. A macro, as a template cannot differ in the
// instructions it is made of.
#define PSD_TILE(Name, Vector, instructions)                                                     \
  struct Name {                                                                                  \
    static constexpr Index lanes = sizeof(Vector) / sizeof(double), tall = 2 * lanes;            \
    __attribute__((target(instructions))) static void make(const double* a, const double* b,     \
                                                           Index down, Index right, Index depth, \
                                                           double* out) {                        \
      Vector sums[kTileWide][2] = {};                                                            \
      for (Index k = 0; k < depth; ++k, a += tall, b += down) {                                  \
        const Vector upper = *reinterpret_cast<const Vector*>(a);                                \
        const Vector lower = *reinterpret_cast<const Vector*>(a + lanes);                        \
        _Pragma("GCC unroll 6") for (Index j = 0; j < kTileWide; ++j) {                          \
          const Vector factor = b[j * right] - Vector{};                                         \
          sums[j][0] += upper * factor;                                                          \
          sums[j][1] += lower * factor;                                                          \
        }                                                                                        \
      }                                                                                          \
      _Pragma("GCC unroll 6") for (Index j = 0; j < kTileWide; ++j) {                            \
        *reinterpret_cast<Vector*>(out + j * tall) = sums[j][0];                                 \
        *reinterpret_cast<Vector*>(out + j * tall + lanes) = sums[j][1];                         \
      }                                                                                          \
    }                                                                                            \
  }

PSD_TILE(SmallTile, Four, "avx2,fma");
PSD_TILE(LargeTile, Eight, "avx512f");

}  // namespace psd

#endif
