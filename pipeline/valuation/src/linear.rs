//! Weighted least squares held to zero: the normal equations, by Cholesky's decomposition.

/// Sums of products of features, for `width` of them.
pub(crate) struct NormalEquations {
    width: usize,
    /// Lower triangle, row by row.
    products: Vec<f64>,
    targets: Vec<f64>,
}

impl NormalEquations {
    /// `ridge` holds each coefficient to zero, in units of weight.
    pub(crate) fn new(ridge: &[f64]) -> Self {
        let width = ridge.len();
        let mut products = vec![0.0; width * width];
        ridge.iter().enumerate().for_each(|(at, ridge)| products[at * width + at] = *ridge);
        Self { width, products, targets: vec![0.0; width] }
    }

    pub(crate) fn add_observation(&mut self, features: &[f64], target: f64, weight: f64) {
        for (row, left) in features.iter().enumerate() {
            if *left == 0.0 {
                continue;
            }
            let scaled = left * weight;
            self.targets[row] += scaled * target;
            let products = &mut self.products[row * self.width..=row * self.width + row];
            products.iter_mut().zip(features).for_each(|(sum, right)| *sum += scaled * right);
        }
    }

    /// The coefficients; `None` if features say the same and nothing holds them apart.
    pub(crate) fn solve(mut self) -> Option<Vec<f64>> {
        let n = self.width;
        for row in 0..n {
            for column in 0..=row {
                let before: f64 =
                    (0..column).map(|k| self.products[row * n + k] * self.products[column * n + k]).sum();
                let rest = self.products[row * n + column] - before;
                if row == column {
                    if rest <= 1e-12 {
                        return None;
                    }
                    self.products[row * n + row] = rest.sqrt();
                } else {
                    self.products[row * n + column] = rest / self.products[column * n + column];
                }
            }
        }
        let mut solution = self.targets;
        for row in 0..n {
            let before: f64 = (0..row).map(|k| self.products[row * n + k] * solution[k]).sum();
            solution[row] = (solution[row] - before) / self.products[row * n + row];
        }
        for row in (0..n).rev() {
            let behind: f64 = (row + 1..n).map(|k| self.products[k * n + row] * solution[k]).sum();
            solution[row] = (solution[row] - behind) / self.products[row * n + row];
        }
        Some(solution)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plane_is_found_and_a_ridge_pulls_it_to_zero() {
        let points = [(1.0, 2.0), (3.0, -1.0), (0.5, 4.0), (-2.0, 1.0)];
        let solved = |ridge: f64| {
            let mut equations = NormalEquations::new(&[1e-9, ridge, ridge]);
            for (a, b) in points {
                equations.add_observation(&[1.0, a, b], 5.0 + 2.0 * a - b, 1.0);
            }
            equations.solve().unwrap()
        };
        let exact = solved(1e-9);
        for (got, expected) in exact.iter().zip([5.0, 2.0, -1.0]) {
            assert!((got - expected).abs() < 1e-6, "{exact:?}");
        }
        assert!(solved(10.0)[1].abs() < 2.0);
        let mut same = NormalEquations::new(&[0.0, 0.0]);
        same.add_observation(&[1.0, 1.0], 1.0, 1.0);
        assert!(same.solve().is_none());
    }
}
