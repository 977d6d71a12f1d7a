package dev.abacus.schemas.access;

import static org.apache.kafka.common.acl.AclOperation.ALTER_CONFIGS;
import static org.apache.kafka.common.acl.AclOperation.CREATE;
import static org.apache.kafka.common.acl.AclOperation.DELETE;
import static org.apache.kafka.common.acl.AclOperation.DESCRIBE;
import static org.apache.kafka.common.acl.AclOperation.DESCRIBE_CONFIGS;
import static org.apache.kafka.common.acl.AclOperation.READ;
import static org.apache.kafka.common.acl.AclOperation.WRITE;

import dev.abacus.schemas.kafka.KafkaNames;
import dev.abacus.schemas.kafka.TopicSpec;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.Program.Reference;
import dev.abacus.schemas.program.Program.Source;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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
    public List<RequiredAcl> shared(KafkaNames names) {
      return List.of(
          RequiredAcl.topic(names.control(), READ).sometimes(CREATE),
          RequiredAcl.topic(names.status(), READ, WRITE).sometimes(CREATE),
          RequiredAcl.topic(names.spending(), READ, WRITE).sometimes(CREATE),
          RequiredAcl.topic(names.versions(), READ, WRITE).sometimes(CREATE),
          // Only to see that they exist.
          RequiredAcl.topic(names.rejections(), DESCRIBE).sometimes(CREATE),
          RequiredAcl.topic(names.learnt(), DESCRIBE).sometimes(CREATE));
    }

    @Override
    public List<RequiredAcl> of(Program program, KafkaNames names) {
      String name = program.name();
      List<RequiredAcl> acls = new ArrayList<>();
      sources(program).forEach(topic -> acls.add(RequiredAcl.topic(topic, READ)));
      for (Reference reference : program.references()) {
        acls.add(RequiredAcl.topic(reference.topic(), READ));
        acls.add(own(names.embedded(name, reference.name()), READ, WRITE));
      }
      acls.add(own(program.results().topic(), WRITE));
      acls.add(own(names.validation(program)));
      feedback(program).ifPresent(topic -> acls.add(own(topic)));
      acls.add(own(names.samples(name), READ));
      acls.add(own(names.observations(name), WRITE));
      acls.add(own(names.receipts(name), READ, WRITE));
      acls.add(own(names.deadLetters(name), WRITE));
      // Only if it records journeys.
      acls.add(RequiredAcl.topic(names.journeys(name)).sometimes(WRITE, CREATE));
      // Kafka Streams deletes the records of a repartition topic that it has processed.
      acls.add(
          prefix(
                  ResourceType.TOPIC,
                  names.application(name) + "-",
                  READ,
                  WRITE,
                  CREATE,
                  DELETE,
                  DESCRIBE_CONFIGS)
              .sometimes(ALTER_CONFIGS));
      acls.add(prefix(ResourceType.GROUP, names.application(name), READ));
      acls.add(prefix(ResourceType.TRANSACTIONAL_ID, names.application(name) + "-", WRITE));
      return RequiredAcl.merged(acls);
    }
  },

  OPTIMIZER("optimizer") {
    @Override
    public List<RequiredAcl> shared(KafkaNames names) {
      return List.of(
          RequiredAcl.topic(names.control(), READ, WRITE, DESCRIBE_CONFIGS)
              .sometimes(CREATE, ALTER_CONFIGS),
          RequiredAcl.topic(names.rejections(), READ, WRITE).sometimes(CREATE),
          RequiredAcl.topic(names.status(), READ, WRITE).sometimes(CREATE),
          RequiredAcl.topic(names.learnt(), READ, WRITE).sometimes(CREATE),
          RequiredAcl.topic(names.spending(), DESCRIBE).sometimes(CREATE),
          RequiredAcl.topic(names.versions(), DESCRIBE).sometimes(CREATE),
          RequiredAcl.of(ResourceType.GROUP, names.optimizer(), PatternType.LITERAL, READ),
          RequiredAcl.of(
              ResourceType.TRANSACTIONAL_ID, names.optimizer(), PatternType.LITERAL, WRITE));
    }

    @Override
    public List<RequiredAcl> of(Program program, KafkaNames names) {
      List<RequiredAcl> acls = new ArrayList<>();
      // The first documents become examples if the program has none.
      sources(program).forEach(topic -> acls.add(RequiredAcl.topic(topic, READ)));
      acls.add(RequiredAcl.topic(names.validation(program), READ, WRITE).sometimes(CREATE));
      feedback(program)
          .ifPresent(topic -> acls.add(RequiredAcl.topic(topic, READ).sometimes(CREATE)));
      acls.add(RequiredAcl.topic(names.samples(program.name()), READ, WRITE).sometimes(CREATE));
      acls.add(RequiredAcl.topic(names.observations(program.name()), READ).sometimes(CREATE));
      // The backlog of the workers.
      acls.add(prefix(ResourceType.GROUP, names.application(program.name()), DESCRIBE));
      // Only with a page.
      acls.add(RequiredAcl.topic(names.deadLetters(program.name())).sometimes(READ));
      acls.add(RequiredAcl.topic(names.journeys(program.name())).sometimes(READ));
      return RequiredAcl.merged(acls);
    }
  },

  APPLY("apply") {
    @Override
    public List<RequiredAcl> shared(KafkaNames names) {
      return changes(names);
    }

    @Override
    public List<RequiredAcl> of(Program program, KafkaNames names) {
      return sources(program).map(topic -> RequiredAcl.topic(topic, DESCRIBE)).toList();
    }
  },

  TOPICS_CREATE("topics create, apply --create-topics") {
    @Override
    public List<RequiredAcl> shared(KafkaNames names) {
      return TopicSpec.shared(names).stream().map(topic -> created(topic.name())).toList();
    }

    @Override
    public List<RequiredAcl> of(Program program, KafkaNames names) {
      Stream<String> read =
          Stream.concat(sources(program), program.references().stream().map(Reference::topic));
      Stream<String> own = TopicSpec.of(names, program, 1).stream().map(TopicSpec::name);
      Stream<String> embedded =
          program.references().stream()
              .map(reference -> names.embedded(program.name(), reference.name()));
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
    public List<RequiredAcl> shared(KafkaNames names) {
      return RequiredAcl.merged(
          Stream.concat(reads(names).stream(), Stream.of(RequiredAcl.topic(names.status(), READ)))
              .toList());
    }
  },

  READ_PLANS("plan list, plan diff, estimate") {
    @Override
    public List<RequiredAcl> shared(KafkaNames names) {
      return reads(names);
    }
  },

  CHANGE(
      "plan activate, plan rollback, plan pin, plan unpin, objective, budget, reoptimize, pause, resume, remove") {
    @Override
    public List<RequiredAcl> shared(KafkaNames names) {
      return changes(names);
    }
  },

  RESET("reset") {
    @Override
    public List<RequiredAcl> shared(KafkaNames names) {
      return RequiredAcl.merged(
          Stream.concat(reads(names).stream(), Stream.of(RequiredAcl.topic(names.versions(), READ)))
              .toList());
    }

    @Override
    public List<RequiredAcl> of(Program program, KafkaNames names) {
      String name = program.name();
      List<RequiredAcl> acls = new ArrayList<>();
      sources(program).forEach(topic -> acls.add(RequiredAcl.topic(topic, READ)));
      acls.add(RequiredAcl.topic(names.receipts(name), DELETE));
      acls.add(
          prefix(ResourceType.TOPIC, names.application(name) + "-", READ, DELETE, ALTER_CONFIGS));
      acls.add(prefix(ResourceType.GROUP, names.application(name), READ));
      return RequiredAcl.merged(acls);
    }
  },

  PURGE("remove --purge") {
    @Override
    public List<RequiredAcl> shared(KafkaNames names) {
      List<RequiredAcl> acls = new ArrayList<>(changes(names));
      Stream.of(names.status(), names.learnt(), names.spending(), names.versions())
          .forEach(topic -> acls.add(RequiredAcl.topic(topic, READ, WRITE)));
      return RequiredAcl.merged(acls);
    }

    @Override
    public List<RequiredAcl> of(Program program, KafkaNames names) {
      String name = program.name();
      List<RequiredAcl> acls = new ArrayList<>();
      Stream.of(
              names.defaultValidation(name),
              names.samples(name),
              names.observations(name),
              names.receipts(name),
              names.deadLetters(name),
              names.journeys(name))
          .forEach(topic -> acls.add(RequiredAcl.topic(topic, DELETE)));
      program
          .references()
          .forEach(
              items -> acls.add(RequiredAcl.topic(names.embedded(name, items.name()), DELETE)));
      acls.add(prefix(ResourceType.TOPIC, names.application(name) + "-", DELETE));
      acls.add(prefix(ResourceType.GROUP, names.application(name), DELETE));
      acls.add(RequiredAcl.of(ResourceType.GROUP, names.replay(name), PatternType.LITERAL, DELETE));
      return RequiredAcl.merged(acls);
    }
  },

  LIST_DEAD_LETTERS("dlq list") {
    @Override
    public List<RequiredAcl> shared(KafkaNames names) {
      return reads(names);
    }

    @Override
    public List<RequiredAcl> of(Program program, KafkaNames names) {
      return List.of(
          RequiredAcl.topic(names.deadLetters(program.name()), READ),
          RequiredAcl.of(
              ResourceType.GROUP, names.replay(program.name()), PatternType.LITERAL, DESCRIBE));
    }
  },

  REPLAY_DEAD_LETTERS("dlq replay") {
    @Override
    public List<RequiredAcl> shared(KafkaNames names) {
      return reads(names);
    }

    @Override
    public List<RequiredAcl> of(Program program, KafkaNames names) {
      String id = names.replay(program.name());
      List<RequiredAcl> acls = new ArrayList<>();
      acls.add(RequiredAcl.topic(names.deadLetters(program.name()), READ));
      sources(program).forEach(topic -> acls.add(RequiredAcl.topic(topic, WRITE)));
      program.references().forEach(items -> acls.add(RequiredAcl.topic(items.topic(), WRITE)));
      acls.add(RequiredAcl.of(ResourceType.GROUP, id, PatternType.LITERAL, READ));
      acls.add(RequiredAcl.of(ResourceType.TRANSACTIONAL_ID, id, PatternType.LITERAL, WRITE));
      return RequiredAcl.merged(acls);
    }
  },

  PRIORS("priors") {
    @Override
    public List<RequiredAcl> shared(KafkaNames names) {
      return List.of(RequiredAcl.topic(names.learnt(), READ, WRITE));
    }

    @Override
    public List<RequiredAcl> of(Program program, KafkaNames names) {
      return List.of(RequiredAcl.topic(names.observations(program.name()), READ));
    }
  },

  /** A worker with an answer store has this role too. */
  ANSWERS("answers clear") {
    @Override
    public List<RequiredAcl> shared(KafkaNames names) {
      return List.of(RequiredAcl.topic(names.answers(), READ, WRITE).sometimes(CREATE));
    }
  },

  RUN("run") {
    @Override
    public List<RequiredAcl> shared(KafkaNames names) {
      List<RequiredAcl> acls = new ArrayList<>(changes(names));
      acls.add(RequiredAcl.topic(names.status(), READ));
      return RequiredAcl.merged(acls);
    }

    @Override
    public List<RequiredAcl> of(Program program, KafkaNames names) {
      List<RequiredAcl> acls = new ArrayList<>();
      sources(program).forEach(topic -> acls.add(RequiredAcl.topic(topic, WRITE)));
      program.references().forEach(items -> acls.add(RequiredAcl.topic(items.topic(), WRITE)));
      acls.add(RequiredAcl.topic(names.validation(program), WRITE));
      acls.add(RequiredAcl.topic(program.results().topic(), READ));
      acls.add(RequiredAcl.topic(names.deadLetters(program.name()), READ));
      // Only with labels, if several operators may drop a document.
      acls.add(RequiredAcl.topic(names.journeys(program.name())).sometimes(READ));
      // The lag of the worker.
      String application = names.application(program.name());
      acls.add(prefix(ResourceType.TOPIC, application + "-", DESCRIBE));
      acls.add(prefix(ResourceType.GROUP, application, DESCRIBE));
      return RequiredAcl.merged(acls);
    }
  };

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
  public abstract List<RequiredAcl> shared(KafkaNames names);

  /** The further ACLs that a program needs. */
  public List<RequiredAcl> of(Program program, KafkaNames names) {
    return List.of();
  }

  private static List<RequiredAcl> reads(KafkaNames names) {
    return List.of(
        RequiredAcl.topic(names.control(), READ), RequiredAcl.topic(names.rejections(), READ));
  }

  private static List<RequiredAcl> changes(KafkaNames names) {
    return List.of(
        RequiredAcl.topic(names.control(), READ, WRITE),
        RequiredAcl.topic(names.rejections(), READ));
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

  /** The topic of corrected results, if the program has one. */
  private static Optional<String> feedback(Program program) {
    return Optional.ofNullable(program.validation().feedback());
  }

  private static Stream<String> sources(Program program) {
    return program.sources().stream().map(Source::topic).distinct();
  }
}
