package dev.abacus.deploy.evaluation.chaos.judge;

import java.util.List;

/** What a program must do with its numbered documents. */
public sealed interface Shape {

  /**
   * Every document gives a number of outputs that depends on its number only. Results name the
   * document in {@code number} and, if there are several, the output in {@code item}, from 0.
   *
   * @param modulus the number of the document modulo this value selects the outputs
   * @param outputs number of outputs by remainder
   */
  record PerDocument(int modulus, List<Integer> outputs) implements Shape {

    public PerDocument {
      outputs = List.copyOf(outputs);
      if (outputs.size() != modulus) {
        throw new IllegalArgumentException("one number of outputs per remainder is needed");
      }
    }

    /** One output per document. */
    public static PerDocument one() {
      return new PerDocument(1, List.of(1));
    }

    int outputs(int number) {
      return outputs.get(number % modulus);
    }
  }

  /** The first documents of each window of record time pass. */
  record Limited(int limit, long windowMillis) implements Shape {}

  /** Results list the numbers of a group's documents in {@code numbers}. */
  record Aggregated() implements Shape {}

  /** Documents with the same number in both sources make one result. */
  record Paired(String left, String right) implements Shape {}
}
