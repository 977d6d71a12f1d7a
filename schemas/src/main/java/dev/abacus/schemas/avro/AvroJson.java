package dev.abacus.schemas.avro;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.DecimalNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.math.BigDecimal;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.generic.IndexedRecord;
import org.jspecify.annotations.Nullable;

/**
 * Converts plain JSON to Avro generic data under a schema, and back. (Avro's own JSON encoding
 * wraps union values in an object that names the branch, unlike ordinary documents.)
 *
 * <table>
 *   <caption>How types correspond</caption>
 *   <tr><th>Avro</th><th>JSON</th><th>Java</th></tr>
 *   <tr><td>record</td><td>object; unknown keys are refused</td><td>{@link GenericRecord}</td></tr>
 *   <tr><td>map</td><td>object, order kept</td><td>{@link java.util.LinkedHashMap}</td></tr>
 *   <tr><td>bytes, fixed</td><td>string, base64</td><td>{@link java.nio.ByteBuffer}, {@code GenericFixed}</td></tr>
 *   <tr><td>int, long</td><td>number without a fraction, in range</td><td>Integer, Long</td></tr>
 *   <tr><td>float, double</td><td>number, or "NaN", "Infinity", "-Infinity"</td><td>Float, Double</td></tr>
 *   <tr><td>decimal, big-decimal</td><td>number, exact: nothing is rounded</td><td>{@link java.math.BigDecimal}</td></tr>
 *   <tr><td>date, time, timestamp, local-timestamp</td><td>ISO-8601 string; digits beyond the schema's precision are cut
 *       </td><td>{@code java.time}</td></tr>
 *   <tr><td>uuid</td><td>string</td><td>{@link java.util.UUID}</td></tr>
 *   <tr><td>union</td><td>the value alone</td><td>the value of the branch</td></tr>
 * </table>
 *
 * <p>The branch of a union is chosen by structure: of records, one that knows every key present and
 * whose fields without default are all present; of scalars, the closest to the JSON type (an
 * integer is an int rather than a long, a long rather than a double; a string is an enum that has
 * the symbol, else a string, else a date or the like, else bytes). Of several that fit, the first
 * whose conversion succeeds.
 *
 * <p>A field that is absent takes its default, else null if its type allows that. JSON omits a null
 * field if null is its default.
 */
public final class AvroJson {

  private AvroJson() {}

  /**
   * The Avro value of a JSON value.
   *
   * @throws AvroJsonException if it does not fit the schema
   */
  public static @Nullable Object toAvro(JsonNode json, Schema schema) {
    return JsonToAvro.convert(json, schema, JsonPath.ROOT);
  }

  /**
   * The JSON value of an Avro value: generic or generated, with logical types as Java types or as
   * the underlying types.
   *
   * @param schema the datum's schema; records go by the schema that they carry
   * @throws AvroJsonException if the datum does not fit the schema
   */
  public static JsonNode toJson(@Nullable Object datum, Schema schema) {
    return AvroToJson.convert(datum, schema, JsonPath.ROOT);
  }

  /** {@link #toJson(Object, Schema)} under the record's own schema. */
  public static JsonNode toJson(IndexedRecord record) {
    return toJson(record, record.getSchema());
  }

  /**
   * A floating-point number as a parser reads its text, such as 0.1 of the float 0.1f: conditions
   * and keys see the same number before and after a document is stored. NaN and infinities are
   * texts.
   */
  public static JsonNode decimal(Number number) {
    return Double.isFinite(number.doubleValue())
        ? DecimalNode.valueOf(new BigDecimal(number.toString()))
        : TextNode.valueOf(number.toString());
  }
}
