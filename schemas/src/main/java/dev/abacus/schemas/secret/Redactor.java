package dev.abacus.schemas.secret;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Replaces secrets in texts that others wrote, such as errors of providers, before they reach a
 * topic, a log or a screen. It finds a secret as it is, percent-encoded, escaped in JSON, in Base64
 * at any position, and cut off at the end of the text.
 *
 * <p>Thread-safe.
 */
public final class Redactor {

  /** What stands in place of a secret. */
  public static final String HIDDEN = "[hidden]";

  /** A redactor that knows no secret. */
  public static final Redactor NONE = new Redactor(List.of(), List.of());

  /** Shorter texts are no secrets; replacing them would destroy other texts. */
  private static final int LEAST_LENGTH = 6;

  /** Least length of the beginning of a secret at the end of a text. */
  private static final int LEAST_PREFIX = 8;

  /** Shorter parts of Base64 are not specific. */
  private static final int LEAST_BASE64 = 8;

  /** Passwords in URLs are secret even if they are not configured. */
  private static final Pattern USER_INFO = Pattern.compile("(://[^/@\\s:\"']*:)[^/@\\s\"']+@");

  private final List<String> secrets;
  private final List<String> forms;

  private Redactor(List<String> secrets, List<String> forms) {
    this.secrets = secrets;
    this.forms = forms;
  }

  /** A redactor of these secrets. White space around them is not part of them. */
  public static Redactor of(Collection<String> secrets) {
    List<String> used =
        secrets.stream()
            .map(String::strip)
            .filter(secret -> secret.length() >= LEAST_LENGTH)
            .distinct()
            .toList();
    Set<String> forms = new LinkedHashSet<>();
    used.forEach(secret -> addForms(secret, forms));
    return new Redactor(
        used, forms.stream().sorted(Comparator.comparingInt(String::length).reversed()).toList());
  }

  private static void addForms(String secret, Set<String> forms) {
    forms.add(secret);
    String percent = URLEncoder.encode(secret, StandardCharsets.UTF_8);
    for (String encoded : List.of(percent, percent.replace("+", "%20"))) {
      forms.add(encoded);
      forms.add(lowerHex(encoded));
    }
    forms.add(secret.replace("\\", "\\\\").replace("\"", "\\\""));
    forms.add(secret.replace("/", "\\/"));
    for (Base64.Encoder encoder : List.of(Base64.getEncoder(), Base64.getUrlEncoder())) {
      for (int offset = 0; offset < 3; offset++) {
        String form = base64(encoder, secret, offset);
        if (form.length() >= LEAST_BASE64) {
          forms.add(form);
        }
      }
    }
  }

  private static String lowerHex(String encoded) {
    return Pattern.compile("%[0-9A-F]{2}")
        .matcher(encoded)
        .replaceAll(match -> match.group().toLowerCase(Locale.ROOT));
  }

  /** The characters of Base64 that depend on the secret alone if it begins at this offset. */
  private static String base64(Base64.Encoder encoder, String secret, int offset) {
    byte[] bytes = (" ".repeat(offset) + secret).getBytes(StandardCharsets.UTF_8);
    String encoded = encoder.withoutPadding().encodeToString(bytes);
    int first = (offset * 8 + 5) / 6;
    int end = bytes.length * 8 / 6;
    return first < end ? encoded.substring(first, end) : "";
  }

  /** A redactor of the secrets of both. */
  public Redactor and(Redactor other) {
    List<String> all = new ArrayList<>(secrets);
    all.addAll(other.secrets);
    return of(all);
  }

  /** A text without the secrets; the same text if it has none. */
  public String redact(String text) {
    String redacted = text;
    for (String form : forms) {
      if (redacted.contains(form)) {
        redacted = redacted.replace(form, HIDDEN);
      }
    }
    if (redacted.contains("://") && redacted.contains("@")) {
      redacted = USER_INFO.matcher(redacted).replaceAll("$1" + HIDDEN + "@");
    }
    return withoutCutSecret(redacted);
  }

  /** A text that was shortened may end with the beginning of a secret. */
  private String withoutCutSecret(String text) {
    String body = text.endsWith("…") ? text.substring(0, text.length() - 1) : text;
    for (String secret : secrets) {
      for (int length = secret.length() - 1; length >= LEAST_PREFIX; length--) {
        if (body.endsWith(secret.substring(0, length))) {
          return body.substring(0, body.length() - length) + HIDDEN;
        }
      }
    }
    return text;
  }

  /** UTF-8 text without the secrets; the same array if it has none. */
  public byte[] redact(byte[] text) {
    String before = new String(text, StandardCharsets.UTF_8);
    String after = redact(before);
    return after.equals(before) ? text : after.getBytes(StandardCharsets.UTF_8);
  }

  /** Shows no secret. */
  @Override
  public String toString() {
    return "Redactor of " + secrets.size() + " secrets";
  }
}
