package dev.abacus.schemas.secret;

import dev.abacus.schemas.catalogue.ModelCard;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Finds the secrets in the configuration of a process. */
public final class ConfiguredSecrets {

  /** Parts of the names of properties that hold a secret as their whole value. */
  private static final Pattern SECRET_NAME =
      Pattern.compile(".*(password|secret|\\.key$|user\\.info|keystore\\.key|token$).*");

  /** The values of a JAAS configuration that are secret. */
  private static final Pattern JAAS =
      Pattern.compile(
          "(?i)\\w*(?:password|secret|token)\\w*\\s*=\\s*(?:\"([^\"]*)\"|([^\\s;\"]+))");

  /** User and password in a URL. */
  private static final Pattern USER_INFO = Pattern.compile("://([^/@\\s:]*):([^/@\\s]+)@");

  /** Parts of the names of headers and query parameters of a card that carry a secret. */
  private static final Pattern SECRET_FIELD =
      Pattern.compile("(?i).*(authorization|key|token|secret|password|signature).*");

  /** The scheme before a secret in a header. */
  private static final Pattern SCHEME = Pattern.compile("(?i)^(?:bearer|basic|api-key|token) +");

  private ConfiguredSecrets() {}

  /** A redactor of the secrets in properties and of the keys that a catalogue names. */
  public static Redactor redactor(
      Map<String, ?> properties,
      ModelCatalogue catalogue,
      Function<String, @Nullable String> environment) {
    Set<String> secrets = new HashSet<>();
    properties.forEach((name, value) -> collect(name, String.valueOf(value), secrets));
    catalogue.names().forEach(name -> collect(catalogue.get(name), secrets));
    Stream.concat(
            Stream.of("OPENAI_API_KEY"),
            catalogue.names().stream().flatMap(name -> catalogue.get(name).variables()))
        .forEach(variable -> {
          String value = environment.apply(variable);
          if (value != null) {
            secrets.add(value);
          }
        });
    return Redactor.of(secrets);
  }

  private static void collect(String name, String value, Set<String> secrets) {
    String lower = name.toLowerCase(Locale.ROOT);
    if (lower.endsWith("sasl.jaas.config")) {
      JAAS.matcher(value)
          .results()
          .forEach(match -> secrets.add(match.group(1) == null ? match.group(2) : match.group(1)));
    } else if (SECRET_NAME.matcher(lower).matches()) {
      secrets.add(value);
      if (lower.endsWith("user.info") && value.contains(":")) {
        secrets.add(value.substring(value.indexOf(':') + 1));
      }
    }
    collectUserInfo(value, secrets);
  }

  /** Keys that a catalogue contains itself, instead of the name of a variable. */
  private static void collect(ModelCard card, Set<String> secrets) {
    if (card.endpoint() != null) {
      collectUserInfo(card.endpoint(), secrets);
    }
    Stream.of(card.headers(), card.query())
        .flatMap(values -> values.entrySet().stream())
        .filter(field -> SECRET_FIELD.matcher(field.getKey()).matches())
        .filter(field -> !ModelCard.VARIABLE.matcher(field.getValue()).find())
        .forEach(field -> {
          secrets.add(field.getValue());
          secrets.add(SCHEME.matcher(field.getValue().strip()).replaceFirst(""));
        });
  }

  private static void collectUserInfo(String value, Set<String> secrets) {
    USER_INFO
        .matcher(value)
        .results()
        .forEach(match -> {
          secrets.add(match.group(2));
          secrets.add(match.group(1) + ":" + match.group(2));
        });
  }
}
