package dev.abacus.deploy.command;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/** What the optimizer reports of a search, in one line. */
final class SearchProgress {

  private SearchProgress() {}

  static String of(JsonNode report) {
    List<String> parts = new ArrayList<>();
    report
        .properties()
        .forEach(
            entry -> {
              if (entry.getValue().isValueNode() && !entry.getValue().isNull()) {
                parts.add(entry.getKey() + " " + entry.getValue().asText());
              }
            });
    return String.join(", ", parts);
  }
}
