package dev.abacus.deploy.cluster;

import static dev.abacus.schemas.kafka.KafkaFutures.get;

import dev.abacus.schemas.kafka.KafkaNames;
import dev.abacus.schemas.kafka.TopicSetup;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.GroupListing;
import org.apache.kafka.clients.admin.ListTopicsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.GroupState;
import org.apache.kafka.common.GroupType;
import org.apache.kafka.common.TopicPartition;

/** The groups and internal topics of one program, as they are on the cluster. */
final class ProgramGroups {

  private static final Set<GroupState> WITHOUT_MEMBERS =
      EnumSet.of(GroupState.EMPTY, GroupState.DEAD);

  private final Admin admin;
  private final KafkaNames names;
  private final String program;
  private final Collection<String> others;

  /**
   * Looks at one program.
   *
   * @param others names of all other programs: {@code p} and {@code p-x} have internal topics with
   *     the same beginning
   */
  ProgramGroups(Admin admin, KafkaNames names, String program, Collection<String> others) {
    this.admin = admin;
    this.names = names;
    this.program = program;
    this.others = others.stream().filter(other -> !other.equals(program)).toList();
  }

  /** The groups that exist: documents, samples, references, replay of dead letters. */
  List<GroupListing> groups() throws InterruptedException {
    String application = names.application(program);
    Set<String> exact =
        Set.of(application, names.sampleApplication(program), names.replay(program));
    return get(admin.listGroups().all()).stream()
        .filter(group ->
            exact.contains(group.groupId())
                || group.groupId().startsWith(application + "-v.")
                || (group.groupId().startsWith(application + "-references-")
                    && isOfProgram(group.groupId())))
        .toList();
  }

  private static boolean hasMembers(GroupListing group) {
    return group.groupState().map(state -> !WITHOUT_MEMBERS.contains(state)).orElse(true);
  }

  /** Changelog and repartition topics of all applications of the program. */
  List<String> internalTopics() throws InterruptedException {
    return TopicSetup.internalTopics(admin, names, List.of(names.application(program))).stream()
        .filter(this::isOfProgram)
        .sorted()
        .toList();
  }

  /** Changelog and repartition topics of the documents, without those of samples and references. */
  List<String> internalTopicsOfDocuments() throws InterruptedException {
    return internalTopics().stream()
        .filter(topic ->
            !topic.startsWith(names.sampleApplication(program) + "-")
                && !topic.startsWith(names.application(program) + "-references-"))
        .toList();
  }

  private boolean isOfProgram(String name) {
    return others.stream()
        .filter(other -> other.startsWith(program + "-"))
        .noneMatch(other -> name.startsWith(names.application(other) + "-"));
  }

  /** Names of all topics. */
  Set<String> all() throws InterruptedException {
    return get(admin.listTopics(new ListTopicsOptions().listInternal(true)).names());
  }

  /** The partitions of topics. */
  List<TopicPartition> partitions(Collection<String> topics) throws InterruptedException {
    List<TopicPartition> partitions = new ArrayList<>();
    for (TopicDescription topic : get(admin.describeTopics(topics).allTopicNames()).values()) {
      topic
          .partitions()
          .forEach(info -> partitions.add(new TopicPartition(topic.name(), info.partition())));
    }
    return partitions;
  }

  /** The offsets of partitions that a specification means. */
  static Map<TopicPartition, Long> offsets(
      Admin admin, Collection<TopicPartition> partitions, OffsetSpec spec)
      throws InterruptedException {
    Map<TopicPartition, OffsetSpec> wanted = new HashMap<>();
    partitions.forEach(partition -> wanted.put(partition, spec));
    Map<TopicPartition, Long> offsets = new HashMap<>();
    get(admin.listOffsets(wanted).all())
        .forEach((partition, offset) -> offsets.put(partition, offset.offset()));
    return offsets;
  }

  /** Deletes all records of topics, which must allow that. */
  void deleteRecords(Collection<String> topics) throws InterruptedException {
    Map<TopicPartition, RecordsToDelete> all = new HashMap<>();
    offsets(admin, partitions(topics), OffsetSpec.latest())
        .forEach((partition, end) -> all.put(partition, RecordsToDelete.beforeOffset(end)));
    get(admin.deleteRecords(all).all());
  }

  /** Deletes groups without members. */
  void delete(Collection<GroupListing> groups) throws InterruptedException {
    List<String> classic = ids(groups, false);
    if (!classic.isEmpty()) {
      get(admin.deleteConsumerGroups(classic).all());
    }
    List<String> streams = ids(groups, true);
    if (!streams.isEmpty()) {
      get(admin.deleteStreamsGroups(streams).all());
    }
  }

  private static List<String> ids(Collection<GroupListing> groups, boolean streams) {
    return groups.stream()
        .filter(group -> isOfStreams(group) == streams)
        .map(GroupListing::groupId)
        .toList();
  }

  /** Whether a group has the streams protocol (KIP-1071), which has calls of its own. */
  static boolean isOfStreams(GroupListing group) {
    return group.type().stream().anyMatch(GroupType.STREAMS::equals);
  }

  /** Ids of groups that have members. */
  static List<String> active(Collection<GroupListing> groups) {
    return groups.stream()
        .filter(ProgramGroups::hasMembers)
        .map(GroupListing::groupId)
        .sorted()
        .toList();
  }
}
