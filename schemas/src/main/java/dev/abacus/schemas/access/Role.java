package dev.abacus.schemas.access;

import static org.apache.kafka.common.acl.AclOperation.ALTER_CONFIGS;
import static org.apache.kafka.common.acl.AclOperation.CREATE;
import static org.apache.kafka.common.acl.AclOperation.DELETE;
import static org.apache.kafka.common.acl.AclOperation.DESCRIBE;
import static org.apache.kafka.common.acl.AclOperation.DESCRIBE_CONFIGS;
import static org.apache.kafka.common.acl.AclOperation.READ;
import static org.apache.kafka.common.acl.AclOperation.WRITE;

import dev.abacus.schemas.kafka.TopicSpec;
import dev.abacus.schemas.kafka.Topics;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.Program.Reference;
import dev.abacus.schemas.program.Program.Source;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourceType;

/**
 * What a process does on Kafka, and the least set of ACLs that it needs. {@code docs/security.md}
 * has the same table.
 */
public enum Role {
  WORKER("worker") {
    @Override
    public List<RequiredAcl> shared() {
      return List.of(
          RequiredAcl.topic(Topics.CONTROL, READ).sometimes(CREATE),
          RequiredAcl.topic(Topics.STATUS, READ, WRITE).sometimes(CREATE),
          RequiredAcl.topic(Topics.SPENDING, READ, WRITE).sometimes(CREATE),
          RequiredAcl.topic(Topics.VERSIONS, READ, WRITE).sometimes(CREATE),
          // Only to see that they exist.
          RequiredAcl.topic(Topics.REJECTIONS, DESCRIBE).sometimes(CREATE),
          RequiredAcl.topic(Topics.LEARNT, DESCRIBE).sometimes(CREATE));
    }

    @Override
    public List<RequiredAcl> of(Program program) {
      String name = program.name();
      List<RequiredAcl> acls = new ArrayList<>();
      sources(program).forEach(topic -> acls.add(RequiredAcl.topic(topic, READ)));
      for (Reference reference : program.references()) {
        acls.add(RequiredAcl.topic(reference.topic(), READ));
        acls.add(own(Topics.embedded(name, reference.name()), READ, WRITE));
      }
      acls.add(own(program.results().topic(), WRITE));
      acls.add(own(program.validation().topic()));
      acls.add(own(Topics.samples(name), READ));
      acls.add(own(Topics.observations(name), WRITE));
      acls.add(own(Topics.receipts(name), READ, WRITE));
      acls.add(own(Topics.deadLetters(name), WRITE));
      // Kafka Streams deletes the records of a repartition topic that it has processed.
      acls.add(
          prefix(
                  ResourceType.TOPIC,
                  application(name) + "-",
                  READ,
                  WRITE,
                  CREATE,
                  DELETE,
                  DESCRIBE_CONFIGS)
              .sometimes(ALTER_CONFIGS));
      acls.add(prefix(ResourceType.GROUP, application(name), READ));
      acls.add(prefix(ResourceType.TRANSACTIONAL_ID, application(name) + "-", WRITE));
      return RequiredAcl.merged(acls);
    }
  },

  OPTIMIZER("optimizer") {
    @Override
    public List<RequiredAcl> shared() {
      return List.of(
          RequiredAcl.topic(Topics.CONTROL, READ, WRITE, DESCRIBE_CONFIGS)
              .sometimes(CREATE, ALTER_CONFIGS),
          RequiredAcl.topic(Topics.REJECTIONS, READ, WRITE).sometimes(CREATE),
          RequiredAcl.topic(Topics.STATUS, READ, WRITE).sometimes(CREATE),
          RequiredAcl.topic(Topics.LEARNT, READ, WRITE).sometimes(CREATE),
          RequiredAcl.topic(Topics.SPENDING, DESCRIBE).sometimes(CREATE),
          RequiredAcl.topic(Topics.VERSIONS, DESCRIBE).sometimes(CREATE),
          RequiredAcl.of(ResourceType.GROUP, OPTIMIZER_ID, PatternType.LITERAL, READ),
          RequiredAcl.of(ResourceType.TRANSACTIONAL_ID, OPTIMIZER_ID, PatternType.LITERAL, WRITE));
    }

    @Override
    public List<RequiredAcl> of(Program program) {
      List<RequiredAcl> acls = new ArrayList<>();
      // The first documents become examples if the program has none.
      sources(program).forEach(topic -> acls.add(RequiredAcl.topic(topic, READ)));
      acls.add(RequiredAcl.topic(program.validation().topic(), READ, WRITE).sometimes(CREATE));
      acls.add(RequiredAcl.topic(Topics.samples(program.name()), READ, WRITE).sometimes(CREATE));
      acls.add(RequiredAcl.topic(Topics.observations(program.name()), READ).sometimes(CREATE));
      return RequiredAcl.merged(acls);
    }
  },

  APPLY("apply") {
    @Override
    public List<RequiredAcl> shared() {
      return changes();
    }

    @Override
    public List<RequiredAcl> of(Program program) {
      return sources(program).map(topic -> RequiredAcl.topic(topic, DESCRIBE)).toList();
    }
  },

  TOPICS_CREATE("topics create, apply --create-topics") {
    @Override
    public List<RequiredAcl> shared() {
      return TopicSpec.shared().stream().map(topic -> created(topic.name())).toList();
    }

    @Override
    public List<RequiredAcl> of(Program program) {
      Stream<String> read =
          Stream.concat(sources(program), program.references().stream().map(Reference::topic));
      Stream<String> own = TopicSpec.of(program, 1).stream().map(TopicSpec::name);
      Stream<String> embedded =
          program.references().stream()
              .map(reference -> Topics.embedded(program.name(), reference.name()));
      return Stream.of(read, own, embedded)
          .flatMap(topics -> topics)
          .distinct()
          .map(this::created)
          .toList();
    }

    private RequiredAcl created(String topic) {
      return RequiredAcl.topic(topic, DESCRIBE).sometimes(CREATE);
    }
  },

