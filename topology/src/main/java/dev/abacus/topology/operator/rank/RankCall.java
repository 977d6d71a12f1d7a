package dev.abacus.topology.operator.rank;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.program.SemanticRank;
import dev.abacus.topology.model.ModelFailure;
import dev.abacus.topology.operator.OperatorFailedException;
import dev.abacus.topology.operator.prompt.Execution;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * One execution of a rank on a document: the part that techniques share. Techniques order the
 * places of the items in the list, counted from 0, so that equal items remain distinct and no item
 * is lost. A list of fewer than two items needs no call.
 */
record RankCall(
    SemanticRank rank, Document shown, List<JsonNode> items, String model, Execution execution) {

  /** Bounds the calls of one document, so that others are not delayed. */
  private static final int CONCURRENCY = 16;

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
