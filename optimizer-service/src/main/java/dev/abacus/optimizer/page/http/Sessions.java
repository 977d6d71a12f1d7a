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
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Visitors that gave their token. Sessions are in memory: they end with the process.
 *
 * <p>Thread-safe.
 */
final class Sessions {

  static final Duration LIFETIME = Duration.ofHours(12);

  private static final int MOST = 1000;

  private final List<Visitor> visitors;
  private final InstantSource clock;
  private final SecureRandom random = new SecureRandom();
  private final byte[] csrfKey = bytes();

  private final Map<String, Session> sessions = new ConcurrentHashMap<>();

  private record Session(Visitor visitor, Instant end) {}

  Sessions(List<Visitor> visitors, InstantSource clock) {
    this.visitors = List.copyOf(visitors);
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
    Visitor visitor = null;
    for (Visitor each : visitors) {
      // Compares with all, so that the time tells nothing.
      visitor = isEqual(each.token(), given) ? each : visitor;
    }
    if (visitor == null) {
      return null;
    }
    Instant now = clock.instant();
    sessions.values().removeIf(session -> session.end().isBefore(now));
    if (sessions.size() >= MOST) {
      sessions.clear();
    }
    String id = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes());
    sessions.put(id, new Session(visitor, now.plus(LIFETIME)));
    return id;
  }

  private static boolean isEqual(String one, String other) {
    return MessageDigest.isEqual(
        one.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8));
  }

  /** Who has an open session; null if it has ended. */
  @Nullable Visitor visitor(@Nullable String id) {
    Session session = id == null ? null : sessions.get(id);
    return session != null && clock.instant().isBefore(session.end()) ? session.visitor() : null;
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
    return given != null && isEqual(csrf(id), given);
  }

  private byte[] bytes() {
    byte[] bytes = new byte[32];
    random.nextBytes(bytes);
    return bytes;
  }
}
