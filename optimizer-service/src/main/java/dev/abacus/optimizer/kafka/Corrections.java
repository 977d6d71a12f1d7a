package dev.abacus.optimizer.kafka;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.abacus.schemas.kafka.RecordPosition;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The corrected results of one program: those that wait, and those that became examples. */
final class Corrections {

  /** Corrected results per turn, so that reading their documents does not delay a turn for long. */
  private static final int MOST_PER_TURN = 10;

  /** Corrected results to make examples of, by id of the example. */
  private final LinkedHashMap<String, CorrectedResult> waiting = new LinkedHashMap<>();

  /** Positions of corrected results that examples were made of, by id of the example. */
  private final Map<String, RecordPosition> examples = new HashMap<>();

  private int refused;
  private @Nullable String lastRefusal;

  /**
   * What the status record says of corrected results.
   *
   * @param topic where users send them
   * @param examples number of documents whose corrected results are validation examples
   * @param refused number of records on the topic that cannot be used
   * @param lastRefusal the reason of the last of them; null if there is none
   * @param nextRound number of corrected results that are missing for a new round of sampling
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Status(
      String topic, int examples, int refused, @Nullable String lastRefusal, int nextRound) {}

  /** Takes in a corrected result, which waits behind the others. */
  void add(CorrectedResult result) {
    waiting.putLast(result.exampleId(), result);
  }

  /** Ends the wait of a corrected result. */
  void done(CorrectedResult result) {
    waiting.remove(result.exampleId());
  }

  /** Takes in that an example was made of the corrected result at this position. */
  void isExample(String exampleId, RecordPosition position) {
    examples.put(exampleId, position);
  }

  /** Counts a corrected result that cannot be used. */
  void refused(String reason) {
    refused++;
    lastRefusal = reason;
  }

  /** Number of examples that were made of corrected results. */
  int examples() {
    return examples.size();
  }

  /** The next corrected results without an example. */
  List<CorrectedResult> next() {
    waiting
        .values()
        .removeIf(result -> {
          RecordPosition position = examples.get(result.exampleId());
          return position != null && result.isIn(position);
        });
    return waiting.values().stream().limit(MOST_PER_TURN).toList();
  }

  Status status(String topic, int nextRound) {
    return new Status(topic, examples.size(), refused, lastRefusal, nextRound);
  }
}
