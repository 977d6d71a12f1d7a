package dev.abacus.deploy.simulator.wire;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A refused request, with the messages and the JSON of OpenAI's API. */
public final class ApiException extends RuntimeException {

  private static final long serialVersionUID = 1L;
  private static final String INVALID = "invalid_request_error";

  private final int status;
  private final String type;
  private final @Nullable String parameter;
  private final @Nullable String code;

  private ApiException(
      int status, String type, @Nullable String parameter, @Nullable String code, String message) {
    super(message, null, false, false);
    this.status = status;
    this.type = type;
    this.parameter = parameter;
    this.code = code;
  }

  /** 400: the request is invalid. */
  public static ApiException invalid(
      String message, @Nullable String parameter, @Nullable String code) {
    return new ApiException(400, INVALID, parameter, code, message);
  }

  /** 400: the body is not JSON. */
  public static ApiException unreadable() {
    return invalid(
        "We could not parse the JSON body of your request. (HINT: This likely means you aren't using your HTTP library"
            + " correctly. The OpenAI API expects a JSON payload, but what was sent was not valid JSON.)",
        null,
        null);
  }

  /** 400: a parameter is missing. */
  public static ApiException missing(String parameter) {
    return invalid(
        "Missing required parameter: '" + parameter + "'.",
        parameter,
        "missing_required_parameter");
  }

  /** 400: the prompt exceeds the context window. */
  public static ApiException tooLong(int limit, int tokens) {
    return invalid(
        "This model's maximum context length is %d tokens. However, your messages resulted in %d tokens. Please reduce the length of the messages."
            .formatted(limit, tokens),
        "messages",
        "context_length_exceeded");
  }

  /** 401: the key is missing or wrong. */
  public static ApiException unauthorized(boolean given) {
    return new ApiException(
        401,
        INVALID,
        null,
        given ? "invalid_api_key" : null,
        given ? "Incorrect API key provided." : "You didn't provide an API key.");
  }

  /** 404: the model does not exist. */
  public static ApiException unknownModel(String model) {
    return new ApiException(
        404,
        INVALID,
        null,
        "model_not_found",
        "The model `" + model + "` does not exist or you do not have access to it.");
  }

  /** 404 or 405: the path does not exist, or does not allow the method. */
  public static ApiException unknownAddress(int status, String method, String path) {
    return new ApiException(
        status, INVALID, null, null, "Invalid URL (" + method + " " + path + ")");
  }

  /** 429: too many requests. */
  public static ApiException rateLimit(String model) {
    return new ApiException(
        429,
        "requests",
        null,
        "rate_limit_exceeded",
        "Rate limit reached for " + model + " (simulated fault). Please try again in 1s.");
  }

  /** 500: the server failed. */
  public static ApiException serverError() {
    return new ApiException(
        500,
        "server_error",
        null,
        null,
        "The server had an error while processing your request (simulated fault). Sorry about that!");
  }

  public int status() {
    return status;
  }

  /** Additional response headers. */
  public Map<String, String> headers() {
    return status == 429 ? Map.of("Retry-After", "1") : Map.of();
  }

  /** The response body. */
  public ObjectNode toJson() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.putObject("error")
        .put("message", getMessage())
        .put("type", type)
        .put("param", parameter)
        .put("code", code);
    return json;
  }
}
