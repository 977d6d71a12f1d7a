package dev.abacus.topology.answer;

/** Tells the other workers of answers. Thread-safe; returns at once and does not throw. */
public interface AnswerLog {

  /**
   * An answer is known. An answer that cannot be written costs at most another call.
   *
   * @param position of the log that was read when the call of the answer started
   */
  void write(String key, byte[] answer, long position);

  /** An answer is of no use. */
  void remove(String key);
}
