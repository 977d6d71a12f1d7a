package dev.abacus.topology.operator;

import java.util.List;

/** What was made of a model's answer. */
public sealed interface Reading<A> {

  /** It is an answer to the question. */
  record Understood<A>(A answer) implements Reading<A> {}

  /** It is none; the problems are told to the model when it is asked again. */
  record NotUnderstood<A>(List<String> problems) implements Reading<A> {
    public NotUnderstood {
      problems = List.copyOf(problems);
    }
  }
}
