package dev.abacus.topology.operator.technique;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.plan.PhysicalOperator.SemanticAggregation;
import dev.abacus.schemas.program.Aggregate;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.aggregate.GroupDocument;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.model.ModelFailure;
import dev.abacus.topology.model.Tokens;
import dev.abacus.topology.operator.ExecutionStats;
import dev.abacus.topology.operator.OperatorExecutor;
import dev.abacus.topology.operator.OperatorFailure;
import dev.abacus.topology.operator.OperatorOutcome;
import dev.abacus.topology.operator.prompt.DocumentMessage;
import dev.abacus.topology.operator.prompt.PromptMessages;
import dev.abacus.topology.operator.prompt.StructuredAnswer;
import dev.abacus.topology.operator.prompt.StructuredCall;
import java.util.ArrayList;
import java.util.List;

/**
 * One call over all members of a group. A group that is larger than the model's context is halved
 * until its parts fit, and one more call merges the answers:
 *
 * <pre>
 *                 ┌► members 1…n/2 ──► answer ─┐
 *   group ── too ─┤                            ├─► merge ──► output
 *            long └► members n/2…n ──► answer ─┘
 * </pre>
 *
 * <p>Whether a prompt fits is not computed here: the guard around the model refuses one that does
 * not, before it is sent and without cost, and so may the endpoint.
 */
final class SemanticAggregationExecutor implements OperatorExecutor<SemanticAggregation> {

  @Override
  public OperatorOutcome execute(
      LogicalOperator operator,
      SemanticAggregation technique,
      Document document,
      ModelClient client)
      throws InterruptedException {
    if (!(operator instanceof Aggregate aggregate) || !aggregate.isSemantic()) {
      return new OperatorOutcome.Failed(
          new OperatorFailure.UnusablePlan(
              "a %s ('%s') is no aggregate that a model carries out"
                  .formatted(operator.kind(), operator.id())),
          ExecutionStats.NONE);
    }
    if (!(document.get(GroupDocument.MEMBERS) instanceof ArrayNode members) || members.isEmpty()) {
      return new OperatorOutcome.Failed(
          new OperatorFailure.UnusableDocument("the group has no list of members"),
          ExecutionStats.NONE);
    }
    return new Run(aggregate, technique.model(), without(document, GroupDocument.MEMBERS), client)
        .of(members);
  }

  /** The answers for one group. */
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

    OperatorOutcome of(ArrayNode members) throws InterruptedException {
      try {
        List<Part> parts = map(items(members));
        Document answer = parts.size() == 1 ? parts.getFirst().answer() : merge(parts).answer();
        return new OperatorOutcome.Kept(common.with(answer), stats);
      } catch (GaveUp e) {
        return new OperatorOutcome.Failed(e.failure, stats);
      }
    }

    /** Answers about members: one, or several if they do not fit together. */
    private List<Part> map(List<JsonNode> members) throws InterruptedException, GaveUp {
      StructuredAnswer<Document> reply = ask(false, GroupDocument.MEMBERS, list(members));
      return switch (reply) {
        case StructuredAnswer.Answered<Document>(Document answer, ExecutionStats _) ->
            List.of(new Part(answer, members.size()));
        case StructuredAnswer.Unanswered<Document>(
                ModelFailure.ContextTooLong tooLong,
                ExecutionStats _) -> {
          if (members.size() == 1) {
            throw new GaveUp(memberTooLarge(members.getFirst(), tooLong));
          }
          List<Part> parts = new ArrayList<>(map(members.subList(0, members.size() / 2)));
          parts.addAll(map(members.subList(members.size() / 2, members.size())));
          yield parts;
        }
        case StructuredAnswer.Unanswered<Document>(ModelFailure failure, ExecutionStats _) ->
            throw new GaveUp(new OperatorFailure.ModelFailed(model, failure));
      };
    }

    /** One answer of several; in halves if even they do not fit together. */
    private Part merge(List<Part> parts) throws InterruptedException, GaveUp {
      ArrayNode shown = JsonNodeFactory.instance.arrayNode();
      parts.forEach(part -> shown.add(part.answer().toJson().put("members_read", part.members())));
      long members = parts.stream().mapToLong(Part::members).sum();
      StructuredAnswer<Document> reply = ask(true, "parts", shown);
      return switch (reply) {
        case StructuredAnswer.Answered<Document>(Document answer, ExecutionStats _) ->
            new Part(answer, members);
        case StructuredAnswer.Unanswered<Document>(ModelFailure.ContextTooLong _, ExecutionStats _)
            when parts.size() > 2 -> {
          int half = parts.size() / 2;
          yield merge(
              List.of(some(parts.subList(0, half)), some(parts.subList(half, parts.size()))));
        }
        case StructuredAnswer.Unanswered<Document>(ModelFailure failure, ExecutionStats _) ->
            throw new GaveUp(new OperatorFailure.ModelFailed(model, failure));
      };
    }

    private Part some(List<Part> parts) throws InterruptedException, GaveUp {
      return parts.size() == 1 ? parts.getFirst() : merge(parts);
    }

    private StructuredAnswer<Document> ask(boolean merging, String field, ArrayNode items)
        throws InterruptedException {
      AggregatePrompt question = new AggregatePrompt(aggregate, merging);
      PromptMessages prompt =
          new PromptMessages(
              question.system(),
              DocumentMessage.of(common.only(aggregate.by()).with(field, items)));
      StructuredAnswer<Document> reply = StructuredCall.ask(client, model, prompt, question);
      stats = stats.plus(reply.stats());
      return reply;
    }

    private OperatorFailure memberTooLarge(JsonNode member, ModelFailure.ContextTooLong tooLong) {
      String text = member.toString();
      return new OperatorFailure.UnusableDocument(
          "one member of the group is too large by itself: %d characters, about %d tokens; %s"
              .formatted(text.length(), Tokens.count(text), tooLong.message()));
    }
  }

  /** An answer about so many members. */
  private record Part(Document answer, long members) {}

  /** There is no answer for the group; why is a value, this only the way out of the recursion. */
  private static final class GaveUp extends Exception {
    @java.io.Serial private static final long serialVersionUID = 1L;
    private final transient OperatorFailure failure;

    GaveUp(OperatorFailure failure) {
      super(failure.message(), null, false, false);
      this.failure = failure;
    }
  }

  private static List<JsonNode> items(ArrayNode list) {
    List<JsonNode> items = new ArrayList<>(list.size());
    list.forEach(items::add);
    return items;
  }

  private static ArrayNode list(List<JsonNode> items) {
    ArrayNode list = JsonNodeFactory.instance.arrayNode(items.size());
    items.forEach(list::add);
    return list;
  }

  private static Document without(Document document, String field) {
    ObjectNode rest = document.toJson();
    rest.remove(field);
    return Document.of(rest);
  }
}
