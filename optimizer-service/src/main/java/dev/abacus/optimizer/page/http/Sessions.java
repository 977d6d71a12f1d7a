package dev.abacus.optimizer.page.http;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Visitors that gave their token. Sessions are in memory: they end with the process.
 *
 * <p>Thread-safe.
 */
final class Sessions {

  static final Duration LIFETIME = Duration.ofHours(12);

  private static final int MOST = 1000;

  /** Random bytes of an id and of a token of forms. */
  private static final int SECRET = 32;

  private static final SecureRandom RANDOM = new SecureRandom();

  private final List<Visitor> visitors;
  private final InstantSource clock;

  private final Map<String, Session> sessions = new ConcurrentHashMap<>();

  private record Session(Visitor visitor, Instant end, String csrf) {}

  Sessions(List<Visitor> visitors, InstantSource clock) {
    this.visitors = List.copyOf(visitors);
    this.clock = clock;
  }

  /** A token of 128 random bits. */
  static String newToken() {
    return random(16);
  }

  private static String random(int size) {
    byte[] bytes = new byte[size];
    RANDOM.nextBytes(bytes);
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
    String id = random(SECRET);
    sessions.put(id, new Session(visitor, now.plus(LIFETIME), random(SECRET)));
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

  /** The token that forms of a session carry; empty if it has ended. */
  String csrf(String id) {
    Session session = sessions.get(id);
    return session == null ? "" : session.csrf();
  }

  boolean isCsrf(String id, @Nullable String given) {
    return given != null && !given.isEmpty() && isEqual(csrf(id), given);
  }
}
