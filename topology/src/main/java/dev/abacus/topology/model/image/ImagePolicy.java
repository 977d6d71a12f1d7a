package dev.abacus.topology.model.image;

import java.net.URI;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Where images that documents name by address may come from, and who fetches them. The address is
 * part of a document, so it is whatever a stranger wrote: only {@code https} and {@code http} are
 * allowed, and this process never fetches from a host that is not named here.
 *
 * @param hosts the hosts allowed; empty allows any, but only if the endpoint fetches
 * @param fetched whether this process fetches, for endpoints that cannot
 * @param mostBytes of an image that is fetched
 * @param time longest that fetching one may take
 */
public record ImagePolicy(Set<String> hosts, boolean fetched, int mostBytes, Duration time) {

  /** Largest image that model endpoints take, about. */
  public static final int DEFAULT_BYTES = 20 << 20;

  /** Enough for an image of that size. */
  public static final Duration DEFAULT_TIME = Duration.ofSeconds(20);

  /** From any host, fetched by the endpoint. */
  public static final ImagePolicy BY_REFERENCE =
      new ImagePolicy(Set.of(), false, DEFAULT_BYTES, DEFAULT_TIME);

  private static final Set<String> SCHEMES = Set.of("https", "http");

  public ImagePolicy {
    hosts = Set.copyOf(hosts);
    if (fetched && hosts.isEmpty()) {
      throw new IllegalArgumentException("images are fetched only from hosts that are named");
    }
    if (mostBytes < 1 || !time.isPositive()) {
      throw new IllegalArgumentException("mostBytes and time must be positive");
    }
  }

  /** Images of these hosts only, fetched by this process. */
  public static ImagePolicy fetchedFrom(Set<String> hosts) {
    return new ImagePolicy(hosts, true, DEFAULT_BYTES, DEFAULT_TIME);
  }

  /** Why an address is not allowed; null if it is. */
  @Nullable String refusal(URI address) {
    String scheme = address.getScheme() == null ? "" : address.getScheme().toLowerCase(Locale.ROOT);
    if (!SCHEMES.contains(scheme)) {
      return "images come by https or http only, not by '" + scheme + "'";
    }
    String host = address.getHost() == null ? "" : address.getHost().toLowerCase(Locale.ROOT);
    if (host.isEmpty() || address.getUserInfo() != null) {
      return "the address names no host, or a user";
    }
    return hosts.isEmpty() || hosts.contains(host)
        ? null
        : "images of the host '" + host + "' are not allowed";
  }
}
