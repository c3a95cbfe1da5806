// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "interp/field.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

namespace tilewright::interp {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double largest = std::numeric_limits<double>::max();
constexpr double smallest = std::numeric_limits<double>::denorm_min();
constexpr double half_ulp = 0x1p-53;     // of a result, relative
constexpr double of_function = 0x1p-50;  // what the C library's functions are off at most, relative
constexpr int least_exponent = -1200;    // of the powers of two that are at hand
constexpr int largest_exact_power = 1000;
constexpr double most_multiplications = 1 << 20;  // of a power

// Bounds are sums of several terms, rounded up as a whole.
double rounded_up(double bound) { return std::isnan(bound) ? infinity : bound * (1 + 0x1p-49); }

// Products of two of these are exact.
bool is_short(double value) { return static_cast<double>(static_cast<float>(value)) == value; }

// No number is above, or below.
double most(const Real& x) { return x.error == 0 ? x.value : std::nextafter(x.value + x.error, infinity); }
double least(const Real& x) { return x.error == 0 ? x.value : std::nextafter(x.value - x.error, -infinity); }

// What a function is off at x if it grows or falls all the way around there.
template <class F>
double spread(const Real& x, double value, F&& function) {
  const double above = std::fabs(function(most(x)) - value);
  const double below = std::fabs(function(least(x)) - value);
  return std::max(above, below) + std::fabs(value) * of_function + smallest;
}

Real& bounded(Real& out, double value, double error) {
  out.value = std::isfinite(value) ? value : std::isnan(value) ? 0 : std::copysign(largest, value);
  out.error = std::isfinite(value) ? rounded_up(error) : infinity;
  return out;
}

// Where not both are finite: what is not known stays so, else IEEE's result.
Real special(const Real& x, const Real& y, double value) {
  if (!x.is_known()) return x;
  if (!y.is_known()) return y;
  return Real::special(value);
}

uint64_t without(uint64_t residue, uint64_t other, uint64_t result) {
  return residue == Residue::lost || other == Residue::lost ? Residue::lost : result;
}

// q = 3 modulo 4, so that 2 is a square modulo p = 2q + 1, and its order is q.
uint64_t order_of_base(Random& random) {
  while (true) {
    const uint64_t q = (random() >> 4 | uint64_t{1} << 60) | 3;
    if (q % 3 == 2 && is_prime(q) && is_prime(2 * q + 1)) return q;
  }
}

uint64_t not_zero(const Modulus& modulus, Random& random) { return modulus.from(1 + random() % (modulus.value() - 1)); }

// The constant, or decimals of it that are the same float32.
bool stands_for(double value, double constant) { return static_cast<float>(value) == static_cast<float>(constant); }

}  // namespace

Field::Base::Base(Random& random) : p(3), q(order_of_base(random)), key(random()) {
  p = Modulus(2 * q.value() + 1);
  const auto fill = [](const Modulus& modulus, auto& powers) {
    const uint64_t two = modulus.from(2);
    powers[0] = modulus.pow(modulus.inverse(two), static_cast<uint64_t>(-least_exponent));
    for (size_t i = 1; i < powers.size(); ++i) powers[i] = modulus.mul(powers[i - 1], two);
  };
  fill(p, powers_p);
  fill(q, powers_q);
  uint64_t step = p.from(2);
  for (auto& window : windows) {
    window[0] = p.one();
    for (size_t digit = 1; digit < window.size(); ++digit) window[digit] = p.mul(window[digit - 1], step);
    step = p.mul(window.back(), step);
  }
}

uint64_t Field::Base::two_to(uint64_t exponent) const {
  uint64_t number = q.to_number(exponent);
  uint64_t out = p.one();
  for (size_t place = 0; number; ++place, number >>= 8) out = p.mul(out, windows[place][number & 0xff]);
  return out;
}

Field::Field(uint64_t seed) {
  Random random(seed);
  for (size_t i = 0; i < Real::fields; ++i) {
    bases_[i] = std::make_unique<const Base>(random);
    log2_of_e_.in[i] = {.number = not_zero(bases_[i]->p, random), .exponent = not_zero(bases_[i]->q, random)};
  }
  bounded(log2_of_e_, std::numbers::log2e, std::numbers::log2e * half_ulp);
  ln_of_2_ = div(of(1.0), log2_of_e_);
}

