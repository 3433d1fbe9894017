// The bodies of the kernels. Included by one file per instruction set, inside its own namespace, after `kLanes`
// (doubles per vector). Only built-in types: an inline function of the standard library or of Eigen, compiled
// here for a newer processor, could be picked by the linker for everyone.

using Index = std::ptrdiff_t;
using Vec = double __attribute__((vector_size(8 * kLanes)));
using HalfFloat = float __attribute__((vector_size(4 * kLanes)));
using VecFloat = float __attribute__((vector_size(8 * kLanes)));
using Four = double __attribute__((vector_size(32)));
using FourMask = long long __attribute__((vector_size(32)));

inline Vec load(const double* p) {
  Vec v;
  __builtin_memcpy(&v, p, sizeof v);
  return v;
}
inline Vec widen(HalfFloat v) {
#ifdef __AVX512F__  // compilers split the wide conversion in two; unmasked GCC 12 warns of its own header
  return _mm512_maskz_cvtps_pd(0xff, v);
#else
  return __builtin_convertvector(v, Vec);
#endif
}
inline Vec load(const float* p) {
  HalfFloat v;
  __builtin_memcpy(&v, p, sizeof v);
  return widen(v);
}
inline void store(double* p, Vec v) { __builtin_memcpy(p, &v, sizeof v); }
inline Four load_four(const double* p) {
  Four v;
  __builtin_memcpy(&v, p, sizeof v);
  return v;
}
inline void store_four(double* p, Four v) { __builtin_memcpy(p, &v, sizeof v); }

#if defined(__has_builtin) && __has_builtin(__builtin_shufflevector)
#define MILCCI_SHUFFLE(a, b, i, j, k, l) __builtin_shufflevector(a, b, i, j, k, l)
#else
#define MILCCI_SHUFFLE(a, b, i, j, k, l) __builtin_shuffle(a, b, FourMask{i, j, k, l})
#endif

// Halves are added until four lanes are left (two lanes are widened with zeros). Lane by lane and not through
// memory, which would keep the sums of a whole block out of registers.
inline Four fold(Vec v) {
  constexpr int kHalf = kLanes == 8 ? 4 : 0, kLast = kLanes - 1;  // in range for any number of lanes
  if constexpr (kLanes == 8)
    return Four{v[0], v[1], v[2 % kLanes], v[3 % kLanes]} +
           Four{v[kHalf], v[kHalf + 1], v[kLast - 1], v[kLast]};
  else if constexpr (kLanes == 4)
    return Four{v[0], v[1], v[kLast - 1], v[kLast]};
  else
    return Four{v[0], v[1], 0.0, 0.0};
}

// The four sums over the lanes of a, b, c, d.
inline Four sums(Four a, Four b, Four c, Four d) {
  const Four ab = MILCCI_SHUFFLE(a, b, 0, 4, 2, 6) + MILCCI_SHUFFLE(a, b, 1, 5, 3, 7);
  const Four cd = MILCCI_SHUFFLE(c, d, 0, 4, 2, 6) + MILCCI_SHUFFLE(c, d, 1, 5, 3, 7);
  return MILCCI_SHUFFLE(ab, cd, 0, 1, 4, 5) + MILCCI_SHUFFLE(ab, cd, 2, 3, 6, 7);
}
#undef MILCCI_SHUFFLE

// Zero but for the last `n` lanes.
template <class Vector>
inline Vector last_lanes(Vector v, Index n) {
  constexpr Index kWidth = sizeof v / sizeof v[0];
  Vector lane = {};
  for (Index i = 0; i < kWidth; ++i) lane[i] = static_cast<decltype(+v[0])>(i);
  return lane >= static_cast<decltype(+v[0])>(kWidth - n) ? v : Vector{};
}

