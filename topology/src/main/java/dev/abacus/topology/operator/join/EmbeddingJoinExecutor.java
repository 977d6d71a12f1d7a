package dev.abacus.topology.operator.join;

import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.observation.Evidence;
import dev.abacus.schemas.plan.PhysicalOperator.EmbeddingJoin;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.ReferenceJoin;
import dev.abacus.schemas.program.StreamJoin;
import dev.abacus.topology.model.Embedders;
import dev.abacus.topology.model.Embedding;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.operator.EvidenceOutcome;
import dev.abacus.topology.operator.ExecutionStats;
import dev.abacus.topology.operator.OperatorExecutor;
import dev.abacus.topology.operator.OperatorFailure;
import dev.abacus.topology.operator.OperatorOutcome;
import dev.abacus.topology.operator.prompt.OperatorPrompt;
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
public final class EmbeddingJoinExecutor implements OperatorExecutor<EmbeddingJoin> {

  private static final Comparator<Candidate> BY_ID =
      Comparator.comparing(candidate -> candidate.item().id());

  /** Below every cosine: nothing is rejected. */
  private static final double LEAST = -2;

  private final Embedders embedders;
  private final QueryEmbedder queries;
  private final References references;

  public EmbeddingJoinExecutor(Embedders embedders, References references) {
    this.embedders = embedders;
    this.queries = new QueryEmbedder(embedders);
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
              case Similarities.None(OperatorFailure failure, ExecutionStats stats) ->
                  new OperatorOutcome.Failed(failure, stats);
              case Similarities.Known(List<Candidate> candidates, ExecutionStats stats) ->
                  decide(join, technique, document, shown, candidates, client, stats);
            });
  }

  /** The similarities of labelled pairs; no model is called. */
  public EvidenceOutcome collectEvidence(
      LogicalOperator operator, EmbeddingJoin technique, Document document)
      throws InterruptedException {
    return switch (operator) {
      case StreamJoin join when join.isSemantic() ->
          EmbeddedPair.collectEvidence(join, document, embedders.find(technique.embedder()));
      case ReferenceJoin join -> collectEvidence(join, technique, document);
      case LogicalOperator other ->
          EvidenceOutcome.nothing(
              "'%s' has no pairs to compare".formatted(other.id()), ExecutionStats.NONE);
    };
  }

  private EvidenceOutcome collectEvidence(
      ReferenceJoin join, EmbeddingJoin technique, Document document) throws InterruptedException {
    ReferenceView view = references.find(join.with());
    if (view == null) {
      return EvidenceOutcome.nothing(
          "there is no reference '" + join.with() + "'", ExecutionStats.NONE);
    }
    Document shown = OperatorPrompt.input(join, document);
    return switch (compare(view, technique, shown, LEAST)) {
      case Similarities.None(OperatorFailure failure, ExecutionStats stats) ->
          EvidenceOutcome.nothing(failure.message(), stats);
      case Similarities.Known(List<Candidate> candidates, ExecutionStats stats) ->
          EvidenceOutcome.by(
              evidence(candidates.stream().sorted(BY_ID).toList(), Map.of(), stats.latency()),
              stats);
    };
  }

  /** How similar the items that come into question are. */
  private sealed interface Similarities {

    record Known(List<Candidate> candidates, ExecutionStats stats) implements Similarities {}

    record None(OperatorFailure failure, ExecutionStats stats) implements Similarities {}
  }

  private Similarities compare(
      ReferenceView view, EmbeddingJoin technique, Document shown, double least)
      throws InterruptedException {
    EmbeddingInput values = EmbeddingInput.of(shown, shown.fieldNames()).joined();
    if (values.texts().isEmpty()) {
      return new Similarities.None(
          new OperatorFailure.UnusableDocument("the document has no text to compare"),
          ExecutionStats.NONE);
    }
    // The reference's vectors stand for texts; images take part in what the model is shown.
    EmbeddingInput texts = new EmbeddingInput(values.texts(), List.of());
    return switch (queries.embed(technique.embedder(), texts, view)) {
      case QueryEmbedder.Answer.NotEmbedded(OperatorFailure failure, ExecutionStats stats) ->
          new Similarities.None(failure, stats);
      case QueryEmbedder.Answer.Embedded(List<Embedding> embedded, ExecutionStats stats) ->
          new Similarities.Known(
              view.candidates(technique.embedder(), embedded.getFirst(), least), stats);
    };
  }

  private static OperatorOutcome decide(
      ReferenceJoin join,
      EmbeddingJoin technique,
      Document document,
      Document shown,
      List<Candidate> candidates,
      ModelClient client,
      ExecutionStats embedding)
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
            new JoinPrompt(join.condition()), technique.model(), client, shown, uncertain);
    matches.putAll(asked.matches());
    PairCalls.Result all = new PairCalls.Result(matches, asked.failure(), asked.stats());
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
