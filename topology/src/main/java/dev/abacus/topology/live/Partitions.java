package dev.abacus.topology.live;

import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.Program.Source;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The partitions that the topology of a program is built for.
 *
 * @param ofSources the number of each source, which grows if partitions are added
 * @param keyed number of the topics that bring the documents of one key to one task. It never
 *     changes, because windows and joins are kept where their key has been
 */
public record Partitions(Map<Source, Integer> ofSources, int keyed) {

  /** Of sources and topics with one partition. */
  public static final Partitions ONE = new Partitions(Map.of(), 1);

  public Partitions {
    ofSources = Map.copyOf(ofSources);
  }

  /** As many of each source. */
  public static Partitions each(Program program, int number) {
    return new Partitions(
        program.sources().stream().collect(Collectors.toMap(source -> source, _ -> number)),
        number);
  }

  int of(Source source) {
    return ofSources.getOrDefault(source, 1);
  }

  /** The number of partitions of the source that has most. */
  public int most() {
    return ofSources.values().stream().mapToInt(Integer::intValue).max().orElse(1);
  }
}
