package dev.abacus.optimizer.search.cascades;

import dev.abacus.optimizer.search.memo.ProgramGraph;
import java.util.Arrays;

/**
 * The part of their latency that the operators of a chain count with. Of two sides, the longer one
 * counts. It is at least {@code w · left + (1 − w) · right} for any weight {@code w} in [0, 1], a
 * sum in which each operator has a share.
 *
 * @param weights by position of a join or merge: the weight of its left side
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Parts(ProgramGraph graph, double[] weights) {

  /** Both sides count with one half. */
  static Parts halves(ProgramGraph graph) {
    double[] weights = new double[graph.operators().size()];
    Arrays.fill(weights, 0.5);
    return new Parts(graph, weights);
  }

  /** With another weight of the left side of a join or merge. */
  Parts with(int position, double weight) {
    double[] changed = weights.clone();
    changed[position] = weight;
    return new Parts(graph, changed);
  }

  /** The weight of the left side among two sides that form a chain number. */
  double left(int chain) {
    return weights[ProgramGraph.divider(chain)];
  }

  /** The share of the operators of a chain. */
  double share(int chain) {
    if (chain == ProgramGraph.MAIN) {
      return 1;
    }
    int divider = ProgramGraph.divider(chain);
    double both = share(graph.chainOf(divider));
    if (chain == ProgramGraph.left(divider)) {
      return both * weights[divider];
    }
    return chain == ProgramGraph.right(divider) ? both * (1 - weights[divider]) : both;
  }

  /** The share of each operator, by position. */
  double[] shares() {
    double[] shares = new double[weights.length];
    for (int position = 0; position < shares.length; position++) {
      shares[position] = share(graph.chainOf(position));
    }
    return shares;
  }
}
