package dev.abacus.schemas.program.aggregate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.program.Computation;
import dev.abacus.schemas.program.Computation.Function;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The intermediate result of a relational aggregate. Sums are exact decimals, so the order of the
 * documents does not matter.
 *
 * @param count number of documents that have the field
 * @param value the sum, minimum or maximum; null if no document has the field, or the function
 *     needs no value
 */
public record Accumulator(long count, @Nullable BigDecimal value) {

  /** The accumulator of no documents. */
  public static final Accumulator EMPTY = new Accumulator(0, null);

  /** Maximum digits before and after the decimal point, which bounds the memory of a sum. */
  private static final int MOST_DIGITS = 400;

  /** Adds a document. */
  public Accumulator plus(Computation computation, Document document) {
    if (computation.field() == null) {
      return new Accumulator(count + 1, null);
    }
    JsonNode field = document.get(computation.field());
    if (field.isMissingNode() || field.isNull()) {
      return this;
    }
    BigDecimal number = needsNumber(computation) ? field.decimalValue() : null;
    return plus(computation, new Accumulator(1, number));
  }

  /** Adds another accumulator of the same computation. */
  public Accumulator plus(Computation computation, Accumulator other) {
    return new Accumulator(count + other.count, joined(computation.function(), other.value));
  }

  private @Nullable BigDecimal joined(Function function, @Nullable BigDecimal other) {
    if (value == null || other == null) {
      return value == null ? other : value;
    }
    return switch (function) {
      case SUM, AVG -> value.add(other);
      case MIN -> value.min(other);
      case MAX -> value.max(other);
      case COUNT, LIST, DISTINCT -> null;
    };
  }

  /**
   * The value for the document of the group; JSON null if no document had the field. Not for
   * functions that need members.
   */
  public JsonNode result(Computation computation) {
    JsonNodeFactory json = JsonNodeFactory.instance;
    return switch (computation.function()) {
      case COUNT -> json.numberNode(count);
      case SUM -> GroupKey.number(value == null ? BigDecimal.ZERO : value);
      case MIN, MAX -> value == null ? json.nullNode() : GroupKey.number(value);
      case AVG ->
          value == null
              ? json.nullNode()
              : GroupKey.number(value.divide(BigDecimal.valueOf(count), MathContext.DECIMAL64));
      case LIST, DISTINCT ->
          throw new IllegalArgumentException(computation.label() + " is not accumulated");
    };
  }

  /** Why a document cannot be aggregated; null if it can. */
  public static @Nullable String problem(Computation computation, Document document) {
    if (!needsNumber(computation)) {
      return null;
    }
    String name = Objects.requireNonNull(computation.field());
    JsonNode field = document.get(name);
    if (field.isMissingNode() || field.isNull()) {
      return null;
    }
    if (!field.isNumber()) {
      String text = field.toString();
      return "%s needs a number, but '%s' is %s"
          .formatted(
              computation.label(), name, text.length() > 100 ? text.substring(0, 100) + "…" : text);
    }
    BigDecimal number = field.decimalValue();
    long digits = (long) number.precision() - number.scale();
    boolean fits =
        Math.abs(digits) <= MOST_DIGITS && Math.abs((long) number.scale()) <= MOST_DIGITS;
    return fits || number.signum() == 0
        ? null
        : "%s cannot take a number with so many digits in '%s'"
            .formatted(computation.label(), name);
  }

  private static boolean needsNumber(Computation computation) {
    return switch (computation.function()) {
      case SUM, AVG, MIN, MAX -> true;
      case COUNT, LIST, DISTINCT -> false;
    };
  }

  /** The JSON that {@link #read} reads. */
  public ObjectNode toJson() {
    ObjectNode json = JsonNodeFactory.instance.objectNode().put("n", count);
    return value == null ? json : json.put("v", value.toString());
  }

  /** Reads what {@link #toJson} wrote. */
  public static Accumulator read(JsonNode json) {
    return new Accumulator(
        json.path("n").longValue(),
        json.has("v") ? new BigDecimal(json.path("v").textValue()) : null);
  }
}