Real Field::of_magnitude(uint64_t magnitude) const {
  Real out;
  for (size_t i = 0; i < Real::fields; ++i) {
    out.in[i] = {.number = bases_[i]->p.from(magnitude), .exponent = bases_[i]->q.from(magnitude)};
  }
  out.value = static_cast<double>(magnitude);
  const bool is_exact = magnitude <= uint64_t{1} << 53 || (magnitude & 0xfff) == 0;
  out.error = is_exact ? 0 : 0x1p10;
  return out;
}

Real Field::of(double value) const {
  if (!std::isfinite(value)) return Real::special(value);
  if (value == 0) return {};
  int exponent = 0;
  const auto digits = static_cast<uint64_t>(std::ldexp(std::frexp(std::fabs(value), &exponent), 53));
  Real out = of_magnitude(digits);
  const auto power = static_cast<size_t>(exponent - 53 - least_exponent);
  for (size_t i = 0; i < Real::fields; ++i) {
    const Base& base = *bases_[i];
    out.in[i] = {.number = base.p.mul(out.in[i].number, base.powers_p[power]),
                 .exponent = base.q.mul(out.in[i].exponent, base.powers_q[power])};
  }
  out.value = std::fabs(value);
  return value < 0 ? neg(out) : out;
}

Real Field::constant(double value) const {
  const double size = std::fabs(value);
  const Real* meant = stands_for(size, std::numbers::log2e) ? &log2_of_e_
                      : stands_for(size, std::numbers::ln2) ? &ln_of_2_
                                                            : nullptr;
  if (!meant) return of(value);
  Real out = *meant;
  bounded(out, meant->value, meant->error + std::fabs(size - meant->value));
  return value < 0 ? neg(out) : out;
}

Real Field::neg(const Real& x) const {
  Real out = x;
  if (!x.is_known()) return out;
  for (size_t i = 0; i < Real::fields; ++i) {
    out.in[i].number = bases_[i]->p.neg(x.in[i].number);
    if (x.has_exponent()) out.in[i].exponent = bases_[i]->q.neg(x.in[i].exponent);
  }
  out.value = -x.value;
  return out;
}

Real Field::add(const Real& x, const Real& y) const {
  const double value = x.value + y.value;
  if (!x.is_finite() || !y.is_finite()) return special(x, y, value);
  Real out;
  for (size_t i = 0; i < Real::fields; ++i) {
    const Residue& a = x.in[i];
    const Residue& b = y.in[i];
    out.in[i].number = bases_[i]->p.add(a.number, b.number);
    out.in[i].exponent = without(a.exponent, b.exponent, bases_[i]->q.add(a.exponent, b.exponent));
  }
  if (out.is_zero()) return {};
  const double of_y = value - x.value;
  const double cut = (x.value - (value - of_y)) + (y.value - of_y);  // exactly what the sum was rounded by
  return bounded(out, value, x.error + y.error + std::fabs(cut));
}

Real Field::mul(const Real& x, const Real& y) const {
  if (!x.is_finite() || !y.is_finite()) {
    if (!x.is_known() || !y.is_known()) return special(x, y, 0);
    const auto sign = [&](const Real& of) {  // an infinity times a number near zero is known by its sign only
      const Order order = this->order(of, {});
      return order == Order::Less ? -1.0 : order == Order::Greater ? 1.0 : order == Order::Equal ? 0.0 : std::nan("");
    };
    if (x.is_nan() || y.is_nan()) return Real::special(std::nan(""));
    const double of_x = sign(x);
    const double of_y = sign(y);
    if (std::isnan(of_x) || std::isnan(of_y)) return Real::unknown(Reason::Undecided);
    return Real::special(of_x * of_y == 0 ? std::nan("") : of_x * of_y * infinity);
  }
  if (x.is_zero() || y.is_zero()) return {};
  Real out;
  for (size_t i = 0; i < Real::fields; ++i) {
    const Residue& a = x.in[i];
    const Residue& b = y.in[i];
    out.in[i].number = bases_[i]->p.mul(a.number, b.number);
    out.in[i].exponent = without(a.exponent, b.exponent, bases_[i]->q.mul(a.exponent, b.exponent));
  }
  const double value = x.value * y.value;
  const bool is_product_exact = is_short(x.value) && is_short(y.value) && x.is_exact() && y.is_exact();
  const double cut = is_product_exact ? 0 : std::fabs(value) * half_ulp + smallest;
  return bounded(out, value, std::fabs(x.value) * y.error + std::fabs(y.value) * x.error + x.error * y.error + cut);
}

