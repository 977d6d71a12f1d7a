package dev.abacus.optimizer.learned;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;

/**
 * Limited-memory BFGS (Nocedal and Wright, <em>Numerical Optimization</em>, algorithm 7.5) with
 * step halving, for smooth convex functions. Single-threaded and without randomness: the same
 * function yields the same minimum, bit for bit.
 */
final class LbfgsMinimizer {

  /** A function to minimize. */
  @FunctionalInterface
  interface Function {

    /** Returns the value at a point and writes the gradient there. */
    double at(double[] point, double[] gradient);
  }

  private static final int MEMORY = 8;
  private static final int MAX_STEPS = 100;
  private static final int MAX_HALVINGS = 40;
  private static final double SUFFICIENT_DECREASE = 1e-4;

  /** Relative decrease of the value at which the search stops; far below the effect of noise. */
  private static final double TOLERANCE = 1e-5;

  /** A step, the change of the gradient along it, and the product of the two. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Curvature(double[] step, double[] change, double product) {}

  private final Function function;
  private final Deque<Curvature> memory = new ArrayDeque<>();

  private LbfgsMinimizer(Function function) {
    this.function = function;
  }

  /** Minimizes a function from a starting point. */
  static double[] minimize(Function function, double[] start) {
    return new LbfgsMinimizer(function).run(start);
  }

  private double[] run(double[] start) {
    double[] point = start;
    double[] gradient = new double[point.length];
    double value = function.at(point, gradient);
    for (int step = 0; step < MAX_STEPS; step++) {
      double[] direction = direction(gradient);
      double slope = dot(direction, gradient);
      double length = memory.isEmpty() ? Math.min(1, 1 / Math.sqrt(dot(gradient, gradient))) : 1;
      double[] next = new double[point.length];
      double[] nextGradient = new double[point.length];
      double nextValue = value;
      int halvings = 0;
      do {
        add(point, length, direction, next);
        nextValue = function.at(next, nextGradient);
        length /= 2;
      } while (!(nextValue <= value + SUFFICIENT_DECREASE * 2 * length * slope)
          && ++halvings < MAX_HALVINGS);
      if (!(nextValue < value)) {
        return point;
      }
      remember(point, next, gradient, nextGradient);
      boolean converged = value - nextValue <= TOLERANCE * Math.abs(value);
      point = next;
      gradient = nextGradient;
      value = nextValue;
      if (converged) {
        return point;
      }
    }
    return point;
  }

  private void remember(double[] point, double[] next, double[] gradient, double[] nextGradient) {
    double[] step = new double[point.length];
    double[] change = new double[point.length];
    add(next, -1, point, step);
    add(nextGradient, -1, gradient, change);
    double product = dot(step, change);
    if (product > 0) {
      memory.addLast(new Curvature(step, change, product));
      if (memory.size() > MEMORY) {
        memory.removeFirst();
      }
    }
  }

  /** The quasi-Newton direction by the two-loop recursion. */
  private double[] direction(double[] gradient) {
    double[] direction = gradient.clone();
    double[] factors = new double[memory.size()];
    int i = memory.size();
    Iterator<Curvature> backwards = memory.descendingIterator();
    while (backwards.hasNext()) {
      Curvature seen = backwards.next();
      factors[--i] = dot(seen.step(), direction) / seen.product();
      add(direction, -factors[i], seen.change(), direction);
    }
    double scale =
        memory.isEmpty()
            ? 1
            : memory.getLast().product()
                / dot(memory.getLast().change(), memory.getLast().change());
    for (int j = 0; j < direction.length; j++) {
      direction[j] *= -scale;
    }
    for (Curvature seen : memory) {
      // The sign is reversed because the direction is already negated.
      double factor = -factors[i++] - dot(seen.change(), direction) / seen.product();
      add(direction, factor, seen.step(), direction);
    }
    return direction;
  }

  private static double dot(double[] a, double[] b) {
    double sum = 0;
    for (int i = 0; i < a.length; i++) {
      sum += a[i] * b[i];
    }
    return sum;
  }

  private static void add(double[] a, double factor, double[] b, double[] sum) {
    for (int i = 0; i < a.length; i++) {
      sum[i] = a[i] + factor * b[i];
    }
  }
}
