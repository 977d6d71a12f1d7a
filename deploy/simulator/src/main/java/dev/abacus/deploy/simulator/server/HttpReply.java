package dev.abacus.deploy.simulator.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.abacus.deploy.simulator.fault.FaultKind;
import java.util.Arrays;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A response.
 *
 * @param status HTTP status
 * @param headers additional headers
 * @param body UTF-8 JSON
 * @param fault the injected fault, or null
 */
record HttpReply(int status, Map<String, String> headers, Body body, @Nullable FaultKind fault) {

  private static final ObjectMapper JSON = new ObjectMapper();

  /** A class because records compare arrays by identity. */
  static final class Body {
    private final byte[] bytes;

    private Body(byte[] bytes) {
      this.bytes = bytes;
    }

    byte[] bytes() {
      return bytes.clone();
    }

    String text() {
      return new String(bytes, UTF_8);
    }

    byte[] half() {
      return Arrays.copyOf(bytes, bytes.length / 2);
    }
  }

  static HttpReply of(int status, Map<String, String> headers, JsonNode json) {
    try {
      return new HttpReply(status, headers, new Body(JSON.writeValueAsBytes(json)), null);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a tree of JSON can always be written", e);
    }
  }

  static HttpReply ok(JsonNode json) {
    return of(200, Map.of(), json);
  }

  /** This response with a fault. */
  HttpReply with(FaultKind kind) {
    return new HttpReply(
        status, headers, kind == FaultKind.MALFORMED ? new Body(body.half()) : body, kind);
  }
}
