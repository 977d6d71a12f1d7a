package dev.abacus.topology.model.image;

import dev.abacus.topology.model.Content;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Which images of documents are allowed, and whether this process fetches them. A document is
 * untrusted input, so every image passes here, also those inside documents: the address by scheme,
 * host and port, the content by its first bytes and its size.
 *
 * <p>Without a list of hosts the endpoint fetches images. Then only default ports are allowed, and
 * no address inside a private network, because the endpoint may stand in one.
 *
 * @param hosts allowed hosts in lower case, such as {@code example.com} for the default port of the
 *     scheme or {@code example.com:8443}; empty allows all public hosts, if {@code fetched} is
 *     false
 * @param fetched whether this process fetches images; otherwise the endpoint does
 * @param maxBytes limit of an image; positive
 * @param timeout limit of fetching one image; positive
 */
public record ImagePolicy(Set<String> hosts, boolean fetched, int maxBytes, Duration timeout) {

  /** About the largest image that model endpoints accept. */
  public static final int DEFAULT_BYTES = 20 << 20;

  /** Enough time to fetch an image of {@link #DEFAULT_BYTES}. */
  public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(20);

  /** All public hosts are allowed, and the endpoint fetches. */
  public static final ImagePolicy BY_REFERENCE =
      new ImagePolicy(Set.of(), false, DEFAULT_BYTES, DEFAULT_TIMEOUT);

  /** IPv4 addresses in any notation, IPv6 addresses, and names that are not public. */
  private static final Pattern NOT_PUBLIC =
      Pattern.compile(
          "\\[.*|[0-9.]+|0x[0-9a-f.x]+|localhost|.*\\.(localhost|local|internal|intranet|lan)|[^.]*");

  public ImagePolicy {
    hosts =
        hosts.stream()
            .map(host -> host.toLowerCase(Locale.ROOT))
            .collect(Collectors.toUnmodifiableSet());
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

  /** The reason why an address is not allowed; null if it is allowed. */
  @Nullable String refusal(URI address) {
    String scheme = address.getScheme() == null ? "" : address.getScheme().toLowerCase(Locale.ROOT);
    if (!scheme.equals("https") && !scheme.equals("http")) {
      return "an image must have an https or http address";
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
    return allowed ? null : "images of this host and port are not allowed";
  }

  /** The reason why an image is not allowed; null if it is allowed. */
  @Nullable String refusal(Content.ImageBytes image) {
    if (bytes(image.base64()) > maxBytes) {
      return "the image is larger than " + maxBytes + " bytes";
    }
    return mediaType(image.base64()) == null
        ? "the image is no PNG, JPEG, GIF or WebP image"
        : null;
  }

  private static long bytes(String base64) {
    int length = base64.length();
    while (length > 0 && base64.charAt(length - 1) == '=') {
      length--;
    }
    return length * 3L / 4;
  }

  /** The media type by the first bytes; null if it is none that model endpoints accept. */
  static @Nullable String mediaType(String base64) {
    byte[] bytes;
    try {
      bytes = Base64.getDecoder().decode(base64.substring(0, Math.min(16, base64.length())));
    } catch (IllegalArgumentException e) {
      return null;
    }
    String start = new String(bytes, StandardCharsets.ISO_8859_1);
    if (start.startsWith("\u0089PNG\r\n\u001a\n")) {
      return "image/png";
    }
    if (start.startsWith("\u00ff\u00d8\u00ff")) {
      return "image/jpeg";
    }
    if (start.startsWith("GIF87a") || start.startsWith("GIF89a")) {
      return "image/gif";
    }
    return start.startsWith("RIFF") && start.startsWith("WEBP", 8) ? "image/webp" : null;
  }
}
