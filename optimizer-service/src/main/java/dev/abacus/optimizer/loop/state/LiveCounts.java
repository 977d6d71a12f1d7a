package dev.abacus.optimizer.loop.state;

import dev.abacus.optimizer.estimate.DocumentSizes;
import dev.abacus.optimizer.estimate.StoredAnswers;
import dev.abacus.optimizer.estimate.StoredAnswers.Remainder;
import dev.abacus.optimizer.loop.event.Arrivals;
import dev.abacus.optimizer.search.cost.Fanouts;
import dev.abacus.optimizer.search.cost.Fanouts.Fanout;
import dev.abacus.schemas.control.BatchCounts;
import dev.abacus.schemas.control.CacheCounts;
import dev.abacus.schemas.control.OperatorCounts;
import dev.abacus.schemas.control.OperatorFlow;
import dev.abacus.schemas.control.OperatorReuse;
import dev.abacus.schemas.control.QualityCounts;
import dev.abacus.schemas.control.SourceSize;
import dev.abacus.schemas.observation.ValidationExample;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.program.Aggregate;
import dev.abacus.schemas.program.BranchFields;
import dev.abacus.schemas.program.Horizon;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.StreamJoin;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Duration;
import java.util.Collection;
import java.util.DoubleSummaryStatistics;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * What workers count on live documents, as decisions use it: the counts of the latest change of a
 * ratio by more than {@link #CHANGE}, so that a decision is not made anew with each report.
 *
 * @param sizes of documents, by source
 * @param flows inputs and outputs of operators over several documents, by operator
 * @param reuse requests that the answer store answered, by operator
 * @param batches how many documents share a call, by operator and largest number. They stay in use
 *     while another implementation is active, so that plans do not alternate
 * @param caches what prompt caches took off documents, by operator and implementation. They stay in
 *     use while another implementation is active, so that plans do not alternate
 * @param judged the judge's scores of live outputs, by operator and implementation of the active
 *     plan
 * @param arrivals documents to come; null before they are counted
 */
@RecordBuilder
public record LiveCounts(
    Map<String, SourceSize> sizes,
    Map<String, OperatorFlow> flows,
    Map<String, OperatorReuse> reuse,
    Map<String, SortedMap<Integer, BatchCounts>> batches,
    Map<String, SortedMap<String, CacheCounts>> caches,
    Map<String, Map<String, QualityCounts>> judged,
    @Nullable Arrivals arrivals)
    implements LiveCountsBuilder.With {

  /** Nothing was counted: live documents are as the examples, and all batches are full. */
  static final LiveCounts NONE =
      new LiveCounts(Map.of(), Map.of(), Map.of(), Map.of(), Map.of(), Map.of(), null);

  /** Change of a ratio that counts: relative, of a part absolute. */
  private static final double CHANGE = 0.05;

  /** Growth of the number of judged outputs, or of documents to come, that counts. */
  private static final double MORE = 1.25;

  /** Before this many documents or requests, their counts say little. */
  private static final int LEAST = 20;

  /** The number of documents that a stated fan-out counts as. */
  private static final int STATED = 50;

  /** Jeffreys prior of a rate: this many requests or outputs. */
  private static final double PRIOR = 0.5;

  /** Part of the size from which batches are full: larger ones could hold more. */
  private static final double FULL = 0.9;

  /** The counts in use after reports; equal to this if they stay. */
  LiveCounts with(WorkerReports reports, Collection<ValidationExample> examples) {
    Map<String, DoubleSummaryStatistics> lengths = DocumentSizes.bySource(examples);
    Map<String, OperatorReuse> reused = reports.reuse();
    Map<String, OperatorCounts> operators = reports.operators();
    return new LiveCounts(
        renewed(sizes, reports.sizes(), (now, known) -> isNew(now, known, lengths)),
        renewed(flows, reports.flows(), LiveCounts::isNew),
        reused == null
            ? reuse
            : reused.isEmpty() ? reused : renewed(reuse, reused, LiveCounts::isNew),
        renewed(batches, operators, OperatorCounts::batches, BatchCounts::size, LiveCounts::isNew),
        renewed(
            caches,
            operators,
            OperatorCounts::cache,
            CacheCounts::implementation,
            LiveCounts::isNew),
        judged,
        arrivals);
  }

  /** The known counts, of which those are replaced that were reported anew. */
  private static <K, T> Map<K, T> renewed(
      Map<K, T> known, Map<K, T> reported, BiPredicate<T, @Nullable T> isNew) {
    Map<K, T> next = new HashMap<>(known);
    reported.forEach((key, now) -> {
      if (isNew.test(now, known.get(key))) {
        next.put(key, now);
      }
    });
    return Map.copyOf(next);
  }

  /** The same of counts by operator and a part of them. */
  private static <K extends Comparable<K>, T> Map<String, SortedMap<K, T>> renewed(
      Map<String, SortedMap<K, T>> known,
      Map<String, OperatorCounts> reported,
      Function<OperatorCounts, @Nullable T> counts,
      Function<T, K> part,
      BiPredicate<T, @Nullable T> isNew) {
    Map<String, SortedMap<K, T>> next = new HashMap<>(known);
    reported.forEach((operator, all) -> {
      T now = counts.apply(all);
      SortedMap<K, T> parts = new TreeMap<>(known.getOrDefault(operator, new TreeMap<>()));
      if (now != null && isNew.test(now, parts.get(part.apply(now)))) {
        parts.put(part.apply(now), now);
        next.put(operator, parts);
      }
    });
    return Map.copyOf(next);
  }

  private static boolean isNew(
      SourceSize now, @Nullable SourceSize known, Map<String, DoubleSummaryStatistics> lengths) {
    DoubleSummaryStatistics examples = lengths.get(now.source());
    return now.documents() >= LEAST
        && examples != null
        && examples.getAverage() > 0
        && differ(DocumentSizes.expected(examples, now), DocumentSizes.expected(examples, known));
  }

  private static boolean isNew(OperatorFlow now, @Nullable OperatorFlow known) {
    return now.inputs() >= LEAST && (known == null || differ(ratio(now), ratio(known)));
  }

  private static boolean isNew(OperatorReuse now, @Nullable OperatorReuse known) {
    double requests = known == null ? 0 : part(known.saved(), known.requests());
    double tokens = known == null ? 0 : part(known.savedTokens(), known.tokens());
    return now.requests() >= LEAST
        && (Math.abs(part(now.saved(), now.requests()) - requests) > CHANGE
            || Math.abs(part(now.savedTokens(), now.tokens()) - tokens) > CHANGE);
  }

  private static boolean isNew(BatchCounts now, @Nullable BatchCounts known) {
    return now.documents() >= LEAST
        && differ(now.mean(), known == null ? now.size() : known.mean());
  }

  private static boolean isNew(CacheCounts now, @Nullable CacheCounts known) {
    return now.documents() >= LEAST
        && (known == null || differ(1 - now.share(), 1 - known.share()));
  }

  private static boolean differ(double now, double known) {
    return Math.abs(now - known) > CHANGE * known;
  }

  private static double ratio(OperatorFlow flow) {
    return flow.outputs() / (double) flow.inputs();
  }

  private static double part(long some, long all) {
    return all == 0 ? 0 : (double) some / all;
  }

  /** The counts in use after documents were counted; equal to this if they stay. */
  LiveCounts with(Arrivals counted) {
    return arrivals == null || counted.differ(arrivals, MORE) ? withArrivals(counted) : this;
  }

  /** The number of documents that a plan is for; infinite if nobody has counted. */
  public double documents(Horizon horizon) {
    Long stated = horizon.documents();
    Duration time = horizon.time();
    return stated != null
        ? stated
        : arrivals == null || time == null ? Double.POSITIVE_INFINITY : arrivals.within(time);
  }

  /**
   * The counts in use after the judge scored more live outputs: those of the last change of their
   * number by a quarter; equal to this if they stay.
   */
  LiveCounts afterJudging(Map<String, Map<String, QualityCounts>> reported) {
    boolean isNew =
        !reported.keySet().equals(judged.keySet())
            || reported.entrySet().stream()
                .anyMatch(
                    one -> isNew(one.getValue(), judged.getOrDefault(one.getKey(), Map.of())));
    return isNew ? withJudged(reported) : this;
  }

  private static boolean isNew(Map<String, QualityCounts> now, Map<String, QualityCounts> before) {
    return !now.keySet().equals(before.keySet())
        || now.entrySet().stream()
            .anyMatch(one -> {
              QualityCounts known = before.get(one.getKey());
              long number = one.getValue().judged();
              return known == null
                  || number < known.judged()
                  || (double) number >= MORE * known.judged();
            });
  }

  /** What prompt caches took off the live documents of an operator, by implementation. */
  public SortedMap<String, CacheCounts> cachesOf(String operator) {
    return caches.getOrDefault(operator, new TreeMap<>());
  }

  /**
   * The expected number of live documents per call: fewer than it may hold if documents arrive
   * slowly. Batches of one size say how many documents wait for each other, so they tell smaller
   * sizes, and larger ones if they are not full.
   *
   * @param size the largest number of documents per call
   */
  double documentsPerCall(String operator, int size) {
    SortedMap<Integer, BatchCounts> known = batches.getOrDefault(operator, new TreeMap<>());
    BatchCounts larger = known.tailMap(size).values().stream().findFirst().orElse(null);
    if (larger != null) {
      return Math.min(size, larger.mean());
    }
    BatchCounts largest = known.values().stream().reduce((_, last) -> last).orElse(null);
    return largest == null || largest.mean() >= FULL * largest.size() ? size : largest.mean();
  }

  /**
   * The expected number of documents per call of an implementation that live documents do not fill;
   * null if they do, or if it calls for one document.
   */
  public @Nullable Double unfilled(String operator, PhysicalOperator physical) {
    int size = physical.documentsPerCall();
    double expected = size == 1 ? size : documentsPerCall(operator, size);
    return expected < (1 - CHANGE) * size ? expected : null;
  }

  /**
   * What the answer store leaves. The cost of a call grows with its tokens; saved calls take no
   * time.
   *
   * @param implementations ids of those of the active plan, by operator
   */
  StoredAnswers storedAnswers(Map<String, String> implementations) {
    Map<String, Remainder> remainders = new HashMap<>();
    reuse.forEach((operator, counts) -> {
      if (counts.saved() > 0) {
        double requests = counts.requests() + 2 * PRIOR;
        double calls = (counts.requests() - counts.saved() + PRIOR) / requests;
        double tokens = 1 - part(counts.savedTokens(), counts.tokens());
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

  /**
   * The numbers of outputs of operators that samples do not tell it of. Live documents replace a
   * stated fan-out as they come.
   *
   * @param selectivity mean number of outputs of an operator in the plan that was counted
   */
  Fanouts fanouts(Program program, ToDoubleFunction<LogicalOperator> selectivity) {
    Map<String, Fanout> measured = new HashMap<>();
    for (LogicalOperator operator : program.operators()) {
      OperatorFlow flow = flows.get(operator.id());
      if (flow != null && operator.hasFanout()) {
        Double stated = operator.fanout();
        double weight = stated == null ? 0 : STATED;
        double inputs = weight + flow.inputs() / windows(operator);
        double outputs = (stated == null ? 0 : weight * stated) + flow.outputs();
        double scale = 1 / partners(operator, program, new Fanouts(measured), selectivity);
        measured.put(
            operator.id(),
            new Fanout(scale * outputs / inputs, scale * Math.sqrt(outputs + PRIOR) / inputs));
      }
    }
    return new Fanouts(measured);
  }

  /** An aggregate counts a document in each of its windows. */
  private static double windows(LogicalOperator operator) {
    return operator instanceof Aggregate aggregate ? aggregate.window().windowsPerDocument() : 1;
  }

  /**
   * The share of the second input's documents that reach a join. The cost model multiplies pairs by
   * it, and the counted pairs already contain it.
   */
  private static double partners(
      LogicalOperator operator,
      Program program,
      Fanouts fanouts,
      ToDoubleFunction<LogicalOperator> selectivity) {
    if (!(operator instanceof StreamJoin join)) {
      return 1;
    }
    List<LogicalOperator> all = program.operators();
    Set<String> right = new HashSet<>(BranchFields.upstream(join.inputs().get(1), all));
    right.removeAll(BranchFields.upstream(join.inputs().getFirst(), all));
    double share = 1;
    for (LogicalOperator other : all) {
      if (right.contains(other.id())) {
        share *= selectivity.applyAsDouble(other) * fanouts.of(other).mean();
      }
    }
    return share > 0 ? share : 1;
  }
}
