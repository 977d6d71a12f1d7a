package dev.abacus.optimizer.loop.state;

import dev.abacus.optimizer.estimate.StoredAnswers;
import dev.abacus.optimizer.estimate.StoredAnswers.Remainder;
import dev.abacus.schemas.control.OperatorReuse;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The answer store's part in the requests for live documents. A decision uses the counts of the
 * latest change of a part by more than {@link #CHANGE}, so that it is not made anew with each
 * report.
 */
final class LiveReuse {

  /** Change of the saved part of the requests or of the tokens that counts. */
  private static final double CHANGE = 0.05;

  /** Before this many requests, the saved ones say little. */
  private static final int LEAST_REQUESTS = 20;

  /** Jeffreys prior of a rate: this many requests. */
  private static final double PRIOR = 0.5;

  private Map<String, OperatorReuse> used = Map.of();

  /**
   * Takes the present counts; returns whether {@link #byOperator} has changed.
   *
   * @param reported by operator, over all instances; empty if no instance has an answer store, null
   *     if there are no counts
   */
  boolean update(@Nullable Map<String, OperatorReuse> reported) {
    if (reported == null) {
      return false;
    }
    Map<String, OperatorReuse> next = reported.isEmpty() ? new HashMap<>() : new HashMap<>(used);
    reported.values().stream()
        .filter(reuse -> reuse.requests() >= LEAST_REQUESTS && isNew(reuse))
        .forEach(reuse -> next.put(reuse.operator(), reuse));
    boolean changed = !next.equals(used);
    used = Map.copyOf(next);
    return changed;
  }

  private boolean isNew(OperatorReuse reuse) {
    OperatorReuse before = used.get(reuse.operator());
    double requests = before == null ? 0 : saved(before.saved(), before.requests());
    double tokens = before == null ? 0 : saved(before.savedTokens(), before.tokens());
    return Math.abs(saved(reuse.saved(), reuse.requests()) - requests) > CHANGE
        || Math.abs(saved(reuse.savedTokens(), reuse.tokens()) - tokens) > CHANGE;
  }

  private static double saved(long part, long all) {
    return all == 0 ? 0 : (double) part / all;
  }

  /** The counts that decisions use, by operator. */
  Map<String, OperatorReuse> byOperator() {
    return used;
  }

  /**
   * What remains by these counts. The cost of a call grows with its tokens; saved calls take no
   * time.
   *
   * @param implementations ids of those of the active plan, by operator
   */
  static StoredAnswers of(Map<String, OperatorReuse> counts, Map<String, String> implementations) {
    Map<String, Remainder> remainders = new HashMap<>();
    counts.forEach((operator, reuse) -> {
      if (reuse.saved() > 0) {
        double requests = reuse.requests() + 2 * PRIOR;
        double calls = (reuse.requests() - reuse.saved() + PRIOR) / requests;
        double tokens = 1 - saved(reuse.savedTokens(), reuse.tokens());
        remainders.put(
            operator,
            new Remainder(
                implementations.get(operator),
                Math.max(tokens, PRIOR / requests),
                calls,
                Math.sqrt((1 - calls) / (calls * requests))));
      }
    });
    return new StoredAnswers(remainders);
  }
}
