package dev.abacus.topology.operator.join;

import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.observation.Evidence;
import dev.abacus.schemas.plan.EmbeddingJoin;
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
import dev.abacus.topology.operator.join.QueryEmbedder.Result;
import dev.abacus.topology.operator.prompt.OperatorPrompt;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Decides clear pairs by the similarity of their embeddings, and asks a model about the others
 * (paper, section 4.1, "Embedding join").
 *
 * <pre>
 *   document ──► embedder ──► similarity to every item ─┬─ above high ──► match
 *                                                       ├─ between ──► model ──► match?
 *                                                       └─ below low ──► no match
 * </pre>
 *
 * <p>A threshold that is not learned yet decides no pair.
 */
public final class EmbeddingJoinExecutor implements OperatorExecutor<EmbeddingJoin> {

  private static final Comparator<Candidate> BY_ID =
      Comparator.comparing(candidate -> candidate.item().id());

  /** Less than every cosine: rejects no pair. */
  private static final double NO_THRESHOLD = -2;

  private final Embedders embedders;
  private final References references;

  /** An executor for joins with these references. */
  public EmbeddingJoinExecutor(Embedders embedders, References references) {
    this.embedders = embedders;
    this.references = references;
  }

  @Override
  public OperatorOutcome execute(
      LogicalOperator operator, EmbeddingJoin technique, Document document, ModelClient client)
      throws InterruptedException {
    OperatorOutcome unusable = PairExamples.failure(operator, technique);
    if (unusable != null) {
      return unusable;
    }
    if (operator instanceof StreamJoin streams) {
      StreamEmbeddingJoin pairs =
          new StreamEmbeddingJoin(technique, embedders.find(technique.embedder()));
      return StreamPair.run(streams, document, pair -> pairs.execute(pair, client));
    }
    return ReferenceJoinCall.run(
        operator,
        document,
        references,
        client,
        call ->
            switch (compare(call.reference(), technique, call.input(), low(technique))) {
              case Result.Failed<List<Candidate>>(OperatorFailure failure, ExecutionStats stats) ->
                  new OperatorOutcome.Failed(failure, stats);
              case Result.Success<List<Candidate>>(List<Candidate> found, ExecutionStats stats) ->
                  decide(call, technique, found, stats);
            });
  }

  private static OperatorOutcome decide(
      ReferenceJoinCall call,
      EmbeddingJoin technique,
      List<Candidate> candidates,
      ExecutionStats embedding)
      throws InterruptedException {
    List<Candidate> uncertain = new ArrayList<>();
    Map<String, Boolean> decided = new HashMap<>();
    for (Candidate candidate : candidates) {
      Boolean match = decision(technique, candidate.similarity());
      if (match == null) {
        uncertain.add(candidate);
      } else {
        decided.put(candidate.item().id(), match);
      }
    }
    PairExamples examples = PairExamples.of(technique, call.reference());
    PairCalls.Result asked = call.ask(technique.model(), null, examples, uncertain);
    PairCalls.Result all = asked.after(decided, embedding);
    return call.outcome(technique.model(), candidates, all)
        .withEvidence(
            new Evidence.Pairs(
                call.pairs(candidates, all.matches(), asked.matches()), embedding.latency()));
  }

  /** The decision by similarity; null if the model decides. */
  static @Nullable Boolean decision(EmbeddingJoin technique, double similarity) {
    Double high = technique.high();
    if (high != null && similarity > high) {
      return true;
    }
    return similarity < low(technique) ? Boolean.FALSE : null;
  }

  private static double low(EmbeddingJoin technique) {
    Double low = technique.low();
    return low == null ? NO_THRESHOLD : low;
  }

  /** Measures the similarities of pairs, without a call of the model. */
  public EvidenceOutcome collectEvidence(
      LogicalOperator operator, EmbeddingJoin technique, Document document)
      throws InterruptedException {
    return switch (operator) {
      case StreamJoin join when join.isSemantic() ->
          new StreamEmbeddingJoin(technique, embedders.find(technique.embedder()))
              .collectEvidence(join, document);
      case ReferenceJoin join -> collectEvidence(join, technique, document);
      case LogicalOperator other ->
          EvidenceOutcome.none(
              "'%s' has no pairs to compare".formatted(other.id()), ExecutionStats.NONE);
    };
  }

  private EvidenceOutcome collectEvidence(
      ReferenceJoin join, EmbeddingJoin technique, Document document) throws InterruptedException {
    ReferenceView reference = references.find(join.with());
    if (reference == null) {
      return EvidenceOutcome.none(
          "there is no reference '" + join.with() + "'", ExecutionStats.NONE);
    }
    Document input = OperatorPrompt.input(join, document);
    return switch (embed(reference, technique, input)) {
      case Result.Failed<Embedding>(OperatorFailure failure, ExecutionStats stats) ->
          EvidenceOutcome.failed(failure, stats);
      case Result.Success<Embedding>(Embedding query, ExecutionStats stats) ->
          EvidenceOutcome.of(
              labelled(reference.evidence(technique.embedder(), query), stats.latency()), stats);
    };
  }

  /** The candidates of at least this similarity, in the order of their ids. */
  private Result<List<Candidate>> compare(
      ReferenceView reference, EmbeddingJoin technique, Document input, double least)
      throws InterruptedException {
    return switch (embed(reference, technique, input)) {
      case Result.Failed<Embedding>(OperatorFailure failure, ExecutionStats stats) ->
          new Result.Failed<>(failure, stats);
      case Result.Success<Embedding>(Embedding query, ExecutionStats stats) ->
          new Result.Success<>(
              reference.candidates(technique.embedder(), query, least).stream()
                  .sorted(BY_ID)
                  .toList(),
              stats);
    };
  }

  private Result<Embedding> embed(ReferenceView reference, EmbeddingJoin technique, Document input)
      throws InterruptedException {
    List<String> texts = EmbeddingInput.of(input, input.fieldNames()).joined().texts();
    if (texts.isEmpty()) {
      return new Result.Failed<>(
          new OperatorFailure.UnusableDocument("the document has no text to compare"),
          ExecutionStats.NONE);
    }
    // Only texts: a reference holds the vectors of texts. The model sees the images too.
    EmbeddingInput query = new EmbeddingInput(texts, List.of());
    return switch (new QueryEmbedder(embedders).embed(technique.embedder(), query, reference)) {
      case Result.Failed<List<Embedding>>(OperatorFailure failure, ExecutionStats stats) ->
          new Result.Failed<>(failure, stats);
      case Result.Success<List<Embedding>>(List<Embedding> embedded, ExecutionStats stats) ->
          new Result.Success<>(embedded.getFirst(), stats);
    };
  }

  /** The pairs with a label. */
  private static Evidence labelled(List<Candidate> candidates, double seconds) {
    List<Evidence.Pair> pairs = new ArrayList<>();
    for (Candidate candidate : candidates) {
      Boolean label = candidate.label();
      if (label != null) {
        pairs.add(
            new Evidence.Pair(null, candidate.similarity(), label, true, candidate.weight(), null));
      }
    }
    return new Evidence.Pairs(pairs, seconds);
  }
}
