package dev.abacus.topology;

import dev.abacus.schemas.kafka.KafkaNames;
import dev.abacus.schemas.kafka.TopicSetup;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.Program.Source;
import dev.abacus.topology.live.DocumentTopology;
import dev.abacus.topology.version.EndedVersions;
import dev.abacus.topology.version.ProgramVersions;
import dev.abacus.topology.version.VersionChange;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsOptions;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsSpec;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.MemberDescription;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.StreamsGroupMemberDescription;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;

/** The groups and the internal topics of Kafka Streams applications. */
record StreamsGroups(Admin admin, KafkaNames names)
    implements VersionChange.Applications, EndedVersions.Topics {

  @Override
  public @Nullable Map<TopicPartition, Long> ends(ProgramVersions.Version version)
      throws InterruptedException {
    if (hasMembers(version.application(names))) {
      return null;
    }
    Map<TopicPartition, OffsetSpec> sources = new HashMap<>();
    for (Source source : version.program().sources()) {
      int partitions = TopicSetup.partitions(admin, source.topic());
      for (int i = 0; i < partitions; i++) {
        sources.put(new TopicPartition(source.topic(), i), OffsetSpec.earliest());
      }
    }
    Map<TopicPartition, @Nullable OffsetAndMetadata> committed =
        committed(version.application(names), sources.keySet());
    if (!committed.keySet().containsAll(sources.keySet())) {
      return null; // An open transaction of a member that has left may still change the others.
    }
    Map<TopicPartition, Long> ends = new HashMap<>();
    sources.keySet().stream()
        .filter(partition -> committed.get(partition) != null)
        .forEach(partition ->
            ends.put(partition, Objects.requireNonNull(committed.get(partition)).offset()));
    if (ends.isEmpty()) {
      return Map.of();
    }
    sources.keySet().removeAll(ends.keySet());
    Map<TopicPartition, ListOffsetsResultInfo> first = get(admin.listOffsets(sources).all());
    first.forEach((partition, offset) -> ends.put(partition, offset.offset()));
    return ends;
  }

  /**
   * The committed offsets, null for a partition without one. The client omits a partition whose
   * offset an open transaction may still change.
   */
  private Map<TopicPartition, @Nullable OffsetAndMetadata> committed(
      String group, Set<TopicPartition> partitions) throws InterruptedException {
    try {
      return get(
          admin
              .listConsumerGroupOffsets(
                  Map.of(
                      group,
                      new ListConsumerGroupOffsetsSpec().topicPartitions(List.copyOf(partitions))),
                  new ListConsumerGroupOffsetsOptions().requireStable(true))
              .partitionsToOffsetAndMetadata(group));
    } catch (GroupIdNotFoundException e) {
      Map<TopicPartition, @Nullable OffsetAndMetadata> none = new HashMap<>();
      partitions.forEach(partition -> none.put(partition, null));
      return none;
    }
  }

  @Override
  public boolean hasMembers(String group) throws InterruptedException {
    return !clients(admin, group).isEmpty();
  }

  /** The client ids of the members of a group. */
  static Set<String> clients(Admin admin, String group) throws InterruptedException {
    try {
      return get(admin.describeConsumerGroups(List.of(group)).describedGroups().get(group))
          .members()
          .stream()
          .map(MemberDescription::clientId)
          .collect(Collectors.toSet());
    } catch (GroupIdNotFoundException e) {
      return clientsOfStreams(admin, group);
    }
  }

  /** A group of the protocol of KIP-1071 is none of the other protocols. */
  private static Set<String> clientsOfStreams(Admin admin, String group)
      throws InterruptedException {
    try {
      return get(admin.describeStreamsGroups(List.of(group)).describedGroups().get(group))
          .members()
          .stream()
          .map(StreamsGroupMemberDescription::clientId)
          .collect(Collectors.toSet());
    } catch (GroupIdNotFoundException e) {
      return Set.of();
    }
  }

  @Override
  public List<String> internal(String application) throws InterruptedException {
    return TopicSetup.internalTopics(admin, application);
  }

  @Override
  public void delete(List<String> topics) throws InterruptedException {
    for (KafkaFuture<Void> deleted : admin.deleteTopics(topics).topicNameValues().values()) {
      try {
        deleted.get();
      } catch (ExecutionException e) {
        if (!(e.getCause() instanceof UnknownTopicOrPartitionException)) {
          throw failure(e); // Otherwise another worker was faster.
        }
      }
    }
  }

  @Override
  public int lastTasks(ProgramVersions.Version version) throws InterruptedException {
    Program program = version.program();
    Map<Source, Integer> partitions = new HashMap<>();
    for (Source source : program.sources()) {
      partitions.put(source, TopicSetup.partitions(admin, source.topic()));
    }
    return DocumentTopology.lastTasks(program, source -> partitions.getOrDefault(source, 1));
  }

  private static <T> T get(@Nullable KafkaFuture<T> future) throws InterruptedException {
    try {
      return Objects.requireNonNull(future).get();
    } catch (ExecutionException e) {
      throw failure(e);
    }
  }

  private static KafkaException failure(ExecutionException e) {
    return e.getCause() instanceof KafkaException cause ? cause : new KafkaException(e.getCause());
  }
}
