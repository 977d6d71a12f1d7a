package dev.abacus.topology.stateful.limit;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.program.SortField;
import java.io.ByteArrayOutputStream;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rank of a document as bytes: comparing the bytes, unsigned, compares the documents. So a
 * store keeps its entries in the order of the documents, and the entry of least rank is its first.
 *
 * <p>Each value begins with a byte for its type and ends where no longer value goes on, so values
 * can follow each other. The bytes of a descending value are inverted, but for those of a missing
 * value, which is last in both directions. The key of the document follows the values and decides
 * between equal ones.
 */
final class SortKey {

  private static final int NUMBER = 0x10;
  private static final int TEXT = 0x20;
  private static final int FALSE = 0x30;
  private static final int TRUE = 0x31;
  private static final int MISSING = 0xFF;

  private static final int NEGATIVE = 0x40;
  private static final int ZERO = 0x80;
  private static final int POSITIVE = 0xC0;

  /** Characters of a text that are compared, since a store has them in each key. */
  private static final int LONGEST_TEXT = 1_000;

  private SortKey() {}

  /** Why a document has no place in the order; null if it has one. */
  static @Nullable String problem(Document document, List<SortField> order) {
    for (SortField field : order) {
      if (document.get(field.name()).isContainerNode()) {
        return "'%s' is a list or an object, and these have no order; order by a number, a text or a boolean"
            .formatted(field.name());
      }
    }
    return null;
  }

  /**
   * The rank of a document.
   *
   * @param key of the document; null is after all others
   */
  static byte[] of(Document document, List<SortField> order, byte @Nullable [] key) {
    ByteArrayOutputStream rank = new ByteArrayOutputStream();
    for (SortField field : order) {
      byte[] value = value(document.get(field.name()));
      boolean inverted = field.descending() && (value[0] & 0xFF) != MISSING;
      rank.writeBytes(inverted ? inverted(value) : value);
    }
    rank.writeBytes(key == null ? new byte[] {(byte) MISSING} : text(key));
    return rank.toByteArray();
  }

  private static byte[] value(JsonNode value) {
    return switch (value.getNodeType()) {
      case NUMBER -> number(value.decimalValue());
      case STRING -> {
        String text = value.textValue();
        int length = Math.min(LONGEST_TEXT, text.length());
        yield text(text.substring(0, length).getBytes(StandardCharsets.UTF_8));
      }
      case BOOLEAN -> new byte[] {(byte) (value.booleanValue() ? TRUE : FALSE)};
      case ARRAY, BINARY, MISSING, NULL, OBJECT, POJO -> new byte[] {(byte) MISSING};
    };
  }

  /** Sign, exponent, digits: the number is 0.digits × 10^exponent. */
  private static byte[] number(BigDecimal value) {
    BigDecimal bare = value.abs().stripTrailingZeros();
    if (bare.signum() == 0) {
      return new byte[] {NUMBER, (byte) ZERO};
    }
    byte[] digits = bare.unscaledValue().toString().getBytes(StandardCharsets.US_ASCII);
    long exponent = (long) digits.length - bare.scale();
    byte[] magnitude =
        ByteBuffer.allocate(Long.BYTES + digits.length + 1)
            .putLong(exponent ^ Long.MIN_VALUE)
            .put(digits)
            .array(); // the last byte, 0, is before every digit
    boolean negative = value.signum() < 0;
    return ByteBuffer.allocate(2 + magnitude.length)
        .put((byte) NUMBER)
        .put((byte) (negative ? NEGATIVE : POSITIVE))
        .put(negative ? inverted(magnitude) : magnitude)
        .array();
  }

  /** The bytes, with 0 as 0 255, and 0 0 at the end. */
  private static byte[] text(byte[] bytes) {
    ByteArrayOutputStream text = new ByteArrayOutputStream(bytes.length + 3);
    text.write(TEXT);
    for (byte one : bytes) {
      text.write(one);
      if (one == 0) {
        text.write(0xFF);
      }
    }
    text.write(0);
    text.write(0);
    return text.toByteArray();
  }

  private static byte[] inverted(byte[] bytes) {
    byte[] inverted = new byte[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      inverted[i] = (byte) ~bytes[i];
    }
    return inverted;
  }
}
