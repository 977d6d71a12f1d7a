package dev.abacus.schemas.access;

import static org.apache.kafka.common.resource.PatternType.LITERAL;
import static org.apache.kafka.common.resource.PatternType.PREFIXED;
import static org.apache.kafka.common.resource.ResourceType.GROUP;
import static org.apache.kafka.common.resource.ResourceType.TOPIC;
import static org.apache.kafka.common.resource.ResourceType.TRANSACTIONAL_ID;

import dev.abacus.schemas.kafka.KafkaNames;
import dev.abacus.schemas.kafka.TopicSpec;
import dev.abacus.schemas.program.Program;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.jspecify.annotations.Nullable;

/**
 * The topics, groups and transactional ids that {@link Role}s use: shared ones, then a program's.
 */
enum Resource {
  CONTROL(shared(TOPIC, KafkaNames::control)),
  REJECTIONS(shared(TOPIC, KafkaNames::rejections)),
  STATUS_TOPIC(shared(TOPIC, KafkaNames::status)),
  LEARNT(shared(TOPIC, KafkaNames::learnt)),
  SPENDING(shared(TOPIC, KafkaNames::spending)),
  VERSIONS(shared(TOPIC, KafkaNames::versions)),
  ANSWERS_TOPIC(shared(TOPIC, KafkaNames::answers)),
  SHARED_TOPICS(
      new Names(
          TOPIC,
          LITERAL,
          names -> TopicSpec.shared(names).stream().map(TopicSpec::name),
          (_, _) -> Stream.empty())),
  OPTIMIZER_GROUP(shared(GROUP, KafkaNames::optimizer)),
  OPTIMIZER_ID(shared(TRANSACTIONAL_ID, KafkaNames::optimizer)),

  SOURCES(topics((_, program) -> program.sources().stream().map(Program.Source::topic).distinct())),
  REFERENCES(topics((_, program) -> program.references().stream().map(Program.Reference::topic))),
  EMBEDDED(
      topics((names, program) ->
          program.references().stream()
              .map(reference -> names.embedded(program.name(), reference.name())))),
  RESULTS(topics((_, program) -> Stream.of(program.results().topic()))),
  VALIDATION(topics((names, program) -> Stream.of(names.validation(program)))),
  DEFAULT_VALIDATION(one(TOPIC, LITERAL, KafkaNames::defaultValidation)),
  /** The topic of corrected results, if the program has one. */
  FEEDBACK(topics((_, program) -> Stream.ofNullable(program.validation().feedback()))),
  /** The topic of live answers, if the program learns from them. */
  LEARNING(
      topics((names, program) ->
          Stream.of(names.learning(program.name())).filter(_ -> program.learning() != null))),
  /** The topic of requests for labels, if the program asks for some. */
  REVIEW(
      topics((names, program) ->
          Stream.of(names.review(program.name())).filter(_ -> program.review() > 0))),
  SAMPLES(one(TOPIC, LITERAL, KafkaNames::samples)),
  OBSERVATIONS(one(TOPIC, LITERAL, KafkaNames::observations)),
  RECEIPTS(one(TOPIC, LITERAL, KafkaNames::receipts)),
  DEAD_LETTERS(one(TOPIC, LITERAL, KafkaNames::deadLetters)),
  JOURNEYS(one(TOPIC, LITERAL, KafkaNames::journeys)),
  REPLAYED(one(TOPIC, LITERAL, KafkaNames::replayed)),
  /** All topics that `topics create` creates for a program. */
  OWN_TOPICS(
      topics((names, program) -> TopicSpec.of(names, program, 1).stream().map(TopicSpec::name))),
  /** Repartition topics and changelogs of Kafka Streams. */
  INTERNAL_TOPICS(one(TOPIC, PREFIXED, (names, program) -> names.application(program) + "-")),
  GROUPS(one(GROUP, PREFIXED, (names, program) -> names.application(program))),
  TRANSACTIONAL_IDS(
      one(TRANSACTIONAL_ID, PREFIXED, (names, program) -> names.application(program) + "-")),
  REPLAY_GROUP(one(GROUP, LITERAL, KafkaNames::replay)),
  REPLAY_ID(one(TRANSACTIONAL_ID, LITERAL, KafkaNames::replay));

  @SuppressWarnings("ImmutableEnumChecker") // Its functions have no state.
  private final Names names;

  Resource(Names names) {
    this.names = names;
  }

  /** The resources of this kind, without a program those that programs share. */
  List<ResourcePattern> of(KafkaNames prefix, @Nullable Program program) {
    Stream<String> found =
        program == null ? names.shared.apply(prefix) : names.ofProgram.apply(prefix, program);
    return found.map(name -> new ResourcePattern(names.type, name, names.pattern)).toList();
  }

  /** The names of resources of one type: of {@code shared} or of {@code ofProgram}. */
  private record Names(
      ResourceType type,
      PatternType pattern,
      Function<KafkaNames, Stream<String>> shared,
      BiFunction<KafkaNames, Program, Stream<String>> ofProgram) {}

  private static Names shared(ResourceType type, Function<KafkaNames, String> name) {
    return new Names(
        type, LITERAL, names -> Stream.of(name.apply(names)), (_, _) -> Stream.empty());
  }

  /** The one name that a program has. */
  private static Names one(
      ResourceType type, PatternType pattern, BiFunction<KafkaNames, String, String> name) {
    return new Names(
        type,
        pattern,
        _ -> Stream.empty(),
        (names, program) -> Stream.of(name.apply(names, program.name())));
  }

  private static Names topics(BiFunction<KafkaNames, Program, Stream<String>> topics) {
    return new Names(TOPIC, LITERAL, _ -> Stream.empty(), topics);
  }
}
