package dev.abacus.schemas.program;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Emits the first documents and drops the rest (paper, Table 1: λ). The count is exact over all
 * partitions and restarts. First are those that arrive first, or with an order those of least rank
 * in each window, which it emits when the window closes.
 *
 * @param count number of documents; at least 1
 * @param window the limit applies to each window of this length; null means to the whole stream
 * @param order fields that rank the documents, the most important one first; empty for arrival
 * @param grace how long after its end a window accepts late documents; null for none. Only with an
 *     order, because without one no window closes
 * @param fanout expected number of passed documents per document, in (0, 1]; null if unknown
 */
@JsonPropertyOrder("limit")
public record Limit(
    String id,
    String input,
    @JsonProperty("limit") long count,
    @Nullable Duration window,
    List<SortField> order,
    @Nullable Duration grace,
    @Nullable Double fanout)
    implements LogicalOperator {

  public Limit {
    order = List.copyOf(order);
    if (count < 1) {
      throw new IllegalArgumentException("limit '" + id + "' must be at least 1");
    }
    if (window != null && !window.isPositive()) {
      throw new IllegalArgumentException("the window of limit '" + id + "' must be above 0");
    }
    if (window == null && !order.isEmpty()) {
      throw new IllegalArgumentException(
          "'order' of limit '%s' needs a 'window': the first of all documents are known when a window closes"
              .formatted(id));
    }
    if (grace != null && (order.isEmpty() || grace.isNegative())) {
      throw new IllegalArgumentException(
          "'grace' of limit '%s' takes 'order' as well, and must not be negative".formatted(id));
    }
    Fanout.requireAtMostOne(fanout, id);
  }

  /** Whether it waits until a window closes, because the documents have an order. */
  public boolean isOrdered() {
    return !order.isEmpty();
  }

  /** The tumbling window of an order. */
  public Window.Tumbling orderWindow() {
    if (window == null) {
      throw new IllegalStateException("limit '" + id + "' has no window");
    }
    return new Window.Tumbling(window, grace == null ? Duration.ZERO : grace);
  }

  /**
   * Whether it passes the same documents on either side of an operator: the operator has one output
   * per document and does not write what orders them.
   */
  public boolean mayPass(LogicalOperator operator) {
    return operator.isOneToOne()
        && order.stream().noneMatch(field -> operator.writtenFields().contains(field.name()));
  }

  @Override
  public List<String> reads() {
    return order.stream().map(SortField::name).toList();
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
    return new Limit(id, inputs.getFirst(), count, window, order, grace, fanout);
  }
}
