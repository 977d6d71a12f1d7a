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

  /** Below every cosine: nothing is rejected. */
  private static final double LEAST = -2;

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
        (join, view, shown) ->
            switch (compare(view, technique, shown, low(technique))) {
              case Similarities.None(OperatorFailure failure, Expense expense) ->
                  new OperatorOutcome.Failed(failure, expense);
              case Similarities.Known(List<Candidate> candidates, Expense expense) ->
                  decide(join, technique, document, shown, candidates, client, expense);
            });
  }

  /** The similarities of labelled pairs; no model is called. */
  Taught teach(LogicalOperator operator, EmbeddingJoin technique, Document document)
      throws InterruptedException {
    return switch (operator) {
      case StreamJoin join when join.isSemantic() ->
          EmbeddedPair.teach(join, document, embedders.find(technique.embedder()));
      case ReferenceJoin join -> teach(join, technique, document);
      case LogicalOperator other ->
          Taught.nothing("'%s' has no pairs to compare".formatted(other.id()), Expense.NONE);
    };
  }

  private Taught teach(ReferenceJoin join, EmbeddingJoin technique, Document document)
      throws InterruptedException {
    ReferenceView view = references.find(join.with());
    if (view == null) {
      return Taught.nothing("there is no reference '" + join.with() + "'", Expense.NONE);
    }
    Document shown = OperatorQuestion.read(join, document);
    return switch (compare(view, technique, shown, LEAST)) {
      case Similarities.None(OperatorFailure failure, Expense expense) ->
          Taught.nothing(failure.message(), expense);
      case Similarities.Known(List<Candidate> candidates, Expense expense) ->
          Taught.by(
              evidence(candidates.stream().sorted(BY_ID).toList(), Map.of(), expense.latency()),
              expense);
    };
  }

  /** How similar the items that come into question are. */
  private sealed interface Similarities {

    record Known(List<Candidate> candidates, Expense expense) implements Similarities {}

    record None(OperatorFailure failure, Expense expense) implements Similarities {}
  }

  private Similarities compare(
      ReferenceView view, EmbeddingJoin technique, Document shown, double least)
      throws InterruptedException {
    QueryValues values = QueryValues.of(shown, shown.fieldNames()).joined();
    if (values.texts().isEmpty()) {
      return new Similarities.None(
          new OperatorFailure.UnusableDocument("the document has no text to compare"),
          Expense.NONE);
    }
    // The reference's vectors stand for texts; images take part in what the model is shown.
    QueryValues texts = new QueryValues(values.texts(), List.of());
    return switch (queries.embed(technique.embedder(), texts, view)) {
      case Queries.Answer.NotEmbedded(OperatorFailure failure, Expense expense) ->
          new Similarities.None(failure, expense);
      case Queries.Answer.Embedded(List<Embedding> embedded, Expense expense) ->
          new Similarities.Known(
              view.candidates(technique.embedder(), embedded.getFirst(), least), expense);
    };
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
        evidence(sorted, asked.matches(), embedding.latency()));
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
    return low == null ? LEAST : low;
  }

  /** Every pair that a label or the model decided; the label goes first. */
  private static Evidence evidence(
      List<Candidate> candidates, Map<String, Boolean> asked, double seconds) {
    List<Evidence.Pair> pairs = new ArrayList<>();
    for (Candidate candidate : candidates) {
      Boolean label = candidate.label();
      Boolean answer = asked.get(candidate.item().id());
      if (label != null || answer != null) {
        boolean match = label != null ? label : Boolean.TRUE.equals(answer);
        pairs.add(new Evidence.Pair(candidate.similarity(), match, label != null));
      }
    }
    return new Evidence.Pairs(pairs, seconds);
  }
}
