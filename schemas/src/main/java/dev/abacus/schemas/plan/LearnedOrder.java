package dev.abacus.schemas.plan;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Merge;
import dev.abacus.schemas.program.SemanticFilter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The order in which a document meets adjacent filters. It follows from the embedding of the
 * document and travels in the plan, so that a document has the same order after a crash. Filters do
 * not change documents, so every order keeps the same ones.
 *
 * <p>Filters are sorted by the cost of a call ÷ the probability that it drops the document
 * (Hellerstein and Stonebraker 1993), which is the cheapest order if their answers are independent
 * given the embedding. That the probability depends on the document is from Larch (arXiv
 * 2606.07923).
 *
 * @param embedder name of the embedding model
 * @param audit share of the documents that all filters are asked about, whatever the others say, in
 *     (0, 1): they show what each order costs
 * @param answers number of answers that the probabilities were learnt from
 * @param filters what the order follows from, by operator
 * @param predicted null if documents meet the filters in the order of the plan, and the audited
 *     ones show whether another order pays
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record LearnedOrder(
    String embedder,
    double audit,
    long answers,
    Map<String, Chance> filters,
    @Nullable Prediction predicted) {

  /** The best fixed order is found among all, of which more filters have too many. */
  public static final int MOST_FILTERS = 8;

  /** What a filter that passes every document counts as dropping. */
  private static final double LEAST_DROPPED = 1e-6;

  /**
   * The probability that a filter passes a document.
   *
   * @param question identifies operator and implementation ({@code LiveAnswer.question})
   * @param cost mean of a call in USD
   * @param classifier gives {@code true} the probability of passing
   */
  public record Chance(String question, double cost, TrainedClassifier classifier) {}

  /**
   * What documents cost, by those that all filters were asked about.
   *
   * @param cost USD per document that meets the filters, audits included, with its 95 % interval
   * @param fixed the same of the best order that is equal for all documents, without audits
   * @param documents number of audited documents
   */
  public record Prediction(Range cost, double fixed, int documents) {

    /** Cost ÷ that of the best fixed order. */
    public double ratio() {
      return cost.mean() / fixed;
    }
  }

  public LearnedOrder {
    filters = Collections.unmodifiableMap(new TreeMap<>(filters));
    if (!(audit > 0 && audit < 1) || filters.size() < 2) {
      throw new IllegalArgumentException(
          "an order of %d filters, of which a share of %s of the documents shows all; expected two filters and more, and a share in (0, 1)"
              .formatted(filters.size(), audit));
    }
  }

  /** What is learnt, as a clause. */
  public String describe() {
    return predicted == null
        ? "%s of the documents meet all %d filters, to learn their order"
            .formatted(audit, filters.size())
        : String.format(
            Locale.ROOT,
            "the order of %d filters, %.2f of the cost of the best fixed one on %d audited documents",
            filters.size(),
            predicted.ratio(),
            predicted.documents());
  }

  /** Of all filters: an order of other prompts or models is another one. */
  public Set<String> questions() {
    return filters.values().stream().map(Chance::question).collect(Collectors.toSet());
  }

  /**
   * Whether a document may meet an operator earlier or later among its neighbours: a filter without
   * a condition in code.
   */
  public static boolean mayMove(LogicalOperator operator) {
    return operator instanceof SemanticFilter filter && filter.where() == null;
  }

  /**
   * The adjacent filters of a plan whose order may follow from the document: two to {@value
   * #MOST_FILTERS} side by side, before any operator that sees several documents or makes several
   * outputs of one, in a program without branches.
   */
  public static List<List<PlanStep>> runs(List<PlanStep> steps) {
    List<List<PlanStep>> runs = new ArrayList<>();
    if (steps.stream().anyMatch(step -> step.logical() instanceof Merge)) {
      return runs;
    }
    List<PlanStep> run = new ArrayList<>();
    for (PlanStep step : steps) {
      if (!step.logical().isPerDocument() || step.logical().outputs().mayBeSeveral()) {
        break;
      }
      if (mayMove(step.logical())) {
        run.add(step);
      } else {
        runs.add(List.copyOf(run));
        run.clear();
      }
    }
    runs.add(List.copyOf(run));
    runs.removeIf(one -> one.size() < 2 || one.size() > MOST_FILTERS);
    return runs;
  }

  /**
   * The order of filters for a document.
   *
   * @param costs of a call of each filter in USD; 0 if a classifier answers
   * @param chances of each to pass the document
   * @return their indices; equal ones stay as they are
   */
  public static List<Integer> order(double[] costs, double[] chances) {
    return IntStream.range(0, costs.length)
        .boxed()
        .sorted(Comparator.comparingDouble(i -> costs[i] / Math.max(LEAST_DROPPED, 1 - chances[i])))
        .toList();
  }

  /**
   * What a document costs in an order: the calls up to the first filter that drops it.
   *
   * @param costs of each filter for the document
   * @param passes whether each passes it
   */
  public static double cost(List<Integer> order, double[] costs, boolean[] passes) {
    double cost = 0;
    for (int filter : order) {
      cost += costs[filter];
      if (!passes[filter]) {
        break;
      }
    }
    return cost;
  }

  /**
   * The cheapest order that is equal for all documents, whose answers are known: a shortest path
   * over sets of filters. What a filter costs after others depends on which documents pass all of
   * them, not on their order.
   *
   * @param costs by document, then filter
   * @param passes by document, then filter
   */
  public static List<Integer> fixed(double[][] costs, boolean[][] passes) {
    int filters = costs[0].length;
    int[] passed =
        Arrays.stream(passes)
            .mapToInt(row -> IntStream.range(0, filters).map(i -> row[i] ? 1 << i : 0).sum())
            .toArray();
    double[] least = new double[1 << filters];
    Arrays.fill(least, 1, least.length, Double.POSITIVE_INFINITY);
    List<List<Integer>> best = new ArrayList<>(Collections.nCopies(least.length, List.of()));
    for (int met = 0; met < least.length; met++) {
      for (int next = 0; next < filters; next++) {
        int then = met | 1 << next;
        double cost = least[met];
        for (int i = 0; then != met && i < passed.length; i++) {
          cost += (passed[i] & met) == met ? costs[i][next] : 0;
        }
        if (then != met && cost < least[then]) {
          least[then] = cost;
          best.set(then, Stream.concat(best.get(met).stream(), Stream.of(next)).toList());
        }
      }
    }
    return best.getLast();
  }
}
