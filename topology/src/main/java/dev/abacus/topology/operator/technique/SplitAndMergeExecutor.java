package dev.abacus.topology.operator.technique;

import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.plan.SplitAndMerge;
import dev.abacus.topology.operator.OperatorFailedException;
import dev.abacus.topology.operator.OperatorOutcome;
import dev.abacus.topology.operator.prompt.FilterPrompt;
import dev.abacus.topology.operator.prompt.MapPrompt;
import dev.abacus.topology.operator.prompt.OneToManyMapPrompt;
import dev.abacus.topology.operator.prompt.OperatorPrompt;
import dev.abacus.topology.operator.prompt.Prompt;
import dev.abacus.topology.operator.prompt.PromptTemplate;
import java.util.List;
import java.util.Map;
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
final class SplitAndMergeExecutor {

  /** Bounds the calls of one document, so that others are not delayed. */
  private static final int CONCURRENCY = 8;

  private static final PromptTemplate PART =
      PromptTemplate.of(SplitAndMergeExecutor.class, "part.txt");

  private SplitAndMergeExecutor() {}

  static <A> OperatorOutcome run(SemanticCall<A> call, SplitAndMerge technique, TokenChunks tokens)
      throws InterruptedException, OperatorFailedException {
    List<Document> parts = DocumentParts.of(call.input(), technique.chunkTokens(), tokens);
    if (parts.size() == 1) {
      return call.answer(technique.model());
    }
    OperatorPrompt<A> ofPart = call.operator().ofPart();
    List<A> answers =
        call.execution()
            .askAll(
                technique.model(),
                IntStream.range(0, parts.size()).boxed().toList(),
                CONCURRENCY,
                index -> prompt(ofPart, parts, index));
    PartialAnswers merger = new PartialAnswers(call.execution(), technique.merger());
    return call.outcome(merge(merger, call.operator(), parts, answers));
  }

  private static <A> Prompt<A> prompt(OperatorPrompt<A> operator, List<Document> parts, int index) {
    Map<String, String> numbers =
        Map.of("part", String.valueOf(index + 1), "parts", String.valueOf(parts.size()));
    return operator.about(parts.get(index)).append(PART.fill(numbers));
  }

  /** The type of the prompt determines the type of the answer, which the compiler cannot infer. */
  @SuppressWarnings("unchecked")
  private static <A> A merge(
      PartialAnswers merger, OperatorPrompt<A> operator, List<Document> parts, List<A> answers)
      throws InterruptedException, OperatorFailedException {
    return (A)
        switch (operator) {
          case MapPrompt map -> merger.fields(map, (List<Document>) answers);
          case OneToManyMapPrompt _ -> merger.outputs((List<List<Document>>) answers);
          case FilterPrompt filter -> merger.decisions(filter, parts, (List<Boolean>) answers);
        };
  }
}
