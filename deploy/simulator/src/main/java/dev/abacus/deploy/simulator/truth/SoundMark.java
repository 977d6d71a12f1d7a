package dev.abacus.deploy.simulator.truth;

import dev.abacus.deploy.simulator.skill.KeyedRandom;

/** What stands for a sound in texts: equal for equal bytes. */
public final class SoundMark {

  private SoundMark() {}

  /** The mark of a sound in Base64. */
  public static String of(String base64) {
    return "[sound " + Long.toHexString(KeyedRandom.hash(base64)) + "]";
  }
}
