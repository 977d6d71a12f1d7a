package dev.abacus.schemas.access;

import static dev.abacus.schemas.access.Resource.ANSWERS_TOPIC;
import static dev.abacus.schemas.access.Resource.CONTROL;
import static dev.abacus.schemas.access.Resource.DEAD_LETTERS;
import static dev.abacus.schemas.access.Resource.DEFAULT_VALIDATION;
import static dev.abacus.schemas.access.Resource.EMBEDDED;
import static dev.abacus.schemas.access.Resource.FEEDBACK;
import static dev.abacus.schemas.access.Resource.GROUPS;
import static dev.abacus.schemas.access.Resource.INTERNAL_TOPICS;
import static dev.abacus.schemas.access.Resource.JOURNEYS;
import static dev.abacus.schemas.access.Resource.LEARNING;
import static dev.abacus.schemas.access.Resource.LEARNT;
import static dev.abacus.schemas.access.Resource.OBSERVATIONS;
import static dev.abacus.schemas.access.Resource.OPTIMIZER_GROUP;
import static dev.abacus.schemas.access.Resource.OPTIMIZER_ID;
import static dev.abacus.schemas.access.Resource.OWN_TOPICS;
import static dev.abacus.schemas.access.Resource.RECEIPTS;
import static dev.abacus.schemas.access.Resource.REFERENCES;
import static dev.abacus.schemas.access.Resource.REJECTIONS;
import static dev.abacus.schemas.access.Resource.REPLAYED;
import static dev.abacus.schemas.access.Resource.REPLAY_GROUP;
import static dev.abacus.schemas.access.Resource.REPLAY_ID;
import static dev.abacus.schemas.access.Resource.RESULTS;
import static dev.abacus.schemas.access.Resource.REVIEW;
import static dev.abacus.schemas.access.Resource.SAMPLES;
import static dev.abacus.schemas.access.Resource.SHARED_TOPICS;
import static dev.abacus.schemas.access.Resource.SOURCES;
import static dev.abacus.schemas.access.Resource.SPENDING;
import static dev.abacus.schemas.access.Resource.STATUS_TOPIC;
import static dev.abacus.schemas.access.Resource.TRANSACTIONAL_IDS;
import static dev.abacus.schemas.access.Resource.VALIDATION;
import static dev.abacus.schemas.access.Resource.VERSIONS;
import static org.apache.kafka.common.acl.AclOperation.ALTER;
import static org.apache.kafka.common.acl.AclOperation.ALTER_CONFIGS;
import static org.apache.kafka.common.acl.AclOperation.CREATE;
import static org.apache.kafka.common.acl.AclOperation.DELETE;
import static org.apache.kafka.common.acl.AclOperation.DESCRIBE;
import static org.apache.kafka.common.acl.AclOperation.DESCRIBE_CONFIGS;
import static org.apache.kafka.common.acl.AclOperation.READ;
import static org.apache.kafka.common.acl.AclOperation.WRITE;

import dev.abacus.schemas.kafka.KafkaNames;
import dev.abacus.schemas.program.Program;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.kafka.common.acl.AclOperation;
import org.jspecify.annotations.Nullable;

/**
 * What a process does on Kafka, and the least set of ACLs that it needs. {@code docs/security.md}
 * has the same table.
 */
