package dev.abacus.topology.model.openai;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.abacus.schemas.catalogue.ModelCard;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.topology.model.Content;
import dev.abacus.topology.model.ModelAnswer;
import dev.abacus.topology.model.ModelRequest;
import dev.abacus.topology.model.ResponseSchema;
import dev.abacus.topology.model.openai.StubEndpoint.Received;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The catalogue snippets of {@code docs/models.md}, and the requests that they make. */
class ModelsDocumentTest {

  private static final Path DOCUMENT = Path.of("../docs/models.md");

  @TempDir Path folder;

  private final StubEndpoint endpoint = new StubEndpoint();

  @AfterEach
  void close() {
    endpoint.close();
  }

  private static String snippet(String recipe) throws IOException {
    Matcher snippet =
        Pattern.compile("```json " + recipe + "\n(.*?)```", Pattern.DOTALL)
            .matcher(Files.readString(DOCUMENT));
    assertThat(snippet.find()).as("a snippet for %s", recipe).isTrue();
    return snippet.group(1);
  }

  /** Sends a request with the card of a recipe to the path of its endpoint on this machine. */
  private Received sent(String recipe, Map<String, String> environment)
      throws IOException, InterruptedException {
    String local = endpoint.url().replaceFirst("/v1$", "");
    Path file = folder.resolve(recipe + ".json");
    Files.writeString(
        file, snippet(recipe).replaceFirst("(\"endpoint\": \")https?://[^/\"]+", "$1" + local));
    ModelCatalogue catalogue = ModelCatalogue.of(List.of()).extendedBy(file);
    ModelCard card = catalogue.get(catalogue.names().getFirst());
    ResponseSchema schema =
        new ResponseSchema("s", JsonNodeFactory.instance.objectNode().put("type", "object"));
    endpoint.will(StubEndpoint.say("{}"));
    ModelAnswer answer =
        new OpenAiProvider(new Endpoints(null, "not-for-this-endpoint", environment::get))
            .chatClient(card)
            .call(
                ModelRequest.of(card.name(), "rules", List.of(new Content.Text("words")), schema));
    assertThat(answer.failure()).isNull();
    return endpoint.received.getLast();
  }

  private static String header(Received request, String name) {
    return String.valueOf(request.headers().getFirst(name));
  }

  @Test
  void openAi() throws Exception {
    Received request = sent("openai", Map.of("OPENAI_API_KEY", "k"));
    assertThat(request.path()).isEqualTo("/v1/chat/completions");
    assertThat(request.query()).isNull();
    assertThat(header(request, "Authorization")).isEqualTo("Bearer k");
    assertThat(request.body().path("model").asText()).isEqualTo("gpt-5-mini");
    assertThat(request.body().path("max_completion_tokens").asInt()).isEqualTo(8000);
    assertThat(request.body().path("reasoning_effort").asText()).isEqualTo("low");
    assertThat(request.body().path("prompt_cache_key").asText()).isEqualTo("invoices");
    assertThat(request.body().has("temperature")).isFalse();
    assertThat(request.body().at("/response_format/json_schema/strict").asBoolean()).isTrue();
  }

  @Test
  void azureOpenAi() throws Exception {
    Received request = sent("azure", Map.of("AZURE_OPENAI_API_KEY", "k"));
    assertThat(request.path()).isEqualTo("/openai/deployments/my-gpt-4o/chat/completions");
    assertThat(request.query()).isEqualTo("api-version=2024-10-21");
    assertThat(header(request, "api-key")).isEqualTo("k");
    assertThat(request.headers()).doesNotContainKey("Authorization");
    assertThat(request.body().path("temperature").asDouble(9)).isZero();
  }

  @Test
  void vllm() throws Exception {
    Received request = sent("vllm", Map.of("VLLM_API_KEY", "k"));
    assertThat(request.path()).isEqualTo("/v1/chat/completions");
    assertThat(header(request, "Authorization")).isEqualTo("Bearer k");
    assertThat(request.body().path("model").asText()).isEqualTo("Qwen/Qwen2.5-7B-Instruct");
    assertThat(request.headers()).doesNotContainKey("Upgrade");
  }

  @Test
  void ollama() throws Exception {
    Received request = sent("ollama", Map.of());
    assertThat(request.path()).isEqualTo("/v1/chat/completions");
    assertThat(request.headers()).doesNotContainKey("Authorization");
    assertThat(request.body().path("model").asText()).isEqualTo("llama3.1:8b");
  }

  @Test
  void liteLlm() throws Exception {
    Received request = sent("litellm", Map.of("LITELLM_KEY", "k", "TEAM", "finance"));
    assertThat(header(request, "Authorization")).isEqualTo("Bearer k");
    assertThat(header(request, "x-litellm-tags")).isEqualTo("abacus,finance");
    assertThat(request.body().path("model").asText()).isEqualTo("anthropic/claude-sonnet");
    assertThat(request.body().at("/messages/0/content").toString())
        .isEqualTo(
            """
            [{"type":"text","text":"rules","cache_control":{"type":"ephemeral"}}]\
            """);
    assertThat(request.body().at("/messages/1").toString()).doesNotContain("cache_control");
  }

  @Test
  void together() throws Exception {
    Received request = sent("together", Map.of("TOGETHER_API_KEY", "k"));
    assertThat(header(request, "Authorization")).isEqualTo("Bearer k");
    assertThat(request.body().path("model").asText())
        .isEqualTo("meta-llama/Llama-3.3-70B-Instruct-Turbo");
  }

  @Test
  void theTableNamesEveryKeyOfACard() throws IOException {
    String document = Files.readString(DOCUMENT);
    String table = document.substring(document.indexOf("| key |"), document.indexOf("## Keys and"));
    assertThat(
            Arrays.stream(ModelCard.class.getRecordComponents())
                .map(RecordComponent::getName)
                .filter(name -> !name.equals("served")))
        .isNotEmpty()
        .allSatisfy(key -> assertThat(table).contains("`" + key + "`"));
  }
}