template <class Scalar>
inline double dot(const Scalar* a, const double* b, Index n) {
  Vec sum0 = {}, sum1 = {};
  Index i = 0;
  for (; i + 2 * kLanes <= n; i += 2 * kLanes) {
    sum0 += load(a + i) * load(b + i);
    sum1 += load(a + i + kLanes) * load(b + i + kLanes);
  }
  if (i + kLanes <= n) {
    sum0 += load(a + i) * load(b + i);
    i += kLanes;
  }
  if (i < n && n >= kLanes) {  // overlapping what is counted already
    sum1 += last_lanes(load(a + n - kLanes) * load(b + n - kLanes), n - i);
    i = n;
  }
  sum0 += sum1;
  double sum = 0;
  for (int lane = 0; lane < kLanes; ++lane) sum += sum0[lane];
  for (; i < n; ++i) sum += static_cast<double>(a[i]) * b[i];
  return sum;
}

// ---- B = Y' A ----------------------------------------------------------------------------------------------

// Four time points by kColumns components. The last vector of channels overlaps the one before;
// `tail` holds its part of A with zeros where it was counted already. Processors do not predict
// four rows at once, so the first to see them asks for the four at `ahead`.
template <int kColumns, bool kAsksAhead, class Scalar>
void project_block(Index n_channels, const Scalar* Y, const Scalar* ahead, const double* A, const double* tail,
                   double* B, Index b_stride) {
  Vec sum[kColumns][4] = {};
  const Index n_whole = n_channels / kLanes * kLanes;
  for (Index n = 0; n < n_whole; n += kLanes) {
    const Vec y0 = load(Y + n), y1 = load(Y + n_channels + n), y2 = load(Y + 2 * n_channels + n),
              y3 = load(Y + 3 * n_channels + n);
    if constexpr (kAsksAhead)
      for (int t = 0; t < 4; ++t) __builtin_prefetch(ahead + t * n_channels + n);
#pragma GCC unroll 8
    for (int j = 0; j < kColumns; ++j) {
      const Vec a = load(A + j * n_channels + n);
      sum[j][0] += a * y0;
      sum[j][1] += a * y1;
      sum[j][2] += a * y2;
      sum[j][3] += a * y3;
    }
  }
  if (n_whole < n_channels) {
    const Scalar* last = Y + n_channels - kLanes;
    const Vec y0 = load(last), y1 = load(last + n_channels), y2 = load(last + 2 * n_channels),
              y3 = load(last + 3 * n_channels);
#pragma GCC unroll 8
    for (int j = 0; j < kColumns; ++j) {
      const Vec a = load(tail + j * kLanes);
      sum[j][0] += a * y0;
      sum[j][1] += a * y1;
      sum[j][2] += a * y2;
      sum[j][3] += a * y3;
    }
  }
#pragma GCC unroll 8
  for (int j = 0; j < kColumns; ++j)
    store_four(B + j * b_stride, sums(fold(sum[j][0]), fold(sum[j][1]), fold(sum[j][2]), fold(sum[j][3])));
}

template <bool kAsksAhead, class Scalar>
void project_columns(Index width, Index n_channels, const Scalar* Y, const Scalar* ahead, const double* A,
                     const double* tail, double* B, Index b_stride) {
  switch (width) {
    case 1:
      return project_block<1, kAsksAhead>(n_channels, Y, ahead, A, tail, B, b_stride);
    case 2:
      return project_block<2, kAsksAhead>(n_channels, Y, ahead, A, tail, B, b_stride);
    case 3:
      return project_block<3, kAsksAhead>(n_channels, Y, ahead, A, tail, B, b_stride);
    default:
      return project_block<4, kAsksAhead>(n_channels, Y, ahead, A, tail, B, b_stride);
  }
}

