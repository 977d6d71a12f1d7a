package dev.abacus.deploy.simulator.provider;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.deploy.simulator.wire.ApiException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes refusals in the form of each provider. */
public final class ErrorBody {

  private static final String AZURE_KEY =
      "Access denied due to invalid subscription key or wrong API endpoint. Make sure to provide a"
          + " valid key for an active subscription and use a correct regional API endpoint for your"
          + " resource.";
  private static final String AZURE_DEPLOYMENT =
      "The API deployment for this resource does not exist. If you created the deployment within"
          + " the last 5 minutes, please wait a moment and try again.";

  private ErrorBody() {}

  /** The response body of a refusal. */
  public static ObjectNode of(Provider provider, ApiException refusal) {
    return switch (provider) {
      case PATIENT, OPENAI -> refusal.toJson();
      case AZURE -> azure(refusal);
      case VLLM -> vllm(refusal);
      case OLLAMA -> ollama(refusal);
    };
  }

  /** The gateway of Azure writes code and message; the model behind it writes OpenAI's form. */
  private static ObjectNode azure(ApiException refusal) {
    return switch (refusal.reason()) {
      case UNAUTHORIZED -> codeAndMessage("401", AZURE_KEY);
      case UNKNOWN_MODEL -> codeAndMessage("DeploymentNotFound", AZURE_DEPLOYMENT);
      case UNKNOWN_ADDRESS -> codeAndMessage("404", "Resource not found");
      case RATE_LIMIT -> codeAndMessage("429", refusal.message());
      case SERVER -> codeAndMessage("InternalServerError", refusal.message());
      case CONTENT_FILTER -> azureFilter(refusal);
      case INVALID, CONTEXT_LENGTH, QUOTA -> refusal.toJson();
    };
  }

  private static ObjectNode codeAndMessage(String code, String message) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.putObject("error").put("code", code).put("message", message);
    return json;
  }

  private static ObjectNode azureFilter(ApiException refusal) {
    ObjectNode json = refusal.toJson();
    ObjectNode error = json.withObjectProperty("error");
    error.putNull("type").put("status", refusal.status());
    ObjectNode inner = error.putObject("innererror").put("code", "ResponsibleAIPolicyViolation");
    ObjectNode results = inner.putObject("content_filter_result");
    for (String category : List.of("hate", "self_harm", "sexual")) {
      results.putObject(category).put("filtered", false).put("severity", "safe");
    }
    results.putObject("violence").put("filtered", true).put("severity", "medium");
    return json;
  }

  private static ObjectNode vllm(ApiException refusal) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    return switch (refusal.reason()) {
      case UNAUTHORIZED -> json.put("error", "Unauthorized");
      case UNKNOWN_ADDRESS ->
          json.put("detail", refusal.status() == 405 ? "Method Not Allowed" : "Not Found");
      case UNKNOWN_MODEL ->
          error(
              refusal.message().replace(" or you do not have access to it", ""),
              "NotFoundError",
              "model",
              404);
      case CONTEXT_LENGTH ->
          error(
              refusal.message().replace("messages resulted in", "request has"),
              "BadRequestError",
              "input_tokens",
              400);
      case INVALID, CONTENT_FILTER ->
          error(refusal.message(), "BadRequestError", refusal.parameter(), 400);
      case RATE_LIMIT, QUOTA -> error(refusal.message(), "RateLimitError", null, refusal.status());
      case SERVER -> error(refusal.message(), "InternalServerError", null, refusal.status());
    };
  }

  private static ObjectNode error(
      String message, String type, @Nullable String parameter, @Nullable Integer code) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.putObject("error")
        .put("message", message)
        .put("type", type)
        .put("param", parameter)
        .put("code", code);
    return json;
  }

  private static ObjectNode ollama(ApiException refusal) {
    String message =
        refusal.reason() == ApiException.Reason.UNKNOWN_MODEL
            ? "model \""
                + refusal.message().split("`", -1)[1]
                + "\" not found, try pulling it first"
            : refusal.message();
    boolean invalid = refusal.reason() == ApiException.Reason.INVALID;
    return error(message, invalid ? "invalid_request_error" : "api_error", null, null);
  }
}
