package dev.abacus.topology.operator.rank;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.SemanticRank;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.model.ModelFailure;
import dev.abacus.topology.operator.ExecutionStats;
import dev.abacus.topology.operator.OperatorOutcome;
import dev.abacus.topology.operator.ParallelCalls;
import dev.abacus.topology.operator.prompt.DocumentMessage;
import dev.abacus.topology.operator.prompt.StructuredAnswer;
import dev.abacus.topology.operator.prompt.StructuredCall;
import java.io.Serial;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * One execution of a rank on a document: the part that techniques share. Techniques order the
 * places of the items in the list, counted from 0, so that equal items remain distinct and no item
 * is lost. A list of fewer than two items needs no call.
 */
final class RankCall {

  /** Bounds the calls of one document, so that others are not delayed. */
  private static final int CONCURRENCY = 16;

  private final SemanticRank rank;
  private final Document shown;
  private final List<JsonNode> items;
  private final String model;
  private final ModelClient client;
  private ExecutionStats stats = ExecutionStats.NONE;

  private RankCall(
      SemanticRank rank, Document shown, List<JsonNode> items, String model, ModelClient client) {
    this.rank = rank;
    this.shown = shown;
    this.items = items;
    this.model = model;
    this.client = client;
  }

  /** The part of a technique that differs from the others. */
  @FunctionalInterface
  interface Technique {
    /**
     * Orders the places of at least two items, best first.
     *
     * @return a permutation of the places; only the first {@link #kept} need be in order
     */
    List<Integer> order(RankCall call) throws InterruptedException, RankFailedException;
  }

  /** A model gave no valid answer. */
  static final class RankFailedException extends Exception {
    @Serial private static final long serialVersionUID = 1L;
    private final transient ModelFailure failure;

    RankFailedException(ModelFailure failure) {
      super(failure.message(), null, false, false);
      this.failure = failure;
    }
  }

  /** Checks operator and document, then runs the technique. */
  static OperatorOutcome run(
      LogicalOperator operator,
      String model,
      Document document,
      ModelClient client,
      Technique technique)
      throws InterruptedException {
    if (!(operator instanceof SemanticRank rank)) {
      return OperatorOutcome.Failed.unusablePlan(
          "a %s ('%s') is not a rank".formatted(operator.kind(), operator.id()));
    }
    if (!(document.get(rank.items()) instanceof ArrayNode list)) {
      return OperatorOutcome.Failed.unusableDocument(
          "the field '%s' is not a list".formatted(rank.items()));
    }
    Document shown = RankPrompt.shown(rank, document);
    String invalid = DocumentMessage.invalidImage(shown.with(rank.items(), list));
    if (invalid != null) {
      return OperatorOutcome.Failed.unusableDocument(invalid);
    }
    RankCall call = new RankCall(rank, shown, list.valueStream().toList(), model, client);
    try {
      List<Integer> order = list.size() < 2 ? call.places() : technique.order(call);
      ArrayNode ordered = JsonNodeFactory.instance.arrayNode();
      order.stream().limit(call.kept()).forEach(place -> ordered.add(list.get(place)));
      return new OperatorOutcome.Kept(document.with(rank.writes(), ordered), call.stats);
    } catch (RankFailedException e) {
      return OperatorOutcome.Failed.ofModel(model, e.failure, call.stats);
    }
  }

  /** The places of all items in the order of the list. */
  List<Integer> places() {
    return new ArrayList<>(IntStream.range(0, items.size()).boxed().toList());
  }

  /** The number of items to keep. */
  int kept() {
    return rank.kept(items.size());
  }

  /**
   * Asks the model about groups of items, one call for each group.
   *
   * @param groups the places of the items of each call, in the order in which the prompt shows them
   * @return the answers in the order of the groups
   */
  <A> List<A> ask(RankPrompt<A> prompt, List<List<Integer>> groups)
      throws InterruptedException, RankFailedException {
    List<StructuredAnswer<A>> answers =
        ParallelCalls.run(
            groups,
            CONCURRENCY,
            group ->
                StructuredCall.ask(
                    client,
                    model,
                    prompt.about(rank, shown, group.stream().map(items::get).toList())));
    stats =
        stats.plus(
            ExecutionStats.inParallel(
                answers.stream().map(StructuredAnswer::stats).toList(), CONCURRENCY));
    List<A> valid = new ArrayList<>();
    for (StructuredAnswer<A> answer : answers) {
      switch (answer) {
        case StructuredAnswer.Valid<A>(A said, ExecutionStats _) -> valid.add(said);
        case StructuredAnswer.Failed<A>(ModelFailure failure, ExecutionStats _) ->
            throw new RankFailedException(failure);
      }
    }
    return valid;
  }
}
