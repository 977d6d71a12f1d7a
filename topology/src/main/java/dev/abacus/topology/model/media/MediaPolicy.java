package dev.abacus.topology.model.media;

import dev.abacus.schemas.document.Media;
import java.net.URI;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Which files of documents are allowed, and whether this process fetches them. A document is
 * untrusted input, so every file passes here, also those inside documents: the address by scheme,
 * host and port, the content by its first bytes and its size.
 *
 * <p>Without a list of hosts the endpoint fetches images, and nobody other files. Then only default
 * ports are allowed, and no address inside a private network, because the endpoint may stand in
 * one.
 *
 * @param hosts allowed hosts in lower case, such as {@code example.com} for the default port of the
 *     scheme or {@code example.com:8443}; empty allows all public hosts, if {@code fetched} is
 *     false
 * @param fetched whether this process fetches files; otherwise the endpoint does, images only
 * @param maxBytes limit of a file; positive
 * @param timeout limit of fetching one file; positive
 * @param maxPages limit of the pages of a PDF that are shown as images; positive
 */
public record MediaPolicy(
    Set<String> hosts, boolean fetched, int maxBytes, Duration timeout, int maxPages) {

  /** About the largest image that model endpoints accept. */
  public static final int DEFAULT_BYTES = 20 << 20;

  /** Enough time to fetch an image of {@link #DEFAULT_BYTES}. */
  public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(20);

  /** A request of so many pages takes about 15 MB, and 40,000 to 100,000 tokens. */
  public static final int DEFAULT_PAGES = 50;

  static final String NO_FILE = "no PNG, JPEG, GIF or WebP image, no WAV or MP3 sound, and no PDF";

  /** All public hosts are allowed, and the endpoint fetches. */
  public static final MediaPolicy BY_REFERENCE =
      new MediaPolicy(Set.of(), false, DEFAULT_BYTES, DEFAULT_TIMEOUT, DEFAULT_PAGES);

  /** IPv4 addresses in any notation, IPv6 addresses, and names that are not public. */
  private static final Pattern NOT_PUBLIC =
      Pattern.compile(
          "\\[.*|[0-9.]+|0x[0-9a-f.x]+|localhost|.*\\.(localhost|local|internal|intranet|lan)|[^.]*");

  public MediaPolicy {
    hosts =
        hosts.stream()
            .map(host -> host.toLowerCase(Locale.ROOT))
            .collect(Collectors.toUnmodifiableSet());
    if (fetched && hosts.isEmpty()) {
      throw new IllegalArgumentException("fetching files needs a list of hosts");
    }
    if (maxBytes < 1 || maxPages < 1 || !timeout.isPositive()) {
      throw new IllegalArgumentException("maxBytes, maxPages and timeout must be positive");
    }
  }

  /** The policy with another limit of pages. */
  public MediaPolicy withPages(int most) {
    return new MediaPolicy(hosts, fetched, maxBytes, timeout, most);
  }

  /** Only these hosts are allowed, and this process fetches. */
  public static MediaPolicy fetchedFrom(Set<String> hosts) {
    return new MediaPolicy(hosts, true, DEFAULT_BYTES, DEFAULT_TIMEOUT, DEFAULT_PAGES);
  }

  /** The reason why an address is not allowed; null if it is allowed. */
  @Nullable String refusal(URI address) {
    String scheme = address.getScheme() == null ? "" : address.getScheme().toLowerCase(Locale.ROOT);
    if (!scheme.equals("https") && !scheme.equals("http")) {
      return "a file must have an https or http address";
    }
    String host = address.getHost() == null ? "" : address.getHost().toLowerCase(Locale.ROOT);
    if (host.isEmpty() || address.getUserInfo() != null) {
      return "the address has no host, or names a user";
    }
    int port = address.getPort();
    boolean defaultPort = port < 0 || port == (scheme.equals("https") ? 443 : 80);
    boolean allowed =
        hosts.isEmpty()
            ? defaultPort && !NOT_PUBLIC.matcher(host).matches()
            : hosts.contains(host + ":" + port) || (defaultPort && hosts.contains(host));
    return allowed ? null : "files of this host and port are not allowed";
  }

  /** The reason why a file is not allowed; null if it is allowed. */
  @Nullable String refusal(Media.Content file) {
    if (file.size() > maxBytes) {
      return "the file is larger than " + maxBytes + " bytes";
    }
    return file.detectedType() == null ? "the file is " + NO_FILE : null;
  }
}
