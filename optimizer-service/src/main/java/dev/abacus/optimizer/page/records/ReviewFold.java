package dev.abacus.optimizer.page.records;

import dev.abacus.schemas.kafka.Json;
import dev.abacus.schemas.kafka.MalformedRecordException;
import dev.abacus.schemas.observation.ReviewRequest;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Keeps the requests for labels that wait for an answer. */
final class ReviewFold {

  /** By program, then by position of the document. */
  private final Map<String, Map<String, ReviewRequest>> programs = new HashMap<>();

  /** Applies a record; an unreadable one, probably of a newer version, is ignored. */
  void accept(String program, ConsumerRecord<byte[], byte[]> record) {
    if (record.key() == null) {
      return;
    }
    Map<String, ReviewRequest> open = programs.computeIfAbsent(program, _ -> new LinkedHashMap<>());
    String position = new String(record.key(), StandardCharsets.UTF_8);
    try {
      ReviewRequest request =
          record.value() == null ? null : Json.read(record.value(), ReviewRequest.class);
      if (request == null || !request.isOpen()) {
        open.remove(position);
      } else {
        open.put(position, request);
      }
    } catch (MalformedRecordException e) {
      open.remove(position);
    }
  }

  /** The open requests of a program, in order of asking. */
  Map<String, ReviewRequest> open(String program) {
    return Collections.unmodifiableMap(
        new LinkedHashMap<>(programs.getOrDefault(program, Map.of())));
  }
}
