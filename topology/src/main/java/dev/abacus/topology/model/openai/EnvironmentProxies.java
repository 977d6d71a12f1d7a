package dev.abacus.topology.model.openai;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.SocketAddress;
import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Selects the proxy that the environment variables {@code HTTPS_PROXY}, {@code HTTP_PROXY} and
 * {@code NO_PROXY} state, in upper or lower case. Addresses of this machine need no proxy.
 */
final class EnvironmentProxies extends ProxySelector {

  private final @Nullable Proxy https;
  private final @Nullable Proxy http;
  private final List<String> direct;

  private EnvironmentProxies(@Nullable Proxy https, @Nullable Proxy http, List<String> direct) {
    this.https = https;
    this.http = http;
    this.direct = direct;
  }

  /**
   * The proxies of an environment.
   *
   * @param environment value of a variable; null if it is not set
   * @throws IllegalArgumentException if a proxy is not {@code http://HOST:PORT}; the message names
   *     the variable
   */
  static EnvironmentProxies of(Function<String, @Nullable String> environment) {
    return new EnvironmentProxies(
        proxy("HTTPS_PROXY", environment),
        proxy("HTTP_PROXY", environment),
        Arrays.stream(value("NO_PROXY", environment).split("[,\\s]+"))
            .map(host -> host.toLowerCase(Locale.ROOT))
            .filter(host -> !host.isBlank())
            .toList());
  }

  private static String value(String variable, Function<String, @Nullable String> environment) {
    String upper = environment.apply(variable);
    String lower = environment.apply(variable.toLowerCase(Locale.ROOT));
    return upper != null && !upper.isBlank() ? upper.strip() : lower == null ? "" : lower.strip();
  }

  private static @Nullable Proxy proxy(
      String variable, Function<String, @Nullable String> environment) {
    String value = value(variable, environment);
    if (value.isEmpty()) {
      return null;
    }
    URI uri = parsed(value.contains("://") ? value : "http://" + value);
    if (uri == null
        || uri.getHost() == null
        || uri.getUserInfo() != null
        || !"http".equals(uri.getScheme())) {
      throw new IllegalArgumentException(
          "the environment variable %s is no proxy of the form http://HOST:PORT; proxies with a password or another protocol are not supported"
              .formatted(variable));
    }
    int port = uri.getPort() < 0 ? 80 : uri.getPort();
    return new Proxy(Proxy.Type.HTTP, InetSocketAddress.createUnresolved(uri.getHost(), port));
  }

  private static @Nullable URI parsed(String value) {
    try {
      return URI.create(value);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  @Override
  public List<Proxy> select(URI uri) {
    String host = uri.getHost() == null ? "" : uri.getHost().toLowerCase(Locale.ROOT);
    Proxy proxy = "https".equals(uri.getScheme()) ? https : http;
    return List.of(proxy == null || isDirect(host) ? Proxy.NO_PROXY : proxy);
  }

  /** Whether a host is this machine, or {@code NO_PROXY} names it or a domain of it. */
  private boolean isDirect(String host) {
    if (host.equals("localhost") || host.equals("[::1]") || host.startsWith("127.")) {
      return true;
    }
    return direct.stream()
        .anyMatch(each -> {
          String domain = each.replaceFirst("^\\*?\\.", "");
          return each.equals("*") || host.equals(domain) || host.endsWith("." + domain);
        });
  }

  @Override
  public void connectFailed(URI uri, SocketAddress address, IOException failure) {
    // The call fails with this exception.
  }
}