template <class Scalar>
void project(const Shape& s, const Scalar* Y, const double* A, double* B) {
  constexpr Index kColumns = kLanes == 8 ? 4 : 2;
  if (s.n_components > kMaxComponents) {
    Shape part = s;
    part.n_components = kMaxComponents;
    project(part, Y, A, B);
    part.n_components = s.n_components - kMaxComponents;
    return project(part, Y, A + kMaxComponents * s.n_channels, B + kMaxComponents * s.stride);
  }
  const Index N = s.n_channels, T = s.n_times, P = s.n_components;
  const Index n_blocked = N < kLanes || T < 4 ? 0 : T, n_counted = N / kLanes * kLanes;
  double tail[kMaxComponents * kLanes];
  for (Index j = 0; j < P && n_blocked > 0; ++j)
    for (int lane = 0; lane < kLanes; ++lane) {
      const Index n = N - kLanes + lane;
      tail[j * kLanes + lane] = n < n_counted ? 0.0 : A[j * N + n];
    }
  for (Index t = 0; t < n_blocked; t += 4) {
    if (t + 4 > T) t = T - 4;  // the last four overlap the ones before
    const Scalar *y = Y + t * N, *ahead = t + 8 <= T ? y + 4 * N : y;
    double* b = B + t;
    project_columns<true>(P < kColumns ? P : kColumns, N, y, ahead, A, tail, b, s.stride);
    for (Index j = kColumns; j < P; j += kColumns)
      project_columns<false>(P - j < kColumns ? P - j : kColumns, N, y, y, A + j * N, tail + j * kLanes,
                             b + j * s.stride, s.stride);
  }
  for (Index t = n_blocked; t < T; ++t)
    for (Index j = 0; j < P; ++j) B[j * s.stride + t] = dot(Y + t * N, A + j * N, N);
}

// ---- C += Y Phi --------------------------------------------------------------------------------------------

// A register full: doubles, or twice as many floats.
template <class Scalar>
struct Pack;
template <>
struct Pack<double> {
  using Type = Vec;
  static constexpr Index kWidth = kLanes;
};
template <>
struct Pack<float> {
  using Type = VecFloat;
  static constexpr Index kWidth = 2 * kLanes;
};

template <class Scalar>
inline typename Pack<Scalar>::Type load_pack(const Scalar* p) {
  typename Pack<Scalar>::Type v;
  __builtin_memcpy(&v, p, sizeof v);
  return v;
}

template <int kHalf>
inline HalfFloat half(VecFloat v) {
#ifdef __AVX512F__  // unmasked GCC 12 warns of its own header
  return _mm512_maskz_extractf32x8_ps(0xff, v, kHalf);
#else
  HalfFloat h = {};
  for (int lane = 0; lane < kLanes; ++lane) h[lane] = v[kHalf * kLanes + lane];
  return h;
#endif
}

inline void add_to(double* p, double unit, Vec v) { store(p, load(p) + unit * v); }
inline void add_to(double* p, double unit, VecFloat v) {
  add_to(p, unit, widen(half<0>(v)));
  add_to(p + kLanes, unit, widen(half<1>(v)));
}

// kRows vectors of channels by kColumns components, over all time points. A last vector that overlaps the one
// before counts its last `n_new` channels only.
template <int kRows, int kColumns, bool kOverlaps, class Scalar>
void accumulate_block(const Shape& s, const Scalar* Y, Index n_new, const Scalar* Phi, double unit, double* C) {
  using Vector = typename Pack<Scalar>::Type;
  constexpr Index kWidth = Pack<Scalar>::kWidth;
  Vector sum[kRows][kColumns] = {};
  for (Index t = 0; t < s.n_times; ++t) {
    Vector y[kRows];
#pragma GCC unroll 8
    for (int r = 0; r < kRows; ++r) y[r] = load_pack(Y + t * s.n_channels + r * kWidth);
    if constexpr (kOverlaps) y[kRows - 1] = last_lanes(y[kRows - 1], n_new);
#pragma GCC unroll 8
    for (int j = 0; j < kColumns; ++j) {
      const Vector phi = Vector{} + Phi[j * s.stride + t];
#pragma GCC unroll 8
      for (int r = 0; r < kRows; ++r) sum[r][j] += phi * y[r];
    }
  }
  for (int j = 0; j < kColumns; ++j)
    for (int r = 0; r < kRows; ++r) add_to(C + j * s.n_channels + r * kWidth, unit, sum[r][j]);
}

