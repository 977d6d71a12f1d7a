package dev.abacus.deploy.simulator;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.deploy.simulator.fault.FaultKind;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A response.
 *
 * @param status HTTP status
 * @param headers additional headers
 * @param body JSON
 * @param fault the injected fault, or null
 */
record HttpReply(int status, Map<String, String> headers, String body, @Nullable FaultKind fault) {

  static HttpReply of(int status, Map<String, String> headers, JsonNode json) {
    return new HttpReply(status, headers, json.toString(), null);
  }

  static HttpReply ok(JsonNode json) {
    return of(200, Map.of(), json);
  }

  /** This response with a fault. */
  HttpReply with(FaultKind kind) {
    String sent = kind == FaultKind.MALFORMED ? body.substring(0, body.length() / 2) : body;
    return new HttpReply(status, headers, sent, kind);
  }
}
