package dev.abacus.topology.operator.technique;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.plan.SemanticAggregation;
import dev.abacus.schemas.program.Aggregate;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.aggregate.GroupDocument;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.model.ModelFailure;
import dev.abacus.topology.operator.ExecutionStats;
import dev.abacus.topology.operator.OperatorExecutor;
import dev.abacus.topology.operator.OperatorFailure;
import dev.abacus.topology.operator.OperatorOutcome;
import dev.abacus.topology.operator.prompt.AnswerFormat;
import dev.abacus.topology.operator.prompt.DocumentMessage;
import dev.abacus.topology.operator.prompt.FieldDescriptions;
import dev.abacus.topology.operator.prompt.Prompt;
import dev.abacus.topology.operator.prompt.PromptTemplate;
import dev.abacus.topology.operator.prompt.StructuredAnswer;
import dev.abacus.topology.operator.prompt.StructuredCall;
import java.io.Serial;
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
final class SemanticAggregationExecutor implements OperatorExecutor<SemanticAggregation> {

  private static final PromptTemplate MEMBERS =
      PromptTemplate.of(SemanticAggregationExecutor.class, "group.txt");
  private static final PromptTemplate PARTS =
      PromptTemplate.of(SemanticAggregationExecutor.class, "aggregate-merge.txt");

  @Override
  public OperatorOutcome execute(
      LogicalOperator operator,
      SemanticAggregation technique,
      Document document,
      ModelClient client)
      throws InterruptedException {
    if (!(operator instanceof Aggregate aggregate) || !aggregate.isSemantic()) {
      return OperatorOutcome.Failed.unusablePlan(
          "a %s ('%s') is not an aggregate that a model carries out"
              .formatted(operator.kind(), operator.id()));
    }
    if (!(document.get(GroupDocument.MEMBERS) instanceof ArrayNode members) || members.isEmpty()) {
      return OperatorOutcome.Failed.unusableDocument("the group has no list of members");
    }
    ObjectNode common = document.toJson();
    common.remove(GroupDocument.MEMBERS);
    return new Run(aggregate, technique.model(), Document.of(common), client)
        .of(members.valueStream().toList());
  }

  /** The calls for one group. */
  private static final class Run {

    private final Aggregate aggregate;
    private final String model;
    private final Document common;
    private final ModelClient client;
    private ExecutionStats stats = ExecutionStats.NONE;

    Run(Aggregate aggregate, String model, Document common, ModelClient client) {
      this.aggregate = aggregate;
      this.model = model;
      this.common = common;
      this.client = client;
    }

    OperatorOutcome of(List<JsonNode> members) throws InterruptedException {
      try {
        List<Part> parts = answers(members);
        return new OperatorOutcome.Kept(common.with(merged(parts).answer()), stats);
      } catch (AggregationFailedException e) {
        return new OperatorOutcome.Failed(e.failure, stats);
      }
    }

    /** The answers about the members: one, or several if the members do not fit into one prompt. */
    private List<Part> answers(List<JsonNode> members)
        throws InterruptedException, AggregationFailedException {
      return switch (ask(MEMBERS, GroupDocument.MEMBERS, members)) {
        case StructuredAnswer.Valid<Document>(Document answer, ExecutionStats _) ->
            List.of(new Part(answer, members.size()));
        case StructuredAnswer.Failed<Document>(
                ModelFailure.ContextTooLong tooLong,
                ExecutionStats _) -> {
          if (members.size() == 1) {
            throw new AggregationFailedException(memberTooLarge(members.getFirst(), tooLong));
          }
          int half = members.size() / 2;
          List<Part> parts = new ArrayList<>(answers(members.subList(0, half)));
          parts.addAll(answers(members.subList(half, members.size())));
          yield parts;
        }
        case StructuredAnswer.Failed<Document>(ModelFailure failure, ExecutionStats _) ->
            throw new AggregationFailedException(new OperatorFailure.ModelFailed(model, failure));
      };
    }

    /** One answer from several; in halves if the answers do not fit into one prompt. */
    private Part merged(List<Part> parts) throws InterruptedException, AggregationFailedException {
      if (parts.size() == 1) {
        return parts.getFirst();
      }
      List<JsonNode> shown = new ArrayList<>();
      parts.forEach(part -> shown.add(part.answer().toJson().put("members_read", part.members())));
      return switch (ask(PARTS, "parts", shown)) {
        case StructuredAnswer.Valid<Document>(Document answer, ExecutionStats _) ->
            new Part(answer, parts.stream().mapToLong(Part::members).sum());
        case StructuredAnswer.Failed<Document>(ModelFailure.ContextTooLong _, ExecutionStats _)
            when parts.size() > 2 -> {
          int half = parts.size() / 2;
          yield merged(
              List.of(merged(parts.subList(0, half)), merged(parts.subList(half, parts.size()))));
        }
        case StructuredAnswer.Failed<Document>(ModelFailure failure, ExecutionStats _) ->
            throw new AggregationFailedException(new OperatorFailure.ModelFailed(model, failure));
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
      Prompt<Document> prompt =
          new Prompt<>(
              template.fill(values),
              DocumentMessage.of(shown),
              AnswerFormat.document(aggregate.writes()));
      StructuredAnswer<Document> answer = StructuredCall.ask(client, model, prompt);
      stats = stats.plus(answer.stats());
      return answer;
    }

    private static OperatorFailure memberTooLarge(
        JsonNode member, ModelFailure.ContextTooLong tooLong) {
      String text = member.toString();
      return new OperatorFailure.UnusableDocument(
          "one member of the group is too large by itself: %d characters; %s"
              .formatted(text.length(), tooLong.message()));
    }
  }

  /** An answer and the number of members that it is about. */
  private record Part(Document answer, long members) {}

  /** Ends the recursion; the outcome has the failure as a value. */
  private static final class AggregationFailedException extends Exception {
    @Serial private static final long serialVersionUID = 1L;
    private final transient OperatorFailure failure;

    AggregationFailedException(OperatorFailure failure) {
      super(failure.message(), null, false, false);
      this.failure = failure;
    }
  }
}