// These channels by all components: floats, of which there are few time points at a time, stay in the nearest
// cache meanwhile.
template <int kRows, bool kOverlaps, class Scalar>
void accumulate_rows(const Shape& s, const Scalar* Y, Index n_new, const Scalar* Phi, double unit, double* C) {
  Index rest = s.n_components;
  for (; rest >= 4; rest -= 4, Phi += 4 * s.stride, C += 4 * s.n_channels)
    accumulate_block<kRows, 4, kOverlaps>(s, Y, n_new, Phi, unit, C);
  if (rest == 3) accumulate_block<kRows, 3, kOverlaps>(s, Y, n_new, Phi, unit, C);
  if (rest == 2) accumulate_block<kRows, 2, kOverlaps>(s, Y, n_new, Phi, unit, C);
  if (rest == 1) accumulate_block<kRows, 1, kOverlaps>(s, Y, n_new, Phi, unit, C);
}

template <class Scalar>
void accumulate_scaled(const Shape& s, const Scalar* Y, const Scalar* Phi, double unit, double* C) {
  constexpr Index kRows = kLanes == 8 ? 4 : 2, kWidth = Pack<Scalar>::kWidth;
  const Index N = s.n_channels;
  if (N < kWidth) {
    for (Index j = 0; j < s.n_components; ++j)
      for (Index t = 0; t < s.n_times; ++t)
        for (Index n = 0; n < N; ++n)
          C[j * N + n] +=
              unit * static_cast<double>(Y[t * N + n]) * static_cast<double>(Phi[j * s.stride + t]);
    return;
  }
  Index n = 0;
  for (; n + kRows * kWidth <= N; n += kRows * kWidth)
    accumulate_rows<kRows, false>(s, Y + n, kWidth, Phi, unit, C + n);
  for (; n + kWidth <= N; n += kWidth) accumulate_rows<1, false>(s, Y + n, kWidth, Phi, unit, C + n);
  if (n < N) accumulate_rows<1, true>(s, Y + N - kWidth, N - n, Phi, unit, C + N - kWidth);
}

void accumulate(const Shape& s, const double* Y, const double* Phi, double* C) {
  accumulate_scaled(s, Y, Phi, 1.0, C);
}

inline double largest_magnitude(const double* x, Index n) {
  Vec largest = {};
  Index i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    const Vec v = load(x + i), magnitude = v < 0 ? -v : v;
    largest = magnitude > largest ? magnitude : largest;
  }
  double result = 0;
  for (int lane = 0; lane < kLanes; ++lane) result = largest[lane] > result ? largest[lane] : result;
  for (; i < n; ++i) {
    const double magnitude = x[i] < 0 ? -x[i] : x[i];
    result = magnitude > result ? magnitude : result;
  }
  return result;
}

// A few products are added up in float before the sum goes on in double, so C is as exact as its
// data. Components follow from it, and a small error in them changes F by its square; B, by which F
// is judged, is all in double. Traces in units of their largest are floats whatever their unit.
void accumulate_float(const Shape& s, const float* Y, const double* Phi, double* C) {
  constexpr Index kLongest = 128;
  constexpr double kNothing = 1e-300;
  float phi[kMaxComponents * kLongest];
  const Index n_parts = s.n_times > kLongest ? (s.n_times + kLongest - 1) / kLongest : 1;
  const Index length = (s.n_times + n_parts - 1) / n_parts;
  for (Index first = 0; first < s.n_components; first += kMaxComponents) {
    Shape part = s;
    part.n_components = s.n_components - first < kMaxComponents ? s.n_components - first : kMaxComponents;
    part.stride = kLongest;
    for (Index t = 0; t < s.n_times; t += length) {
      part.n_times = s.n_times - t < length ? s.n_times - t : length;
      const double* from = Phi + first * s.stride + t;
      double unit = kNothing;
      for (Index j = 0; j < part.n_components; ++j) {
        const double largest = largest_magnitude(from + j * s.stride, part.n_times);
        unit = largest > unit ? largest : unit;
      }
      const double inverse = 1.0 / unit;
      for (Index j = 0; j < part.n_components; ++j)
        for (Index i = 0; i < part.n_times; ++i)
          phi[j * kLongest + i] = static_cast<float>(from[j * s.stride + i] * inverse);
      accumulate_scaled(part, Y + t * s.n_channels, phi, unit, C + first * s.n_channels);
    }
  }
}

