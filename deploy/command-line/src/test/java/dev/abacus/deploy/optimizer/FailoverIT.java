package dev.abacus.deploy.optimizer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.deploy.local.LocalKafka;
import dev.abacus.deploy.process.PlaneProcess;
import dev.abacus.schemas.kafka.Json;
import dev.abacus.schemas.kafka.KafkaNames;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.PlanStep;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two optimizers in JVMs of their own. One that is cut off is replaced and cannot write any more
 * when it is back; one that is killed is replaced within its session timeout. Whoever comes goes on
 * where the other was.
 */
class FailoverIT {

  private static final String PROGRAM = "failover";
  private static final Duration SESSION = Duration.ofSeconds(6);

  /** To start again from the topics, on a machine that does other things as well. */
  private static final Duration START = Duration.ofSeconds(40);

  @TempDir Path folder;

  @Test
  void theSearchGoesOnWithoutPayingForASampleTwiceWhoeverLeads() throws Exception {
    try (LocalKafka kafka = LocalKafka.start();
        FakeDataPlane plane = new FakeDataPlane(kafka.bootstrapServers());
        PlaneProcess first = start(kafka, "first")) {
      plane.workUntil("a leader", () -> log("first").contains("This optimizer leads"));
      apply(plane);
      plane.answerOnly(12);
      plane.workUntil("12 answers", () -> observations(plane) == 12);
      try (PlaneProcess second = start(kafka, "second")) {
        plane.workUntil("another", () -> log("second").contains("stands by"));

        first.freeze();
        plane.answerOnly(Integer.MAX_VALUE);
        plane.workUntil("the second leads", () -> log("second").contains("This optimizer leads"));
        int known = plane.sampleIds(PROGRAM).size();
        plane.workUntil("samples of the second", () -> plane.sampleIds(PROGRAM).size() > known);
        first.thaw();
        plane.workUntil("the first stands by", () -> log("first").contains("stands by"));
        assertThat(first.isAlive()).isTrue();

        plane.answerOnly(3);
        second.kill();
        long killed = System.nanoTime();
        int leads = count(log("first"), "This optimizer leads");
        plane.workUntil(
            "the first leads again", () -> count(log("first"), "This optimizer leads") > leads);
        assertThat(Duration.ofNanos(System.nanoTime() - killed)).isLessThan(SESSION.plus(START));
      }
      plane.answerOnly(Integer.MAX_VALUE);
      plane.workUntil("the end of the search", () -> plane.isFinished(PROGRAM));

      assertThat(plane.invocations(PROGRAM)).isBetween(40L, 80L);
      assertThat(plane.sampleIds(PROGRAM)).doesNotHaveDuplicates();
      // What is known of a plan may be stated anew under its epoch, but not by another plan.
      assertThat(planKeys(plane))
          .isNotEmpty()
          .allSatisfy(key -> assertThat(steps(plane, key)).as("plans of %s", key).hasSize(1));
    }
  }

  private static int count(String text, String part) {
    return text.split(part, -1).length - 1;
  }

  private PlaneProcess start(LocalKafka kafka, String name) throws Exception {
    return PlaneProcess.optimizer(
        Map.of(
            "bootstrap.servers", kafka.bootstrapServers(),
            "optimizer.session.timeout.ms", String.valueOf(SESSION.toMillis()),
            "optimizer.sample.partitions", "1"),
        folder.resolve(name + ".log"));
  }

  private String log(String name) {
    try {
      return Files.readString(folder.resolve(name + ".log"));
    } catch (IOException e) {
      return "";
    }
  }

  private static void apply(FakeDataPlane plane) throws Exception {
    plane.produce(
        KafkaNames.UNPREFIXED.control(),
        "program/" + PROGRAM,
        """
        {"program": "%s",
         "sources": {"messages": {"topic": "messages", "format": "json", "key": "id"}},
         "operators": [
           {"filter": "is-problem", "input": "messages", "condition": "Something went wrong.",
            "reads": ["text"]},
           {"map": "classify", "instruction": "Which intent?", "reads": ["text"],
            "writes": {"intent": {"type": "string"}}}],
         "results": {"topic": "triaged", "format": "json"},
         "budget": {"samples": 80},
         "models": ["gpt-4o", "gpt-4o-mini"]}
        """
            .formatted(PROGRAM));
    plane.workUntil(
        "a status", () -> !plane.values(KafkaNames.UNPREFIXED.status(), PROGRAM).isEmpty());
    for (int i = 0; i < 12; i++) {
      plane.produce(
          PROGRAM + ".validation",
          "e" + i,
          """
          {"source": "messages", "document": {"id": "%d", "text": "message %d"},
           "labels": {"is-problem": true}}
          """
              .formatted(i, i));
    }
  }

  private static int observations(FakeDataPlane plane) {
    return plane.values(KafkaNames.UNPREFIXED.observations(PROGRAM), "").size();
  }

  private static List<String> planKeys(FakeDataPlane plane) {
    return plane.keys(KafkaNames.UNPREFIXED.control()).stream()
        .filter(key -> key.startsWith("plan/" + PROGRAM))
        .distinct()
        .toList();
  }

  /** What all records of a plan's key say that is executed. */
  private static Set<List<PlanStep>> steps(FakeDataPlane plane, String key) throws Exception {
    Set<List<PlanStep>> steps = new HashSet<>();
    for (String plan : plane.values(KafkaNames.UNPREFIXED.control(), key)) {
      steps.add(Json.read(plan.getBytes(StandardCharsets.UTF_8), PhysicalPlan.class).steps());
    }
    return steps;
  }
}
