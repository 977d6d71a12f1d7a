package dev.abacus.topology.operator;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.topology.model.ModelAnswer;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.model.ModelFailure;
import dev.abacus.topology.model.ModelRequest;
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
  public static ModelRequest request(String model, Prompt prompt, Question<?> question) {
    return ModelRequest.of(model, prompt.system(), prompt.user(), question.responseSchema());
  }

  /** Asks for the likeliest answer; the expense is of all calls together. */
  public static <A> Reply<A> ask(
      ModelClient client, String model, Prompt prompt, Question<A> question)
      throws InterruptedException {
    return ask(client, model, 0, prompt, question);
  }

  /** Asks at a temperature; the expense is of all calls together. */
  static <A> Reply<A> ask(
      ModelClient client, String model, double temperature, Prompt prompt, Question<A> question)
      throws InterruptedException {
    Expense expense = Expense.NONE;
    Prompt next = prompt;
    for (int repairs = 0; ; repairs++) {
      ModelAnswer answer = client.call(request(model, next, question).withTemperature(temperature));
      expense = expense.plus(Expense.ofChat(answer));
      switch (answer) {
        case ModelAnswer.Failed failed -> {
          return new Reply.Unanswered<>(failed.failure(), expense);
        }
        case ModelAnswer.Success success -> {
          switch (read(success.text(), question)) {
            case Reading.Understood<A>(A understood) -> {
              return new Reply.Answered<>(understood, expense);
            }
            case Reading.NotUnderstood<A>(List<String> problems) -> {
              if (repairs == MOST_REPAIRS) {
                return new Reply.Unanswered<>(malformed(problems), expense);
              }
              next = prompt.repaired(problems);
            }
          }
        }
      }
    }
  }

  /** Reads the text of an answer. */
  static <A> Reading<A> read(String text, Question<A> question) {
    ObjectNode object = AnswerText.object(text);
    return object == null
        ? new Reading.NotUnderstood<>(List.of("there is no valid JSON object in it"))
        : question.read(object);
  }

  private static ModelFailure malformed(List<String> problems) {
    return new ModelFailure.Malformed(
        "no answer of the form asked for; the last one: " + String.join("; ", problems));
  }
}