// ---- traces ------------------------------------------------------------------------------------------------

// kLanes points at once: q = b - H x is kept up to date while one coordinate after the other moves.
template <int kComponents, bool kNonnegative>
void solve_points(Index P, const double* H, const double* threshold, const double* inverse,
                  const PointOptions& options, Vec* x, Vec* q) {
  const Index n = kComponents > 0 ? kComponents : P;
  for (int sweep = 0; sweep < options.max_sweeps; ++sweep) {
    Vec moved = {}, length = {};
    for (Index j = 0; j < n; ++j) {
      const double h = H[j * n + j];
      const Vec free = x[j] * h + q[j];
      const Vec above = free - threshold[j];
      Vec next = above > 0 ? above : Vec{};
      if constexpr (!kNonnegative) {
        const Vec below = free + threshold[j];
        next = below < 0 ? below : next;
      }
      next *= inverse[j];
      const Vec step = next - x[j];
      x[j] = next;
      for (Index l = 0; l < n; ++l) q[l] -= H[j * n + l] * step;
      moved += h * step * step;
      length += h * next * next;
    }
    double moved_sum = 0, length_sum = 0;
    for (int lane = 0; lane < kLanes; ++lane) moved_sum += moved[lane], length_sum += length[lane];
    if (moved_sum <= options.tolerance * options.tolerance * length_sum) return;
  }
}

template <int kComponents, bool kNonnegative>
void lasso_points_of(const Shape& s, const double* H, const double* l1, double dead,
                     const PointOptions& options, const double* B, double* X) {
  constexpr int kMost = kComponents > 0 ? kComponents : kMaxComponents;
  const Index P = s.n_components, T = s.n_times;
  double inverse[kMost], threshold[kMost];
  for (Index j = 0; j < P; ++j) {
    inverse[j] = H[j * P + j] > dead ? 1.0 / H[j * P + j] : 0.0;
    threshold[j] = l1 == nullptr ? 0.0 : 0.5 * l1[j];
  }
  Vec x[kMost], q[kMost];
  for (Index t = 0; t < T; t += kLanes) {
    const Index n_lanes = T - t < kLanes ? T - t : kLanes;
    for (Index j = 0; j < P; ++j) {
      const double* b = B + j * s.stride + t;
      const double* from = X + j * s.stride + t;
      if (n_lanes == kLanes) {
        q[j] = load(b);
        x[j] = load(from);
      } else {
        q[j] = x[j] = Vec{};
        for (Index lane = 0; lane < n_lanes; ++lane) q[j][lane] = b[lane], x[j][lane] = from[lane];
      }
      if (inverse[j] == 0.0) x[j] = Vec{};
    }
    for (Index j = 0; j < P; ++j)
      for (Index l = 0; l < P; ++l) q[l] -= H[j * P + l] * x[j];
    solve_points<kComponents, kNonnegative>(P, H, threshold, inverse, options, x, q);
    for (Index j = 0; j < P; ++j) {
      double* to = X + j * s.stride + t;
      if (n_lanes == kLanes) {
        store(to, x[j]);
      } else {
        for (Index lane = 0; lane < n_lanes; ++lane) to[lane] = x[j][lane];
      }
    }
  }
}

