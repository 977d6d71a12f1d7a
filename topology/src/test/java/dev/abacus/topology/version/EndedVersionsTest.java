package dev.abacus.topology.version;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.kafka.KafkaNames;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.io.ProgramParser;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class EndedVersionsTest implements EndedVersions.Topics {

  private static final Map<TopicPartition, Long> ENDS = Map.of(new TopicPartition("in", 0), 7L);

  private final List<String> topics =
      new ArrayList<>(
          List.of(
              "abacus-p-pending-topic-changelog",
              "abacus-p-other-pending-topic-changelog",
              "abacus-p-samples-pending-samples-changelog",
              "abacus-p-v.2-few-in-0-repartition",
              "abacus-p-v.3-pending-topic-changelog"));
  private final Set<String> members = new HashSet<>(Set.of("abacus-p", "abacus-p-v.3"));
  private Instant now = Instant.EPOCH;
  private final EndedVersions ended =
      new EndedVersions("p", KafkaNames.UNPREFIXED, this, () -> now);
  private final ProgramVersions first = ProgramVersions.first(program());

  private static Program program() {
    try {
      return new ProgramParser(ModelCatalogue.builtIn())
          .parse(
              """
              program: p
              sources: { messages: { topic: in } }
              results: { topic: out }
              operators: [{ map: topic, instruction: Which?, writes: { topic: { type: string } } }]
              """);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public boolean hasMembers(String application) {
    return members.contains(application);
  }

  @Override
  public List<String> internal(String application) {
    return topics.stream().filter(topic -> topic.startsWith(application + "-")).toList();
  }

  @Override
  public void delete(List<String> names) {
    topics.removeAll(names);
  }

  private List<String> removeAfter(int seconds, ProgramVersions state) throws Exception {
    now = now.plusSeconds(seconds);
    return ended.remove(state);
  }

  @Test
  void topicsOfAVersionStayWhileItEndsAndWhileItHasMembers() throws Exception {
    assertThat(removeAfter(0, first)).isEmpty();
    ended.ran(1, Set.of("abacus-p-pending-topic-changelog"));
    ProgramVersions ending = first.stopped(1L).started(program(), ENDS, 1);
    assertThat(removeAfter(600, ending)).isEmpty();

    ProgramVersions done = ending.ended(Map.of(1, Set.of(0)));
    assertThat(removeAfter(600, done)).isEmpty();
    assertThat(removeAfter(60, done)).as("has members").isEmpty();
    members.remove("abacus-p");
    assertThat(removeAfter(60, done)).containsExactly("abacus-p-pending-topic-changelog");
    assertThat(topics).hasSize(4).contains("abacus-p-other-pending-topic-changelog");
  }

  @Test
  void aWorkerThatNeverRanAVersionRemovesItUnlessItIsTheFirst() throws Exception {
    members.clear();
    ProgramVersions third =
        first
            .stopped(1L)
            .started(program(), ENDS, 1)
            .ended(Map.of(1, Set.of(0)))
            .stopped(2L)
            .started(program(), ENDS, 1)
            .ended(Map.of(2, Set.of(0)));
    assertThat(removeAfter(0, third)).isEmpty();
    assertThat(removeAfter(60, third)).containsExactly("abacus-p-v.2-few-in-0-repartition");
    assertThat(removeAfter(60, third)).isEmpty();
    assertThat(topics).hasSize(4);
  }
}
