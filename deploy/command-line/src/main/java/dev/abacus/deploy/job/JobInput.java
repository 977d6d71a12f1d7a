package dev.abacus.deploy.job;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The input of a job.
 *
 * @param references items by name of the reference
 * @param examples validation examples by id
 * @param documents documents by name of the source
 */
public record JobInput(
    Map<String, List<InputDocument>> references,
    Map<String, ObjectNode> examples,
    Map<String, List<InputDocument>> documents) {

  public JobInput {
    references = Collections.unmodifiableMap(new LinkedHashMap<>(references));
    examples = Collections.unmodifiableMap(new LinkedHashMap<>(examples));
    documents = Collections.unmodifiableMap(new LinkedHashMap<>(documents));
  }

  /** Number of documents of all sources. */
  public long size() {
    return documents.values().stream().mapToLong(List::size).sum();
  }
}
