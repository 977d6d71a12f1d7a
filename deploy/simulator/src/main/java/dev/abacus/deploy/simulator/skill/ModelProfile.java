package dev.abacus.deploy.simulator.skill;

/**
 * What is published about a chat model, and all that the simulator knows of it.
 *
 * @param name as the client writes it
 * @param mmluPro published MMLU-Pro accuracy, percent
 * @param secondsPerOutputToken seconds per output token
 * @param contextTokens the longest prompt, in tokens
 * @param reasoning whether it thinks before it answers (its thinking is output tokens that are paid
 *     and waited for)
 */
public record ModelProfile(
    String name,
    double mmluPro,
    double secondsPerOutputToken,
    int contextTokens,
    boolean reasoning) {

  /** Checks the ranges. */
  public ModelProfile {
    if (mmluPro <= 10 || mmluPro >= 100 || secondsPerOutputToken < 0 || contextTokens < 1) {
      throw new IllegalArgumentException("model " + name + ": a number is out of range");
    }
  }
}
