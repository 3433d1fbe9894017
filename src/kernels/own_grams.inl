// Kernels for points whose Gram matrices differ, because other entries of the data count at each
// of them. Included after kernels.inl, under the same rules.
//
// Symmetric P x P matrices are packed: the lower triangle row by row, P (P + 1) / 2 numbers. H
// holds one per point, number q of all points in a column; columns are `stride` apart, a multiple
// of kPad, so that they are whole vectors.

// Values at points t ... t + kLanes - 1; zero beyond the last.
inline Vec load_points(const double* column, Index t, Index n_points) {
  if (t + kLanes <= n_points) return load(column + t);
  Vec v = {};
  for (Index lane = 0; lane < n_points - t; ++lane) v[lane] = column[t + lane];
  return v;
}
inline void store_points(double* column, Index t, Index n_points, Vec v) {
  if (t + kLanes <= n_points) return store(column + t, v);
  for (Index lane = 0; lane < n_points - t; ++lane) column[t + lane] = v[lane];
}
inline Vec larger(Vec a, Vec b) { return a > b ? a : b; }
inline Vec magnitude(Vec v) { return v < 0 ? -v : v; }
inline double total(Vec v) {
  double sum = 0;
  for (int lane = 0; lane < kLanes; ++lane) sum += v[lane];
  return sum;
}

template <class Scalar>
void clear_missing(Index n, const Scalar* from, double* to) {
  Index i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    const Vec v = load(from + i);
    store(to + i, v == v ? v : Vec{});
  }
  for (; i < n; ++i) to[i] = from[i] == from[i] ? static_cast<double>(from[i]) : 0.0;
}

// ---- H from tables of sums over four channels ---------------------------------------------------

void sum_grams(const Shape& s, const unsigned char* choice, const double* table, double* H) {
  const Index n_fours = (s.n_channels + 3) / 4, n_pairs = s.n_components * (s.n_components + 1) / 2;
  const Index width = (n_pairs + kPad - 1) / kPad * kPad;
  for (Index t = 0; t < s.n_times; t += kLanes) {
    const unsigned char* of_lane[kLanes];  // beyond the last point: the last point
    for (Index lane = 0; lane < kLanes; ++lane)
      of_lane[lane] = choice + (t + lane < s.n_times ? t + lane : s.n_times - 1) * n_fours;
    for (Index first = 0; first < n_pairs; first += kLanes) {
      Vec sum[kLanes] = {};
      const double* sums_of_four = table + first;
      for (Index g = 0; g < n_fours; ++g, sums_of_four += 16 * width)
#pragma GCC unroll 8
        for (int lane = 0; lane < kLanes; ++lane) sum[lane] += load(sums_of_four + of_lane[lane][g] * width);
      double rows[kLanes * kLanes];
      for (int lane = 0; lane < kLanes; ++lane) store(rows + lane * kLanes, sum[lane]);
      const Index n_columns = n_pairs - first < kLanes ? n_pairs - first : kLanes;
      for (Index q = 0; q < n_columns; ++q) {
        Vec column;
        for (int lane = 0; lane < kLanes; ++lane) column[lane] = rows[lane * kLanes + q];
        store(H + (first + q) * s.stride + t, column);
      }
    }
  }
}

// ---- sums of phi phi' per channel ---------------------------------------------------------------

