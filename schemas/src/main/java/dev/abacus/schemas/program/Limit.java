package dev.abacus.schemas.program;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Emits the first documents and drops the rest (paper, Table 1: λ). The count is exact over all
 * partitions and restarts.
 *
 * @param count number of documents; at least 1
 * @param window the limit applies to each window of this length; null means to the whole stream
 * @param fanout expected number of passed documents per document, in (0, 1]; null if unknown
 */
@JsonPropertyOrder("limit")
public record Limit(
    String id,
    String input,
    @JsonProperty("limit") long count,
    @Nullable Duration window,
    @Nullable Double fanout)
    implements LogicalOperator {

  /** A limit with an unknown fan-out. */
  public Limit(String id, String input, long count, @Nullable Duration window) {
    this(id, input, count, window, null);
  }

  public Limit {
    if (count < 1) {
      throw new IllegalArgumentException("limit '" + id + "' must be at least 1");
    }
    if (window != null && !window.isPositive()) {
      throw new IllegalArgumentException("the window of limit '" + id + "' must be above 0");
    }
    Fanout.requireAtMostOne(fanout, id);
  }

  @Override
  public List<String> reads() {
    return List.of();
  }

  @Override
  public Outputs outputs() {
    return Outputs.AT_MOST_ONE;
  }

  @Override
  public boolean isAboutOneDocument() {
    return true;
  }

  @Override
  public boolean isSemantic() {
    return false;
  }

  @Override
  public boolean isPerDocument() {
    return false;
  }

  @Override
  public Limit withInputs(List<String> inputs) {
    return new Limit(id, inputs.getFirst(), count, window, fanout);
  }

  @Override
  public String kind() {
    return "limit";
  }
}
