package dev.abacus.schemas.control;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.abacus.schemas.catalogue.TokenCounts;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * What an instance of the data plane spent for a program in one hour. A record on the spending
 * topic, with the header {@link dev.abacus.schemas.kafka.Headers#BILL}; a later record of the same
 * instance and hour replaces it. Amounts are in billionths of a USD, so that sums are exact.
 *
 * @param instance unique name of the process and its start
 * @param hour number of full hours since 1970
 * @param documents live documents that plans have finished: results, dropped ones, dead letters
 * @param results live results
 * @param storeSavedNanoUsd what the calls had cost that the answer store saved
 * @param receiptsSavedNanoUsd what the calls had cost that receipts saved after a crash or in a
 *     replay
 */
public record BillRecord(
    String program,
    String instance,
    long hour,
    List<Line> lines,
    long documents,
    long results,
    long storeSavedNanoUsd,
    long receiptsSavedNanoUsd) {

  /**
   * Calls of one kind.
   *
   * @param operator id of the operator, or name of the reference; empty if unknown
   * @param purpose such as {@code live} or {@code judge}
   * @param calls attempts, failed ones included
   * @param nanoUsd paid
   * @param cacheSavedNanoUsd what the prompt caches of endpoints saved, at the prices of the
   *     standard tier
   * @param tierSavedNanoUsd what the service tier saved of the rest; below 0 if it is dearer
   */
  public record Line(
      String operator,
      String model,
      String purpose,
      long calls,
      TokenCounts tokens,
      long nanoUsd,
      long cacheSavedNanoUsd,
      long tierSavedNanoUsd) {

    /** USD paid. */
    @JsonIgnore
    public double usd() {
      return nanoUsd / 1e9;
    }

    /** Adds calls of the same kind. */
    public Line plus(Line other) {
      return new Line(
          operator,
          model,
          purpose,
          calls + other.calls,
          tokens.plus(other.tokens),
          nanoUsd + other.nanoUsd,
          cacheSavedNanoUsd + other.cacheSavedNanoUsd,
          tierSavedNanoUsd + other.tierSavedNanoUsd);
    }
  }

  public BillRecord {
    lines = List.copyOf(lines);
  }

  /** The key of the record. */
  @JsonIgnore
  public byte[] key() {
    return "%s/%s/%d".formatted(program, instance, hour).getBytes(StandardCharsets.UTF_8);
  }

  /** USD paid. */
  @JsonIgnore
  public double usd() {
    return lines.stream().mapToLong(Line::nanoUsd).sum() / 1e9;
  }
}
