package dev.abacus.topology.operator.technique;

import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.plan.PhysicalOperator.SplitAndMerge;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.operator.ExecutionStats;
import dev.abacus.topology.operator.OperatorExecutor;
import dev.abacus.topology.operator.OperatorOutcome;
import dev.abacus.topology.operator.ParallelCalls;
import dev.abacus.topology.operator.prompt.FilterPrompt;
import dev.abacus.topology.operator.prompt.MapPrompt;
import dev.abacus.topology.operator.prompt.OneToManyMapPrompt;
import dev.abacus.topology.operator.prompt.OperatorPrompt;
import dev.abacus.topology.operator.prompt.PromptMessages;
import dev.abacus.topology.operator.prompt.PromptTemplate;
import dev.abacus.topology.operator.prompt.StructuredAnswer;
import dev.abacus.topology.operator.prompt.StructuredCall;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The question is asked of every part of a long document, and the answers are merged.
 *
 * <pre>
 *              ┌─► part 1 ──► model ──┐
 *   document ──┼─► part 2 ──► model ──┼─► merge ──► output
 *              └─► part 3 ──► model ──┘
 * </pre>
 *
 * <p>What needs no judgement is merged without a call ({@link PartialAnswers}): lists, values that
 * the parts agree on, decisions without dissent. A part that fails fails the document: what it
 * might have said would be lost in silence otherwise.
 */
final class SplitAndMergeExecutor implements OperatorExecutor<SplitAndMerge> {

  /** More calls at once for one document would starve the others. */
  private static final int MOST_AT_ONCE = 8;

  private static final PromptTemplate PART =
      PromptTemplate.beside(SplitAndMergeExecutor.class, "part.txt");

  @Override
  public OperatorOutcome execute(
      LogicalOperator operator, SplitAndMerge technique, Document document, ModelClient client)
      throws InterruptedException {
    return SemanticCall.with(
        operator,
        document,
        (question, shown) -> {
          List<Document> parts = DocumentParts.of(shown, technique.chunkSize());
          if (parts.size() == 1) {
            return SemanticCall.ask(
                question, document, shown, technique.model(), client, ExecutionStats.NONE);
          }
          return run(question, technique, document, parts, client);
        });
  }

  private static <A> OperatorOutcome run(
      OperatorPrompt<A> question,
      SplitAndMerge technique,
      Document document,
      List<Document> parts,
      ModelClient client)
      throws InterruptedException {
    OperatorPrompt<A> ofPart = question.ofPart();
    List<Integer> numbers = IntStream.range(0, parts.size()).boxed().toList();
    List<StructuredAnswer<A>> replies =
        ParallelCalls.run(
            numbers,
            MOST_AT_ONCE,
            number -> {
              PromptMessages prompt = part(ofPart, parts, number);
              return StructuredCall.ask(client, technique.model(), prompt, ofPart);
            });
    ExecutionStats reading =
        ExecutionStats.inParallel(
            replies.stream().map(StructuredAnswer::stats).toList(), MOST_AT_ONCE);
    List<A> answers = new ArrayList<>();
    for (StructuredAnswer<A> reply : replies) {
      switch (reply) {
        case StructuredAnswer.Answered<A>(A answer, ExecutionStats _) -> answers.add(answer);
        case StructuredAnswer.Unanswered<A>(var failure, ExecutionStats _) -> {
          return SemanticCall.failed(technique.model(), failure, reading);
        }
      }
    }
    PartialAnswers merger = new PartialAnswers(client, technique.merger());
    StructuredAnswer<A> merged = merge(merger, question, parts, answers);
    return SemanticCall.conclude(question, document, technique.merger(), reading, merged);
  }

  private static PromptMessages part(OperatorPrompt<?> question, List<Document> parts, int number) {
    return PromptMessages.of(question, parts.get(number))
        .and(
            PART.fill(
                java.util.Map.of(
                    "part", String.valueOf(number + 1), "parts", String.valueOf(parts.size()))));
  }

  /** The kind of question fixes the kind of answer, which the compiler does not see. */
  @SuppressWarnings("unchecked")
  private static <A> StructuredAnswer<A> merge(
      PartialAnswers merger, OperatorPrompt<A> question, List<Document> parts, List<A> answers)
      throws InterruptedException {
    return (StructuredAnswer<A>)
        switch (question) {
          case MapPrompt map -> merger.fields(map, (List<Document>) answers);
          case OneToManyMapPrompt _ -> merger.outputs((List<List<Document>>) answers);
          case FilterPrompt filter -> merger.decisions(filter, parts, (List<Boolean>) answers);
        };
  }
}
