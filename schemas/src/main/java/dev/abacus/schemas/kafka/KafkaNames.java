package dev.abacus.schemas.kafka;

import dev.abacus.schemas.program.Program;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Names of all topics, groups, applications and transactional ids that programs do not name. All of
 * them begin with the prefix, so installations with different prefixes share a cluster.
 *
 * @param prefix 0 to 60 of a-z A-Z 0-9 . _ -
 */
public record KafkaNames(String prefix) {

  /** The setting of workers, optimizers and commands. */
  public static final String SETTING = "abacus.prefix";

  /** Meaning of the setting. */
  public static final String DOCUMENTATION =
      "Prefix of the names of all topics, consumer groups, applications and transactional ids that "
          + "programs do not name, so that several installations share a cluster. Workers, "
          + "optimizers and commands of an installation need the same.";

  /** End of the group that processes the samples of a program; no program's name ends with it. */
  public static final String SAMPLES = "-samples";

  private static final Pattern VALID = Pattern.compile("[a-zA-Z0-9._-]{0,60}");
  private static final String APPLICATION = "abacus-";
  private static final String VALIDATION = ".validation";

  /** The names without a prefix: the default. */
  public static final KafkaNames UNPREFIXED = new KafkaNames("");

  public KafkaNames {
    if (!VALID.matcher(prefix).matches()) {
      throw new IllegalArgumentException(
          "%s is '%s'; Kafka allows a-z A-Z 0-9 . _ - in names, and the prefix has at most 60"
              .formatted(SETTING, prefix));
    }
  }

  /**
   * The names for client properties with or without {@link #SETTING}.
   *
   * @throws IllegalArgumentException if the prefix is invalid
   */
  public static KafkaNames of(Map<String, ?> properties) {
    Object prefix = properties.get(SETTING);
    return prefix == null ? UNPREFIXED : new KafkaNames(prefix.toString());
  }

  /** Desired state by key: compacted, one partition. */
  public String control() {
    return prefix + "abacus.control";
  }

  /** Control records that were refused, with the reason. */
  public String rejections() {
    return prefix + "abacus.rejections";
  }

  /** Status of every instance: compacted. */
  public String status() {
    return prefix + "abacus.status";
  }

  /** Learned statistics and priors of implementations: compacted. */
  public String learnt() {
    return prefix + "abacus.learnt";
  }

  /** Leases of spending caps: compacted, one partition, with the broker's time. */
  public String spending() {
    return prefix + "abacus.spending";
  }

  /** Versions of programs: compacted, one partition. */
  public String versions() {
    return prefix + "abacus.versions";
  }

  /** Answers of models that all programs share: one partition. */
  public String answers() {
    return prefix + "abacus.answers";
  }

  /**
   * The key of a record on {@link #answers} that clears the answers before it.
   *
   * @param model null for all models
   */
  public static String clearedAnswers(@Nullable String model) {
    return model == null ? "*" : model + "/*";
  }

  /** Validation examples: the topic that the program names, or the default with the prefix. */
  public String validation(Program program) {
    String topic = program.validation().topic();
    return topic.equals(program.name() + VALIDATION) ? defaultValidation(program.name()) : topic;
  }

  /** Validation examples of a program that names no topic for them. */
  public String defaultValidation(String program) {
    return prefix + program + VALIDATION;
  }

  /** Sample tasks, from the optimizer to the data plane. */
  public String samples(String program) {
    return prefix + program + ".samples";
  }

  /** Observations, from the data plane to the optimizer. */
  public String observations(String program) {
    return prefix + program + ".observations";
  }

  /** Dead letters: failed documents with the reason in headers. */
  public String deadLetters(String program) {
    return prefix + program + ".dlq";
  }

  /** Journeys of some documents, if workers record them: one partition. */
  public String journeys(String program) {
    return prefix + program + ".journeys";
  }

  /** Outcomes of the documents of {@code abacus replay}: one partition. */
  public String replayed(String program) {
    return prefix + program + ".replayed";
  }

  /** Answers to live documents with their embeddings, from which classifiers learn. */
  public String learning(String program) {
    return prefix + program + ".learning";
  }

  /** Documents whose label is asked for, by position: compacted, one partition. */
  public String review(String program) {
    return prefix + program + ".review";
  }

  /** Answers of models, so that a crash does not pay for a call again. */
  public String receipts(String program) {
    return prefix + program + ".receipts";
  }

  /** The items of a reference with their vectors: compacted. */
  public String embedded(String program, String reference) {
    return prefix + program + "." + reference + ".embedded";
  }

  /** Application and group of the documents of a program. */
  public String application(String program) {
    return prefix + APPLICATION + program;
  }

  /**
   * Application and group of the documents of a version of a program. Names of programs have no
   * dot, so no other program has it.
   *
   * @param version 1 for the first, which has the name without a version
   */
  public String application(String program, int version) {
    return version == 1 ? application(program) : application(program) + "-v." + version;
  }

  /** Transactional id of the changes from one version of a program to another. */
  public String versionChange(String program) {
    return application(program) + "-versions";
  }

  /** Application and group of the samples of a program. */
  public String sampleApplication(String program) {
    return application(program) + SAMPLES;
  }

  /**
   * Application and group of the references of a program.
   *
   * @param embedders hash of the embedding models; other models read all items again
   */
  public String referenceApplication(String program, int embedders) {
    return "%s-references-%08x".formatted(application(program), embedders);
  }

  /** Group and transactional id of all optimizers, so that a new leader fences the old one. */
  public String optimizer() {
    return prefix + "abacus-optimizer";
  }

  /** The proposed name of the Kafka user of a role, such as {@code abacus-worker}. */
  public String user(String role) {
    return prefix + APPLICATION + role;
  }

  /** Group and transactional id of the replay of dead letters. */
  public String replay(String program) {
    return prefix + "replay-" + program;
  }

  /** Whether a topic is one of those that the product makes for a program. */
  public boolean isOf(String program, String topic) {
    return Stream.of(
                samples(program),
                observations(program),
                learning(program),
                review(program),
                receipts(program),
                deadLetters(program),
                journeys(program),
                replayed(program),
                defaultValidation(program))
            .anyMatch(topic::equals)
        || Pattern.matches(
            Pattern.quote(prefix + program + ".") + "[A-Za-z0-9_-]+\\.embedded", topic);
  }

  /** The programs, removed ones too, of which both receipts and dead letters are among topics. */
  Set<String> programs(Set<String> topics) {
    String end = receipts("").substring(prefix.length());
    return topics.stream()
        .filter(topic -> topic.startsWith(prefix) && topic.endsWith(end))
        .map(topic -> topic.substring(prefix.length()))
        .filter(topic -> topic.length() > end.length())
        .map(topic -> topic.substring(0, topic.length() - end.length()))
        .filter(program -> topics.contains(deadLetters(program)))
        .collect(Collectors.toSet());
  }

  /** Whether a topic belongs to the product, of whichever program. */
  boolean isOwn(String topic) {
    return Stream.of("", prefix)
        .anyMatch(
            start -> topic.startsWith(start + "abacus.") || topic.startsWith(start + APPLICATION));
  }
}
