package dev.abacus.topology.operator.technique;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.plan.SemanticAggregation;
import dev.abacus.schemas.program.Aggregate;
import dev.abacus.topology.model.ExecutionStats;
import dev.abacus.topology.model.ModelFailure;
import dev.abacus.topology.operator.OperatorFailedException;
import dev.abacus.topology.operator.OperatorOutcome;
import dev.abacus.topology.operator.prompt.AnswerFormat;
import dev.abacus.topology.operator.prompt.DocumentMessage;
import dev.abacus.topology.operator.prompt.Execution;
import dev.abacus.topology.operator.prompt.FieldDescriptions;
import dev.abacus.topology.operator.prompt.Prompt;
import dev.abacus.topology.operator.prompt.PromptTemplate;
import dev.abacus.topology.operator.prompt.StructuredAnswer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * One call with all members of a group. A group that exceeds the model's context is split in halves
 * until its parts fit, and one more call merges the answers:
 *
 * <pre>
 *                 ┌► members 1…n/2 ──► answer ─┐
 *   group ── too ─┤                            ├─► merge ──► output
 *            long └► members n/2…n ──► answer ─┘
 * </pre>
 *
 * <p>This class does not compute whether a prompt fits. The model client refuses a prompt that is
 * too long before it is sent and without cost; an endpoint may refuse it too.
 */
final class SemanticAggregationExecutor {

  private static final PromptTemplate MEMBERS =
      PromptTemplate.of(SemanticAggregationExecutor.class, "group.txt");
  private static final PromptTemplate PARTS =
      PromptTemplate.of(SemanticAggregationExecutor.class, "aggregate-merge.txt");

  private SemanticAggregationExecutor() {}

  /**
   * Runs the operator on a document.
   *
   * @throws OperatorFailedException if the technique cannot be completed
   */
  static OperatorOutcome run(Execution execution, SemanticAggregation technique)
      throws InterruptedException, OperatorFailedException {
    if (!(execution.operator() instanceof Aggregate aggregate) || !aggregate.isSemantic()) {
      throw OperatorFailedException.isNot(
          execution.operator(), "an aggregate that a model carries out");
    }
    Document document = execution.document();
    if (!(document.get(Aggregate.MEMBERS) instanceof ArrayNode members) || members.isEmpty()) {
      throw OperatorFailedException.unusableDocument("the group has no list of members");
    }
    ObjectNode common = document.toJson();
    common.remove(Aggregate.MEMBERS);
    Group group = new Group(aggregate, technique.model(), Document.of(common), execution);
    Part answer = group.merged(group.answers(members.valueStream().toList()));
    return new OperatorOutcome.Kept(group.common().with(answer.answer()), execution.stats());
  }

  /** An answer and the number of members that it is about. */
  private record Part(Document answer, long members) {}

  /**
   * The calls for one group.
   *
   * @param common the fields of the group without its members
   */
  private record Group(Aggregate aggregate, String model, Document common, Execution execution) {

    /** The answers about the members: one, or several if the members do not fit into one prompt. */
    List<Part> answers(List<JsonNode> members)
        throws InterruptedException, OperatorFailedException {
      return switch (ask(MEMBERS, Aggregate.MEMBERS, members)) {
        case StructuredAnswer.Failed<Document>(
                ModelFailure.ContextTooLong tooLong,
                ExecutionStats _) -> {
          if (members.size() == 1) {
            throw OperatorFailedException.unusableDocument(
                "one member of the group is too large by itself: %d characters; %s"
                    .formatted(members.getFirst().toString().length(), tooLong.message()));
          }
          int half = members.size() / 2;
          List<Part> parts = new ArrayList<>(answers(members.subList(0, half)));
          parts.addAll(answers(members.subList(half, members.size())));
          yield parts;
        }
        case StructuredAnswer<Document> answer ->
            List.of(new Part(Execution.valid(model, answer), members.size()));
      };
    }

    /** One answer from several; in halves if the answers do not fit into one prompt. */
    Part merged(List<Part> parts) throws InterruptedException, OperatorFailedException {
      if (parts.size() == 1) {
        return parts.getFirst();
      }
      List<JsonNode> shown = new ArrayList<>();
      parts.forEach(part -> shown.add(part.answer().toJson().put("members_read", part.members())));
      return switch (ask(PARTS, "parts", shown)) {
        case StructuredAnswer.Failed<Document>(ModelFailure.ContextTooLong _, ExecutionStats _)
            when parts.size() > 2 -> {
          int half = parts.size() / 2;
          yield merged(
              List.of(merged(parts.subList(0, half)), merged(parts.subList(half, parts.size()))));
        }
        case StructuredAnswer<Document> answer ->
            new Part(Execution.valid(model, answer), parts.stream().mapToLong(Part::members).sum());
      };
    }

    private StructuredAnswer<Document> ask(
        PromptTemplate template, String field, List<JsonNode> items) throws InterruptedException {
      Map<String, String> values =
          Map.of(
              "instruction", Objects.requireNonNull(aggregate.instruction(), "not semantic"),
              "fields", FieldDescriptions.of(aggregate.writes()));
      Document shown =
          common
              .only(aggregate.by())
              .with(field, JsonNodeFactory.instance.arrayNode().addAll(items));
      return execution.attempt(
          model,
          new Prompt<>(
              template.fill(values),
              DocumentMessage.of(shown),
              AnswerFormat.document(aggregate.writes())));
    }
  }
}
