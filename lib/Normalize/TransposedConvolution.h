//===- TransposedConvolution.h - Convolutions of stuffed images -*- C++ -*-===//
//
// A transposed convolution arrives as an ordinary one of an image that was
// spread out with zeros between its elements, with a weight that was flipped.
// This recognises it, and says for each spatial dimension which of its
// iterations meet an element that is no zero.
//
//===----------------------------------------------------------------------===//
#ifndef KS_LIB_NORMALIZE_TRANSPOSEDCONVOLUTION_H
#define KS_LIB_NORMALIZE_TRANSPOSEDCONVOLUTION_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"

#include <optional>

namespace mlir::ks {

/// One spatial dimension. Position stride * o + dilation * k of the spread-out
/// image, for output o and tap k, holds element x of the image where it is
/// spacing * x + offset, and zero elsewhere.
struct ConvolutionWindow {
  unsigned imageDim = 0, output = 0, tap = 0; ///< Dimension; loops.
  int64_t outputs = 0, taps = 0;
  int64_t stride = 1, dilation = 1;
  bool flipped = false; ///< Tap k is tap taps - 1 - k of the weight.
  int64_t offset = 0, spacing = 1, size = 0;
};

struct TransposedConvolution {
  linalg::LinalgOp op;
  Value image; ///< Before zeros were put into it.
  /// How the convolution's operand is made of the spread-out image; empty if it
  /// is that itself.
  SmallVector<ReassociationIndices> expansion;
  Value weight;        ///< Before it was flipped.
  AffineMap weightMap; ///< From loops to its indices, in terms of flipped taps.
  SmallVector<ConvolutionWindow> windows;
};

/// `op` as a sum of products of an image and a weight, if some tap is flipped
/// or some zeros are between the image's elements, and all zeros can be told.
std::optional<TransposedConvolution>
matchTransposedConvolution(linalg::LinalgOp op);

/// The iterations of a window that matter. Where an output o has taps at all, o
/// = every * q - shift for a q in [first, first + count). With that
///
///   q = phases * j + dilation * r - lead,   tap = phases * k + r - lead,
///   image element = j - dilation * k,
///
/// for a phase r, an element j in [start, start + extent) and a k in [0, taps).
/// lead is zero unless dilation is one. Taps that the weight does not have are
/// zero.
struct WindowPlan {
  bool isPlain = false; ///< The window stays as it is but for zeros around it.
  int64_t every = 1, shift = 0, first = 0, count = 0;
  int64_t phases = 1, dilation = 1, lead = 0;
  int64_t start = 0, extent = 0, taps = 0;

  /// The elements of the image that are read, from first to last; some may lie
  /// outside of it.
  std::pair<int64_t, int64_t>
  imageRange(const ConvolutionWindow &window) const {
    if (!isPlain)
      return {start - dilation * (taps - 1), start + extent - 1};
    return {-window.offset, window.stride * (window.outputs - 1) +
                                window.dilation * (window.taps - 1) -
                                window.offset};
  }

  /// Some phase has a tap less than others.
  bool isRagged(const ConvolutionWindow &window) const {
    return phases > 1 && phases * taps != window.taps;
  }
};

/// Fails if the window has no output with a tap, or reads zeros only.
FailureOr<WindowPlan> planWindow(const ConvolutionWindow &window);

} // namespace mlir::ks

#endif // KS_LIB_NORMALIZE_TRANSPOSEDCONVOLUTION_H
