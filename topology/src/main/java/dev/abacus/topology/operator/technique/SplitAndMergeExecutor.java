package dev.abacus.topology.operator.technique;

import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.plan.SplitAndMerge;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.model.ModelFailure;
import dev.abacus.topology.model.token.Tokenizer;
import dev.abacus.topology.operator.ExecutionStats;
import dev.abacus.topology.operator.OperatorExecutor;
import dev.abacus.topology.operator.OperatorOutcome;
import dev.abacus.topology.operator.ParallelCalls;
import dev.abacus.topology.operator.prompt.FilterPrompt;
import dev.abacus.topology.operator.prompt.MapPrompt;
import dev.abacus.topology.operator.prompt.OneToManyMapPrompt;
import dev.abacus.topology.operator.prompt.OperatorPrompt;
import dev.abacus.topology.operator.prompt.Prompt;
import dev.abacus.topology.operator.prompt.PromptTemplate;
import dev.abacus.topology.operator.prompt.StructuredAnswer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * Asks about every part of a long document and merges the answers.
 *
 * <pre>
 *              ┌─► part 1 ──► model ──┐
 *   document ──┼─► part 2 ──► model ──┼─► merge ──► output
 *              └─► part 3 ──► model ──┘
 * </pre>
 *
 * <p>{@link PartialAnswers} merges without a call if it can: lists, values on which all parts
 * agree, unanimous decisions. If a part fails, the document fails, because the merged answer would
 * silently lack the answer of this part.
 */
final class SplitAndMergeExecutor implements OperatorExecutor<SplitAndMerge> {

  /** Bounds the calls of one document, so that others are not delayed. */
  private static final int CONCURRENCY = 8;

  private static final PromptTemplate PART =
      PromptTemplate.of(SplitAndMergeExecutor.class, "part.txt");

  private final Function<String, Tokenizer> tokenizers;

  /**
   * An executor.
   *
   * @param tokenizers how each model counts tokens
   */
  SplitAndMergeExecutor(Function<String, Tokenizer> tokenizers) {
    this.tokenizers = tokenizers;
  }

  @Override
  public OperatorOutcome execute(
      LogicalOperator operator, SplitAndMerge technique, Document document, ModelClient client)
      throws InterruptedException {
    return SemanticCall.run(
        operator,
        document,
        client,
        call -> {
          List<Document> parts =
              DocumentParts.of(
                  call.input(),
                  technique.chunkTokens(),
                  new TokenChunks(tokenizers.apply(technique.model())));
          return parts.size() == 1
              ? call.answer(technique.model(), ExecutionStats.NONE)
              : run(call, technique, parts);
        });
  }

  private static <A> OperatorOutcome run(
      SemanticCall<A> call, SplitAndMerge technique, List<Document> parts)
      throws InterruptedException {
    OperatorPrompt<A> ofPart = call.operator().ofPart();
    List<StructuredAnswer<A>> results =
        ParallelCalls.run(
            IntStream.range(0, parts.size()).boxed().toList(),
            CONCURRENCY,
            index -> call.ask(technique.model(), prompt(ofPart, parts, index)));
    ExecutionStats stats =
        ExecutionStats.inParallel(
            results.stream().map(StructuredAnswer::stats).toList(), CONCURRENCY);
    List<A> answers = new ArrayList<>();
    for (StructuredAnswer<A> result : results) {
      switch (result) {
        case StructuredAnswer.Valid<A>(A answer, ExecutionStats _) -> answers.add(answer);
        case StructuredAnswer.Failed<A>(ModelFailure failure, ExecutionStats _) -> {
          return OperatorOutcome.Failed.ofModel(technique.model(), failure, stats);
        }
      }
    }
    PartialAnswers merger = new PartialAnswers(call.client(), technique.merger());
    StructuredAnswer<A> merged = merge(merger, call.operator(), parts, answers);
    return call.outcome(technique.merger(), merged.after(stats));
  }

  private static <A> Prompt<A> prompt(OperatorPrompt<A> operator, List<Document> parts, int index) {
    Map<String, String> numbers =
        Map.of("part", String.valueOf(index + 1), "parts", String.valueOf(parts.size()));
    return operator.about(parts.get(index)).append(PART.fill(numbers));
  }

  /** The type of the prompt determines the type of the answer, which the compiler cannot infer. */
  @SuppressWarnings("unchecked")
  private static <A> StructuredAnswer<A> merge(
      PartialAnswers merger, OperatorPrompt<A> operator, List<Document> parts, List<A> answers)
      throws InterruptedException {
    return (StructuredAnswer<A>)
        switch (operator) {
          case MapPrompt map -> merger.fields(map, (List<Document>) answers);
          case OneToManyMapPrompt _ -> merger.outputs((List<List<Document>>) answers);
          case FilterPrompt filter -> merger.decisions(filter, parts, (List<Boolean>) answers);
        };
  }
}
