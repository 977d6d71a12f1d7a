package dev.abacus.topology;

import static dev.abacus.schemas.kafka.KafkaFutures.get;

import dev.abacus.schemas.kafka.ByteClients;
import dev.abacus.schemas.kafka.KafkaNames;
import dev.abacus.schemas.kafka.TopicRange;
import dev.abacus.schemas.kafka.TopicSetup;
import dev.abacus.schemas.monitor.SourceOffsets;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.Program.Source;
import dev.abacus.topology.live.DocumentTopology;
import dev.abacus.topology.live.Partitions;
import dev.abacus.topology.runtime.InputRecord;
import dev.abacus.topology.runtime.PendingRecord;
import dev.abacus.topology.sample.SampleTopology;
import dev.abacus.topology.version.EndedVersions;
import dev.abacus.topology.version.ProgramVersions;
import dev.abacus.topology.version.VersionChange;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsOptions;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsSpec;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.MemberDescription;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.StreamsGroupDescription;
import org.apache.kafka.clients.admin.StreamsGroupMemberDescription;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.GroupState;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;

/**
 * The groups and the internal topics of Kafka Streams applications.
 *
 * @param following settings of consumers without a group
 */
record StreamsGroups(Admin admin, KafkaNames names, Map<String, Object> following)
    implements VersionChange.Applications, EndedVersions.Topics {

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @Override
  public @Nullable Map<TopicPartition, Long> ends(ProgramVersions.Version version)
      throws InterruptedException {
    if (hasMembers(version.application(names))) {
      return null;
    }
    SourceOffsets offsets = offsets(version.application(names), sources(version.program()));
    if (offsets == null) {
      return null; // An open transaction of a member that has left may still change the others.
    }
    if (offsets.committed().isEmpty()) {
      requireOffsets(version);
      return Map.of();
    }
    return offsets.end().keySet().stream()
        .collect(Collectors.toMap(Function.identity(), offsets::next));
  }

  /**
   * The ends of an application's topics, if its group has read all of them.
   *
   * @param topics sources and repartition topics
   * @return null if a record is left, or an open transaction may still change a committed offset
   * @throws KafkaException if a topic does not exist or the cluster cannot be reached
   */
  @Nullable Map<TopicPartition, Long> readEnds(String application, Set<String> topics)
      throws InterruptedException {
    SourceOffsets offsets = offsets(application, topics);
    return offsets != null && offsets.lag() == 0 ? new HashMap<>(offsets.end()) : null;
  }

  /** The offset behind the last record of each partition of these topics that can be read. */
  Map<TopicPartition, Long> ends(Set<String> topics) throws InterruptedException {
    return offsets(partitions(topics), OffsetSpec.latest());
  }

  /** Records of open transactions cannot be read yet, so they are behind the latest offset. */
  private Map<TopicPartition, Long> offsets(Set<TopicPartition> partitions, OffsetSpec which)
      throws InterruptedException {
    Map<TopicPartition, OffsetSpec> wanted = new HashMap<>();
    partitions.forEach(partition -> wanted.put(partition, which));
    Map<TopicPartition, Long> offsets = new HashMap<>();
    get(admin.listOffsets(wanted, new ListOffsetsOptions(IsolationLevel.READ_COMMITTED)).all())
        .forEach((partition, offset) -> offsets.put(partition, offset.offset()));
    return offsets;
  }

  private static Set<String> sources(Program program) {
    return program.sources().stream().map(Source::topic).collect(Collectors.toSet());
  }

  private Set<TopicPartition> partitions(Set<String> topics) throws InterruptedException {
    Set<TopicPartition> partitions = new HashSet<>();
    TopicSetup.partitions(admin, topics)
        .forEach((topic, number) -> {
          for (int i = 0; i < number; i++) {
            partitions.add(new TopicPartition(topic, i));
          }
        });
    return partitions;
  }

  /**
   * How far a group has read topics. Null while an open transaction may still change an offset: the
   * client omits that partition.
   */
  private @Nullable SourceOffsets offsets(String group, Set<String> topics)
      throws InterruptedException {
    Set<TopicPartition> all = partitions(topics);
    Map<TopicPartition, OffsetAndMetadata> committed = Map.of();
    try {
      committed =
          get(
              admin
                  .listConsumerGroupOffsets(
                      Map.of(
                          group,
                          new ListConsumerGroupOffsetsSpec().topicPartitions(List.copyOf(all))),
                      new ListConsumerGroupOffsetsOptions().requireStable(true))
                  .partitionsToOffsetAndMetadata(group));
      if (!committed.keySet().containsAll(all)) {
        return null;
      }
    } catch (GroupIdNotFoundException e) {
      // It has read nothing.
    }
    return SourceOffsets.of(
        committed, offsets(all, OffsetSpec.earliest()), offsets(all, OffsetSpec.latest()));
  }

  /**
   * Kafka forgets the offsets of a group without members ({@code offsets.retention.minutes}). The
   * sources would be read, and paid for, from their beginning again, so this has to be decided. A
   * group that knows what it has read between stages has forgotten nothing: watermarks reach its
   * repartition topics before the first document does, and all documents may be deleted unread.
   *
   * @throws KafkaException if no offset is left of a version that has read its sources
   */
  void requireOffsets(ProgramVersions.Version version) throws InterruptedException {
    String application = version.application(names);
    Program program = version.program();
    Set<String> sources = sources(program);
    Set<String> between = DocumentTopology.repartitionTopics(application, program);
    if (isWithoutOffsets(application, sources)
        && (!lastRead(sources, DocumentTopology.pendingTopics(application, program)).isEmpty()
            || (isWithoutOffsets(application, between) && hasRecords(between)))) {
      throw new KafkaException(
          "Kafka has forgotten what the group %s has read, as it had no members for offsets.retention.minutes; state from where documents are read: abacus reset %s, or kafka-consumer-groups.sh"
              .formatted(application, program.name()));
    }
  }

  /**
   * Continues behind the last sample task that was read, if Kafka has forgotten the offsets. Those
   * that have no observation yet are pending.
   */
  void resumeSamples(String program) throws InterruptedException {
    String application = names.sampleApplication(program);
    Set<String> samples = Set.of(names.samples(program));
    if (!isWithoutOffsets(application, samples)) {
      return;
    }
    Map<TopicPartition, OffsetAndMetadata> next = new HashMap<>();
    lastRead(samples, Set.of(SampleTopology.pendingTopic(application)))
        .forEach((partition, last) -> next.put(partition, new OffsetAndMetadata(last + 1)));
    if (!next.isEmpty()) {
      get(admin.alterConsumerGroupOffsets(application, next).all());
    }
  }

  private boolean isWithoutOffsets(String application, Set<String> sources)
      throws InterruptedException {
    SourceOffsets offsets = offsets(application, sources);
    return offsets != null && offsets.committed().isEmpty();
  }

  /** Whether a transaction has written to one of some topics, even if it is deleted again. */
  private boolean hasRecords(Set<String> topics) throws InterruptedException {
    AtomicBoolean found = new AtomicBoolean();
    try (Consumer<byte[], byte[]> consumer = ByteClients.consumer(following)) {
      for (String topic : TopicSetup.partitions(admin, topics).keySet()) {
        TopicRange all = TopicRange.all(consumer, topic);
        found.compareAndSet(false, all.from().values().stream().anyMatch(first -> first > 0));
        all.read(consumer, PATIENCE, _ -> found.set(true));
      }
    }
    return found.get();
  }

  /**
   * The offsets that an application has read last, as its pending records say. A source that is
   * shorter than what was read is another one of its name.
   *
   * @param pending changelogs of the pending records
   */
  private Map<TopicPartition, Long> lastRead(Set<String> sources, Set<String> pending)
      throws InterruptedException {
    Map<TopicPartition, Long> read = new HashMap<>();
    try (Consumer<byte[], byte[]> consumer = ByteClients.consumer(following)) {
      for (String topic : TopicSetup.partitions(admin, pending).keySet()) {
        TopicRange.all(consumer, topic)
            .read(
                consumer,
                PATIENCE,
                record -> {
                  InputRecord input = PendingRecord.inputOf(record.value());
                  if (input != null) {
                    read.merge(
                        new TopicPartition(input.topic(), input.partition()),
                        input.offset(),
                        Math::max);
                  }
                });
      }
    }
    read.keySet().retainAll(partitions(sources));
    Map<TopicPartition, Long> ends = offsets(read.keySet(), OffsetSpec.latest());
    read.entrySet().removeIf(last -> last.getValue() >= ends.getOrDefault(last.getKey(), 0L));
    return read;
  }

  @Override
  public boolean hasMembers(String group) throws InterruptedException {
    return !clients(admin, group).isEmpty();
  }

  /** The client ids of the members of a group. */
  static Set<String> clients(Admin admin, String group) throws InterruptedException {
    return Members.of(admin, group).clients();
  }

  /** The client ids of the members of a group; empty while their tasks change. */
  Set<String> settled(String group) throws InterruptedException {
    Members members = Members.of(admin, group);
    return members.state() == GroupState.STABLE ? members.clients() : Set.of();
  }

  private record Members(Set<String> clients, GroupState state) {

    static Members of(Admin admin, String group) throws InterruptedException {
      try {
        ConsumerGroupDescription found =
            get(admin.describeConsumerGroups(List.of(group)).describedGroups().get(group));
        return new Members(
            found.members().stream().map(MemberDescription::clientId).collect(Collectors.toSet()),
            found.groupState());
      } catch (GroupIdNotFoundException e) {
        return ofStreams(admin, group);
      }
    }

    /** A group of the protocol of KIP-1071 is none of the other protocols. */
    private static Members ofStreams(Admin admin, String group) throws InterruptedException {
      try {
        StreamsGroupDescription found =
            get(admin.describeStreamsGroups(List.of(group)).describedGroups().get(group));
        return new Members(
            found.members().stream()
                .map(StreamsGroupMemberDescription::clientId)
                .collect(Collectors.toSet()),
            found.groupState());
      } catch (GroupIdNotFoundException e) {
        return new Members(Set.of(), GroupState.DEAD);
      }
    }
  }

  @Override
  public List<String> internal(String application) throws InterruptedException {
    return TopicSetup.internalTopics(admin, names, List.of(application));
  }

  @Override
  public void delete(List<String> topics) throws InterruptedException {
    for (KafkaFuture<Void> deleted : admin.deleteTopics(topics).topicNameValues().values()) {
      try {
        get(deleted);
      } catch (UnknownTopicOrPartitionException e) {
        // Another worker was faster.
      }
    }
  }

  @Override
  public int lastTasks(ProgramVersions.Version version) throws InterruptedException {
    return DocumentTopology.lastTasks(version.program(), partitions(version));
  }

  /** What the topology of a version has to be built for now. */
  Partitions partitions(ProgramVersions.Version version) throws InterruptedException {
    Set<String> keyed = DocumentTopology.keyedTopics(version.application(names), version.program());
    Set<String> topics = new HashSet<>(keyed);
    version.program().sources().forEach(source -> topics.add(source.topic()));
    Map<String, Integer> sizes = TopicSetup.partitions(admin, topics);
    Map<Source, Integer> sources = new HashMap<>();
    for (Source source : version.program().sources()) {
      sources.put(source, sizes.getOrDefault(source.topic(), 0));
    }
    int most = new Partitions(sources, 0).most();
    return new Partitions(
        sources, keyed.stream().map(sizes::get).filter(Objects::nonNull).findFirst().orElse(most));
  }
}
