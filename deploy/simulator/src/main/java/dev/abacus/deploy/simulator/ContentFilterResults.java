package dev.abacus.deploy.simulator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** Adds the results of Azure's content filter to a response. */
final class ContentFilterResults {

  private static final List<String> CATEGORIES = List.of("hate", "self_harm", "sexual", "violence");

  private ContentFilterResults() {}

  static void add(ObjectNode response) {
    ObjectNode prompt = response.putArray("prompt_filter_results").addObject();
    safe(prompt.put("prompt_index", 0).putObject("content_filter_results"));
    for (JsonNode choice : response.path("choices")) {
      safe(((ObjectNode) choice).putObject("content_filter_results"));
    }
  }

  private static void safe(ObjectNode results) {
    for (String category : CATEGORIES) {
      results.putObject(category).put("filtered", false).put("severity", "safe");
    }
  }
}
