package dev.abacus.topology.operator;

import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.observation.Evidence;
import dev.abacus.schemas.plan.PhysicalOperator.EmbeddingJoin;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.ReferenceJoin;
import dev.abacus.schemas.program.StreamJoin;
import dev.abacus.topology.model.Embedders;
import dev.abacus.topology.model.Embedding;
import dev.abacus.topology.model.ModelClient;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Similarities decide what they can, a model the rest (paper, section 4.1, "Embedding join").
 *
 * <pre>
 *   document ──► embedder ──► similarity to every item ─┬─ above high ──► match
 *                                                       ├─ between ──► model ──► match?
 *                                                       └─ below low ──► no match
 * </pre>
 *
 * <p>A threshold that is not learnt yet decides nothing.
 */
final class EmbeddingJoinExecutor implements OperatorExecutor<EmbeddingJoin> {

  private static final Comparator<Candidate> BY_ID =
      Comparator.comparing(candidate -> candidate.item().id());

  private final Embedders embedders;
  private final Queries queries;
  private final References references;

  EmbeddingJoinExecutor(Embedders embedders, References references) {
    this.embedders = embedders;
    this.queries = new Queries(embedders);
    this.references = references;
  }

  @Override
  public OperatorOutcome execute(
      LogicalOperator operator, EmbeddingJoin technique, Document document, ModelClient client)
      throws InterruptedException {
    if (operator instanceof StreamJoin streams) {
      return StreamPair.with(
          streams,
          document,
          pair ->
              EmbeddedPair.decide(pair, technique, embedders.find(technique.embedder()), client));
    }
    return ReferenceJoinCall.with(
        operator,
        document,
        references,
        (join, view, shown) -> {
          QueryValues values = QueryValues.of(shown, shown.fieldNames()).joined();
          if (values.texts().isEmpty()) {
            return new OperatorOutcome.Failed(
                new OperatorFailure.UnusableDocument("the document has no text to compare"),
                Expense.NONE);
          }
          // The reference's vectors stand for texts; images take part in what the model is shown.
          QueryValues texts = new QueryValues(values.texts(), List.of());
          return switch (queries.embed(technique.embedder(), texts, view)) {
            case Queries.Answer.NotEmbedded(OperatorFailure failure, Expense expense) ->
                new OperatorOutcome.Failed(failure, expense);
            case Queries.Answer.Embedded(List<Embedding> embedded, Expense expense) ->
                decide(
                    join,
                    technique,
                    document,
                    shown,
                    view.candidates(technique.embedder(), embedded.getFirst(), low(technique)),
                    client,
                    expense);
          };
        });
  }

  private static OperatorOutcome decide(
      ReferenceJoin join,
      EmbeddingJoin technique,
      Document document,
      Document shown,
      List<Candidate> candidates,
      ModelClient client,
      Expense embedding)
      throws InterruptedException {
    List<Candidate> sorted = candidates.stream().sorted(BY_ID).toList();
    List<Candidate> uncertain = new ArrayList<>();
    Map<String, Boolean> matches = new HashMap<>();
    for (Candidate candidate : sorted) {
      Boolean match = bySimilarity(technique, candidate.similarity());
      if (match == null) {
        uncertain.add(candidate);
      } else {
        matches.put(candidate.item().id(), match);
      }
    }
    PairCalls.Result asked =
        PairCalls.ask(
            new JoinQuestion(join.condition()), technique.model(), client, shown, uncertain);
    matches.putAll(asked.matches());
    PairCalls.Result all = new PairCalls.Result(matches, asked.failure(), asked.expense());
    return ReferenceJoinCall.outcome(
        join,
        document,
        sorted,
        all,
        technique.model(),
        embedding,
        evidence(sorted, asked.matches()));
  }

  /** What the similarity alone says; null if it does not. */
  static @Nullable Boolean bySimilarity(EmbeddingJoin technique, double similarity) {
    Double high = technique.high();
    if (high != null && similarity > high) {
      return true;
    }
    return similarity < low(technique) ? Boolean.FALSE : null;
  }

  private static double low(EmbeddingJoin technique) {
    Double low = technique.low();
    return low == null ? -2 : low;
  }

  /** Every pair that a label or the model decided; the label goes first. */
  private static Evidence evidence(List<Candidate> candidates, Map<String, Boolean> asked) {
    List<Evidence.Pair> pairs = new ArrayList<>();
    for (Candidate candidate : candidates) {
      Boolean label = candidate.label();
      Boolean answer = asked.get(candidate.item().id());
      if (label != null || answer != null) {
        boolean match = label != null ? label : Boolean.TRUE.equals(answer);
        pairs.add(new Evidence.Pair(candidate.similarity(), match, label != null));
      }
    }
    return new Evidence.Pairs(pairs);
  }
}
