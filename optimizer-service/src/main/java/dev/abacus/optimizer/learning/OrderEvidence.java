package dev.abacus.optimizer.learning;

import dev.abacus.optimizer.learning.FilterRecord.Explored;
import dev.abacus.schemas.plan.LearnedOrder;
import dev.abacus.schemas.plan.Quantiles;
import dev.abacus.schemas.plan.Range;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What orders of filters cost, by the documents that all of them were asked about. Nothing is
 * assumed of how their answers depend on each other. The order of each document follows from
 * probabilities that were fitted without it. It is compared with the best order that is equal for
 * all, found on the same documents, so that the gain is not overstated.
 *
 * @param calls mean cost of a call by filter in USD
 * @param gain what a document costs less with its own order, audits paid, with an interval that
 *     holds whenever one looks
 * @param predicted what it costs
 * @param latest number of answers of all filters before the latest document
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record OrderEvidence(double[] calls, Range gain, LearnedOrder.Prediction predicted, long latest) {

  /** Fewer documents show nothing. */
  private static final int LEAST = 30;

  /**
   * The evidence of the documents that all filters have answered.
   *
   * @param audit share of the documents whose filters are all asked
   * @param since number of answers of all filters, before which documents do not count: they were
   *     foreseen by worse fits
   * @return null if they are too few
   */
  static @Nullable OrderEvidence of(List<AnswerLearner> filters, double audit, long since) {
    List<FilterRecord> records = filters.stream().map(AnswerLearner::record).toList();
    Set<String> documents = new LinkedHashSet<>(records.getFirst().explored().keySet());
    records.forEach(record -> documents.retainAll(record.explored().keySet()));
    Explored[][] rows =
        documents.stream()
            .map(document ->
                records.stream()
                    .map(record -> record.explored().get(document))
                    .toArray(Explored[]::new))
            .filter(row -> Arrays.stream(row).noneMatch(one -> Double.isNaN(one.chance())))
            .filter(row -> answers(row) >= since)
            .toArray(Explored[][]::new);
    return rows.length < LEAST ? null : of(rows, audit);
  }

  private static long answers(Explored[] row) {
    return Arrays.stream(row).mapToLong(Explored::answers).sum();
  }

  private static OrderEvidence of(Explored[][] rows, double audit) {
    int number = rows.length;
    double[][] costs = new double[number][];
    boolean[][] passes = new boolean[number][rows[0].length];
    double[] calls = new double[rows[0].length];
    for (int i = 0; i < number; i++) {
      costs[i] = Arrays.stream(rows[i]).mapToDouble(one -> one.free() ? 0 : one.cost()).toArray();
      for (int j = 0; j < calls.length; j++) {
        passes[i][j] = rows[i][j].passed();
        calls[j] += rows[i][j].cost() / number;
      }
    }
    List<Integer> best = LearnedOrder.fixed(costs, passes);
    double[] fixed = new double[number];
    double[] learned = new double[number];
    for (int i = 0; i < number; i++) {
      Explored[] row = rows[i];
      fixed[i] = LearnedOrder.cost(best, costs[i], passes[i]);
      List<Integer> own =
          LearnedOrder.order(
              IntStream.range(0, row.length)
                  .mapToDouble(j -> row[j].free() ? 0 : calls[j])
                  .toArray(),
              Arrays.stream(row).mapToDouble(Explored::chance).toArray());
      learned[i] =
          audit * Arrays.stream(row).mapToDouble(Explored::cost).sum()
              + (1 - audit) * LearnedOrder.cost(own, costs[i], passes[i]);
    }
    double[] gains = IntStream.range(0, number).mapToDouble(i -> fixed[i] - learned[i]).toArray();
    return new OrderEvidence(
        calls,
        mean(gains, AgreementChecks.deviations(number)),
        new LearnedOrder.Prediction(
            cost(learned, calls, audit), Arrays.stream(fixed).sum() / number, number),
        answers(rows[number - 1]));
  }

  /**
   * The mean cost. Few documents meet many filters, so those at hand may lack them: the interval is
   * that with two more documents, the dearest and the cheapest that there can be (as Agresti and
   * Coull 1998 for a share).
   */
  private static Range cost(double[] learned, double[] calls, double audit) {
    double all = Arrays.stream(calls).sum();
    double least = audit * all + (1 - audit) * Arrays.stream(calls).min().orElse(0);
    double[] careful =
        DoubleStream.concat(Arrays.stream(learned), DoubleStream.of(all, least)).toArray();
    Range interval = mean(careful, Quantiles.student(careful.length - 1));
    return Range.within(
        Arrays.stream(learned).sum() / learned.length,
        Objects.requireNonNull(interval.low()),
        Objects.requireNonNull(interval.high()),
        0,
        Double.MAX_VALUE);
  }

  static Range mean(double[] values, double deviations) {
    return Range.ofMean(
        values.length,
        Arrays.stream(values).sum(),
        Arrays.stream(values).map(value -> value * value).sum(),
        deviations);
  }

  /** Whether it is shown that documents cost less. */
  boolean pays() {
    return gain.low() != null && gain.low() > 0;
  }

  /** Whether they may still cost less. */
  boolean mayPay() {
    return gain.high() != null && gain.high() > 0;
  }
}
