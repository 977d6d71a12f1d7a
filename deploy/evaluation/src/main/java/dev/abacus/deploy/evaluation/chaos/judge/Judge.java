package dev.abacus.deploy.evaluation.chaos.judge;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Judges a history by the guarantees of docs/guarantees.md.
 *
 * @param shapes what each program must do, by name
 * @param limits time and money that the guarantees allow
 */
public record Judge(Map<String, Shape> shapes, Limits limits) {

  public Judge {
    shapes = Map.copyOf(shapes);
  }

  /**
   * Time and money that the guarantees allow.
   *
   * @param staleMillis an ended epoch may be stamped this long after the activation of the next
   * @param inFlightMillis a call that was answered at most this long before the kill of its worker
   *     counts as in flight at the kill
   * @param outageMillis time after the kill of a broker in which Kafka may not acknowledge
   *     receipts: a call that was answered then counts as in flight too if its worker is killed
   *     then
   * @param repeatedShare share of answers that may be paid for twice because of kills
   * @param inFlight documents in flight over all workers: the calls that an outage may move into
   *     the next window of a cap
   * @param openCalls calls and receipts that are not acknowledged, per worker
   * @param silenceMillis longest time without a result of a partition in undisturbed operation
   * @param takeoverMillis time that a takeover after a kill or a stop may take in addition
   * @param caps spending caps by program
   * @param draws what programs draw of their documents
   */
  public record Limits(
      long staleMillis,
      long inFlightMillis,
      long outageMillis,
      double repeatedShare,
      int inFlight,
      int openCalls,
      long silenceMillis,
      long takeoverMillis,
      Map<String, Cap> caps,
      Map<String, Draw> draws) {

    public Limits {
      caps = Map.copyOf(caps);
      draws = Map.copyOf(draws);
    }
  }

  /** A spending cap in USD per window; windows start at multiples of their length. */
  public record Cap(double usd, long windowMillis) {}

  /**
   * What a program draws of its documents.
   *
   * @param share of the documents that the search also runs beside the plan
   * @param labels most requests for labels
   */
  public record Draw(double share, int labels) {}

  /** Returns one verdict per guarantee that a program is about. */
  public List<Verdict> judge(History history) {
    List<Verdict> verdicts = new ArrayList<>(new Delivery(shapes).judge(history));
    verdicts.addAll(new Epochs(limits.staleMillis()).judge(history));
    verdicts.addAll(new Payments(limits).judge(history));
    verdicts.add(new Draws(limits.draws()).judge(history));
    verdicts.add(new Silence(this).judge(history));
    verdicts.removeIf(verdict -> !concernsAProgram(verdict.guarantee()));
    return verdicts;
  }

  private boolean concernsAProgram(String guarantee) {
    return switch (guarantee) {
      case "limits exact" -> shapes.values().stream().anyMatch(Shape.Limited.class::isInstance);
      case "order per key" ->
          shapes.values().stream()
              .anyMatch(shape -> shape instanceof Shape.PerDocument each && !each.isMany());
      case "silence of partitions" -> shapes.keySet().stream().anyMatch(this::isSilenceJudged);
      case "spending caps" -> !limits.caps().isEmpty();
      case "drawn as set" -> !limits.draws().isEmpty();
      case "no mix of epochs", "own answers", "no stale epochs" ->
          !shapes.values().stream().allMatch(Shape.Aggregated.class::isInstance);
      default -> true;
    };
  }

  /** Whether the partitions of a program always have results: a cap pauses them. */
  boolean isSilenceJudged(String program) {
    return Shape.PerDocument.one().equals(shapes.get(program))
        && !limits.caps().containsKey(program);
  }

  /** Returns the verdict on outputs that have not arrived, with examples. */
  public Verdict missing(History history) {
    return new Delivery(shapes).judge(history).getFirst();
  }
}
