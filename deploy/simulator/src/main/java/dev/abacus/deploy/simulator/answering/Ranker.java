package dev.abacus.deploy.simulator.answering;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.abacus.deploy.simulator.prompt.Prompt;
import dev.abacus.deploy.simulator.skill.Skill;
import dev.abacus.deploy.simulator.skill.Skill.CallConditions;
import dev.abacus.deploy.simulator.skill.Skill.TaskKind;
import dev.abacus.deploy.simulator.truth.GroundTruth;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Orders items by how well they seem to meet a criterion, in log-odds: the margin of a decision
 * about the item plus the random effects, negative if the item does not meet the criterion. The
 * load is that of as many fields as the prompt shows items. Grades are multiples of 10, so close
 * items have the same grade. Without ground truth, all items seem equal.
 */
final class Ranker {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private final ModelCall call;
  private final @Nullable GroundTruth criterion;

  Ranker(ModelCall call, QuotedTruth truths) {
    this.call = call;
    String condition = call.prompt().condition();
    String text = condition == null ? call.prompt().instruction() : condition;
    this.criterion = text == null ? null : truths.criterion(text);
  }

  /** The same answer for every property of the task; there is one. */
  List<FieldAnswer> answer(Task task) {
    List<Double> merits = call.prompt().items().stream().map(this::merit).toList();
    return task.answers(0.9, (_, _) -> value(task, merits));
  }

  private static JsonNode value(Task task, List<Double> merits) {
    List<Integer> order =
        IntStream.range(0, merits.size())
            .boxed()
            .sorted(Comparator.comparing(merits::get, Comparator.reverseOrder()))
            .map(place -> place + 1)
            .toList();
    return switch (task.kind()) {
      case GRADE ->
          JSON.numberNode(
              merits.isEmpty() ? 0 : 10 * Math.round(10 * Skill.probability(merits.getFirst())));
      case COMPARISON -> JSON.numberNode(order.isEmpty() ? 1 : order.getFirst());
      case CHOICE ->
          JSON.numberNode(
              order.isEmpty() || merits.get(order.getFirst() - 1) <= 0 ? 0 : order.getFirst());
      default -> {
        ArrayNode list = JSON.arrayNode();
        order.forEach(list::add);
        yield list;
      }
    };
  }

  private double merit(Prompt item) {
    if (criterion == null) {
      return 0;
    }
    String text = String.join("\n", item.document().texts());
    CallConditions one = call.conditions();
    CallConditions conditions =
        new CallConditions(
            call.prompt().items().size(), one.promptTokens(), one.position(), one.temperature());
    double latent =
        call.skill().margin(TaskKind.FILTER, criterion.difficulty(), conditions)
            + call.effects().of("rank", criterion.document(), criterion.key(), text);
    return QuotedTruth.meets(criterion, text) ? latent : -latent;
  }
}
