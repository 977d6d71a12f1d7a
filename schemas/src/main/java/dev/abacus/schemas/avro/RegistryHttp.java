package dev.abacus.schemas.avro;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.abacus.schemas.secret.Secret;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.security.ssl.DefaultSslEngineFactory;
import org.jspecify.annotations.Nullable;

/**
 * Sends requests to a registry with several addresses. It starts with the address that answered
 * last, tries the others in turn, waits between rounds, and converts error responses to {@link
 * RegistryException}s.
 */
final class RegistryHttp implements AutoCloseable {

  /** Of a registry or subject in a mode that forbids it, such as while a registry is moved. */
  private static final int READ_ONLY = 42205;

  private static final String MEDIA_TYPE = "application/vnd.schemaregistry.v1+json";
  private static final ObjectMapper JSON = new ObjectMapper();

  private record Address(URI base, Optional<Secret> authorization) {}

  private final List<Address> addresses;
  private final HttpClient client;
  private final Duration readTimeout;
  private final int rounds;
  private final Duration wait;
  private final AtomicInteger preferred = new AtomicInteger();

  RegistryHttp(AvroSerdeConfig config) {
    this.addresses = config.urls().stream().map(url -> address(url, config)).toList();
    this.client = client(config);
    this.readTimeout = config.millis(AvroSerdeConfig.READ_TIMEOUT_MS);
    this.rounds = config.getInt(AvroSerdeConfig.MAX_RETRIES) + 1;
    this.wait = config.millis(AvroSerdeConfig.RETRIES_WAIT_MS);
  }

  /** Returns the response body; {@code body} is sent as JSON unless it is null. */
  JsonNode send(String method, String path, @Nullable JsonNode body) {
    String last = "";
    IOException cause = null;
    for (int round = 0; round < rounds; round++) {
      if (round > 0) {
        pause();
      }
      int first = preferred.get();
      for (int i = 0; i < addresses.size(); i++) {
        int index = (first + i) % addresses.size();
        Address address = addresses.get(index);
        try {
          HttpResponse<String> response = exchange(address, method, path, body);
          int status = response.statusCode();
          JsonNode answer = json(response.body());
          boolean broken = overloadedOrBroken(status);
          if (!broken && isOfRegistry(status, answer)) {
            preferred.set(index);
            return answer(address, method, path, response, answer);
          }
          cause = null;
          last =
              "%s answered %d %s%s"
                  .formatted(
                      address.base,
                      status,
                      reason(response.body(), answer),
                      broken ? "" : " (is this a schema registry?)");
        } catch (IOException e) {
          cause = e;
          last = "%s: %s".formatted(address.base, e);
        }
      }
    }
    throw new RegistryException.Unavailable(
        "No schema registry could serve %s %s, tried %d address(es) %d time(s); the last: %s"
            .formatted(method, path, addresses.size(), rounds, last),
        cause);
  }

  @Override
  public void close() {
    client.shutdownNow();
  }

