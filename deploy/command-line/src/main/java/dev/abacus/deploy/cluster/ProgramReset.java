package dev.abacus.deploy.cluster;

import static dev.abacus.schemas.kafka.KafkaFutures.get;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.schemas.access.Role;
import dev.abacus.schemas.control.InstanceStatus;
import dev.abacus.schemas.control.StatusReports;
import dev.abacus.schemas.kafka.Json;
import dev.abacus.schemas.kafka.KafkaNames;
import dev.abacus.schemas.kafka.MalformedRecordException;
import dev.abacus.schemas.kafka.RecordText;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.Program.Source;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.GroupListing;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.jspecify.annotations.Nullable;

/**
 * Sets a program back to an earlier position of its sources, with empty state: pending documents,
 * windows, limits, joins and receipts are removed. Results, dead letters, plans, samples and
 * spending stay. Running it again after an interruption completes it.
 *
 * @param offsets the new position of each partition of the sources
 * @param moved number of records between the new and the committed positions
 * @param internal changelog and repartition topics that are emptied
 * @param receipts topics of receipts that are emptied; at most one
 */
public record ProgramReset(
    Map<TopicPartition, Long> offsets, long moved, List<String> internal, List<String> receipts) {

  /**
   * Finds what a reset changes.
   *
   * @param others names of all other programs
   * @param to the time of the first document to process again; null for the beginning
   * @throws OperationFailedException if a worker runs the program or a source does not exist
   */
  public static ProgramReset of(
      KafkaConnection connection,
      Program program,
      Collection<String> others,
      @Nullable Instant to) {
    connection.requireAccess(Role.RESET, List.of(program));
    List<String> sources = program.sources().stream().map(Source::topic).distinct().toList();
    connection.requireTopics(sources);
    int version = version(connection, program.name());
    return connection.administer(
        "nothing was reset",
        admin -> {
          KafkaNames names = connection.names();
          ProgramGroups groups = new ProgramGroups(admin, names, program.name(), others);
          requireStopped(connection, program.name(), groups.groups());
          List<TopicPartition> partitions = groups.partitions(sources);
          Map<TopicPartition, Long> ends =
              ProgramGroups.offsets(admin, partitions, OffsetSpec.latest());
          Map<TopicPartition, Long> offsets =
              new HashMap<>(
                  ProgramGroups.offsets(
                      admin,
                      partitions,
                      to == null
                          ? OffsetSpec.earliest()
                          : OffsetSpec.forTimestamp(to.toEpochMilli())));
          // No record of this time or later.
          offsets.replaceAll(
              (partition, offset) -> offset < 0 ? ends.getOrDefault(partition, 0L) : offset);
          String receipts = names.receipts(program.name());
          return new ProgramReset(
              offsets,
              moved(
                  offsets,
                  ends,
                  get(
                      admin
                          .listConsumerGroupOffsets(names.application(program.name(), version))
                          .partitionsToOffsetAndMetadata())),
              groups.internalTopicsOfDocuments(),
              groups.all().contains(receipts) ? List.of(receipts) : List.of());
        });
  }

  /** The version of a program that takes new documents; 1 if it never ran. */
  private static int version(KafkaConnection connection, String program) {
    AtomicInteger version = new AtomicInteger(1);
    TopicReader.readPresent(
        connection,
        connection.names().versions(),
        record -> {
          if (RecordText.key(record).equals(program)) {
            version.set(version(record.value()));
          }
        });
    return version.get();
  }

  private static int version(byte @Nullable [] record) {
    try {
      return record == null ? 1 : Json.read(record, JsonNode.class).at("/current/version").asInt(1);
    } catch (MalformedRecordException e) {
      throw new OperationFailedException(
          "the versions of the program cannot be read: " + e.getMessage(),
          "Use the commands of the release that the workers have.");
    }
  }

  private static void requireStopped(
      KafkaConnection connection, String program, List<GroupListing> groups) {
    String active =
        Stream.concat(
                ProgramGroups.active(groups).stream().map(group -> "members in " + group),
                sleeping(connection, program).stream().map(worker -> "it sleeps on " + worker))
            .collect(Collectors.joining(", "));
    if (!active.isEmpty()) {
      throw new OperationFailedException(
          "workers run '%s': %s".formatted(program, active),
          "Stop all workers, or take the program from them with `abacus remove %s`; a killed worker counts for 60 s."
              .formatted(program));
    }
  }

  /**
   * Workers on which the program sleeps: they are no members, and keep its receipts open. One with
   * a time ahead of this clock may run.
   */
  private static List<String> sleeping(KafkaConnection connection, String program) {
    Instant now = Instant.now();
    return TopicReader.status(connection).instances(program).stream()
        .filter(worker ->
            worker.isAsleep()
                && (worker.at().isAfter(now) || !StatusReports.isSilent(worker.at(), now)))
        .map(InstanceStatus::instance)
        .toList();
  }

  /** A group whose offsets Kafka has forgotten may have read all. */
  private static long moved(
      Map<TopicPartition, Long> offsets,
      Map<TopicPartition, Long> ends,
      Map<TopicPartition, OffsetAndMetadata> committed) {
    return offsets.entrySet().stream()
        .mapToLong(to -> {
          OffsetAndMetadata from = committed.get(to.getKey());
          long unread = committed.isEmpty() ? ends.getOrDefault(to.getKey(), 0L) : 0;
          return Math.max(0, (from == null ? unread : from.offset()) - to.getValue());
        })
        .sum();
  }

  /** What changes, one line each. */
  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    offsets.forEach(
        (partition, offset) -> lines.add("%s from offset %d".formatted(partition, offset)));
    Collections.sort(lines);
    lines.add("%,d documents are processed and paid again".formatted(moved));
    internal.forEach(topic -> lines.add("empty " + topic));
    receipts.forEach(topic -> lines.add("empty " + topic));
    return lines;
  }

  /**
   * Carries the reset out.
   *
   * @throws OperationFailedException if Kafka refuses, or a worker runs the program
   */
  public void apply(KafkaConnection connection, Program program, Collection<String> others) {
    int version = version(connection, program.name());
    var _ =
        connection.administer(
            "the reset is not complete; run it again",
            admin -> {
              KafkaNames names = connection.names();
              ProgramGroups groups = new ProgramGroups(admin, names, program.name(), others);
              List<GroupListing> existing = groups.groups();
              requireStopped(connection, program.name(), existing);
              empty(admin, groups);
              groups.deleteRecords(receipts);
              String group = names.application(program.name(), version);
              boolean streams =
                  existing.stream()
                      .filter(each -> each.groupId().equals(group))
                      .anyMatch(ProgramGroups::isOfStreams);
              Map<TopicPartition, OffsetAndMetadata> positions = new HashMap<>();
              offsets.forEach(
                  (partition, offset) -> positions.put(partition, new OffsetAndMetadata(offset)));
              ProgramGroups.offsets(admin, groups.partitions(repartitions()), OffsetSpec.latest())
                  .forEach(
                      (partition, end) -> positions.put(partition, new OffsetAndMetadata(end)));
              return get(
                  streams
                      ? admin.alterStreamsGroupOffsets(group, positions).all()
                      : admin.alterConsumerGroupOffsets(group, positions).all());
            });
  }

  private List<String> repartitions() {
    return internal.stream().filter(topic -> topic.endsWith("-repartition")).toList();
  }

  /**
   * Deletes the records of the internal topics and keeps their offsets. Behind the last record of a
   * changelog is the marker of its transaction, so the checkpoint of a worker that kept its local
   * state is before the first offset, and Kafka Streams discards the state. Kafka deletes records
   * of topics with the policy delete only, which changelogs lack.
   */
  private void empty(Admin admin, ProgramGroups groups) throws InterruptedException {
    Map<ConfigResource, Collection<AlterConfigOp>> allow = new HashMap<>();
    Map<ConfigResource, Collection<AlterConfigOp>> restore = new HashMap<>();
    // A reset that was interrupted may have left another policy.
    for (String changelog : internal) {
      if (!repartitions().contains(changelog)) {
        ConfigResource topic = new ConfigResource(ConfigResource.Type.TOPIC, changelog);
        // Without a retention, nothing else is deleted, also if this process ends in between.
        allow.put(
            topic,
            List.of(
                set(TopicConfig.RETENTION_MS_CONFIG, "-1"),
                set(TopicConfig.CLEANUP_POLICY_CONFIG, "compact,delete")));
        restore.put(
            topic,
            List.of(
                set(TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_COMPACT),
                new AlterConfigOp(
                    new ConfigEntry(TopicConfig.RETENTION_MS_CONFIG, ""),
                    AlterConfigOp.OpType.DELETE)));
      }
    }
    get(admin.incrementalAlterConfigs(allow).all());
    groups.deleteRecords(internal);
    get(admin.incrementalAlterConfigs(restore).all());
  }

  private static AlterConfigOp set(String name, String value) {
    return new AlterConfigOp(new ConfigEntry(name, value), AlterConfigOp.OpType.SET);
  }
}
