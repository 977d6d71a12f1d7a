package dev.abacus.deploy.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** What `topics strimzi` and `topics asyncapi` print, as other tools read it. */
class TopicsCommandTest {

  private static final String TRIAGE = "../examples/support-triage/program.yaml";

  private static final String PROGRAM =
      """
      program: p
      sources: { messages: { topic: %s } }
      operators:
        - limit: 5
      results: { topic: %s }
      """;

  private static final ObjectMapper JSON = new ObjectMapper();

  private static List<JsonNode> documents(String yaml) {
    List<JsonNode> documents = new ArrayList<>();
    new Load(LoadSettings.builder().build())
        .loadAllFromString(yaml)
        .forEach(each -> documents.add(JSON.valueToTree(each)));
    return documents;
  }

  private static List<JsonNode> strimzi(String... options) {
    List<String> words = new ArrayList<>(List.of("topics", "strimzi", TRIAGE, "--cluster", "live"));
    words.addAll(List.of(options));
    Run run = Run.of(words.toArray(String[]::new));
    assertThat(run.exit()).as(run.err()).isZero();
    return documents(run.out());
  }

  private static JsonNode find(List<JsonNode> resources, String kind, String name) {
    return resources.stream()
        .filter(each -> each.path("kind").asText().equals(kind))
        .filter(each -> each.at("/metadata/name").asText().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static Set<String> operations(JsonNode user, String topic) {
    Set<String> operations = new HashSet<>();
    StreamSupport.stream(user.at("/spec/authorization/acls").spliterator(), false)
        .filter(rule -> rule.at("/resource/name").asText().equals(topic))
        .forEach(rule -> rule.path("operations").forEach(each -> operations.add(each.asText())));
    return operations;
  }

  @Test
  void topicsThatAProgramMayNotUseAreRefusedBeforeKafkaIsAsked(@TempDir Path folder)
      throws IOException {
    Path file = folder.resolve("program.yaml");
    for (String command : List.of("validate", "topics create", "apply", "explain")) {
      Files.writeString(file, PROGRAM.formatted("support messages", "out"));
      assertThat(run(command, file))
          .contains("line 2, sources.messages.topic: 'support messages' is not a name of a topic");
      Files.writeString(file, PROGRAM.formatted("in", "in"));
      assertThat(run(command, file)).contains("line 5, results.topic: results go to the source");
    }
    Files.writeString(file, PROGRAM.formatted("in", "abacus.control"));
    assertThat(run("topics create", file)).contains("of results belongs to Abacus");
  }

  private static String run(String command, Path file) {
    List<String> words = new ArrayList<>(List.of(command.split(" ")));
    words.add(file.toString());
    if (!command.equals("validate")) {
      words.addAll(List.of("--bootstrap-server", "127.0.0.1:1"));
    }
    Run run = Run.of(words.toArray(String[]::new));
    assertThat(run.exit()).isEqualTo(2);
    return run.err();
  }

  @Test
  void topicsHaveThePartitionsAndSettingsOfTopicsCreate() {
    List<JsonNode> resources = strimzi("--partitions", "6", "--replication", "3");

    JsonNode receipts = find(resources, "KafkaTopic", "support-triage.receipts");
    assertThat(receipts.at("/apiVersion").asText()).isEqualTo("kafka.strimzi.io/v1");
    assertThat(receipts.at("/metadata/labels/strimzi.io~1cluster").asText()).isEqualTo("live");
    assertThat(receipts.at("/spec/partitions").asInt()).isEqualTo(6);
    assertThat(receipts.at("/spec/replicas").asInt()).isEqualTo(3);
    assertThat(receipts.at("/spec/config/cleanup.policy").asText()).isEqualTo("compact,delete");
    assertThat(receipts.at("/spec/config/retention.bytes").asText()).isEqualTo("-1");
    assertThat(find(resources, "KafkaTopic", "abacus.control").at("/spec/partitions").asInt())
        .isEqualTo(1);
    assertThat(strimzi().getFirst().at("/spec").has("replicas")).isFalse();
  }

  @Test
  void usersMayDoWhatTheirRoleNeedsAndNotCreateTopicsThatAreThere() {
    JsonNode worker = find(strimzi(), "KafkaUser", "abacus-worker");
    JsonNode optimizer = find(strimzi(), "KafkaUser", "abacus-optimizer");

    assertThat(worker.at("/spec/authorization/type").asText()).isEqualTo("simple");
    assertThat(operations(worker, "support-triage.receipts"))
        .containsExactlyInAnyOrder("Read", "Write", "DescribeConfigs");
    // Only Kafka Streams knows these topics, and only workers that record journeys that one.
    assertThat(operations(worker, "abacus-support-triage-")).contains("Create", "Write");
    assertThat(operations(worker, "support-triage.journeys")).contains("Create", "Write");
    assertThat(operations(optimizer, "abacus.control")).contains("Write").doesNotContain("Create");
  }

  @Test
  void kubernetesAcceptsEveryNameAndNoTwoAreEqual() {
    List<JsonNode> resources = strimzi("-X", "abacus.prefix=Team_A.");

    List<String> names =
        resources.stream().map(each -> each.at("/metadata/name").asText()).toList();
    assertThat(names)
        .doesNotHaveDuplicates()
        .allMatch(name -> name.matches("[a-z0-9]([a-z0-9.-]*[a-z0-9])?") && name.length() <= 253);
    assertThat(resources.getFirst().at("/spec/topicName").asText())
        .isEqualTo("Team_A.abacus.control");
  }

  @Test
  void asyncApiNamesWhatOtherClientsWriteAndRead() {
    Run run = Run.of("topics", "asyncapi", TRIAGE);
    assertThat(run.exit()).as(run.err()).isZero();
    JsonNode api = documents(run.out()).getFirst();

    assertThat(api.path("asyncapi").asText()).isEqualTo("3.0.0");
    assertThat(api.at("/channels/results/address").asText()).isEqualTo("support.triaged");
    assertThat(api.at("/operations/send-results/action").asText()).isEqualTo("send");
    assertThat(api.at("/operations/receive-messages/action").asText()).isEqualTo("receive");
    JsonNode message = api.at("/channels/results/messages/record");
    assertThat(message.at("/headers/properties").has("abacus-plan-epoch")).isTrue();
    assertThat(message.at("/payload/properties/intent/type").asText()).isEqualTo("string");
    for (JsonNode operation : api.path("operations")) {
      assertThat(api.at(operation.at("/channel/$ref").asText().substring(1)).isMissingNode())
          .isFalse();
    }
  }

  @Test
  void namesOfAUserDoNotHideNamesOfTheProgram(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("program.yaml");
    String longest = "Out..".repeat(49);
    Files.writeString(
        file,
        """
        program: p
        sources: { results: { topic: in } }
        operators: [ { filter: keep, where: "doc.a > 1" } ]
        results: { topic: %s }
        """
            .formatted(longest));
    JsonNode api = documents(Run.of("topics", "asyncapi", file.toString()).out()).getFirst();
    for (String operation : List.of("receive-results", "send-results~1" + longest)) {
      String channel = api.at("/operations/" + operation + "/channel/$ref").asText().substring(1);
      assertThat(api.at(channel + "/address").asText())
          .isEqualTo(operation.startsWith("send") ? longest : "in");
    }

    Run run = Run.of("topics", "strimzi", file.toString(), "--cluster", "live");
    assertThat(documents(run.out()))
        .extracting(each -> each.at("/metadata/name").asText())
        .allMatch(name ->
            name.length() <= 253
                && Stream.of(name.split("[.]", -1))
                    .allMatch(part -> part.matches("[a-z0-9]([a-z0-9-]*[a-z0-9])?")));
  }

  @Test
  void bothAreJsonOnDemand() throws Exception {
    Run list = Run.of("topics", "strimzi", TRIAGE, "--cluster", "live", "-o", "json");
    Run api = Run.of("topics", "asyncapi", TRIAGE, "-o", "json");

    assertThat(JSON.readTree(list.out()).path("kind").asText()).isEqualTo("List");
    assertThat(JSON.readTree(api.out()).fieldNames())
        .toIterable()
        .contains("channels", "operations");
  }
}
