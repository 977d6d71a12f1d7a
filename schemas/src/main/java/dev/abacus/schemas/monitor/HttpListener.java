package dev.abacus.schemas.monitor;

import java.net.InetSocketAddress;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import org.jspecify.annotations.Nullable;

/** The address of the {@link MonitorServer} in settings: HOST:PORT, or empty for none. */
public final class HttpListener {

  /** What the settings say of themselves. */
  public static final String DOCUMENTATION =
      "Address (HOST:PORT) that serves `/metrics`, `/health/live` and `/health/ready` over HTTP, "
          + "without authentication; port 0 for any free port, which the log names. Off by default, "
          + "because several processes of a machine cannot share a port.";

  /** Refuses a text that is no address. */
  public static final ConfigDef.Validator VALIDATOR =
      (name, value) -> {
        try {
          var _ = parse(String.valueOf(value));
        } catch (IllegalArgumentException e) {
          throw new ConfigException(name, value, "expected HOST:PORT, such as 127.0.0.1:9464");
        }
      };

  private static final Pattern ADDRESS = Pattern.compile("(\\[[^\\]]+\\]|[^:\\[\\]]+):(\\d{1,5})");

  private HttpListener() {}

  /**
   * Reads an address.
   *
   * @return null if the text is empty
   * @throws IllegalArgumentException if the text is no address
   */
  public static @Nullable InetSocketAddress parse(String text) {
    if (text.isBlank()) {
      return null;
    }
    Matcher parts = ADDRESS.matcher(text.strip());
    if (!parts.matches()) {
      throw new IllegalArgumentException("'%s' is not HOST:PORT".formatted(text));
    }
    String host = parts.group(1).replace("[", "").replace("]", "");
    return new InetSocketAddress(host, Integer.parseInt(parts.group(2)));
  }
}
