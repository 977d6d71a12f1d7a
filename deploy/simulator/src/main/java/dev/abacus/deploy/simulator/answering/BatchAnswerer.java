package dev.abacus.deploy.simulator.answering;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.deploy.simulator.answering.EvidenceLocator.Place;
import dev.abacus.deploy.simulator.prompt.Prompt;
import dev.abacus.deploy.simulator.skill.KeyedRandom;
import java.util.List;

/**
 * Answers about several documents at once. Each is read as if it were alone, but in a prompt as
 * long as all of them together, with so many more fields asked at once, and at its place there; and
 * each entry may be left out as a field may.
 */
final class BatchAnswerer {

  private final SimulatedModel reader;

  BatchAnswerer(SimulatedModel reader) {
    this.reader = reader;
  }

  SimulatedModel.Said say(Prompt prompt, Task task, SimulatedModel.Call call) {
    ArrayNode entries = JsonNodeFactory.instance.arrayNode();
    double unsurest = 1;
    double thinking = 0;
    int size = prompt.items().size();
    for (int i = 0; i < size; i++) {
      Prompt item = prompt.items().get(i);
      SimulatedModel.Said said = reader.say(item, task.each(item), call, new Place(i, size));
      ObjectNode answer = JsonNodeFactory.instance.objectNode();
      for (FieldAnswer field : said.answers()) {
        answer.set(field.name(), field.value());
        unsurest = Math.min(unsurest, field.confidence());
      }
      thinking += said.thinking() / size;
      KeyedRandom slip = reader.luck(call).draw("entry", item.text(), prompt.text());
      if (slip.uniform() >= call.skill().formatErrorRate(task.schema(), prompt.repair())) {
        entries.addObject().put(Task.ID, i + 1).set(Task.ANSWER, answer);
      }
    }
    return new SimulatedModel.Said(
        List.of(new FieldAnswer(Task.ANSWERS, entries, unsurest)), thinking);
  }
}
