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
  CONTROL(shared(KafkaNames::control)),
  REJECTIONS(shared(KafkaNames::rejections)),
  STATUS_TOPIC(shared(KafkaNames::status)),
  LEARNT(shared(KafkaNames::learnt)),
  SPENDING(shared(KafkaNames::spending)),
  VERSIONS(shared(KafkaNames::versions)),
  ANSWERS_TOPIC(shared(KafkaNames::answers)),
  SHARED_TOPICS(
      new Names(TOPIC, LITERAL, names -> TopicSpec.shared(names).stream().map(TopicSpec::name))),
  OPTIMIZER_GROUP(new Names(GROUP, LITERAL, names -> Stream.of(names.optimizer()))),
  OPTIMIZER_ID(new Names(TRANSACTIONAL_ID, LITERAL, names -> Stream.of(names.optimizer()))),

  SOURCES(topics((_, program) -> program.sources().stream().map(Program.Source::topic).distinct())),
  REFERENCES(topics((_, program) -> program.references().stream().map(Program.Reference::topic))),
  EMBEDDED(
      topics((names, program) ->
          program.references().stream()
              .map(reference -> names.embedded(program.name(), reference.name())))),
  RESULTS(topics((_, program) -> Stream.of(program.results().topic()))),
  VALIDATION(topics((names, program) -> Stream.of(names.validation(program)))),
  DEFAULT_VALIDATION(topic(KafkaNames::defaultValidation)),
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
  SAMPLES(topic(KafkaNames::samples)),
  OBSERVATIONS(topic(KafkaNames::observations)),
  RECEIPTS(topic(KafkaNames::receipts)),
  DEAD_LETTERS(topic(KafkaNames::deadLetters)),
  JOURNEYS(topic(KafkaNames::journeys)),
  REPLAYED(topic(KafkaNames::replayed)),
  /** All topics that `topics create` creates for a program. */
  OWN_TOPICS(
      topics((names, program) -> TopicSpec.of(names, program, 1).stream().map(TopicSpec::name))),
  /** Repartition topics and changelogs of Kafka Streams. */
  INTERNAL_TOPICS(new Names(TOPIC, PREFIXED, (names, program) -> application(names, program, "-"))),
  GROUPS(new Names(GROUP, PREFIXED, (names, program) -> application(names, program, ""))),
  TRANSACTIONAL_IDS(
      new Names(TRANSACTIONAL_ID, PREFIXED, (names, program) -> application(names, program, "-"))),
  REPLAY_GROUP(
      new Names(GROUP, LITERAL, (names, program) -> Stream.of(names.replay(program.name())))),
  REPLAY_ID(
      new Names(
          TRANSACTIONAL_ID, LITERAL, (names, program) -> Stream.of(names.replay(program.name()))));

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
      BiFunction<KafkaNames, Program, Stream<String>> ofProgram) {

    Names(ResourceType type, PatternType pattern, Function<KafkaNames, Stream<String>> shared) {
      this(type, pattern, shared, (_, _) -> Stream.empty());
    }

    Names(
        ResourceType type,
        PatternType pattern,
        BiFunction<KafkaNames, Program, Stream<String>> ofProgram) {
      this(type, pattern, _ -> Stream.empty(), ofProgram);
    }
  }

  private static Names shared(Function<KafkaNames, String> topic) {
    return new Names(TOPIC, LITERAL, names -> Stream.of(topic.apply(names)));
  }

  private static Names topic(BiFunction<KafkaNames, String, String> topic) {
    return topics((names, program) -> Stream.of(topic.apply(names, program.name())));
  }

  private static Names topics(BiFunction<KafkaNames, Program, Stream<String>> topics) {
    return new Names(TOPIC, LITERAL, topics);
  }

  private static Stream<String> application(KafkaNames names, Program program, String end) {
    return Stream.of(names.application(program.name()) + end);
  }
}
