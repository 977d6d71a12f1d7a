package dev.abacus.schemas.document;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** The SHA-256 of bytes, which tells equal contents. */
public final class Sha256 {

  /** Bytes of a whole hash. */
  public static final int BYTES = 32;

  private Sha256() {}

  /** The hash of parts, one behind the other. */
  public static byte[] of(byte[]... parts) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      for (byte[] part : parts) {
        digest.update(part);
      }
      return digest.digest();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  /**
   * The beginning of the hash in lower-case hexadecimal digits.
   *
   * @param bytes of the hash, two digits each; {@link #BYTES} for the whole
   */
  public static String hex(int bytes, byte[]... parts) {
    return HexFormat.of().formatHex(of(parts), 0, bytes);
  }
}
