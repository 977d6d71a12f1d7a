package dev.abacus.optimizer.page.http;

import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Visitors that gave the token. Sessions are in memory: they end with the process.
 *
 * <p>Thread-safe.
 */
final class Sessions {

  static final Duration LIFETIME = Duration.ofHours(12);

  private static final int MOST = 1000;

  private final byte[] token;
  private final InstantSource clock;
  private final SecureRandom random = new SecureRandom();
  private final byte[] csrfKey = bytes();

  /** End of each session by its id. */
  private final Map<String, Instant> sessions = new ConcurrentHashMap<>();

  Sessions(String token, InstantSource clock) {
    this.token = token.getBytes(StandardCharsets.UTF_8);
    this.clock = clock;
  }

  /** A token of 128 random bits. */
  static String newToken() {
    byte[] bytes = new byte[16];
    new SecureRandom().nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  /** Begins a session; null if the token is wrong. */
  @Nullable String begin(String given) {
    if (!MessageDigest.isEqual(token, given.getBytes(StandardCharsets.UTF_8))) {
      return null;
    }
    Instant now = clock.instant();
    sessions.values().removeIf(end -> end.isBefore(now));
    if (sessions.size() >= MOST) {
      sessions.clear();
    }
    String id = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes());
    sessions.put(id, now.plus(LIFETIME));
    return id;
  }

  boolean isOpen(@Nullable String id) {
    Instant end = id == null ? null : sessions.get(id);
    return end != null && clock.instant().isBefore(end);
  }

  void end(String id) {
    sessions.remove(id);
  }

  /** The token that forms of a session carry. */
  String csrf(String id) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(csrfKey, "HmacSHA256"));
      return HexFormat.of().formatHex(mac.doFinal(id.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException | InvalidKeyException e) {
      throw new IllegalStateException(e);
    }
  }

  boolean isCsrf(String id, @Nullable String given) {
    return given != null
        && MessageDigest.isEqual(
            csrf(id).getBytes(StandardCharsets.UTF_8), given.getBytes(StandardCharsets.UTF_8));
  }

  private byte[] bytes() {
    byte[] bytes = new byte[32];
    random.nextBytes(bytes);
    return bytes;
  }
}