// kVectors vectors of the packed products, over all time points. Four time points have sixteen
// sums; every channel adds the one that it chooses.
template <int kVectors>
void accumulate_grams_block(const Shape& s, const unsigned char* choice, const double* Phi, Index first,
                            Index width, double* S) {
  constexpr int kWidth = kVectors * kLanes;
  const Index n_pairs = s.n_components * (s.n_components + 1) / 2;
  const Index n_used = n_pairs - first < kWidth ? n_pairs - first : kWidth;
  const double *left[kWidth], *right[kWidth];
  Index j = 0;
  while ((j + 1) * (j + 2) / 2 <= first) ++j;
  for (Index q = 0, l = first - j * (j + 1) / 2; q < n_used; ++q) {
    left[q] = Phi + j * s.stride;
    right[q] = Phi + l * s.stride;
    if (++l > j) ++j, l = 0;
  }
  double sums[16 * kWidth] = {};
  for (Index t = 0; t < s.n_times; t += 4, choice += s.n_channels) {
    unsigned char any = 0;
    for (Index n = 0; n < s.n_channels; ++n) any |= choice[n];
    if (any == 0) continue;
    const Index n_points = s.n_times - t < 4 ? s.n_times - t : 4;  // no channel chooses one beyond the last
    for (Index q = 0; q < n_used; ++q)
      for (Index i = 0; i < n_points; ++i) sums[(Index{1} << i) * kWidth + q] = left[q][t + i] * right[q][t + i];
    for (Index c = 3; c < 16; ++c) {
      const Index rest = c & (c - 1), lowest = c & -c;
      if (rest == 0) continue;
      for (int v = 0; v < kWidth; v += kLanes)
        store(sums + c * kWidth + v, load(sums + rest * kWidth + v) + load(sums + lowest * kWidth + v));
    }
    double* to = S + first;
    for (Index n = 0; n < s.n_channels; ++n, to += width) {
      const double* from = sums + choice[n] * kWidth;
#pragma GCC unroll 4
      for (int v = 0; v < kWidth; v += kLanes) store(to + v, load(to + v) + load(from + v));
    }
  }
}

void accumulate_grams(const Shape& s, const unsigned char* choice, const double* Phi, double* S) {
  const Index n_pairs = s.n_components * (s.n_components + 1) / 2;
  const Index width = (n_pairs + kPad - 1) / kPad * kPad;
  Index first = 0;
  for (; first + 4 * kLanes <= width; first += 4 * kLanes)
    accumulate_grams_block<4>(s, choice, Phi, first, width, S);
  for (; first + 2 * kLanes <= width; first += 2 * kLanes)
    accumulate_grams_block<2>(s, choice, Phi, first, width, S);
  for (; first < width; first += kLanes) accumulate_grams_block<1>(s, choice, Phi, first, width, S);
}

// ---- solves -------------------------------------------------------------------------------------

// b_j - sum_{l != j} H_jl x_l for kLanes points.
inline Vec pull_on(Index j, Index n, const double* H, Index stride, Vec b, const Vec* x) {
  const double* h = H + j * (j + 1) / 2 * stride;
  for (Index l = 0; l < j; ++l) b -= load(h + l * stride) * x[l];
  h += j * stride;  // the diagonal
  for (Index l = j + 1; l < n; ++l) {
    h += l * stride;
    b -= load(h) * x[l];
  }
  return b;
}

template <int kComponents>
Movement nonnegative_sweep_of(const Shape& s, const double* H, Index h_stride, const double* weights,
                              const double* B, double* X) {
  constexpr int kMost = kComponents > 0 ? kComponents : kMaxComponents;
  const Index n = kComponents > 0 ? kComponents : s.n_components;
  Vec moved = {}, length = {}, x[kMost];
  for (Index t = 0; t < s.n_times; t += kLanes) {
    for (Index j = 0; j < n; ++j) x[j] = load_points(X + j * s.stride, t, s.n_times);
    for (Index j = 0; j < n; ++j) {
      const Vec before = x[j], h = load(H + j * (j + 3) / 2 * h_stride + t);
      const Vec pull = pull_on(j, n, H + t, h_stride, load_points(B + j * s.stride, t, s.n_times), x);
      const Vec next = pull / h;
      x[j] = weights[j] > 0 ? (((pull > 0) & (h > 0)) ? next : Vec{}) : Vec{};
      const Vec step = x[j] - before;
      moved += weights[j] * step * step;
      length += weights[j] * x[j] * x[j];
      store_points(X + j * s.stride, t, s.n_times, x[j]);
    }
  }
  return {total(moved), total(length)};
}

Movement nonnegative_sweep(const Shape& s, const double* H, Index h_stride, const double* weights,
                           const double* B, double* X) {
  switch (s.n_components) {
    case 2:
      return nonnegative_sweep_of<2>(s, H, h_stride, weights, B, X);
    case 3:
      return nonnegative_sweep_of<3>(s, H, h_stride, weights, B, X);
    case 4:
      return nonnegative_sweep_of<4>(s, H, h_stride, weights, B, X);
    case 6:
      return nonnegative_sweep_of<6>(s, H, h_stride, weights, B, X);
    case 8:
      return nonnegative_sweep_of<8>(s, H, h_stride, weights, B, X);
    default:
      return nonnegative_sweep_of<0>(s, H, h_stride, weights, B, X);
  }
}

