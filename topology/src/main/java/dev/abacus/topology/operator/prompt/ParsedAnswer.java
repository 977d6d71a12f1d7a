package dev.abacus.topology.operator.prompt;

import java.util.List;

/** What was made of a model's answer. */
public sealed interface ParsedAnswer<A> {

  /** It is an answer to the question. */
  record Understood<A>(A answer) implements ParsedAnswer<A> {}

  /** It is none; the problems are told to the model when it is asked again. */
  record NotUnderstood<A>(List<String> problems) implements ParsedAnswer<A> {
    public NotUnderstood {
      problems = List.copyOf(problems);
    }
  }
}
