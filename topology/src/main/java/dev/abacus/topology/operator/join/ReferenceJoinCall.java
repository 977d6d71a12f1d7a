package dev.abacus.topology.operator.join;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.observation.Evidence;
import dev.abacus.schemas.program.JoinKind;
import dev.abacus.schemas.program.Reasoning;
import dev.abacus.schemas.program.ReferenceJoin;
import dev.abacus.topology.operator.OperatorFailedException;
import dev.abacus.topology.operator.OperatorOutcome;
import dev.abacus.topology.operator.prompt.Execution;
import dev.abacus.topology.operator.prompt.OperatorPrompt;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One execution of a join of a document with a reference: the part that techniques share.
 *
 * @param input the fields of the document that the join reads
 */
record ReferenceJoinCall(
    ReferenceJoin join, ReferenceView reference, Document input, Execution execution) {

  /**
   * Checks operator and document.
   *
   * @throws OperatorFailedException if they cannot be joined
   */
  static ReferenceJoinCall of(Execution execution, References references)
      throws OperatorFailedException {
    if (!(execution.operator() instanceof ReferenceJoin join)) {
      throw OperatorFailedException.isNot(execution.operator(), "a join with a reference");
    }
    Document document = execution.document();
    ReferenceView reference = references.require(join.with()).matchable(join, document);
    Document input = OperatorPrompt.input(join, document);
    if (input.isEmpty()) {
      throw OperatorFailedException.unusableDocument(
          "the document has none of " + String.join(", ", join.seenByModel()));
    }
    return new ReferenceJoinCall(join, reference, input, execution);
  }

  /** The outcome without a match, if there is no item to compare. */
  @Nullable OperatorOutcome nothingToCompare() {
    return reference.size() > 0
        ? null
        : outcome(List.of(), Map.of(), new Evidence.Pairs(List.of()));
  }

  /**
   * Asks a model about every candidate.
   *
   * @param reasoning how the model reasons before it answers; null as its card says
   * @return whether each matches, by the id of its item
   */
  Map<String, Boolean> ask(
      String model,
      @Nullable Reasoning reasoning,
      PairExamples examples,
      List<Candidate> candidates)
      throws InterruptedException, OperatorFailedException {
    return PairCalls.ask(
        execution,
        model,
        item -> {
          Document right = item.document();
          return examples.addTo(
              JoinPrompt.of(join.condition(), input, right).reasoning(reasoning), input, right);
        },
        candidates);
  }

  /**
   * The outcome of the join.
   *
   * @param candidates in the order of their keys
   * @param matches whether each candidate matches, by item id
   */
  OperatorOutcome outcome(
      List<Candidate> candidates, Map<String, Boolean> matches, Evidence evidence) {
    List<Document> items =
        candidates.stream()
            .map(Candidate::item)
            .filter(item -> matches.getOrDefault(item.id(), false))
            .map(ReferenceItem::document)
            .toList();
    return new OperatorOutcome.Kept(outputs(items), execution.stats(), evidence);
  }

  /**
   * The outcome of a join that names all of its matches. In a sample, these and the items of the
   * sample are the pairs, so that the score contains what the shortlist lacks; else the shortlist.
   */
  OperatorOutcome outcome(List<Candidate> shortlist, List<Candidate> named) {
    Map<String, Boolean> answers = new HashMap<>();
    shortlist.forEach(candidate -> answers.put(candidate.item().id(), false));
    named.forEach(candidate -> answers.put(candidate.item().id(), true));
    List<Candidate> pairs =
        (reference.isSample() ? reference.representedBy(named) : shortlist)
            .stream().sorted(Candidate.BY_ID).toList();
    return outcome(pairs, answers, new Evidence.Pairs(pairs(pairs, answers, answers)));
  }

  /**
   * The pairs as evidence: in a sample all of them, else those that the model was asked about.
   *
   * @param decisions of the technique, by item id
   * @param answers those of them that the model gave
   */
  List<Evidence.Pair> pairs(
      List<Candidate> candidates, Map<String, Boolean> decisions, Map<String, Boolean> answers) {
    List<Evidence.Pair> pairs = new ArrayList<>();
    for (Candidate candidate : candidates) {
      String id = candidate.item().id();
      Boolean label = candidate.label();
      if (!reference.isSample() && !answers.containsKey(id)) {
        continue;
      }
      pairs.add(
          new Evidence.Pair(
              id,
              Double.isNaN(candidate.similarity()) ? null : candidate.similarity(),
              label == null ? answers.get(id) : label,
              label != null,
              candidate.weight(),
              decisions.get(id)));
    }
    return pairs;
  }

  /**
   * One output per match, or one output with the list of matches. Without a match, an inner join
   * has no output; a left join has the document, unchanged or with an empty list.
   */
  private List<Document> outputs(List<Document> matches) {
    Document document = execution.document();
    if (matches.isEmpty() && join.joinKind() == JoinKind.INNER) {
      return List.of();
    }
    if (join.collected()) {
      ArrayNode items = JsonNodeFactory.instance.arrayNode();
      matches.forEach(item -> items.add(item.toJson()));
      return List.of(document.with(join.into(), items));
    }
    return matches.isEmpty()
        ? List.of(document)
        : matches.stream().map(item -> document.with(join.into(), item.toJson())).toList();
  }
}
