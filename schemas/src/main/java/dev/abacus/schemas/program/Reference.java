package dev.abacus.schemas.program;

import java.util.List;

/**
 * A collection of items for top-k and joins: a compacted topic, a tombstone removes an item.
 *
 * @param name what operators call it
 * @param topic the Kafka topic
 * @param format how values are encoded
 * @param key the field that identifies an item; the record key where there is one is the same
 * @param embed fields that are embedded, in this order; empty means all text fields
 */
public record Reference(String name, String topic, Format format, String key, List<String> embed) {

  public Reference {
    embed = List.copyOf(embed);
  }
}
