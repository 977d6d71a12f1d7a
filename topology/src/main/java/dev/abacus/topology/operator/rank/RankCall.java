package dev.abacus.topology.operator.rank;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.SemanticRank;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.model.ModelFailure;
import dev.abacus.topology.operator.OperatorFailedException;
import dev.abacus.topology.operator.OperatorOutcome;
import dev.abacus.topology.operator.prompt.DocumentMessage;
import dev.abacus.topology.operator.prompt.Execution;
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
  private final Execution execution;

  private RankCall(
      SemanticRank rank, Document shown, List<JsonNode> items, String model, Execution execution) {
    this.rank = rank;
    this.shown = shown;
    this.items = items;
    this.model = model;
    this.execution = execution;
  }

  /** The part of a technique that differs from the others. */
  @FunctionalInterface
  interface Technique {
    /**
     * Orders the places of at least two items, best first.
     *
     * @return a permutation of the places; only the first {@link #kept} need be in order
     */
    List<Integer> order(RankCall call) throws InterruptedException, OperatorFailedException;
  }

  /** Checks operator and document, then runs the technique. */
  static OperatorOutcome run(
      LogicalOperator operator,
      String model,
      Document document,
      ModelClient client,
      Technique technique)
      throws InterruptedException {
    return Execution.run(
        client,
        execution -> {
          if (!(operator instanceof SemanticRank rank)) {
            throw OperatorFailedException.isNot(operator, "a rank");
          }
          if (!(document.get(rank.items()) instanceof ArrayNode list)) {
            throw OperatorFailedException.unusableDocument(
                "the field '%s' is not a list".formatted(rank.items()));
          }
          Document shown = RankPrompt.shown(rank, document);
          String invalid = DocumentMessage.invalidMedia(shown.with(rank.items(), list));
          if (invalid != null) {
            throw OperatorFailedException.unusableDocument(invalid);
          }
          RankCall call = new RankCall(rank, shown, list.valueStream().toList(), model, execution);
          List<Integer> order = list.size() < 2 ? call.places() : technique.order(call);
          ArrayNode ordered = JsonNodeFactory.instance.arrayNode();
          order.stream().limit(call.kept()).forEach(place -> ordered.add(list.get(place)));
          return new OperatorOutcome.Kept(document.with(rank.writes(), ordered), execution.stats());
        });
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
      throws InterruptedException, OperatorFailedException {
    return execution.askAll(
        model,
        groups,
        CONCURRENCY,
        group -> prompt.about(rank, shown, group.stream().map(items::get).toList()));
  }

  /** The failure of an answer that has the form asked for but means nothing. */
  OperatorFailedException malformed(String message) {
    return OperatorFailedException.ofModel(model, new ModelFailure.Malformed(message));
  }
}