// H = L D L', kLanes points at once; c is the row of L D that is being made.
Index solve_own(const Shape& s, const double* H, Index h_stride, double least_pivot, const double* B, double* X,
                unsigned char* is_open) {
  const Index P = s.n_components;
  Vec L[kMaxOwn * (kMaxOwn + 1) / 2], inverse[kMaxOwn], c[kMaxOwn], x[kMaxOwn];
  Index n_open = 0;
  for (Index t = 0; t < s.n_times; t += kLanes) {
    Vec largest = {}, smallest = {};
    const double* h = H + t;
    for (Index j = 0; j < P; ++j) {
      Vec* row = L + j * (j + 1) / 2;
      for (Index l = 0; l < j; ++l, h += h_stride) {
        const Vec* above = L + l * (l + 1) / 2;
        c[l] = load(h);
        for (Index k = 0; k < l; ++k) c[l] -= c[k] * above[k];
      }
      const Vec diagonal = load(h);
      h += h_stride;
      Vec pivot = diagonal;
      x[j] = load_points(B + j * s.stride, t, s.n_times);
      for (Index k = 0; k < j; ++k) {
        row[k] = c[k] * inverse[k];
        pivot -= c[k] * row[k];
        x[j] -= row[k] * x[k];
      }
      inverse[j] = 1.0 / pivot;
      largest = larger(diagonal, largest);
      smallest = j == 0 || pivot < smallest ? pivot : smallest;
    }
    for (Index j = P - 1; j >= 0; --j) {
      x[j] *= inverse[j];
      for (Index k = j + 1; k < P; ++k) x[j] -= L[k * (k + 1) / 2 + j] * x[k];
      store_points(X + j * s.stride, t, s.n_times, x[j]);
    }
    const Index n_lanes = s.n_times - t < kLanes ? s.n_times - t : kLanes;
    for (Index lane = 0; lane < n_lanes; ++lane) {
      is_open[t + lane] = !(smallest[lane] > least_pivot * largest[lane]);
      n_open += is_open[t + lane];
    }
  }
  return n_open;
}

// In place, by sweeping one row after the other; false if a pivot is not positive.
template <int kComponents>
inline bool invert(Index n_components, double* M) {
  const Index n = kComponents > 0 ? kComponents : n_components;
  for (Index k = 0; k < n; ++k) {
    double* pivot_row = M + k * n;
    if (!(pivot_row[k] > 0)) return false;
    const double inverse = 1.0 / pivot_row[k];
    pivot_row[k] = 1.0;
    for (Index l = 0; l < n; ++l) pivot_row[l] *= inverse;
    for (Index j = 0; j < n; ++j) {
      if (j == k) continue;
      const double factor = M[j * n + k];
      M[j * n + k] = 0.0;
      for (Index l = 0; l < n; ++l) M[j * n + l] -= factor * pivot_row[l];
    }
  }
  return true;
}

// Block tridiagonal elimination: D_t = H_t + (pull_{t-1} + pull_t) I - pull_{t-1}^2 D_{t-1}^-1. The
// inverses are kept, because they are needed as matrices; X holds the right-hand sides until the
// way back.
template <int kComponents>
bool smooth_own_of(const Shape& s, const double* H, Index h_stride, double floor, const double* pull,
                   const double* B, double* X, double* inverses) {
  constexpr int kMost = kComponents > 0 ? kComponents : kMaxComponents;
  const Index n = kComponents > 0 ? kComponents : s.n_components, T = s.n_times;
  double f[kMost];
  for (Index t = 0; t < T; ++t) {
    double* D = inverses + t * n * n;
    const double *before = t > 0 ? D - n * n : nullptr, *h = H + t;
    const double pull_back = t > 0 ? pull[t - 1] : 0.0, pull_ahead = t + 1 < T ? pull[t] : 0.0;
    for (Index j = 0; j < n; ++j)
      for (Index l = 0; l <= j; ++l, h += h_stride) D[j * n + l] = D[l * n + j] = *h;
    for (Index j = 0; j < n; ++j) {
      D[j * n + j] += floor + pull_back + pull_ahead;
      double sum = B[j * s.stride + t];
      for (Index l = 0; t > 0 && l < n; ++l) {
        D[j * n + l] -= pull_back * pull_back * before[j * n + l];
        sum += pull_back * before[j * n + l] * f[l];
      }
      X[j * s.stride + t] = sum;
    }
    for (Index j = 0; j < n; ++j) f[j] = X[j * s.stride + t];
    if (!invert<kComponents>(n, D)) return false;
  }
  for (Index t = T - 1; t >= 0; --t) {
    const double* D = inverses + t * n * n;
    for (Index j = 0; j < n; ++j)
      f[j] = X[j * s.stride + t] + (t + 1 < T ? pull[t] * X[j * s.stride + t + 1] : 0.0);
    for (Index j = 0; j < n; ++j) {
      double sum = 0;
      for (Index l = 0; l < n; ++l) sum += D[j * n + l] * f[l];
      X[j * s.stride + t] = sum;
    }
  }
  return true;
}