Real Field::inverse_of(const Real& y) const {
  Real out;
  for (size_t i = 0; i < Real::fields; ++i) {
    out.in[i].number = bases_[i]->p.inverse(y.in[i].number);
    out.in[i].exponent = y.has_exponent() ? bases_[i]->q.inverse(y.in[i].exponent) : Residue::lost;
  }
  return out;
}

Real Field::quotient(const Real& x, const Real& y, const Real& inverse) const {
  Real out;
  for (size_t i = 0; i < Real::fields; ++i) {
    const Residue& a = x.in[i];
    const Residue& b = inverse.in[i];
    out.in[i].number = bases_[i]->p.mul(a.number, b.number);
    out.in[i].exponent = without(a.exponent, b.exponent, bases_[i]->q.mul(a.exponent, b.exponent));
  }
  const double value = x.value / y.value;
  const double smallest_divisor = std::fabs(y.value) - y.error;
  const bool is_exact =
      x.is_exact() && y.is_exact() && is_short(value) && is_short(y.value) && value * y.value == x.value && value != 0;
  if (is_exact) return bounded(out, value, 0);
  if (!(smallest_divisor > 0)) return bounded(out, std::isfinite(value) ? value : 0, infinity);
  return bounded(out, value, (x.error + std::fabs(value) * y.error) / smallest_divisor + std::fabs(value) * half_ulp + smallest);
}

Real Field::div(const Real& x, const Real& y) const { return Divider(*this)(x, y); }

Real Divider::operator()(const Real& x, const Real& y) {
  if (!x.is_known() || !y.is_known()) return special(x, y, 0);
  if (x.is_nan() || y.is_nan()) return Real::special(std::nan(""));
  if (!y.is_finite()) return x.is_finite() ? Real{} : Real::special(std::nan(""));
  const Order sign = field_.order(y, {});
  if (sign == Order::Equal) {
    if (x.is_finite() && x.is_zero()) return Real::special(std::nan(""));
    return Real::unknown(Reason::DivisionByZero);
  }
  if (!x.is_finite()) {
    if (sign == Order::Undecided) return Real::unknown(Reason::Undecided);
    return Real::special(sign == Order::Less ? -x.value : x.value);
  }
  if (x.is_zero()) return {};
  if (!(divisor_ == y)) {
    divisor_ = y;
    inverse_ = field_.inverse_of(y);
  }
  return field_.quotient(x, y, inverse_);
}

std::optional<Real> Field::power_of_two(const Real& x) const {
  if (!x.has_exponent()) return std::nullopt;
  Real out;
  for (size_t i = 0; i < Real::fields; ++i) {
    out.in[i] = {.number = bases_[i]->two_to(x.in[i].exponent), .exponent = Residue::lost};
  }
  return out;
}

Real Field::exp2(const Real& x) const {
  if (!x.is_finite()) return !x.is_known() ? x : x.value < 0 ? Real{} : x;
  if (x.is_exact() && x.value == std::trunc(x.value) && std::fabs(x.value) <= largest_exact_power) {
    return of(std::exp2(x.value));
  }
  std::optional<Real> out = power_of_two(x);
  if (!out) return Real::unknown(Reason::NestedExponential);
  const double value = std::exp2(x.value);
  return bounded(*out, value, spread(x, value, [](double at) { return std::exp2(at); }));
}

Real Field::exp(const Real& x) const {
  if (!x.is_finite()) return exp2(x);
  if (x.is_zero()) return of(1.0);
  std::optional<Real> out = power_of_two(mul(x, log2_of_e_));
  if (!out) return Real::unknown(Reason::NestedExponential);
  const double value = std::exp(x.value);
  return bounded(*out, value, spread(x, value, [](double at) { return std::exp(at); }));
}

Real Field::hashed(Function function, const Real& x, const Real& y, double value, double error) const {
  Real out;
  for (size_t i = 0; i < Real::fields; ++i) {
    const Base& base = *bases_[i];
    uint64_t bits = Random::mixed(base.key + static_cast<uint64_t>(function));
    bits = Random::mixed(bits ^ x.in[i].number);
    bits = Random::mixed(bits + y.in[i].number);
    out.in[i] = {.number = bits % base.p.value(), .exponent = Random::mixed(bits) % base.q.value()};
  }
  return bounded(out, value, error);
}

