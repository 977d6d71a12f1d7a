package dev.abacus.topology.operator;

import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.plan.PhysicalOperator.SplitAndMerge;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.topology.model.ModelClient;
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
                question, document, shown, technique.model(), client, Expense.NONE);
          }
          return run(question, technique, document, parts, client);
        });
  }

  private static <A> OperatorOutcome run(
      OperatorQuestion<A> question,
      SplitAndMerge technique,
      Document document,
      List<Document> parts,
      ModelClient client)
      throws InterruptedException {
    OperatorQuestion<A> ofPart = question.ofPart();
    List<Integer> numbers = IntStream.range(0, parts.size()).boxed().toList();
    List<Reply<A>> replies =
        SideBySide.run(
            numbers,
            MOST_AT_ONCE,
            number -> {
              Prompt prompt = part(ofPart, parts, number);
              return StructuredCall.ask(client, technique.model(), prompt, ofPart);
            });
    Expense reading =
        Expense.sideBySide(replies.stream().map(Reply::expense).toList(), MOST_AT_ONCE);
    List<A> answers = new ArrayList<>();
    for (Reply<A> reply : replies) {
      switch (reply) {
        case Reply.Answered<A>(A answer, Expense _) -> answers.add(answer);
        case Reply.Unanswered<A>(var failure, Expense _) -> {
          return SemanticCall.failed(technique.model(), failure, reading);
        }
      }
    }
    PartialAnswers merger = new PartialAnswers(client, technique.merger());
    Reply<A> merged = merge(merger, question, parts, answers);
    return SemanticCall.conclude(question, document, technique.merger(), reading, merged);
  }

  private static Prompt part(OperatorQuestion<?> question, List<Document> parts, int number) {
    return Prompt.of(question, parts.get(number))
        .and(
            PART.fill(
                java.util.Map.of(
                    "part", String.valueOf(number + 1), "parts", String.valueOf(parts.size()))));
  }

  /** The kind of question fixes the kind of answer, which the compiler does not see. */
  @SuppressWarnings("unchecked")
  private static <A> Reply<A> merge(
      PartialAnswers merger, OperatorQuestion<A> question, List<Document> parts, List<A> answers)
      throws InterruptedException {
    return (Reply<A>)
        switch (question) {
          case MapQuestion map -> merger.fields(map, (List<Document>) answers);
          case MapManyQuestion _ -> merger.outputs((List<List<Document>>) answers);
          case FilterQuestion filter -> merger.decisions(filter, parts, (List<Boolean>) answers);
        };
  }
}
