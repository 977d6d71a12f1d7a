package dev.abacus.schemas.kafka;

import dev.abacus.schemas.program.Program;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Checks the topics that a program names. Anybody may write to the control topic, so the planes
 * check a program as {@code apply} does.
 */
public final class TopicCheck {

  private TopicCheck() {}

  /**
   * Returns the first mistake of the topics of a program, or null if there is none: no topic
   * belongs to the product, and no document can return to a source.
   *
   * @param others programs in force; one with the same name is ignored
   */
  public static @Nullable String mistake(
      Program program, Collection<Program> others, KafkaNames names) {
    return uses(program)
        .map(use -> mistake(use, program, names))
        .filter(Objects::nonNull)
        .findFirst()
        .orElseGet(() -> cycle(program, others));
  }

  /** A topic and the part of the program that names it. */
  private record Use(String part, String topic) {}

  private static Stream<Use> uses(Program program) {
    return Stream.of(
            program.sources().stream()
                .map(source -> new Use("source '" + source.name() + "'", source.topic())),
            program.references().stream()
                .map(items -> new Use("reference '" + items.name() + "'", items.topic())),
            Stream.of(new Use("results", program.results().topic())),
            Stream.ofNullable(program.validation().feedback())
                .map(topic -> new Use("validation.feedback", topic)))
        .flatMap(part -> part);
  }

  private static @Nullable String mistake(Use use, Program program, KafkaNames names) {
    String topic = use.topic();
    boolean own =
        names.isOwn(topic)
            || topic.equals(names.validation(program))
            || names.isOf(program.name(), topic);
    return own
        ? "the topic '%s' of %s belongs to Abacus; name another topic".formatted(topic, use.part())
        : null;
  }

  /** Follows results to the programs that read them, until a source of the program is reached. */
  private static @Nullable String cycle(Program program, Collection<Program> others) {
    Set<String> sources = new HashSet<>();
    program.sources().forEach(source -> sources.add(source.topic()));
    Set<String> seen = new HashSet<>();
    Deque<String> reached = new ArrayDeque<>(List.of(program.results().topic()));
    while (!reached.isEmpty()) {
      String topic = reached.removeFirst();
      if (sources.contains(topic)) {
        return "its results return to its source topic '%s' through other programs"
            .formatted(topic);
      }
      if (seen.add(topic)) {
        others.stream()
            .filter(other -> !other.name().equals(program.name()))
            .filter(
                other -> other.sources().stream().anyMatch(source -> source.topic().equals(topic)))
            .forEach(other -> reached.add(other.results().topic()));
      }
    }
    return null;
  }
}
