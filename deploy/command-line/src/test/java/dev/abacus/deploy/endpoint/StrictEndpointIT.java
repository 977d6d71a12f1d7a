package dev.abacus.deploy.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.deploy.simulator.CallListener;
import dev.abacus.deploy.simulator.fault.FaultRates;
import dev.abacus.deploy.simulator.fault.Outage;
import dev.abacus.schemas.catalogue.ModelCard;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * What is the fault of the provider makes no dead letter: documents wait, and continue by
 * themselves. Each test uses another model of one worker.
 */
@Tag("measured") // the use of a rate limit is measured
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class StrictEndpointIT {

  private static final String TEXT = "topic: { type: string }";
  private static final int DOCUMENTS = 60;
  private static final Set<String> MODEL = Set.of("gpt-4o-mini");

  /** How long the tier has no capacity; in a long run 600. */
  private static final Duration FLEX_REFUSED =
      Duration.ofSeconds(Integer.getInteger("abacus.flex.refused.seconds", 10));

  /** From the patience of the tier after its return. */
  private static final Duration LATEST_RETURN = Duration.ofSeconds(30);

  private static final double HALF = 0.5 + 1e-6;

  @TempDir static Path folder;

  private static EndpointStack stack;

  /** Its only document is in flight during all other tests. */
  private static Flow slow;

  @BeforeAll
  static void start() throws Exception {
    stack = new EndpointStack(folder);
    slow = stack.start("slow", "gpt-4.1-nano", TEXT);
    slow.send(1);
  }

  @AfterAll
  static void stop() {
    slow.close();
    stack.close();
  }

  @AfterEach
  void restore() {
    stack.openAi.state().change(options -> options.withApiKey(EndpointStack.KEY));
    stack.openAi.state().account().setBalance(null);
  }

  @Test
  @Order(1)
  void aLimitInTheCardIsUsedUpAndHardlyEverExceeded() throws Exception {
    try (Flow flow = stack.start("limited", "gpt-4o", TEXT)) {
      flow.begin();
      int documents = 2 * DOCUMENTS;
      double seconds = flow.secondsFor(documents);

      double least = leastSeconds(documents);
      int limited = flow.statistics().path("limited").asInt();
      report("limit in the card", flow, documents, seconds, least, limited);
      flow.assertAllAnsweredOnce();
      assertThat(limited).isLessThanOrEqualTo(documents / 100);
      // The subtracted time covers the start of the flow, the last answer's latency and its commit.
      assertThat(least / (seconds - 1.5)).as("share of the limit").isGreaterThan(0.95);
    }
  }

  @Test
  @Order(2)
  void aLimitIsLearntFromHeadersWithoutRetryAfter() throws Exception {
    try (Flow flow = stack.start("learnt", "gpt-4.1", TEXT)) {
      flow.begin();
      double seconds = flow.secondsFor(DOCUMENTS);

      double least = leastSeconds(DOCUMENTS);
      int limited = flow.statistics().path("limited").asInt();
      report("limit in the headers", flow, DOCUMENTS, seconds, least, limited);
      flow.assertAllAnsweredOnce();
      assertThat(limited).as("refused calls").isLessThanOrEqualTo(DOCUMENTS / 10);
      assertThat(seconds).isLessThan(3 * least + 5);
    }
  }

  /** The shortest time for documents under the limit: a bucket at once, the others at its rate. */
  private static double leastSeconds(int documents) {
    int burst = EndpointStack.REQUESTS_PER_MINUTE / 60;
    return (documents - burst) * 60.0 / EndpointStack.REQUESTS_PER_MINUTE;
  }

  /** Documents come all the time, each within the patience of 3 s and its calls. */
  @Test
  @Order(3)
  void flexIsHalfThePriceAndTheStandardTierAnswersWhileItHasNoCapacity() throws Exception {
    ModelCard standard = stack.catalogue.get("gpt-5-nano");
    try (Flow flow = stack.start("flex", "gpt-5-nano@flex", TEXT)) {
      flow.begin();
      flow.secondsFor(DOCUMENTS);
      double atStandard = price(standard, flow.statistics());
      assertThat(flow.cost()).isCloseTo(atStandard / 2, within(1e-9));
      int calls = flow.statistics().path("calls").asInt();

      stack.openAi.changeFaults(FaultRates.parse("gpt-5-nano:capacity=1"));
      Instant end = Instant.now().plus(FLEX_REFUSED);
      int documents = 0;
      double longest = 0;
      do {
        longest = Math.max(longest, flow.secondsFor(DOCUMENTS));
        documents += DOCUMENTS;
      } while (Instant.now().isBefore(end));
      flow.assertAllAnsweredOnce();
      double dearer = price(standard, flow.statistics()) - atStandard;
      int refused = stack.openAi.statistics().at("/faults/capacity").asInt();
      report("flex without capacity", flow, documents, longest, 0, refused);
      assertThat(flow.cost()).isCloseTo(atStandard / 2 + dearer, within(1e-9));
      assertThat(flow.statistics().path("calls").asInt() - calls - refused)
          .as("answers that were paid")
          .isEqualTo(documents);
      assertThat(longest).as("patience of 3 s and the calls").isLessThan(20);

      stack.openAi.changeFaults(EndpointStack.FAULTS);
      Instant latest = Instant.now().plus(LATEST_RETURN);
      double ratio;
      do {
        double usd = flow.cost();
        double priced = price(standard, flow.statistics());
        flow.secondsFor(DOCUMENTS);
        ratio = (flow.cost() - usd) / (price(standard, flow.statistics()) - priced);
      } while (ratio > HALF && Instant.now().isBefore(latest));
      assertThat(ratio).as("back at the tier").isLessThanOrEqualTo(HALF);
      flow.assertAllAnsweredOnce();
    } finally {
      stack.openAi.changeFaults(EndpointStack.FAULTS);
    }
  }

  private static double price(ModelCard card, JsonNode statistics) {
    return card.cost(
        statistics.path("promptTokens").asLong(), 0, statistics.path("completionTokens").asLong());
  }

  @Test
  @Order(4)
  void anOutageMakesNoDeadLettersAndDoesNotDelayOtherPrograms() throws Exception {
    // More documents than the worker processes at a time.
    int documents = 2 * DOCUMENTS;
    try (Flow flow = stack.start("outage", "gpt-4o-mini", TEXT);
        Flow other = stack.start("beside", EndpointStack.AZURE, TEXT)) {
      flow.begin();
      stack.openAi.state().changeOutage(new Outage(503, Integer.MAX_VALUE, MODEL));
      flow.send(documents);
      flow.until("the status", () -> flow.status().contains("SERVER_ERROR"));
      other.send(DOCUMENTS);
      other.assertAllAnsweredOnce();
      assertThat(flow.results).as("during the outage").hasSize(1);

      stack.openAi.state().changeOutage(new Outage(503, 0, MODEL));
      flow.untilAllEnd();
      int refused = flow.statistics().path("calls").asInt() - documents - 1;
      report("outage", flow, documents, 0, 0, refused);
      flow.assertAllAnsweredOnce();
    }
  }

  @Test
  @Order(5)
  void anEmptyAccountPausesTheStreamAndAResumptionTriesAtOnce() throws Exception {
    try (Flow flow = stack.start("quota", "gpt-4.1-mini", TEXT)) {
      flow.begin();
      stack.openAi.state().account().setBalance(1e-4);
      flow.send(DOCUMENTS);
      flow.until("a refusal", () -> refused(429) && stack.openAi.state().account().empty());
      flow.until("the status", () -> flow.status().contains("QUOTA"));
      assertThat(flow.results).hasSizeLessThan(DOCUMENTS);
      assertThat(flow.deadLetters).isEmpty();
      flow.until(
          "a long interval between probes",
          () -> flow.nextAttempt().isAfter(Instant.now().plusSeconds(8)));

      stack.openAi.state().account().topUp(100);
      Instant attempt = flow.nextAttempt();
      int before = flow.results.size();
      flow.resume();
      flow.until("a result", () -> flow.results.size() > before);
      assertThat(Instant.now()).as("without the next probe").isBefore(attempt);
      flow.untilAllEnd();
      int refused = flow.statistics().path("calls").asInt() - DOCUMENTS - 1;
      report("quota", flow, DOCUMENTS, 0, 0, refused);
      flow.assertAllAnsweredOnce();
      assertThat(refused).as("refused calls").isLessThan(2 * DOCUMENTS);
    }
  }

  @Test
  @Order(6)
  void aRevokedKeyPausesTheStreamUntilItIsRestored() throws Exception {
    try (Flow flow = stack.start("revoked", "gpt-4.1-mini", TEXT)) {
      flow.begin();
      stack.openAi.state().change(options -> options.withApiKey("sk-another"));
      flow.send(DOCUMENTS);
      flow.until("a refusal", () -> refused(401));
      flow.until("the status", () -> flow.status().contains("AUTHENTICATION"));
      assertThat(flow.deadLetters).isEmpty();

      stack.openAi.state().change(options -> options.withApiKey(EndpointStack.KEY));
      // A probe finds out without a resumption.
      flow.assertAllAnsweredOnce();
    }
  }

  @Test
  @Order(7)
  void anEndpointThatCannotBeReachedIsTriedUntilItIsBack() throws Exception {
    try (Flow flow = stack.start("unreachable", EndpointStack.AZURE, TEXT)) {
      flow.begin();
      int port = stack.stopAzure();
      flow.send(DOCUMENTS);
      flow.until("the status", () -> flow.status().contains("CONNECTION"));
      stack.restartAzure(port);
      flow.assertAllAnsweredOnce();
    }
  }

  @Test
  @Order(8)
  void aRefusedSchemaWithAFieldNamedTemperatureDoesNotDropTheTemperature() throws Exception {
    try (Flow flow =
        stack.start(
            "oven",
            EndpointStack.AZURE,
            "temperature: { type: number, minimum: 0, maximum: 300 }")) {
      flow.begin();
      flow.send(5);
      flow.assertAllAnsweredOnce();
    }
    try (Flow flow = stack.start("words", EndpointStack.AZURE, TEXT)) {
      flow.begin();
      List<JsonNode> requests =
          stack.calls.stream()
              .filter(call -> call.path().startsWith("/openai"))
              .map(call -> OpenAiFields.parse(call.request()))
              .toList();
      assertThat(requests.stream().map(request -> request.has("temperature")))
          .isNotEmpty()
          .doesNotContain(false);
      assertThat(requests.getLast().path("response_format").path("type").asText())
          .as("the refusal concerned another schema")
          .isEqualTo("json_schema");
    }
  }

  @Test
  @Order(9)
  void reasoningModelsGetWhatTheyAccept() throws Exception {
    try (Flow flow = stack.start("thinking", "o4-mini", TEXT)) {
      flow.begin();
      flow.send(20);
      flow.assertAllAnsweredOnce();
      assertThat(flow.statistics().path("calls").asInt()).as("calls").isLessThan(25);
    }
  }

  @Test
  @Order(10)
  void aSlowAnswerIsReceivedAndBookedOnce() {
    slow.until("the slow answer", () -> !slow.results.isEmpty());
    assertThat(slow.statistics().path("calls").asInt()).isEqualTo(1);
    JsonNode answered = slow.statistics();
    double usd =
        (answered.path("promptTokens").asInt() * 0.1
                + answered.path("completionTokens").asInt() * 0.4)
            / 1e6;
    assertThat(slow.results.get("d1"))
        .singleElement()
        .satisfies(cost -> assertThat(cost).isCloseTo(usd, within(1e-9)));
    slow.assertAllAnsweredOnce();
  }

  @Test
  @Order(11)
  void theKeyIsPrintedNowhere() {
    try (Consumer<byte[], byte[]> consumer = stack.connection.consumer(Map.of())) {
      List<TopicPartition> partitions = new ArrayList<>();
      consumer
          .listTopics()
          .values()
          .forEach(topic ->
              topic.stream()
                  .filter(info -> !info.topic().startsWith("__"))
                  .forEach(
                      info -> partitions.add(new TopicPartition(info.topic(), info.partition()))));
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      int read = 0;
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      while (partitions.stream()
          .anyMatch(one -> consumer.position(one) < ends.getOrDefault(one, 0L))) {
        for (var record : consumer.poll(Duration.ofMillis(100))) {
          read++;
          byte[] value = record.value() == null ? new byte[0] : record.value();
          assertThat(new String(value, StandardCharsets.UTF_8))
              .as(record.topic())
              .doesNotContain(EndpointStack.KEY);
        }
      }
      assertThat(read).isPositive();
    }
  }

  @Test
  @Order(12)
  void requestsAndResponsesHaveTheFieldsOfOpenAi() {
    assertThat(stack.calls).isNotEmpty();
    Set<String> violations = new TreeSet<>();
    for (CallListener.Call call : stack.calls) {
      boolean chat = call.path().endsWith("/chat/completions");
      OpenAiFields request = chat ? OpenAiFields.CHAT_REQUEST : OpenAiFields.EMBEDDING_REQUEST;
      OpenAiFields response = chat ? OpenAiFields.CHAT_RESPONSE : OpenAiFields.EMBEDDING_RESPONSE;
      violations.addAll(request.violations(OpenAiFields.parse(call.request())));
      if (call.status() == 200) {
        violations.addAll(response.violations(OpenAiFields.parse(call.response())));
      }
    }
    assertThat(violations).isEmpty();
  }

  private static boolean refused(int status) {
    return stack.openAi.statistics().path("refusedByStatus").path(String.valueOf(status)).asInt()
        > 0;
  }

  private static void report(
      String run, Flow flow, int documents, double seconds, double least, int refused) {
    System.out.printf(
        "FIGURES %s: %d documents in %.1f s (at least %.1f s), %d refused calls, dead letters %s%n",
        run, documents, seconds, least, refused, flow.deadLetters);
  }
}
