package dev.abacus.schemas.control;

import dev.abacus.schemas.kafka.Headers;
import dev.abacus.schemas.kafka.RecordText;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/**
 * Marks a control record that the optimizer writes after it refused a record of the same key.
 * Compaction keeps the last record of a key, so the value in force must stand behind the refused
 * one.
 *
 * @param original offset at which the value was first written
 * @param refused offset of the refused record
 */
public record Restoration(long original, long refused) {

  /** The mark of a record; null if it is no restoration. */
  public static @Nullable Restoration of(org.apache.kafka.common.header.Headers headers) {
    Long original = offset(headers, Headers.RESTORED_FROM);
    Long refused = offset(headers, Headers.REFUSED_AT);
    return original == null || refused == null ? null : new Restoration(original, refused);
  }

  private static @Nullable Long offset(Iterable<Header> headers, String name) {
    String text = RecordText.header(headers, name);
    return text != null && text.matches("[0-9]{1,18}") ? Long.valueOf(text) : null;
  }

  /** Marks a record. */
  public void addTo(org.apache.kafka.common.header.Headers headers) {
    headers.add(Headers.RESTORED_FROM, bytes(original));
    headers.add(Headers.REFUSED_AT, bytes(refused));
  }

  private static byte[] bytes(long offset) {
    return Long.toString(offset).getBytes(StandardCharsets.UTF_8);
  }
}