bool smooth_own(const Shape& s, const double* H, Index h_stride, double floor, const double* pull,
                const double* B, double* X, double* work) {
  switch (s.n_components) {
    case 2:
      return smooth_own_of<2>(s, H, h_stride, floor, pull, B, X, work);
    case 3:
      return smooth_own_of<3>(s, H, h_stride, floor, pull, B, X, work);
    case 4:
      return smooth_own_of<4>(s, H, h_stride, floor, pull, B, X, work);
    case 6:
      return smooth_own_of<6>(s, H, h_stride, floor, pull, B, X, work);
    case 8:
      return smooth_own_of<8>(s, H, h_stride, floor, pull, B, X, work);
    default:
      return smooth_own_of<0>(s, H, h_stride, floor, pull, B, X, work);
  }
}

double quadratic_form(const Shape& s, const double* H, Index h_stride, const double* X) {
  Vec sum = {};
  for (Index t = 0; t < s.n_times; t += kLanes) {
    const double* h = H + t;
    for (Index j = 0; j < s.n_components; ++j) {
      Vec product = {};
      for (Index l = 0; l < j; ++l, h += h_stride) product += load(h) * load_points(X + l * s.stride, t, s.n_times);
      const Vec x = load_points(X + j * s.stride, t, s.n_times);
      sum += x * (product + product + load(h) * x);
      h += h_stride;
    }
  }
  return total(sum);
}

template <bool kNonnegative>
void lasso_own(const Shape& s, const double* H, Index h_stride, const double* extra, const double* l1,
               const PointOptions& options, const double* B, double* X) {
  using Mask = decltype(Vec{} > 0);
  const Index P = s.n_components;
  Vec x[kMaxComponents], b[kMaxComponents], inverse[kMaxComponents];
  for (Index t = 0; t < s.n_times; t += kLanes) {
    for (Index j = 0; j < P; ++j) {
      x[j] = load_points(X + j * s.stride, t, s.n_times);
      b[j] = load_points(B + j * s.stride, t, s.n_times);
      const Vec h = load(H + j * (j + 3) / 2 * h_stride + t) + extra[j];
      inverse[j] = h > 0 ? 1.0 / h : Vec{};
    }
    Mask is_moving = Vec{} == 0;
    for (int sweep = 0; sweep < options.max_sweeps; ++sweep) {
      Vec moved = {}, largest = {};
      for (Index j = 0; j < P; ++j) {
        const Vec pull = pull_on(j, P, H + t, h_stride, b[j], x);
        const Vec above = pull - 0.5 * l1[j];
        Vec next = above > 0 ? above : Vec{};
        if constexpr (!kNonnegative) {
          const Vec below = pull + 0.5 * l1[j];
          next = below < 0 ? below : next;
        }
        next = is_moving ? next * inverse[j] : x[j];
        moved = larger(magnitude(next - x[j]), moved);
        largest = larger(magnitude(next), largest);
        x[j] = next;
      }
      is_moving &= moved > options.tolerance * largest;
      long long any = 0;
      for (int lane = 0; lane < kLanes; ++lane) any |= is_moving[lane];
      if (any == 0) break;
    }
    for (Index j = 0; j < P; ++j) store_points(X + j * s.stride, t, s.n_times, x[j]);
  }
}