  STATUS("status, plan show, explain") {
    @Override
    public List<RequiredAcl> shared() {
      return RequiredAcl.merged(
          Stream.concat(reads().stream(), Stream.of(RequiredAcl.topic(Topics.STATUS, READ)))
              .toList());
    }
  },

  READ_PLANS("plan list, plan diff, estimate") {
    @Override
    public List<RequiredAcl> shared() {
      return reads();
    }
  },

  CHANGE(
      "plan activate, plan rollback, plan pin, plan unpin, objective, budget, reoptimize, pause, resume, remove") {
    @Override
    public List<RequiredAcl> shared() {
      return changes();
    }
  },

  LIST_DEAD_LETTERS("dlq list") {
    @Override
    public List<RequiredAcl> shared() {
      return reads();
    }

    @Override
    public List<RequiredAcl> of(Program program) {
      return List.of(
          RequiredAcl.topic(Topics.deadLetters(program.name()), READ),
          RequiredAcl.of(
              ResourceType.GROUP, replay(program.name()), PatternType.LITERAL, DESCRIBE));
    }
  },

  REPLAY_DEAD_LETTERS("dlq replay") {
    @Override
    public List<RequiredAcl> shared() {
      return reads();
    }

    @Override
    public List<RequiredAcl> of(Program program) {
      String id = replay(program.name());
      List<RequiredAcl> acls = new ArrayList<>();
      acls.add(RequiredAcl.topic(Topics.deadLetters(program.name()), READ));
      sources(program).forEach(topic -> acls.add(RequiredAcl.topic(topic, WRITE)));
      program.references().forEach(items -> acls.add(RequiredAcl.topic(items.topic(), WRITE)));
      acls.add(RequiredAcl.of(ResourceType.GROUP, id, PatternType.LITERAL, READ));
      acls.add(RequiredAcl.of(ResourceType.TRANSACTIONAL_ID, id, PatternType.LITERAL, WRITE));
      return RequiredAcl.merged(acls);
    }
  },

  PRIORS("priors") {
    @Override
    public List<RequiredAcl> shared() {
      return List.of(RequiredAcl.topic(Topics.LEARNT, READ, WRITE));
    }

    @Override
    public List<RequiredAcl> of(Program program) {
      return List.of(RequiredAcl.topic(Topics.observations(program.name()), READ));
    }
  },

  /** A worker with an answer store has this role too. */
  ANSWERS("answers clear") {
    @Override
    public List<RequiredAcl> shared() {
      return List.of(RequiredAcl.topic(Topics.ANSWERS, READ, WRITE).sometimes(CREATE));
    }
  },

  RUN("run") {
    @Override
    public List<RequiredAcl> shared() {
      List<RequiredAcl> acls = new ArrayList<>(changes());
      acls.add(RequiredAcl.topic(Topics.STATUS, READ));
      return RequiredAcl.merged(acls);
    }

    @Override
    public List<RequiredAcl> of(Program program) {
      List<RequiredAcl> acls = new ArrayList<>();
      sources(program).forEach(topic -> acls.add(RequiredAcl.topic(topic, WRITE)));
      program.references().forEach(items -> acls.add(RequiredAcl.topic(items.topic(), WRITE)));
      acls.add(RequiredAcl.topic(program.validation().topic(), WRITE));
      acls.add(RequiredAcl.topic(program.results().topic(), READ));
      acls.add(RequiredAcl.topic(Topics.deadLetters(program.name()), READ));
      // The lag of the worker.
      String application = application(program.name());
      acls.add(prefix(ResourceType.TOPIC, application + "-", DESCRIBE));
      acls.add(prefix(ResourceType.GROUP, application, DESCRIBE));
      return RequiredAcl.merged(acls);
    }
  };

  /** Group and transactional id of all optimizers of a cluster. */
  private static final String OPTIMIZER_ID = "abacus-optimizer";

  private final String commands;

  Role(String commands) {
    this.commands = commands;
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
  public abstract List<RequiredAcl> shared();

  /** The further ACLs that a program needs. */
  public List<RequiredAcl> of(Program program) {
    return List.of();
  }

  private static List<RequiredAcl> reads() {
    return List.of(
        RequiredAcl.topic(Topics.CONTROL, READ), RequiredAcl.topic(Topics.REJECTIONS, READ));
  }

  private static List<RequiredAcl> changes() {
    return List.of(
        RequiredAcl.topic(Topics.CONTROL, READ, WRITE), RequiredAcl.topic(Topics.REJECTIONS, READ));
  }

  /** A topic that a worker creates, and whose limit it checks. */
  private static RequiredAcl own(String topic, AclOperation... operations) {
    AclOperation[] all =
        Stream.concat(Stream.of(operations), Stream.of(DESCRIBE_CONFIGS))
            .toArray(AclOperation[]::new);
    return RequiredAcl.topic(
            topic, operations.length == 0 ? new AclOperation[] {DESCRIBE, DESCRIBE_CONFIGS} : all)
        .sometimes(CREATE, ALTER_CONFIGS);
  }

  private static RequiredAcl prefix(ResourceType type, String name, AclOperation... operations) {
    return RequiredAcl.of(type, name, PatternType.PREFIXED, operations);
  }

  private static Stream<String> sources(Program program) {
    return program.sources().stream().map(Source::topic).distinct();
  }

  private static String application(String program) {
    return "abacus-" + program;
  }

  private static String replay(String program) {
    return "replay-" + program;
  }
}
