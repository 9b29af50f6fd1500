#!/usr/bin/env bash
# ratio-study 1.0.1 divides logarithms by .693 where its price-related bias is to be by doublings of value, for which the divisor is
# the logarithm of 2, .693147…: the coefficient is 2.1 parts in 10,000 nearer to zero than that of assesspy 2.0.2 for the same sales,
# and it is rounded to five digits. A study that holds one program against the other to more than three digits finds them different;
# multiplied by ln 2 / .693 the two agree to the rounding.
#
# Needs python3 with pip and the Python registry. Prints what it saw; fails if that has changed.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet --disable-pip-version-check assesspy==2.0.2 ratio-study==1.0.1
"$work/venv/bin/python" - <<'PY'
import math
import random

import assesspy
import numpy
import ratio_study

random.seed(1)
prices = numpy.array([random.lognormvariate(12.5, 0.5) for _ in range(300)])
values = numpy.array([price * (price / 270_000) ** -0.45 * random.lognormvariate(0, 0.1) for price in prices])
one = assesspy.prb(values, prices)
other = ratio_study.prb(prices, values, values / prices)[0]
mended = float(other) * math.log(2) / 0.693
print(f"assesspy {one:.7f}, ratio-study {other}, with the logarithm of 2 {mended:.7f}")
assert abs(one) > 0.3 and abs(one - float(other)) > 4e-5 and abs(one - mended) < 6e-6
PY
