package dev.abacus.deploy.simulator.answering;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.abacus.deploy.simulator.answering.EvidenceLocator.BatchPosition;
import dev.abacus.deploy.simulator.prompt.Prompt;
import java.util.ArrayList;
import java.util.List;

/**
 * Names the items of a prompt for which a condition holds. Each item is decided as the pair of the
 * document and the item is in a prompt of its own, with the same random effects, but with the load
 * of as many questions as there are items and the length of the whole prompt: a pair that is
 * decided rightly here is decided rightly alone, too.
 */
record ItemMatcher(SimulatedModel model) {

  SimulatedModel.TaskAnswer answer(Prompt prompt, Task task, SimulatedModel.Invocation invocation) {
    ArrayNode numbers = JsonNodeFactory.instance.arrayNode();
    double confidence = 1;
    double thinking = 0;
    int size = prompt.items().size();
    for (int i = 0; i < size; i++) {
      Prompt pair = prompt.withDocuments(texts(prompt.items().get(i)));
      SimulatedModel.TaskAnswer one =
          model.answerOne(pair, task.decision(), invocation, BatchPosition.SINGLE, size);
      FieldAnswer decision = one.fields().getLast();
      if (decision.value().asBoolean()) {
        numbers.add(i + 1);
      }
      confidence = Math.min(confidence, decision.confidence());
      thinking += one.thinking() / size;
    }
    return new SimulatedModel.TaskAnswer(task.answers(confidence, (_, _) -> numbers), thinking);
  }

  /** The fields of an item, as a prompt about one pair shows them. */
  private static List<String> texts(Prompt item) {
    List<String> texts = new ArrayList<>();
    for (String text : item.document().texts()) {
      JsonNode json = TaskQuestions.parse(text);
      if (json.isObject()) {
        json.valueStream()
            .forEach(value -> texts.add(value.isTextual() ? value.asText() : value.toString()));
      } else {
        texts.add(text);
      }
    }
    return texts;
  }
}
