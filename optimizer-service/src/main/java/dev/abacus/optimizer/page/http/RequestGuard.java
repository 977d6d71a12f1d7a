package dev.abacus.optimizer.page.http;

import io.javalin.http.Context;
import io.javalin.http.ForbiddenResponse;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Rules that hold for every request. On a loopback address, the {@code Host} header must name the
 * listener, so that a foreign name that resolves to this machine (DNS rebinding) reads nothing. A
 * change must come from a page of this server.
 */
final class RequestGuard {

  private static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self';"
          + " form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

  private final InetSocketAddress listener;
  private final String scheme;

  /** Values of {@code Host} that are accepted; empty accepts all. */
  private final Set<String> hosts = new TreeSet<>();

  /**
   * Creates the rules.
   *
   * @param listener address with the port that the server listens on
   * @param secure whether it speaks TLS
   */
  RequestGuard(InetSocketAddress listener, boolean secure) {
    this.listener = listener;
    this.scheme = secure ? "https" : "http";
    InetAddress address = listener.getAddress();
    String port = ":" + listener.getPort();
    if (isLoopback()) {
      hosts.add("localhost" + port);
      hosts.add("127.0.0.1" + port);
      hosts.add("[::1]" + port);
    }
    if (!address.isAnyLocalAddress()) {
      hosts.add(listener.getHostString().toLowerCase(Locale.ROOT) + port);
      hosts.add(literal(address) + port);
    }
  }

  /** Whether only this machine reaches the server. */
  boolean isLoopback() {
    return listener.getAddress().isLoopbackAddress();
  }

  /** The address of the page. */
  String url() {
    return scheme + "://" + literal(listener.getAddress()) + ":" + listener.getPort() + "/";
  }

  private static String literal(InetAddress address) {
    String text = address.getHostAddress();
    return text.contains(":") ? "[" + text + "]" : text;
  }

  /** Sets the headers of an answer. */
  static void protect(Context context) {
    context
        .header("Content-Security-Policy", POLICY)
        .header("X-Content-Type-Options", "nosniff")
        // With no-referrer, browsers do not send the origin of forms, which changes need.
        .header("Referrer-Policy", "same-origin")
        .header("Cross-Origin-Opener-Policy", "same-origin")
        .header("Cross-Origin-Resource-Policy", "same-origin")
        .header("Cache-Control", "no-store");
  }

  /**
   * Refuses requests to another host.
   *
   * @throws ForbiddenResponse if the header names another host
   */
  void requireHost(Context context) {
    @Nullable String host = context.header("Host");
    if (!hosts.isEmpty() && (host == null || !hosts.contains(host.toLowerCase(Locale.ROOT)))) {
      throw new ForbiddenResponse("This server does not answer for the host of the request.");
    }
  }

  /**
   * Refuses changes that another page sends.
   *
   * @throws ForbiddenResponse if a header names another origin, or none names this one
   */
  static void requireOrigin(Context context) {
    @Nullable String origin = context.header("Origin");
    @Nullable String site = context.header("Sec-Fetch-Site");
    @Nullable String host = context.header("Host");
    boolean own =
        origin != null && (origin.equals("http://" + host) || origin.equals("https://" + host));
    if (!own || (site != null && !site.equals("same-origin"))) {
      throw new ForbiddenResponse("A change must come from this page.");
    }
  }
}
