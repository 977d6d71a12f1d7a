package dev.abacus.deploy.cluster;

import static dev.abacus.schemas.kafka.KafkaFutures.get;

import dev.abacus.schemas.access.Role;
import dev.abacus.schemas.control.ControlKey;
import dev.abacus.schemas.kafka.KafkaNames;
import dev.abacus.schemas.kafka.RecordText;
import dev.abacus.schemas.program.Program;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.GroupListing;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * All that the product stores for a program. Sources, references, results and a validation topic
 * that the program names belong to the user and are never part of it.
 *
 * @param program name of the program
 * @param topics that are deleted
 * @param groups that are deleted
 * @param records number of records of the program on shared topics, which become tombstones
 */
public record ProgramPurge(
    String program, List<String> topics, List<String> groups, Map<String, Set<String>> records) {

  /** A killed worker is a member for the session timeout, 45 s by default. */
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private static final Duration PAUSE = Duration.ofMillis(500);

  /**
   * Finds what a purge removes.
   *
   * @throws OperationFailedException if another program reads or writes one of the topics
   */
  public static ProgramPurge of(KafkaConnection connection, ControlState state, String program) {
    KafkaNames names = connection.names();
    Program definition = state.program(program);
    connection.requireAccess(Role.PURGE, definition == null ? List.of() : List.of(definition));
    Collection<String> others = names(state);
    ProgramPurge purge =
        connection.administer(
            "nothing was removed",
            admin -> {
              ProgramGroups groups = new ProgramGroups(admin, names, program, others);
              Set<String> all = groups.all();
              Set<String> topics = new TreeSet<>(groups.internalTopics());
              all.stream().filter(topic -> names.isOf(program, topic)).forEach(topics::add);
              return new ProgramPurge(
                  program,
                  List.copyOf(topics),
                  groups.groups().stream().map(GroupListing::groupId).sorted().toList(),
                  Map.of());
            });
    purge.requireUnused(state);
    Map<String, Set<String>> records = new TreeMap<>();
    for (String topic :
        List.of(names.learnt(), names.spending(), names.status(), names.versions())) {
      Set<String> keys = keys(connection, topic, program);
      if (!keys.isEmpty()) {
        records.put(topic, keys);
      }
    }
    return new ProgramPurge(program, purge.topics, purge.groups, records);
  }

  /** Names of all programs that have control records. */
  public static Set<String> names(ControlState state) {
    Set<String> names = new TreeSet<>();
    state.records().keySet().forEach(key -> names.add(key.program()));
    return names;
  }

  /** Programs may read the dead letters of others. */
  private void requireUnused(ControlState state) {
    for (String name : state.programs()) {
      Program other = state.require(name);
      Stream.of(
              other.sources().stream().map(Program.Source::topic),
              other.references().stream().map(Program.Reference::topic),
              Stream.of(other.results().topic(), other.validation().topic()))
          .flatMap(used -> used)
          .filter(used -> !name.equals(program) && topics.contains(used))
          .findFirst()
          .ifPresent(used -> {
            throw new OperationFailedException(
                "nothing was removed: the program '%s' uses %s".formatted(name, used),
                "Remove that program first, or name another topic in it.");
          });
    }
  }

  private static Set<String> keys(KafkaConnection connection, String topic, String program) {
    Set<String> keys = new LinkedHashSet<>();
    TopicReader.readPresent(
        connection,
        topic,
        record -> {
          String key = RecordText.key(record);
          boolean own = isOf(program, key, topic.equals(connection.names().learnt()));
          if (own && record.value() != null) {
            keys.add(key);
          } else if (own) {
            keys.remove(key);
          }
        });
    return keys;
  }

  /** Whether the key of a shared topic is one of the program: behind a kind, or first. */
  static boolean isOf(String program, String key, boolean behindKind) {
    List<String> words = List.of(key.split("/", -1));
    int place = behindKind ? 1 : 0;
    return words.size() > place && words.get(place).equals(program);
  }

  /** What is removed, one line each. */
  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    topics.forEach(topic -> lines.add("topic " + topic));
    groups.forEach(group -> lines.add("group " + group));
    records.forEach((topic, keys) ->
        lines.add("%d records of %s on %s".formatted(keys.size(), program, topic)));
    lines.add("all control records of " + program + ", with its plans");
    return lines;
  }

  /**
   * Removes the program: first its control records, so that workers and optimizer stop it, then
   * what they leave.
   *
   * @throws OperationFailedException if Kafka refuses, or workers still run the program after 60 s
   */
  public void apply(KafkaConnection connection, ControlTopic control, ControlState state) {
    // Workers remove plans only of a program that is removed.
    List<ControlKey> keys =
        state.records().keySet().stream()
            .filter(key -> key.program().equals(program))
            .sorted(Comparator.comparing(key -> !(key instanceof ControlKey.ProgramKey)))
            .toList();
    if (!keys.isEmpty()) {
      control.remove(keys);
    }
    String undone = "the program is removed, but not all that belongs to it; run this again";
    var _ =
        connection.administer(
            undone,
            admin -> {
              ProgramGroups found =
                  new ProgramGroups(admin, connection.names(), program, names(state));
              List<GroupListing> left = awaitStopped(found, undone);
              found.delete(left);
              return get(admin.deleteTopics(topics).all());
            });
    List<ProducerRecord<byte[], byte[]>> tombstones = new ArrayList<>();
    records
        .keySet()
        .forEach(topic ->
            keys(connection, topic, program)
                .forEach(key ->
                    tombstones.add(
                        new ProducerRecord<>(topic, key.getBytes(StandardCharsets.UTF_8), null))));
    connection.send(tombstones, Map.of(), undone);
  }

  private static List<GroupListing> awaitStopped(ProgramGroups groups, String undone)
      throws InterruptedException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      List<GroupListing> found = groups.groups();
      List<String> active = ProgramGroups.active(found);
      if (active.isEmpty()) {
        return found;
      }
      if (System.nanoTime() > deadline) {
        throw new OperationFailedException(
            undone + ": members in " + String.join(", ", active),
            "Stop the workers that hang; a killed worker is a member for session.timeout.ms (45 s).");
      }
      Thread.sleep(PAUSE);
    }
  }
}