template <bool kNonnegative>
void lasso_points(const Shape& s, const double* H, const double* l1, double dead, const PointOptions& options,
                  const double* B, double* X) {
  switch (s.n_components) {
    case 1:
      return lasso_points_of<1, kNonnegative>(s, H, l1, dead, options, B, X);
    case 2:
      return lasso_points_of<2, kNonnegative>(s, H, l1, dead, options, B, X);
    case 3:
      return lasso_points_of<3, kNonnegative>(s, H, l1, dead, options, B, X);
    case 4:
      return lasso_points_of<4, kNonnegative>(s, H, l1, dead, options, B, X);
    case 5:
      return lasso_points_of<5, kNonnegative>(s, H, l1, dead, options, B, X);
    case 6:
      return lasso_points_of<6, kNonnegative>(s, H, l1, dead, options, B, X);
    case 7:
      return lasso_points_of<7, kNonnegative>(s, H, l1, dead, options, B, X);
    case 8:
      return lasso_points_of<8, kNonnegative>(s, H, l1, dead, options, B, X);
    default:
      return lasso_points_of<0, kNonnegative>(s, H, l1, dead, options, B, X);
  }
}

void combine(const Shape& s, const double* B, const double* M, double* Phi) {
  const Index P = s.n_components, T = s.n_times;
  for (Index j = 0; j < P; ++j) {
    double* phi = Phi + j * s.stride;
    Index t = 0;
    for (; T >= kLanes && t < T; t += kLanes) {
      if (t + kLanes > T) t = T - kLanes;  // the last ones overlap those before
      Vec sum = {};
      for (Index l = 0; l < P; ++l) sum += M[j * P + l] * load(B + l * s.stride + t);
      store(phi + t, sum);
    }
    for (; t < T; ++t) {
      double sum = 0;
      for (Index l = 0; l < P; ++l) sum += M[j * P + l] * B[l * s.stride + t];
      phi[t] = sum;
    }
  }
}

double inner(const Shape& s, const double* B, const double* Phi, double* G) {
  const Index P = s.n_components;
  double sum = 0;
  for (Index j = 0; j < P; ++j) {
    const double* phi = Phi + j * s.stride;
    sum += dot(B + j * s.stride, phi, s.n_times);
    for (Index l = 0; l <= j; ++l) {
      const double product = dot(phi, Phi + l * s.stride, s.n_times);
      G[j * P + l] += product;
      if (l != j) G[l * P + j] += product;
    }
  }
  return sum;
}

void subtract_product(const Shape& s, const double* B, const double* M, Index Q, double* X) {
  const Index P = s.n_components, T = s.n_times, n_whole = T / kLanes * kLanes;
  for (Index q = 0; q < Q; ++q) {
    double* x = X + q * s.stride;
    for (Index t = 0; t < n_whole; t += kLanes) {
      Vec sum = load(x + t);
      for (Index l = 0; l < P; ++l) sum -= M[q * P + l] * load(B + l * s.stride + t);
      store(x + t, sum);
    }
    for (Index t = n_whole; t < T; ++t)
      for (Index l = 0; l < P; ++l) x[t] -= M[q * P + l] * B[l * s.stride + t];
  }
}

void add_weighted(const Shape& s, const double* R, Index n, const double* const* B, const double* weights,
                  double* X) {
  const Index T = s.n_times, P = s.n_components, n_whole = T / kLanes * kLanes;
  for (Index j = 0; j < P; ++j) {
    const double* r = R + j * s.stride;
    double* x = X + j * s.stride;
    for (Index t = 0; t < n_whole; t += kLanes) {
      Vec sum = load(r + t);
      for (Index i = 0; i < n; ++i) sum += weights[i * P + j] * load(B[i] + j * s.stride + t);
      store(x + t, sum);
    }
    for (Index t = n_whole; t < T; ++t) {
      x[t] = r[t];
      for (Index i = 0; i < n; ++i) x[t] += weights[i * P + j] * B[i][j * s.stride + t];
    }
  }
}
