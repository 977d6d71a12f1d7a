package dev.abacus.schemas.input;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.util.JsonRecyclerPools;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ValueNode;
import java.math.BigDecimal;
import java.util.Map;

/**
 * Mappers for JSON from topics and files. They limit the depth, the number of tokens, the digits
 * and exponents of numbers and the length of names; the size of a text is limited by its topic.
 */
public final class BoundedJson {

  /** Maximum depth of nested objects and lists. */
  public static final int MAX_DEPTH = 200;

  /** Maximum number of digits of a number. */
  public static final int MAX_DIGITS = 1_000;

  /** Maximum distance of the first digit of a number from the decimal point. */
  public static final int MAX_EXPONENT = 1_000;

  private static final long MAX_TOKENS = 10_000_000;

  private BoundedJson() {}

  /**
   * A builder of mappers that keep every digit of numbers. A text outside of the limits yields an
   * {@link java.io.IOException} or an {@link IllegalArgumentException}.
   */
  public static JsonMapper.Builder mapper() {
    return mapper(MAX_DEPTH);
  }

  /**
   * As {@link #mapper()}, with another maximum depth, for records that contain documents, or for
   * texts that become part of a document.
   */
  public static JsonMapper.Builder mapper(int depth) {
    StreamReadConstraints limits =
        StreamReadConstraints.builder()
            .maxNestingDepth(depth)
            .maxNumberLength(MAX_DIGITS)
            .maxTokenCount(MAX_TOKENS)
            .build();
    JsonFactory factory =
        JsonFactory.builder()
            .streamReadConstraints(limits)
            // The default keeps buffers per thread; each document has a new virtual thread.
            .recyclerPool(JsonRecyclerPools.sharedConcurrentDequePool())
            .build();
    return JsonMapper.builder(factory)
        .nodeFactory(new BoundedNumbers())
        .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
        .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES);
  }

  /**
   * The number that a text is.
   *
   * @throws IllegalArgumentException if it is none, or is outside of the limits: the time to read
   *     digits grows with the square of their number
   */
  public static BigDecimal number(String text) {
    if (text.length() > 3 * MAX_DIGITS) {
      throw new IllegalArgumentException("a number of %d characters".formatted(text.length()));
    }
    return requireBounded(new BigDecimal(text));
  }

  /**
   * Returns a number within the limits.
   *
   * @throws IllegalArgumentException if its exponent is too large, which would make computations
   *     with it exhaust the memory
   */
  private static BigDecimal requireBounded(BigDecimal number) {
    long exponent = (long) number.precision() - number.scale();
    if (number.precision() > MAX_DIGITS || Math.abs(exponent) > MAX_EXPONENT) {
      throw new IllegalArgumentException(
          "a number has more than %d digits or an exponent above %d"
              .formatted(MAX_DIGITS, MAX_EXPONENT));
    }
    return number;
  }

  /**
   * Refuses a value that a mapper of this class would not read, such as one of another format.
   *
   * @param depth most levels of nested objects and lists
   * @throws IllegalArgumentException if it is deeper, or has a name or number outside of the limits
   */
  public static void requireReadable(JsonNode value, int depth) {
    if (depth == 0 && value.isContainerNode()) {
      throw new IllegalArgumentException("nested too deeply");
    }
    if (value.isBigDecimal()) {
      var _ = requireBounded(value.decimalValue());
    }
    for (Map.Entry<String, JsonNode> member : value.properties()) {
      if (member.getKey().length() > StreamReadConstraints.DEFAULT_MAX_NAME_LEN) {
        throw new IllegalArgumentException(
            "a name of %d characters".formatted(member.getKey().length()));
      }
    }
    value.forEach(part -> requireReadable(part, depth - 1));
  }

  private static final class BoundedNumbers extends JsonNodeFactory {

    private static final long serialVersionUID = 1L;

    @Override
    public ValueNode numberNode(BigDecimal number) {
      return super.numberNode(number == null ? null : requireBounded(number));
    }
  }
}