  private HttpResponse<String> exchange(
      Address address, String method, String path, @Nullable JsonNode body) throws IOException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(address.base + path))
            .header("Accept", MEDIA_TYPE + ", application/json")
            .method(
                method,
                body == null
                    ? BodyPublishers.noBody()
                    : BodyPublishers.ofString(body.toString(), StandardCharsets.UTF_8));
    if (body != null) {
      request.header("Content-Type", MEDIA_TYPE);
    }
    address.authorization.ifPresent(it -> request.header("Authorization", it.value()));
    // A timeout of the request would end with the headers of the answer.
    CompletableFuture<HttpResponse<String>> answer =
        client.sendAsync(request.build(), BodyHandlers.ofString(StandardCharsets.UTF_8));
    try {
      return answer.get(readTimeout.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      throw new InterruptException(e);
    } catch (TimeoutException e) {
      throw new HttpTimeoutException(
          "no whole answer within %d ms".formatted(readTimeout.toMillis()));
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IOException cause ? cause : new IOException(e.getCause());
    } finally {
      var _ = answer.cancel(true);
    }
  }

  private void pause() {
    try {
      Thread.sleep(wait);
    } catch (InterruptedException e) {
      throw new InterruptException(e);
    }
  }

  private static boolean overloadedOrBroken(int status) {
    return status >= 500 || status == 429 || status == 408;
  }

  /**
   * Whether a registry has given an answer. A proxy may answer instead, with a page of its own or,
   * while the registry is away, with its own 404.
   */
  private static boolean isOfRegistry(int status, JsonNode answer) {
    if (status == 401 || status == 403) {
      return true;
    }
    // Of its own, a registry says which thing it has not found: 40401, 40402, 40403.
    return isSuccess(status)
        ? !answer.isMissingNode()
        : answer.path("error_code").isNumber() && answer.path("error_code").asInt() != 404;
  }

  private static boolean isSuccess(int status) {
    return status >= 200 && status < 300;
  }

  private static JsonNode answer(
      Address address, String method, String path, HttpResponse<String> response, JsonNode answer) {
    int status = response.statusCode();
    if (isSuccess(status)) {
      return answer;
    }
    String message =
        "%s %s at %s: %d %s"
            .formatted(method, path, address.base, status, reason(response.body(), answer));
    if (answer.path("error_code").asInt() == READ_ONLY) {
      throw new RegistryException.Unavailable(message, null);
    }
    throw switch (status) {
      case 404 -> new RegistryException.NotFound(message);
      case 409 -> new RegistryException.Incompatible(message);
      case 401, 403 ->
          new RegistryException.Unauthorized(message + " (check the registry's credentials)");
      default -> new RegistryException.Refused(message, null);
    };
  }

  /** A body; missing if it is not JSON, such as the page of a proxy. */
  private static JsonNode json(String body) {
    try {
      return JSON.readTree(body);
    } catch (JsonProcessingException e) {
      return MissingNode.getInstance();
    }
  }

  /** The message of the registry if the body has one, otherwise the beginning of the body. */
  private static String reason(String body, JsonNode json) {
    String message = json.path("message").asText("");
    if (!message.isEmpty()) {
      return "(%s) %s".formatted(json.path("error_code").asText("no code"), message);
    }
    return body.length() > 200 ? body.substring(0, 200) + "…" : body;
  }

  private static Address address(String url, AvroSerdeConfig config) {
    URI given;
    URI base;
    try {
      given = new URI(url.strip());
      String path = given.getPath() == null ? "" : given.getPath().replaceAll("/+$", "");
      base = new URI(given.getScheme(), null, given.getHost(), given.getPort(), path, null, null);
    } catch (URISyntaxException e) {
      throw new ConfigException(AvroSerdeConfig.SCHEMA_REGISTRY_URL, url, e.getMessage());
    }
    String scheme = String.valueOf(given.getScheme());
    if (given.getHost() == null || !(scheme.equals("http") || scheme.equals("https"))) {
      throw new ConfigException(
          AvroSerdeConfig.SCHEMA_REGISTRY_URL, url, "expected http://, https:// or mock://");
    }
    return new Address(base, config.userInfo(given).map(RegistryHttp::basic));
  }

  private static Secret basic(String userInfo) {
    return Secret.of(
        "Basic " + Base64.getEncoder().encodeToString(userInfo.getBytes(StandardCharsets.UTF_8)));
  }

  private static HttpClient client(AvroSerdeConfig config) {
    HttpClient.Builder builder =
        // An upgrade to HTTP/2 brings nothing here, and some proxies refuse its header.
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(config.millis(AvroSerdeConfig.CONNECT_TIMEOUT_MS))
            .followRedirects(HttpClient.Redirect.NORMAL);
    boolean stores =
        config.tls().keySet().stream()
            .anyMatch(it -> it.startsWith("ssl.truststore.") || it.startsWith("ssl.keystore."));
    if (stores) {
      // Kafka's own reader of stores: JKS, PKCS12 and PEM, from files or in line.
      try (DefaultSslEngineFactory tls = new DefaultSslEngineFactory()) {
        tls.configure(config.tls());
        builder.sslContext(tls.sslContext());
      }
    }
    return builder.build();
  }
}
