package dev.abacus.topology.model.openai;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.abacus.schemas.catalogue.ModelCard;
import dev.abacus.schemas.catalogue.ModelCardBuilder;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.topology.model.Content;
import dev.abacus.topology.model.ModelAnswer;
import dev.abacus.topology.model.ModelFailure;
import dev.abacus.topology.model.ModelRequest;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Keys, addresses and proxies. */
class EndpointsTest {

  private final StubEndpoint endpoint = new StubEndpoint();

  @AfterEach
  void close() {
    endpoint.close();
  }

  private static ModelCardBuilder card() {
    return ModelCard.chat("m").contextTokens(1000);
  }

  private ModelAnswer call(
      ModelCard card, @Nullable String url, @Nullable String key, Map<String, String> environment)
      throws InterruptedException {
    return new OpenAiProvider(new Endpoints(url, key, environment::get))
        .chatClient(card)
        .call(ModelRequest.of("m", "rules", List.of(new Content.Text("words")), null));
  }

  @ParameterizedTest
  @ValueSource(strings = {"sk-1", " sk-1", "sk-1\r", "sk-1\r\n", "\tsk-1 \n"})
  void whiteSpaceAroundAKeyIsRemoved(String key) throws InterruptedException {
    endpoint.will(StubEndpoint.say("a"), StubEndpoint.say("a"));
    call(card().build(), endpoint.url(), key, Map.of());
    ModelCard own = card().endpoint(endpoint.url()).keyVariable("OWN").build();
    call(own, null, null, Map.of("OWN", key));
    assertThat(endpoint.received)
        .extracting(each -> each.headers().getFirst("Authorization"))
        .containsExactly("Bearer sk-1", "Bearer sk-1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"sk-\r1", "sk-\n1", "Bearer sk-1", "sk-\u00001", "sk-é1"})
  void aKeyThatCannotBeSentIsRefusedWithItsVariableAndNotPrinted(String key) {
    ModelCatalogue catalogue = ModelCatalogue.of(List.of(card().keyVariable("OWN").build()));
    Endpoints endpoints = new Endpoints(null, null, Map.of("OWN", key)::get);
    assertThatThrownBy(() -> endpoints.requireValid(catalogue))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("environment variable OWN")
        .satisfies(e -> assertThat(e.getMessage()).doesNotContain(key, "sk-"));
    assertThatThrownBy(() -> new Endpoints(null, key, Map.<String, String>of()::get))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("OPENAI_API_KEY");
  }

  @Test
  void withoutAnEndpointTheModelsAreThoseOfOpenAi() throws InterruptedException {
    ModelAnswer answer = call(card().build(), " ", null, Map.of());
    assertThat(Objects.requireNonNull(answer.failure()))
        .isInstanceOf(ModelFailure.AuthenticationFailed.class);
    assertThat(answer.failure().message()).contains("https://api.openai.com/v1", "OPENAI_API_KEY");
    assertThat(answer.attempts()).isZero();
  }

  @Test
  void aVariableInAHeaderMustBeSet() throws InterruptedException {
    ModelCard card = card().endpoint(endpoint.url()).headers(Map.of("x-team", "${TEAM}")).build();
    ModelAnswer answer = call(card, null, null, Map.of());
    assertThat(Objects.requireNonNull(answer.failure()).message()).contains("TEAM");
    assertThat(endpoint.received).isEmpty();
  }

  @Test
  void aSlashAtTheEndOfTheBaseUrlDoesNotMatter() throws InterruptedException {
    endpoint.will(StubEndpoint.say("a"));
    call(card().build(), endpoint.url() + "/", "k", Map.of());
    assertThat(endpoint.received.getFirst().path()).isEqualTo("/v1/chat/completions");
  }

  @ParameterizedTest
  @CsvSource({
    "HTTP_PROXY, '', true",
    "http_proxy, '', true",
    "HTTPS_PROXY, '', false",
    "HTTP_PROXY, 'other.test, models.test', false",
    "HTTP_PROXY, .test, false",
    "HTTP_PROXY, *, false",
    "HTTP_PROXY, dels.test, true"
  })
  void theProxyOfTheEnvironmentIsUsed(String variable, String direct, boolean proxied)
      throws InterruptedException {
    endpoint.will(StubEndpoint.say("a"));
    ModelCard card = card().endpoint("http://models.test:9/v1").build();
    String proxy = endpoint.url().replaceFirst("/v1$", "");
    ModelAnswer answer = call(card, null, null, Map.of(variable, proxy, "NO_PROXY", direct));
    assertThat(answer.failure() == null).isEqualTo(proxied);
    assertThat(endpoint.received).hasSize(proxied ? 1 : 0);
  }

  @Test
  void thisMachineNeedsNoProxy() throws InterruptedException {
    endpoint.will(StubEndpoint.say("a"));
    Map<String, String> environment = Map.of("HTTP_PROXY", "http://127.0.0.1:9");
    assertThat(call(card().build(), endpoint.url(), null, environment).failure()).isNull();
  }

  @Test
  void aProxyOfAnotherFormIsRefusedWithItsVariableAndNotPrinted() {
    Endpoints endpoints =
        new Endpoints(null, null, Map.of("HTTPS_PROXY", "http://user:secret@proxy:1")::get);
    assertThatThrownBy(() -> endpoints.requireValid(ModelCatalogue.of(List.of())))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("HTTPS_PROXY")
        .satisfies(e -> assertThat(e.getMessage()).doesNotContain("secret"));
  }
}