public enum Role {
  WORKER(
      "worker",
      // A policy that forgets is told if it may be seen.
      on(CONTROL, READ).sometimes(CREATE, DESCRIBE_CONFIGS),
      on(STATUS_TOPIC, READ, WRITE).sometimes(CREATE, DESCRIBE_CONFIGS),
      on(SPENDING, READ, WRITE).sometimes(CREATE, DESCRIBE_CONFIGS),
      on(VERSIONS, READ, WRITE).sometimes(CREATE, DESCRIBE_CONFIGS),
      // Only to see that they exist.
      on(REJECTIONS, DESCRIBE).sometimes(CREATE),
      on(LEARNT, DESCRIBE).sometimes(CREATE, DESCRIBE_CONFIGS),
      on(SOURCES, READ),
      on(REFERENCES, READ),
      // It creates these topics, and checks their limits.
      on(EMBEDDED, READ, WRITE, DESCRIBE_CONFIGS).sometimes(CREATE, ALTER_CONFIGS),
      on(RESULTS, WRITE, DESCRIBE_CONFIGS).sometimes(CREATE, ALTER_CONFIGS),
      on(VALIDATION, DESCRIBE, DESCRIBE_CONFIGS).sometimes(CREATE, ALTER_CONFIGS),
      on(FEEDBACK, DESCRIBE, DESCRIBE_CONFIGS).sometimes(CREATE, ALTER_CONFIGS),
      // Altered if they were created anew with fewer partitions than their changelogs have.
      on(SAMPLES, READ, DESCRIBE_CONFIGS).sometimes(CREATE, ALTER, ALTER_CONFIGS),
      on(OBSERVATIONS, WRITE, DESCRIBE_CONFIGS).sometimes(CREATE, ALTER_CONFIGS),
      on(LEARNING, WRITE, DESCRIBE_CONFIGS).sometimes(CREATE, ALTER_CONFIGS),
      on(REVIEW, DESCRIBE, DESCRIBE_CONFIGS).sometimes(CREATE, ALTER_CONFIGS),
      // Altered if a source got partitions, as are the changelogs below.
      on(RECEIPTS, READ, WRITE, DESCRIBE_CONFIGS).sometimes(CREATE, ALTER, ALTER_CONFIGS),
      on(DEAD_LETTERS, WRITE, DESCRIBE_CONFIGS).sometimes(CREATE, ALTER_CONFIGS),
      // Only if it records journeys.
      on(JOURNEYS).sometimes(WRITE, CREATE),
      // Only for the replay of documents.
      on(REPLAYED).sometimes(WRITE),
      // Kafka Streams deletes the records of a repartition topic that it has processed.
      on(INTERNAL_TOPICS, READ, WRITE, CREATE, DELETE, DESCRIBE_CONFIGS)
          .sometimes(ALTER, ALTER_CONFIGS),
      on(GROUPS, READ),
      on(TRANSACTIONAL_IDS, WRITE)),

  OPTIMIZER(
      "optimizer",
      on(CONTROL, READ, WRITE, DESCRIBE_CONFIGS).sometimes(CREATE, ALTER_CONFIGS),
      on(REJECTIONS, READ, WRITE).sometimes(CREATE),
      on(STATUS_TOPIC, READ, WRITE).sometimes(CREATE, DESCRIBE_CONFIGS),
      on(LEARNT, READ, WRITE).sometimes(CREATE, DESCRIBE_CONFIGS),
      // Read only with a page.
      on(SPENDING, DESCRIBE).sometimes(READ, CREATE, DESCRIBE_CONFIGS),
      on(VERSIONS, DESCRIBE).sometimes(CREATE, DESCRIBE_CONFIGS),
      on(OPTIMIZER_GROUP, READ),
      on(OPTIMIZER_ID, WRITE),
      // The first documents become examples if the program has none.
      on(SOURCES, READ),
      on(VALIDATION, READ, WRITE).sometimes(CREATE),
      // Written only by a page on which labels are given.
      on(FEEDBACK, READ).sometimes(WRITE, CREATE),
      on(REVIEW, READ, WRITE).sometimes(CREATE),
      on(SAMPLES, READ, WRITE).sometimes(CREATE),
      on(OBSERVATIONS, READ).sometimes(CREATE),
      on(LEARNING, READ).sometimes(CREATE),
      // The backlog of the workers.
      on(GROUPS, DESCRIBE),
      // Only with a page.
      on(DEAD_LETTERS).sometimes(READ),
      on(JOURNEYS).sometimes(READ)),

  APPLY("apply", on(CONTROL, READ, WRITE), on(REJECTIONS, READ), on(SOURCES, DESCRIBE)),

  TOPICS_CREATE(
      "topics create, apply --create-topics",
      on(SHARED_TOPICS, DESCRIBE).sometimes(CREATE),
      on(SOURCES, DESCRIBE).sometimes(CREATE),
      on(REFERENCES, DESCRIBE).sometimes(CREATE),
      on(OWN_TOPICS, DESCRIBE).sometimes(CREATE),
      on(EMBEDDED, DESCRIBE).sometimes(CREATE)),

  STATUS(
      "status, plan show, explain",
      on(CONTROL, READ),
      on(REJECTIONS, READ),
      on(STATUS_TOPIC, READ)),

  READ_PLANS("plan list, plan diff, estimate", on(CONTROL, READ), on(REJECTIONS, READ)),

  CHANGE(
      "plan activate, plan rollback, plan pin, plan unpin, objective, budget, reoptimize, pause, resume, remove",
      on(CONTROL, READ, WRITE),
      on(REJECTIONS, READ)),

  RESET(
      "reset",
      on(CONTROL, READ),
      on(REJECTIONS, READ),
      on(VERSIONS, READ),
      on(STATUS_TOPIC, READ),
      on(SOURCES, READ),
      on(RECEIPTS, DELETE),
      on(INTERNAL_TOPICS, READ, DELETE, ALTER_CONFIGS),
      on(GROUPS, READ)),

