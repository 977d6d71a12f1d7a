package dev.abacus.topology.operator.prompt;

import dev.abacus.topology.model.ExecutionStats;
import dev.abacus.topology.model.ModelAnswer;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.model.ModelFailure;
import dev.abacus.topology.model.ModelRequest;
import java.util.List;

/**
 * Calls a model until its answer has the format of the prompt. Deviations with one meaning are
 * mended without a call ({@link AnswerMender}). After any other malformed answer, the next prompt
 * says what was wrong, up to {@link #MAX_REPAIRS} times, unless it would be the same prompt again.
 * Failed calls are not repeated here: the model client has already repeated those for which that
 * can help. In particular, refusals, content filters and prompts that are too long cost one call.
 */
public final class StructuredCall {

  /** How many times a malformed answer is sent back. */
  public static final int MAX_REPAIRS = 2;

  private StructuredCall() {}

  /** Calls a model at temperature 0. */
  public static <A> StructuredAnswer<A> ask(ModelClient client, String model, Prompt<A> prompt)
      throws InterruptedException {
    return ask(client, model, 0, prompt);
  }

  /**
   * Calls a model.
   *
   * @param temperature in [0, 2]
   * @throws InterruptedException if the thread is interrupted; the call is then abandoned
   */
  public static <A> StructuredAnswer<A> ask(
      ModelClient client, String model, double temperature, Prompt<A> prompt)
      throws InterruptedException {
    ExecutionStats stats = ExecutionStats.NONE;
    Prompt<A> next = prompt;
    for (int repairs = 0; ; repairs++) {
      ModelRequest request = next.request(model).withTemperature(temperature);
      ModelAnswer answer = client.call(request);
      stats = stats.plus(answer.stats());
      switch (answer) {
        case ModelAnswer.Failed failed -> {
          return new StructuredAnswer.Failed<>(failed.failure(), stats);
        }
        case ModelAnswer.Success success -> {
          switch (prompt.format().parse(success.text())) {
            case AnswerFormat.Parsed.Valid<A>(A valid) -> {
              return new StructuredAnswer.Valid<>(valid, stats);
            }
            case AnswerFormat.Parsed.Invalid<A>(List<String> problems) -> {
              client.discard(request);
              Prompt<A> repair = prompt.repair(problems);
              if (repairs == MAX_REPAIRS || repair.equals(next)) {
                return new StructuredAnswer.Failed<>(malformed(problems), stats);
              }
              next = repair;
            }
          }
        }
      }
    }
  }

  private static ModelFailure malformed(List<String> problems) {
    return new ModelFailure.Malformed(
        "no answer of the form asked for; the last one: " + String.join("; ", problems));
  }
}
