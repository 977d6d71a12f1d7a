package dev.abacus.deploy.simulator.answering;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.ArrayList;
import java.util.List;

/**
 * Merges the answers to the parts of a document. It does not see the document: lists are united,
 * otherwise the majority wins and ties are broken at random.
 */
record Merger(ModelCall call, List<JsonNode> parts) {

  FieldAnswer answer(Question question) {
    List<JsonNode> values = new ArrayList<>();
    ArrayNode union = JsonNodeFactory.instance.arrayNode();
    for (JsonNode part : parts) {
      JsonNode value = part.path(question.name());
      if (value.isArray()) {
        value.forEach(item -> add(union, item));
      } else if (!value.isNull() && !value.isMissingNode() && !value.asText().isBlank()) {
        values.add(value);
      }
    }
    if (!union.isEmpty()) {
      return new FieldAnswer(question.name(), SchemaCoercion.fit(union, question.shape()), 0.9);
    }
    JsonNode best = SchemaCoercion.nothing(question.shape());
    double most = 0;
    for (JsonNode value : values) {
      double votes = values.stream().filter(other -> AnswerSimilarity.same(value, other)).count();
      double tieBreak = call.effects().draw("merge", question.name(), value.toString()).uniform();
      if (votes + tieBreak > most) {
        most = votes + tieBreak;
        best = SchemaCoercion.fit(value, question.shape());
      }
    }
    double share = values.isEmpty() ? 0.5 : Math.min(1, Math.floor(most) / values.size());
    return new FieldAnswer(question.name(), best, share);
  }

  private static void add(ArrayNode union, JsonNode item) {
    if (!AnswerSimilarity.contains(union, item)) {
      union.add(item);
    }
  }
}