Real Field::hashed(Function function, Symmetry symmetry, const Real& x, double value, double error) const {
  const uint64_t number = x.in[0].number;
  const bool is_turned = number > bases_[0]->p.value() - number;  // of x and -x one
  Real out = hashed(function, is_turned ? neg(x) : x, {}, value, error);
  if (!is_turned || symmetry == Symmetry::Even) return out;
  out = neg(out);
  out.value = value;
  return out;
}

Real Field::sqrt(const Real& x) const {
  if (!x.is_known() || x.is_nan()) return x;
  const Order sign = order(x, {});
  if (sign == Order::Equal || (sign == Order::Greater && !x.is_finite())) return x;
  if (sign == Order::Less) return Real::special(std::nan(""));
  if (sign == Order::Undecided) return Real::unknown(Reason::Undecided);
  const double value = std::sqrt(x.value);
  if (x.is_exact() && is_short(value) && value * value == x.value) return of(value);
  return hashed(Function::Sqrt, x, {}, value, spread(x, value, [](double at) { return std::sqrt(at); }));
}

Real Field::log2(const Real& x) const {
  if (!x.is_known() || x.is_nan()) return x;
  const Order sign = order(x, {});
  if (sign == Order::Equal) return Real::special(-infinity);
  if (sign == Order::Less) return Real::special(std::nan(""));
  if (sign == Order::Undecided) return Real::unknown(Reason::Undecided);
  if (!x.is_finite()) return x;
  const double value = std::log2(x.value);
  if (x.is_exact() && std::exp2(std::nearbyint(value)) == x.value) return of(std::nearbyint(value));
  return hashed(Function::Log2, x, {}, value, spread(x, value, [](double at) { return std::log2(at); }) + of_function);
}

Real Field::sin(const Real& x) const {
  if (!x.is_finite()) return x.is_known() ? Real::special(std::nan("")) : x;
  if (x.is_zero()) return {};
  return hashed(Function::Sin, Symmetry::Odd, x, std::sin(x.value), x.error + of_function);
}

Real Field::cos(const Real& x) const {
  if (!x.is_finite()) return x.is_known() ? Real::special(std::nan("")) : x;
  if (x.is_zero()) return of(1.0);
  return hashed(Function::Cos, Symmetry::Even, x, std::cos(x.value), x.error + of_function);
}

// By exponentials where they are known, so that these are what a program makes of exponentials itself.
Real Field::tanh(const Real& x) const {
  if (!x.is_finite()) return !x.is_known() || x.is_nan() ? x : of(std::copysign(1.0, x.value));
  if (x.is_zero()) return {};
  const double value = std::tanh(x.value);
  const double error = spread(x, value, [](double at) { return std::tanh(at); });
  if (!x.has_exponent()) return hashed(Function::Tanh, Symmetry::Odd, x, value, error);
  const Real power = exp(add(x, x));
  Real out = div(sub(power, of(1.0)), add(power, of(1.0)));
  return bounded(out, value, error);
}

Real Field::sinh(const Real& x) const {
  if (!x.is_finite() || x.is_zero()) return x;
  const double value = std::sinh(x.value);
  const double error = spread(x, value, [](double at) { return std::sinh(at); });
  if (!x.has_exponent()) return hashed(Function::Sinh, Symmetry::Odd, x, value, error);
  Real out = mul(sub(exp(x), exp(neg(x))), of(0.5));
  return bounded(out, value, error);
}

Real Field::cosh(const Real& x) const {
  if (!x.is_finite()) return x.is_known() && !x.is_nan() ? Real::special(infinity) : x;
  if (x.is_zero()) return of(1.0);
  const double value = std::cosh(x.value);
  const double error = spread(x, value, [](double at) { return std::cosh(at); }) + x.error * x.error * value;
  if (!x.has_exponent()) return hashed(Function::Cosh, Symmetry::Even, x, value, error);
  Real out = mul(add(exp(x), exp(neg(x))), of(0.5));
  return bounded(out, value, error);
}

