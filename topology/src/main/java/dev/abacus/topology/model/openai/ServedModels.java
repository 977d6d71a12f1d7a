package dev.abacus.topology.model.openai;

import static java.util.stream.Collectors.toUnmodifiableSet;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.schemas.secret.Secret;
import dev.abacus.topology.model.ModelFailure;
import dev.abacus.topology.model.openai.OpenAiProvider.ModelEndpoint;
import dev.langchain4j.http.client.HttpMethod;
import dev.langchain4j.http.client.HttpRequest;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Lists the models of an endpoint with {@code GET /models}. */
final class ServedModels {

  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private ServedModels() {}

  /** The ids of the models; null if the endpoint gives no list. */
  static @Nullable Set<String> of(ModelEndpoint model) throws InterruptedException {
    if (model.missingKey() != null) {
      return null;
    }
    try {
      return ids(list(model, TIMEOUT));
    } catch (HttpTransport.Interrupted e) {
      throw (InterruptedException)
          new InterruptedException("request of the models interrupted").initCause(e);
    } catch (RuntimeException e) {
      return null;
    }
  }

  /**
   * Why no call can succeed: nobody answers at the address in time, or the key is refused; null
   * otherwise. A refusal with status 403 may concern the list alone.
   */
  static @Nullable ModelFailure refusal(ModelEndpoint model, String name, Duration limit)
      throws InterruptedException {
    if (model.missingKey() != null) {
      return model.missingKey();
    }
    try {
      var _ = list(model, limit);
      return null;
    } catch (RuntimeException e) {
      ServerRefusal refusal = FailureClassifier.refusal(e);
      return switch (new FailureClassifier(model.endpoint(), name, false).classify(e)) {
        case ModelFailure.ConnectionLost lost -> lost;
        case ModelFailure.TimedOut late -> late;
        case ModelFailure.AuthenticationFailed failed ->
            refusal != null && refusal.statusCode() == 401 ? failed : null;
        case ModelFailure.RateLimited _,
            ModelFailure.QuotaExhausted _,
            ModelFailure.ServerError _,
            ModelFailure.UnknownModel _,
            ModelFailure.RequestFailure _ ->
            null;
      };
    }
  }

  private static String list(ModelEndpoint model, Duration limit) {
    Endpoint endpoint = model.endpoint();
    HttpRequest.Builder request =
        HttpRequest.builder().method(HttpMethod.GET).url(endpoint.baseUrl() + "/models");
    Secret bearer = endpoint.bearer();
    if (bearer != null) {
      request.addHeader("Authorization", "Bearer " + bearer.value());
    }
    HttpCall call = HttpCall.start(new HttpCall.Limits(null, limit));
    return call.run(() -> model.http().build().execute(request.build())).body();
  }

  /** The ids of OpenAI's list, or of the plain array that Together sends. */
  private static @Nullable Set<String> ids(String body) {
    JsonNode tree = RefusalBody.tree(body);
    JsonNode list = tree.isArray() ? tree : tree.path("data");
    return list.isArray()
        ? list.valueStream().map(model -> model.path("id").asText()).collect(toUnmodifiableSet())
        : null;
  }
}
