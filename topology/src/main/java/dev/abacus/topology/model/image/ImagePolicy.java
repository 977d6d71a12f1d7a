package dev.abacus.topology.model.image;

import java.net.URI;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which image URIs of documents are allowed, and whether this process fetches them. A document is
 * untrusted input: only {@code https} and {@code http} are allowed, and this process fetches only
 * from the hosts of this policy.
 *
 * @param hosts allowed hosts in lower case; empty allows all, if {@code fetched} is false
 * @param fetched whether this process fetches images; otherwise the endpoint does
 * @param maxBytes limit of a fetched image; positive
 * @param timeout limit of fetching one image; positive
 */
public record ImagePolicy(Set<String> hosts, boolean fetched, int maxBytes, Duration timeout) {

  /** About the largest image that model endpoints accept. */
  public static final int DEFAULT_BYTES = 20 << 20;

  /** Enough time to fetch an image of {@link #DEFAULT_BYTES}. */
  public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(20);

  /** All hosts are allowed, and the endpoint fetches. */
  public static final ImagePolicy BY_REFERENCE =
      new ImagePolicy(Set.of(), false, DEFAULT_BYTES, DEFAULT_TIMEOUT);

  private static final Set<String> SCHEMES = Set.of("https", "http");

  public ImagePolicy {
    hosts = Set.copyOf(hosts);
    if (fetched && hosts.isEmpty()) {
      throw new IllegalArgumentException("fetching images needs a list of hosts");
    }
    if (maxBytes < 1 || !timeout.isPositive()) {
      throw new IllegalArgumentException("maxBytes and timeout must be positive");
    }
  }

  /** Only these hosts are allowed, and this process fetches. */
  public static ImagePolicy fetchedFrom(Set<String> hosts) {
    return new ImagePolicy(hosts, true, DEFAULT_BYTES, DEFAULT_TIMEOUT);
  }

  /** The reason why a URI is not allowed; null if it is allowed. */
  @Nullable String refusal(URI address) {
    String scheme = address.getScheme() == null ? "" : address.getScheme().toLowerCase(Locale.ROOT);
    if (!SCHEMES.contains(scheme)) {
      return "images must have an https or http address, not '" + scheme + "'";
    }
    String host = address.getHost() == null ? "" : address.getHost().toLowerCase(Locale.ROOT);
    if (host.isEmpty() || address.getUserInfo() != null) {
      return "the address has no host, or names a user";
    }
    return hosts.isEmpty() || hosts.contains(host)
        ? null
        : "images of the host '" + host + "' are not allowed";
  }
}