Real Field::atan2(const Real& y, const Real& x) const {
  if (!x.is_known() || !y.is_known()) return special(x, y, 0);
  if (x.is_nan() || y.is_nan()) return Real::special(std::nan(""));
  if (!x.is_finite() || !y.is_finite() || y.is_zero()) return Real::unknown(Reason::Undecided);
  const double square = x.value * x.value + y.value * y.value;
  const double turned = std::fabs(x.value) * y.error + std::fabs(y.value) * x.error;
  const bool is_far = x.error + y.error < 0.1 * std::sqrt(square);
  return hashed(Function::Atan2, y, x, std::atan2(y.value, x.value), is_far ? 2 * turned / square + of_function * 4 : infinity);
}

Real Field::pow(const Real& x, const Real& y) const {
  if (!x.is_finite() || !y.is_finite()) {
    if (!x.is_known() || !y.is_known()) return special(x, y, 0);
    return Real::unknown(Reason::Undecided);
  }
  if (y.is_exact() && y.value == std::trunc(y.value) && std::fabs(y.value) <= most_multiplications) {
    Real out = of(1.0);
    Real power = x;
    for (auto left = static_cast<uint64_t>(std::fabs(y.value)); left; left >>= 1, power = mul(power, power)) {
      if (left & 1) out = mul(out, power);
    }
    return y.value < 0 ? div(of(1.0), out) : out;
  }
  if (y.is_exact() && y.value == 0.5) return sqrt(x);
  if (y.is_exact() && y.value == -0.5) return div(of(1.0), sqrt(x));
  if (x.is_exact() && x.value == 2) return exp2(y);
  if (order(x, {}) != Order::Greater) return Real::unknown(Reason::Undecided);
  const double value = std::pow(x.value, y.value);
  const double relative = std::fabs(y.value) * x.error / (x.value - x.error) + std::fabs(std::log(x.value)) * y.error;
  const bool is_near = relative < 0.1 && std::isfinite(value);
  return hashed(Function::Pow, x, y, value, is_near ? value * (2 * relative + 4 * of_function) + smallest : infinity);
}

Real Field::abs(const Real& x) const {
  switch (order(x, {})) {
    case Order::Less: return neg(x);
    case Order::Equal:
    case Order::Greater: return x;
    case Order::Unordered: return x;
    case Order::Undecided: return x.is_known() ? Real::unknown(Reason::Undecided) : x;
  }
  return x;
}

static double rounded(double value, Whole how) {
  return how == Whole::Floor ? std::floor(value) : how == Whole::Ceil ? std::ceil(value) : std::trunc(value);
}

Real Field::whole(const Real& x, Whole how) const {
  if (!x.is_finite()) return x;
  const double nearest = std::nearbyint(x.value);
  if (std::fabs(nearest - x.value) <= x.error) {
    const Real integer = of(nearest);
    if (integer.is_same(x)) return integer;
  }
  const double low = rounded(least(x), how);
  if (low != rounded(most(x), how)) return Real::unknown(Reason::UndecidedInteger);
  return of(low);
}

Order Field::order(const Real& x, const Real& y) const {
  if (!x.is_known() || !y.is_known()) return Order::Undecided;
  if (x.is_nan() || y.is_nan()) return Order::Unordered;
  const Order by_value = x.value < y.value ? Order::Less : x.value > y.value ? Order::Greater : Order::Equal;
  if (!x.is_finite() || !y.is_finite()) return by_value;
  if (x.is_same(y)) return Order::Equal;
  return std::fabs(x.value - y.value) > rounded_up(x.error + y.error) ? by_value : Order::Undecided;
}

std::array<uint64_t, Real::fields> Field::numbers_of(const Real& x) const {
  std::array<uint64_t, Real::fields> out;
  for (size_t i = 0; i < Real::fields; ++i) {
    constexpr uint64_t none = ~uint64_t{0};
    out[i] = x.is_finite() ? bases_[i]->p.to_number(x.in[i].number) : x.is_nan() ? none : x.value > 0 ? none - 1 : none - 2;
  }
  return out;
}

// A sum of products whose residues are reduced once, at its end.
struct Field::Sum {
  std::array<Modulus::Wide, Real::fields> numbers = {};
  std::array<Modulus::Wide, Real::fields> exponents = {};
  double value = 0;
  double error = 0;
  bool has_exponent = true;
};

