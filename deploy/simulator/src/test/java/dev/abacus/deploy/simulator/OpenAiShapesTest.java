package dev.abacus.deploy.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Base64;
import org.junit.jupiter.api.Test;

/** Requests and responses have the JSON of OpenAI's API. */
class OpenAiShapesTest extends LettersTest {

  private RequestBuilder ask() {
    return RequestBuilder.map("gpt-5", RequestBuilder.CATEGORY, RequestBuilder.UNITS)
        .about(letters.all().getFirst().text());
  }

  @Test
  void aCompletionHasChoicesUsageAndTheSimulatedMark() throws IOException {
    HttpResponse<String> response = client.post("/chat/completions", ask().json().toString());

    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.headers().firstValue("x-abacus-simulated")).hasValue("true");
    JsonNode json = RequestBuilder.parse(response.body());
    assertThat(json.path("object").asText()).isEqualTo("chat.completion");
    assertThat(json.path("system_fingerprint").asText()).isEqualTo("abacus-simulated");
    assertThat(json.path("model").asText()).isEqualTo("gpt-5");
    JsonNode choice = json.path("choices").path(0);
    assertThat(choice.path("finish_reason").asText()).isEqualTo("stop");
    assertThat(choice.path("message").path("role").asText()).isEqualTo("assistant");
    JsonNode usage = json.path("usage");
    assertThat(usage.path("total_tokens").asInt())
        .isEqualTo(usage.path("prompt_tokens").asInt() + usage.path("completion_tokens").asInt());
    assertThat(usage.path("prompt_tokens_details").path("cached_tokens").asInt()).isZero();
    assertThat(usage.path("completion_tokens_details").path("reasoning_tokens").asInt())
        .isPositive();
  }

  @Test
  void usageGrowsWithThePrompt() {
    int little = client.chat(ask()).path("usage").path("prompt_tokens").asInt();
    int more =
        client.chat(ask().with("word ".repeat(100))).path("usage").path("prompt_tokens").asInt();

    assertThat(more - little).isBetween(95, 110);
  }

  @Test
  void aRepeatedLongPromptIsCached() {
    RequestBuilder lengthy = ask().about("An unknown text of some length. ".repeat(1000));
    int first =
        client
            .chat(lengthy)
            .path("usage")
            .path("prompt_tokens_details")
            .path("cached_tokens")
            .asInt();
    JsonNode again = client.chat(lengthy).path("usage");
    int cached = again.path("prompt_tokens_details").path("cached_tokens").asInt();

    assertThat(first).isZero();
    assertThat(cached).isBetween(1024, again.path("prompt_tokens").asInt());
    assertThat(cached % 128).isZero();
  }

  @Test
  void aTooLongAnswerIsTruncated() {
    ObjectNode request =
        RequestBuilder.map("gpt-4o", RequestBuilder.CATEGORY, RequestBuilder.UNITS)
            .about(letters.all().getFirst().text())
            .json();
    request.put("max_completion_tokens", 3);
    JsonNode json = post(request);

    assertThat(json.path("choices").path(0).path("finish_reason").asText()).isEqualTo("length");
    assertThat(json.path("usage").path("completion_tokens").asInt()).isEqualTo(3);
  }

  @Test
  void logprobsSpellTheAnswer() {
    ObjectNode request =
        RequestBuilder.filter("gpt-4o").about(letters.all().getFirst().text()).json();
    request.put("logprobs", true).put("top_logprobs", 3);
    JsonNode choice = post(request).path("choices").path(0);

    StringBuilder spelt = new StringBuilder();
    double least = 0;
    for (JsonNode token : choice.path("logprobs").path("content")) {
      spelt.append(token.path("token").asText());
      assertThat(token.path("logprob").asDouble()).isNegative();
      assertThat(token.path("top_logprobs")).hasSize(3);
      assertThat(token.path("bytes")).isNotEmpty();
      least = Math.min(least, token.path("logprob").asDouble());
    }
    assertThat(spelt.toString()).isEqualTo(choice.path("message").path("content").asText());
    assertThat(least).as("the decision itself is not certain").isLessThan(-0.0005);
  }

  @Test
  void contentMayHaveParts() {
    ObjectNode whole = ask().json();
    ObjectNode parts = whole.deepCopy();
    String text = whole.path("messages").path(1).path("content").asText();
    ObjectNode user = (ObjectNode) parts.path("messages").path(1);
    user.putArray("content").addObject().put("type", "text").put("text", text);

    assertThat(post(parts).path("choices").path(0).path("message"))
        .isEqualTo(post(whole).path("choices").path(0).path("message"));
  }

  @Test
  void refusalsHaveTheShapeOfOpenAi() throws IOException {
    assertError(client.post("/chat/completions", "{not json"), 400, "");
    assertError(client.post("/chat/completions", "{\"messages\":[]}"), 400, "");
    assertError(
        client.post("/chat/completions", "{\"model\":\"gpt-4o\"}"),
        400,
        "missing_required_parameter");
    assertError(
        client.post("/chat/completions", RequestBuilder.map("gpt-9").about("x").json().toString()),
        404,
        "model_not_found");
    assertError(
        client.post("/embeddings", "{\"model\":\"gpt-9\",\"input\":\"x\"}"),
        404,
        "model_not_found");
    assertError(client.post("/nothing", "{}"), 404, "");
    assertError(client.get("/chat/completions"), 405, "");
  }

  @Test
  void aPromptBeyondTheContextIsRefused() throws IOException {
    String book = "many words ".repeat(20_000);

    assertError(
        client.post(
            "/chat/completions",
            RequestBuilder.map("mixtral-8x7b", RequestBuilder.UNITS).about(book).json().toString()),
        400,
        "context_length_exceeded");
  }

  private static void assertError(HttpResponse<String> response, int status, String code) {
    assertThat(response.statusCode()).isEqualTo(status);
    JsonNode error = RequestBuilder.parse(response.body()).path("error");
    assertThat(error.path("message").asText()).isNotBlank();
    assertThat(error.path("type").asText()).isEqualTo("invalid_request_error");
    assertThat(error.path("code").asText("")).isEqualTo(code);
  }

  @Test
  void modelsAreListed() throws IOException {
    JsonNode list = RequestBuilder.parse(client.get("/models").body());

    assertThat(list.path("data").findValuesAsText("id"))
        .hasSize(14)
        .contains("gpt-4o", "o4-mini", "text-embedding-3-small");
    assertThat(RequestBuilder.parse(client.get("/models/gpt-4o").body()).path("id").asText())
        .isEqualTo("gpt-4o");
    assertThat(client.get("/models/gpt-9").statusCode()).isEqualTo(404);
  }

  @Test
  void similarTextsHaveSimilarVectors() throws IOException {
    String body =
        "{\"model\":\"text-embedding-3-small\",\"input\":[\"my card payment was declined\","
            + "\"why was the payment with my card declined?\",\"the weather in Lisbon is mild\"]}";
    JsonNode json = RequestBuilder.parse(client.post("/embeddings", body).body());

    float[] first = vector(json, 0);
    assertThat(first).hasSize(1536);
    assertThat(dot(first, first)).isBetween(0.999, 1.001);
    assertThat(dot(first, vector(json, 1))).isGreaterThan(0.6);
    assertThat(dot(first, vector(json, 2))).isLessThan(0.3);
    assertThat(json.path("usage").path("prompt_tokens").asInt()).isPositive();
  }

  @Test
  void vectorsMayBeBase64AndShorter() throws IOException {
    String plain =
        "{\"model\":\"text-embedding-3-small\",\"input\":\"hello there\",\"dimensions\":8}";
    String packed = plain.replace("}", ",\"encoding_format\":\"base64\"}");
    float[] numbers = vector(RequestBuilder.parse(client.post("/embeddings", plain).body()), 0);
    JsonNode json = RequestBuilder.parse(client.post("/embeddings", packed).body());
    ByteBuffer bytes =
        ByteBuffer.wrap(
                Base64.getDecoder().decode(json.path("data").path(0).path("embedding").asText()))
            .order(ByteOrder.LITTLE_ENDIAN);

    assertThat(numbers).hasSize(8);
    for (float number : numbers) {
      assertThat(bytes.getFloat()).isEqualTo(number);
    }
  }

  private static float[] vector(JsonNode json, int index) {
    JsonNode numbers = json.path("data").path(index).path("embedding");
    float[] vector = new float[numbers.size()];
    for (int i = 0; i < vector.length; i++) {
      vector[i] = numbers.get(i).floatValue();
    }
    return vector;
  }

  private static double dot(float[] a, float[] b) {
    double sum = 0;
    for (int i = 0; i < a.length; i++) {
      sum += a[i] * b[i];
    }
    return sum;
  }

  private JsonNode post(ObjectNode request) {
    try {
      return RequestBuilder.parse(client.post("/chat/completions", request.toString()).body());
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
