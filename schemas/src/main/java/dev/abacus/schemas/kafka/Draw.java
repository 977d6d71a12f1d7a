package dev.abacus.schemas.kafka;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;

/**
 * Chooses documents by a hash of where they come from, so that neither load nor a repetition after
 * a crash changes the choice. Draws for different purposes are independent of each other.
 */
public final class Draw {

  private static final double HASHES = 1L << 32;

  private Draw() {}

  /**
   * A number that looks uniformly distributed in [0, 1) over documents. A share of them is chosen
   * by those whose number is smaller than the share.
   *
   * @param purpose what the document is chosen for
   * @param identity of the document: its key, or its position in its topic
   */
  public static double of(String purpose, byte[] identity) {
    byte[] name = (purpose + "\n").getBytes(StandardCharsets.UTF_8);
    byte[] hashed = Arrays.copyOf(name, name.length + identity.length);
    System.arraycopy(identity, 0, hashed, name.length, identity.length);
    return Integer.toUnsignedLong(Utils.murmur2(hashed)) / HASHES;
  }

  /**
   * The number by which a {@link dev.abacus.schemas.plan.Mixture} chooses: the same for all
   * documents of a key, and drawn for each document without one.
   *
   * @param source position of the document in its topic
   */
  public static double ofKey(byte @Nullable [] key, String source) {
    return of("mixture", key == null ? source.getBytes(StandardCharsets.UTF_8) : key);
  }
}
