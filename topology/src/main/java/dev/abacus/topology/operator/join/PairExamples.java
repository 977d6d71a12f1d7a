package dev.abacus.topology.operator.join;

import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.plan.PhysicalOperator.WithExamples;
import dev.abacus.schemas.plan.SolvedExample;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.topology.operator.OperatorFailedException;
import dev.abacus.topology.operator.prompt.AnswerFormat;
import dev.abacus.topology.operator.prompt.DocumentMessage;
import dev.abacus.topology.operator.prompt.OperatorPrompt;
import dev.abacus.topology.operator.prompt.Prompt;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Labelled pairs for the prompts of a join. The plan names the left document, the label, and the
 * right document or the key of an item, which the reference has.
 *
 * <p>A prompt shows no pair of its own left or right document. Leaves out pairs whose item is not
 * in the reference, and pairs that have an image or are too long.
 *
 * @param number of pairs that a prompt shows
 */
record PairExamples(int number, List<Pair> pairs) {

  /** No pairs. */
  private static final PairExamples NONE = new PairExamples(0, List.of());

  /** Maximum length of a pair: a prompt contains it for every pair. */
  private static final int MOST_CHARACTERS = 8_000;

  /** A labelled pair, and the text that shows both documents. */
  record Pair(Document left, Document right, String text, boolean match) {}

  /**
   * Checks that a technique has its examples.
   *
   * @throws OperatorFailedException if they are missing
   */
  static void require(LogicalOperator operator, WithExamples technique)
      throws OperatorFailedException {
    if (technique.lacksExamples()) {
      throw OperatorFailedException.unusablePlan(
          "%s of '%s' has no examples".formatted(technique.id(), operator.id()));
    }
  }

  /** The pairs of a technique, with the items of the reference. */
  static PairExamples of(WithExamples technique, ReferenceView reference) {
    return of(
        technique,
        example -> {
          ReferenceItem item = reference.item(example.item());
          return item == null ? null : item.document();
        });
  }

  /** The pairs of a technique for a join of two streams. */
  static PairExamples of(WithExamples technique) {
    return of(technique, SolvedExample::right);
  }

  private static PairExamples of(
      WithExamples technique, Function<SolvedExample, @Nullable Document> partner) {
    List<SolvedExample> shown = technique.shown();
    if (technique.examples() == 0 || shown == null) {
      return NONE;
    }
    List<Pair> pairs = new ArrayList<>();
    for (SolvedExample example : shown) {
      Document right = partner.apply(example);
      String text = right == null ? null : DocumentMessage.text(example.input(), right);
      if (right != null && text != null && text.length() <= MOST_CHARACTERS) {
        pairs.add(new Pair(example.input(), right, text, example.matches()));
      }
    }
    return new PairExamples(technique.examples(), pairs);
  }

  /** Adds the pairs to the prompt about two documents. */
  Prompt<Boolean> addTo(Prompt<Boolean> prompt, Document left, Document right) {
    return OperatorPrompt.withExamples(
        prompt,
        pairs.stream()
            .filter(pair -> !pair.left().equals(left) && !pair.right().equals(right))
            .limit(number)
            .map(pair ->
                new OperatorPrompt.Example(
                    pair.text(), AnswerFormat.decisionJson(pair.match()).toString()))
            .toList());
  }
}