// As add(sum, mul(x, y)) of finite numbers.
void Field::add_product(Sum& sum, const Real& x, const Real& y) const {
  for (size_t i = 0; i < Real::fields; ++i) {
    bases_[i]->p.add_product(sum.numbers[i], x.in[i].number, y.in[i].number);
    bases_[i]->q.add_product(sum.exponents[i], x.in[i].exponent, y.in[i].exponent);  // of anything, where it is lost
  }
  sum.has_exponent &= (x.has_exponent() && y.has_exponent()) || y.is_zero();
  const double product = x.value * y.value;
  const bool is_exact = is_short(x.value) && is_short(y.value) && x.is_exact() && y.is_exact();
  const double value = sum.value + product;
  const double of_product = value - sum.value;
  const double cut = (sum.value - (value - of_product)) + (product - of_product);
  sum.value = value;
  sum.error += std::fabs(x.value) * y.error + std::fabs(y.value) * x.error + x.error * y.error + std::fabs(cut) +
               (is_exact ? 0 : std::fabs(product) * half_ulp + smallest);
}

Real Field::total(const Sum& sum, int64_t terms) const {
  Real out;
  for (size_t i = 0; i < Real::fields; ++i) {
    out.in[i].number = bases_[i]->p.reduced(sum.numbers[i]);
    out.in[i].exponent = sum.has_exponent ? bases_[i]->q.reduced(sum.exponents[i]) : Residue::lost;
  }
  if (out.is_zero()) return {};
  return bounded(out, sum.value, sum.error * (1 + static_cast<double>(terms) * 0x1p-50));  // the bound is a rounded sum too
}

void Field::multiply(const Real* x, const Real* y, Real* sums, const ProductSizes& n) const {
  const auto all_finite = [](const Real* elements, int64_t count) {
    return std::all_of(elements, elements + count, [](const Real& element) { return element.is_finite(); });
  };
  const bool is_plain = all_finite(x, n.rows * n.inner) && all_finite(y, n.inner * n.columns);
  std::vector<Sum> row(static_cast<size_t>(n.columns));
  for (int64_t i = 0; i < n.rows; ++i) {
    std::fill(row.begin(), row.end(), Sum{});
    for (int64_t k = 0; k < n.inner; ++k) {
      const Real& factor = x[i * n.inner + k];
      if (is_plain && factor.is_zero()) continue;
      for (int64_t j = 0; j < n.columns; ++j) {
        const Real& other = y[k * n.columns + j];
        Real& sum = sums[i * n.columns + j];
        if (is_plain) {
          add_product(row[static_cast<size_t>(j)], factor, other);
        } else {
          sum = add(sum, mul(factor, other));
        }
      }
    }
    for (int64_t j = 0; is_plain && j < n.columns; ++j) {
      Real& sum = sums[i * n.columns + j];
      sum = add(sum, total(row[static_cast<size_t>(j)], n.inner));
    }
  }
}

template <std::integral T>
std::optional<T> Field::integer(const Real& x) const {
  constexpr auto smallest_integer = static_cast<double>(std::numeric_limits<T>::min());
  constexpr auto largest_integer = static_cast<double>(std::numeric_limits<T>::max());  // rounded up for 64 bits
  if (!x.is_known()) return std::nullopt;
  if (x.is_nan()) return T{0};
  const Real integer = whole(x, Whole::Trunc);
  if (!integer.is_known()) {
    if (least(x) >= largest_integer) return std::numeric_limits<T>::max();
    if (most(x) <= smallest_integer) return std::numeric_limits<T>::min();
    return std::nullopt;
  }
  if (integer.value <= smallest_integer) return std::numeric_limits<T>::min();
  return integer.value >= largest_integer ? std::numeric_limits<T>::max() : static_cast<T>(integer.value);
}

template std::optional<int8_t> Field::integer(const Real&) const;
template std::optional<int16_t> Field::integer(const Real&) const;
template std::optional<int32_t> Field::integer(const Real&) const;
template std::optional<int64_t> Field::integer(const Real&) const;
template std::optional<uint8_t> Field::integer(const Real&) const;
template std::optional<uint16_t> Field::integer(const Real&) const;
template std::optional<uint32_t> Field::integer(const Real&) const;
template std::optional<uint64_t> Field::integer(const Real&) const;

}  // namespace tilewright::interp
