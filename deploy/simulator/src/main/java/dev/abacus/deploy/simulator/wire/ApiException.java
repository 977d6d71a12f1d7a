package dev.abacus.deploy.simulator.wire;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A refused request, with the messages of OpenAI's API. Providers write it in different forms. */
public final class ApiException extends RuntimeException {

  private static final long serialVersionUID = 1L;
  private static final String INVALID = "invalid_request_error";

  /** Why the request is refused. */
  public enum Reason {
    /** The request is invalid. */
    INVALID,
    /** The prompt exceeds the context window. */
    CONTEXT_LENGTH,
    /** The key is missing or wrong. */
    UNAUTHORIZED,
    /** The endpoint does not have the model. */
    UNKNOWN_MODEL,
    /** The endpoint does not have the path. */
    UNKNOWN_ADDRESS,
    /** A limit of requests or tokens per minute. */
    RATE_LIMIT,
    /** The account is empty, or the service tier of the request has no capacity. */
    QUOTA,
    /** The content filter refuses the prompt. */
    CONTENT_FILTER,
    /** The server failed. */
    SERVER
  }

  private final Reason reason;
  private final int status;
  private final String type;
  private final @Nullable String parameter;
  private final @Nullable String code;
  private final transient Map<String, String> headers;

  private ApiException(
      Reason reason,
      int status,
      String type,
      @Nullable String parameter,
      @Nullable String code,
      String message) {
    this(reason, status, type, parameter, code, message, Map.of());
  }

  private ApiException(
      Reason reason,
      int status,
      String type,
      @Nullable String parameter,
      @Nullable String code,
      String message,
      Map<String, String> headers) {
    super(message, null, false, false);
    this.reason = reason;
    this.status = status;
    this.type = type;
    this.parameter = parameter;
    this.code = code;
    this.headers = Map.copyOf(headers);
  }

  /** 400: the request is invalid. */
  public static ApiException invalid(
      String message, @Nullable String parameter, @Nullable String code) {
    return new ApiException(Reason.INVALID, 400, INVALID, parameter, code, message);
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
    return new ApiException(
        Reason.CONTEXT_LENGTH,
        400,
        INVALID,
        "messages",
        "context_length_exceeded",
        "This model's maximum context length is %d tokens. However, your messages resulted in %d tokens. Please reduce the length of the messages."
            .formatted(limit, tokens));
  }

  /** 400: the content filter refuses the prompt. */
  public static ApiException filtered() {
    return new ApiException(
        Reason.CONTENT_FILTER,
        400,
        INVALID,
        "prompt",
        "content_filter",
        "The response was filtered due to the prompt triggering the content management policy. Please modify your prompt and retry.");
  }

  /** 401: the key is missing or wrong. */
  public static ApiException unauthorized(boolean given) {
    return new ApiException(
        Reason.UNAUTHORIZED,
        401,
        INVALID,
        null,
        given ? "invalid_api_key" : null,
        given ? "Incorrect API key provided." : "You didn't provide an API key.");
  }

  /** 403: the model does not give log probabilities. */
  public static ApiException withoutLogprobs() {
    return new ApiException(
        Reason.INVALID,
        403,
        INVALID,
        null,
        null,
        "You are not allowed to request logprobs from this model");
  }

  /** 404: the model does not exist. */
  public static ApiException unknownModel(String model) {
    return new ApiException(
        Reason.UNKNOWN_MODEL,
        404,
        INVALID,
        null,
        "model_not_found",
        "The model `" + model + "` does not exist or you do not have access to it.");
  }

  /** 404 or 405: the path does not exist, or does not allow the method. */
  public static ApiException unknownAddress(int status, String method, String path) {
    return new ApiException(
        Reason.UNKNOWN_ADDRESS,
        status,
        INVALID,
        null,
        null,
        "Invalid URL (" + method + " " + path + ")");
  }

  /** 429: too many requests, injected as a fault. */
  public static ApiException rateLimit(String model, boolean retryAfter) {
    return rateLimit(
        "requests",
        "Rate limit reached for " + model + " (simulated fault). Please try again in 1s.",
        retryAfter ? Map.of("Retry-After", "1") : Map.of());
  }

  /**
   * 429: too many requests or tokens.
   *
   * @param kind {@code requests} or {@code tokens}
   */
  public static ApiException rateLimit(String kind, String message, Map<String, String> headers) {
    return new ApiException(
        Reason.RATE_LIMIT, 429, kind, null, "rate_limit_exceeded", message, headers);
  }

  /** 429: there is no capacity at a service tier. */
  public static ApiException noCapacity() {
    return new ApiException(
        Reason.QUOTA,
        429,
        "resource_unavailable",
        null,
        "resource_unavailable",
        "Resource unavailable: there is no capacity for this request at the tier flex (simulated fault).");
  }

  /** 429: the account is empty. */
  public static ApiException quotaExhausted() {
    return new ApiException(
        Reason.QUOTA,
        429,
        "insufficient_quota",
        null,
        "insufficient_quota",
        "You exceeded your current quota, please check your plan and billing details.");
  }

  /** 500: the server failed. */
  public static ApiException serverError() {
    return serverError(
        500,
        "The server had an error while processing your request (simulated fault). Sorry about that!");
  }

  /** 5xx: the server failed. */
  public static ApiException serverError(int status, String message) {
    return new ApiException(Reason.SERVER, status, "server_error", null, null, message);
  }

  public Reason reason() {
    return reason;
  }

  public int status() {
    return status;
  }

  /** The parameter that causes the refusal, or null. */
  public @Nullable String parameter() {
    return parameter;
  }

  /** The message. */
  public String message() {
    return String.valueOf(getMessage());
  }

  /** Additional response headers. */
  public Map<String, String> headers() {
    return headers;
  }

  /** The response body in OpenAI's form. */
  public ObjectNode toJson() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.putObject("error")
        .put("message", message())
        .put("type", type)
        .put("param", parameter)
        .put("code", code);
    return json;
  }
}
