package dev.abacus.deploy.evaluation.chaos.judge;

import java.util.List;

/** What a program must do with its numbered documents. */
public sealed interface Shape {

  /**
   * Every document gives a number of outputs that depends on its number only. Results name the
   * document in {@code number} and, if there are several, the output in {@code item}, from 0, and
   * in their keys, from 1.
   *
   * @param outputs numbers of outputs; the document's number modulo their count selects one
   */
  record PerDocument(List<Integer> outputs) implements Shape {

    public PerDocument {
      outputs = List.copyOf(outputs);
    }

    /** One output per document. */
    public static PerDocument one() {
      return new PerDocument(List.of(1));
    }

    /** Whether some documents have several outputs. */
    public boolean isMany() {
      return outputs.stream().anyMatch(count -> count > 1);
    }

    /** Number of outputs of a document. */
    public int outputs(int number) {
      return outputs.get(number % outputs.size());
    }
  }

  /** The first documents of each window of record time pass. */
  record Limited(int limit, long windowMillis) implements Shape {}

  /**
   * One result for each group and window of record time, with the group as its key. It counts the
   * documents in {@code messages} and lists their numbers in {@code numbers}.
   */
  record Aggregated(long windowMillis) implements Shape {}

  /**
   * Documents with the same number in both sources make one result.
   *
   * @param into field of the result with the right document
   */
  record Paired(String left, String right, String into) implements Shape {}
}
