package dev.abacus.deploy.simulator.answering;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.deploy.simulator.answering.EvidenceLocator.BatchPosition;
import dev.abacus.deploy.simulator.prompt.Prompt;
import dev.abacus.deploy.simulator.skill.KeyedRandom;
import java.util.List;

/**
 * Answers the questions about several documents in one prompt. Each document is answered as if it
 * were alone, but in a prompt as long as all of them, with as many times the fields asked at once,
 * and at its position in the prompt. An entry may be left out at the rate of format errors.
 */
record BatchAnswerer(SimulatedModel model) {

  SimulatedModel.TaskAnswer answer(Prompt prompt, Task task, SimulatedModel.Invocation invocation) {
    ArrayNode entries = JsonNodeFactory.instance.arrayNode();
    double confidence = 1;
    double thinking = 0;
    int size = prompt.items().size();
    for (int i = 0; i < size; i++) {
      Prompt item = prompt.items().get(i);
      SimulatedModel.TaskAnswer one =
          model.answerOne(item, task.each(item), invocation, new BatchPosition(i, size), size);
      ObjectNode answer = JsonNodeFactory.instance.objectNode();
      for (FieldAnswer field : one.fields()) {
        answer.set(field.name(), field.value());
        confidence = Math.min(confidence, field.confidence());
      }
      thinking += one.thinking() / size;
      KeyedRandom omission = model.effects(invocation).draw("entry", item.text(), prompt.text());
      if (omission.uniform()
          >= invocation.skill().formatErrorRate(task.schema(), prompt.repair())) {
        entries.addObject().put(Task.ID, i + 1).set(Task.ANSWER, answer);
      }
    }
    return new SimulatedModel.TaskAnswer(
        List.of(new FieldAnswer(Task.ANSWERS, entries, confidence)), thinking);
  }
}
