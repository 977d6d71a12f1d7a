package dev.abacus.optimizer.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.objective.Bound;
import dev.abacus.schemas.objective.Dimension;
import dev.abacus.schemas.objective.Objective;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.program.Learning;
import dev.abacus.schemas.program.Program;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/** A share of the live documents runs beside the plan. */
class LiveDocumentsTest extends SessionFixture {

  /** All models cost the same, so none is dominated in both and all are sampled further. */
  private static final Program SHADOWED =
      PROGRAM
          .withSettings(PROGRAM.settings().withLearning(Learning.withoutAnswers(0.1, 0)))
          .withObjective(new Objective(Dimension.QUALITY, List.of(new Bound(Dimension.COST, 1))));

  private int produced;

  private void produce(int documents) {
    for (int i = 0; i < documents; i++, produced++) {
      topics.write(
          DOCUMENTS, "key-" + produced, bytes("{\"text\": \"document %d\"}".formatted(produced)));
    }
  }

  /** Ids of the drawn documents so far, by offset. */
  private List<String> drawn() {
    return IntStream.range(0, produced)
        .filter(i -> LiveDocuments.isDrawn(SHADOWED, new TopicPartition(DOCUMENTS, 0), i))
        .mapToObj(i -> "live:documents-0@" + i)
        .toList();
  }

  /** The records on the validation topic behind those of the user. */
  private List<ConsumerRecord<byte[], byte[]>> written() {
    return topics.log(VALIDATION).subList(EXAMPLES, topics.log(VALIDATION).size());
  }

  private Set<String> kept() {
    Set<String> kept = new HashSet<>();
    for (ConsumerRecord<byte[], byte[]> record : written()) {
      String id = new String(record.key(), StandardCharsets.UTF_8);
      if (record.value() == null) {
        kept.remove(id);
      } else {
        kept.add(id);
      }
    }
    return kept;
  }

  private void start() {
    write(new ControlRecord.ProgramSet(SHADOWED));
    writeExamples();
    run(20);
  }

  @Test
  void theDrawnDocumentsAndNoOthersBecomeExamplesWithoutLabelsThatAreSampled() throws Exception {
    start();
    int stated = status().at("/budgetSamples").asInt();
    produce(300);
    run(60);

    assertThat(drawn()).hasSizeBetween(15, 50);
    assertThat(kept()).isEqualTo(Set.copyOf(drawn()));
    ConsumerRecord<byte[], byte[]> first = written().getFirst();
    String id = new String(first.key(), StandardCharsets.UTF_8);
    String offset = id.substring(id.indexOf('@') + 1);
    assertThat(read(first, JsonNode.class).toString())
        .isEqualTo(
            "{\"source\":\"documents\",\"document\":{\"text\":\"document %s\"}}".formatted(offset));
    Set<String> sampled =
        tasks().stream()
            .map(SampleTask::exampleId)
            .filter(example -> example.startsWith("live:"))
            .collect(Collectors.toSet());
    assertThat(sampled).isNotEmpty().isSubsetOf(drawn());
    assertThat(status().at("/beside/documents").asInt()).isEqualTo(sampled.size());
    assertThat(status().at("/beside/spentUsd").asDouble()).isPositive();
    assertThat(status().at("/budgetSamples").asInt()).isEqualTo(stated + 2 * drawn().size());
  }

  @Test
  void aRestartDrawsTheSameAndFewMoreDocumentsWait() {
    start();
    produce(1000);
    run(40);
    int before = written().size();
    restart();
    run(20);
    assertThat(written()).hasSize(before);

    produce(50);
    run(20);
    assertThat(written()).as("fewer than a quarter more").hasSize(before);
  }

  @Test
  void theNewestDocumentsAreKept() {
    start();
    produce(2000);
    run(40);
    produce(1500);
    run(60);

    assertThat(drawn()).hasSizeGreaterThan(LiveDocuments.MOST);
    assertThat(kept()).hasSize(LiveDocuments.MOST).isSubsetOf(drawn());
    assertThat(kept())
        .contains(drawn().get(drawn().size() - 60))
        .doesNotContain(drawn().getFirst());
  }

  @Test
  void withoutAShareNoneIsDrawn() {
    writeProgram();
    writeExamples();
    produce(300);
    run(30);

    assertThat(written()).isEmpty();
  }

  @Test
  void withoutTheShareWhatWasDrawnIsRemoved() {
    start();
    produce(300);
    run(40);
    assertThat(kept()).isNotEmpty();

    write(
        new ControlRecord.ProgramSet(
            SHADOWED.withSettings(SHADOWED.settings().withLearning(null))));
    run(40);
    assertThat(kept()).isEmpty();
  }

  /** Each look takes 5 s of the thread that all searches share. */
  @Test
  void aSourceThatDoesNotAnswerIsAskedSeldom() {
    topics.leaderless = true;
    start();
    produce(300);
    run(100);
    assertThat(topics.readers).isEqualTo(1);

    topics.leaderless = false;
    run(300);
    assertThat(kept()).isEqualTo(Set.copyOf(drawn()));
  }
}
