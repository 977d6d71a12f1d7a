package dev.abacus.topology.operator.prompt;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.topology.model.ModelAnswer;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.model.ModelFailure;
import dev.abacus.topology.model.ModelRequest;
import dev.abacus.topology.operator.ExecutionStats;
import java.util.List;

/**
 * Asks a model a question until the answer is of the form asked for: after a malformed one the
 * model is told what was wrong and asked again, a bounded number of times. A failed call is not
 * repeated here; the model client has done that.
 */
public final class StructuredCall {

  /** How often a malformed answer is sent back. */
  public static final int MOST_REPAIRS = 2;

  private StructuredCall() {}

  /** The request that asks a model the question. */
  public static ModelRequest request(String model, PromptMessages prompt, Prompt<?> question) {
    return ModelRequest.of(model, prompt.system(), prompt.user(), question.responseSchema());
  }

  /** Asks for the likeliest answer; the stats is of all calls together. */
  public static <A> StructuredAnswer<A> ask(
      ModelClient client, String model, PromptMessages prompt, Prompt<A> question)
      throws InterruptedException {
    return ask(client, model, 0, prompt, question);
  }

  /** Asks at a temperature; the stats is of all calls together. */
  public static <A> StructuredAnswer<A> ask(
      ModelClient client,
      String model,
      double temperature,
      PromptMessages prompt,
      Prompt<A> question)
      throws InterruptedException {
    ExecutionStats stats = ExecutionStats.NONE;
    PromptMessages next = prompt;
    for (int repairs = 0; ; repairs++) {
      ModelAnswer answer = client.call(request(model, next, question).withTemperature(temperature));
      stats = stats.plus(ExecutionStats.ofChat(answer));
      switch (answer) {
        case ModelAnswer.Failed failed -> {
          return new StructuredAnswer.Unanswered<>(failed.failure(), stats);
        }
        case ModelAnswer.Success success -> {
          switch (read(success.text(), question)) {
            case ParsedAnswer.Understood<A>(A understood) -> {
              return new StructuredAnswer.Answered<>(understood, stats);
            }
            case ParsedAnswer.NotUnderstood<A>(List<String> problems) -> {
              if (repairs == MOST_REPAIRS) {
                return new StructuredAnswer.Unanswered<>(malformed(problems), stats);
              }
              next = prompt.repaired(problems);
            }
          }
        }
      }
    }
  }

  /** Reads the text of an answer. */
  public static <A> ParsedAnswer<A> read(String text, Prompt<A> question) {
    ObjectNode object = AnswerText.object(text);
    return object == null
        ? new ParsedAnswer.NotUnderstood<>(List.of("there is no valid JSON object in it"))
        : question.read(object);
  }

  private static ModelFailure malformed(List<String> problems) {
    return new ModelFailure.Malformed(
        "no answer of the form asked for; the last one: " + String.join("; ", problems));
  }
}