  PURGE(
      "remove --purge",
      on(CONTROL, READ, WRITE),
      on(REJECTIONS, READ),
      on(STATUS_TOPIC, READ, WRITE),
      on(LEARNT, READ, WRITE),
      on(SPENDING, READ, WRITE),
      on(VERSIONS, READ, WRITE),
      on(DEFAULT_VALIDATION, DELETE),
      on(SAMPLES, DELETE),
      on(OBSERVATIONS, DELETE),
      on(LEARNING, DELETE),
      on(REVIEW, DELETE),
      on(RECEIPTS, DELETE),
      on(DEAD_LETTERS, DELETE),
      on(JOURNEYS, DELETE),
      on(REPLAYED, DELETE),
      on(EMBEDDED, DELETE),
      on(INTERNAL_TOPICS, DELETE),
      on(GROUPS, DELETE),
      on(REPLAY_GROUP, DELETE)),

  LIST_DEAD_LETTERS(
      "dlq list",
      on(CONTROL, READ),
      on(REJECTIONS, READ),
      on(DEAD_LETTERS, READ),
      on(REPLAY_GROUP, DESCRIBE)),

  REPLAY_DEAD_LETTERS(
      "dlq replay",
      on(CONTROL, READ),
      on(REJECTIONS, READ),
      on(DEAD_LETTERS, READ),
      on(SOURCES, WRITE),
      on(REFERENCES, WRITE),
      on(REPLAY_GROUP, READ),
      on(REPLAY_ID, WRITE)),

  REPLAY_DOCUMENTS(
      "replay",
      on(CONTROL, READ),
      on(REJECTIONS, READ),
      on(STATUS_TOPIC, READ),
      on(SOURCES, READ),
      on(RESULTS, READ),
      on(DEAD_LETTERS, READ),
      on(SAMPLES, WRITE),
      on(REPLAYED, READ).sometimes(CREATE),
      on(GROUPS, DESCRIBE)),

  COST("cost", on(SPENDING, READ)),

  PRIORS("priors", on(LEARNT, READ, WRITE), on(OBSERVATIONS, READ)),

  /** A worker with an answer store has this role too. */
  ANSWERS("answers clear", on(ANSWERS_TOPIC, READ, WRITE).sometimes(CREATE)),

  RUN(
      "run",
      on(CONTROL, READ, WRITE),
      on(REJECTIONS, READ),
      on(STATUS_TOPIC, READ),
      on(SOURCES, WRITE),
      on(REFERENCES, WRITE),
      on(VALIDATION, WRITE),
      on(RESULTS, READ),
      on(DEAD_LETTERS, READ),
      // Only with labels, if several operators may drop a document.
      on(JOURNEYS).sometimes(READ),
      // The lag of the worker.
      on(INTERNAL_TOPICS, DESCRIBE),
      on(GROUPS, DESCRIBE));

  private final String commands;

  @SuppressWarnings("ImmutableEnumChecker") // List.of
  private final List<Need> needs;

  Role(String commands, Need... needs) {
    this.commands = commands;
    this.needs = List.of(needs);
  }

  /** A row of the table: see {@link RequiredAcl}. */
  private record Need(
      Resource resource, Set<AclOperation> operations, Set<AclOperation> occasional) {

    Need sometimes(AclOperation... others) {
      return new Need(resource, operations, Set.of(others));
    }
  }

  private static Need on(Resource resource, AclOperation... operations) {
    return new Need(resource, Set.of(operations), Set.of());
  }

  /** The commands that have this role, separated by commas. */
  public String commands() {
    return commands;
  }

  /** The role of a command, such as {@code plan list}. */
  public static Role of(String command) {
    return Stream.of(values())
        .filter(role -> List.of(role.commands.split(", ")).contains(command))
        .findFirst()
        .orElse(CHANGE);
  }

  /** The ACLs that are needed regardless of programs. */
  public List<RequiredAcl> shared(KafkaNames names) {
    return acls(names, null);
  }

  /** The further ACLs that a program needs. */
  public List<RequiredAcl> of(Program program, KafkaNames names) {
    return acls(names, program);
  }

  private List<RequiredAcl> acls(KafkaNames names, @Nullable Program program) {
    return RequiredAcl.merged(
        needs.stream()
            .flatMap(need ->
                need.resource.of(names, program).stream()
                    .map(found -> new RequiredAcl(found, need.operations, need.occasional)))
            .toList());
  }
}
