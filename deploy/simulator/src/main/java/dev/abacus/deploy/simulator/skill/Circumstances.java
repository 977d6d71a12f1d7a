package dev.abacus.deploy.simulator.skill;

/**
 * What makes reading harder besides the document itself.
 *
 * @param asked number of fields asked at once
 * @param promptTokens length of the prompt
 * @param position where the evidence stands in the document section, 0 (start) to 1 (end)
 * @param temperature sampling temperature
 */
public record Circumstances(int asked, int promptTokens, double position, double temperature) {

  /** The same, for evidence at another place. */
  public Circumstances at(double place) {
    return new Circumstances(asked, promptTokens, place, temperature);
  }
}
