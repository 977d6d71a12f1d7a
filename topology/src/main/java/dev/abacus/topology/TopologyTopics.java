package dev.abacus.topology;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.TopologyDescription;

/**
 * The topics of an application of Kafka Streams.
 *
 * @param sources which others write
 * @param internal changelogs, and repartition topics, which its own tasks write
 */
record TopologyTopics(Set<String> sources, Set<String> internal) {

  private static final String REPARTITION = "-repartition";

  /** No topics. */
  static final TopologyTopics NONE = new TopologyTopics(Set.of(), Set.of());

  /** The topics of a topology. */
  static TopologyTopics of(String application, Topology built) {
    Set<String> sources = new HashSet<>();
    Set<String> internal = new HashSet<>();
    Set<String> written = written(built);
    for (TopologyDescription.Subtopology part : built.describe().subtopologies()) {
      internal.addAll(changelogs(application, part));
      for (String topic : read(part)) {
        if (written.contains(topic)) {
          internal.add(application + "-" + topic);
        } else {
          sources.add(topic);
        }
      }
    }
    return new TopologyTopics(Set.copyOf(sources), Set.copyOf(internal));
  }

  private static Set<String> changelogs(String application, TopologyDescription.Subtopology part) {
    return part.nodes().stream()
        .filter(TopologyDescription.Processor.class::isInstance)
        .flatMap(node -> ((TopologyDescription.Processor) node).stores().stream())
        .map(store -> application + "-" + store + "-changelog")
        .collect(Collectors.toSet());
  }

  /** What is written and read is a repartition topic; a source may be called like one. */
  private static Set<String> written(Topology built) {
    return built.describe().subtopologies().stream()
        .flatMap(part -> part.nodes().stream())
        .filter(TopologyDescription.Sink.class::isInstance)
        .map(node -> ((TopologyDescription.Sink) node).topic())
        .collect(Collectors.toSet());
  }

  private static Set<String> read(TopologyDescription.Subtopology part) {
    return part.nodes().stream()
        .filter(TopologyDescription.Source.class::isInstance)
        .flatMap(node -> ((TopologyDescription.Source) node).topicSet().stream())
        .collect(Collectors.toSet());
  }

  /**
   * The least number of partitions of topics that may have too few. Kafka Streams starts only if
   * the changelogs of what reads sources have as many partitions as these, so what has fewer gets
   * more: changelogs, as partitions that were added to a source have no state yet, and the samples,
   * which the optimizer may have created anew with fewer than their changelogs.
   *
   * @param samples the topic of sample tasks
   * @param sizes the numbers of partitions now
   */
  static Map<String, Integer> least(
      String application, Topology built, String samples, Map<String, Integer> sizes) {
    Map<String, Integer> least = new HashMap<>();
    for (TopologyDescription.Subtopology part : built.describe().subtopologies()) {
      Set<String> adapted = new HashSet<>(changelogs(application, part));
      Set<String> decisive = new HashSet<>(read(part));
      decisive.removeAll(written(built));
      if (decisive.contains(samples)) {
        decisive.addAll(adapted);
        adapted.add(samples);
      }
      int most = decisive.stream().mapToInt(topic -> sizes.getOrDefault(topic, 0)).max().orElse(0);
      adapted.forEach(topic -> least.put(topic, most));
    }
    return least;
  }

  /** Topics that the tasks of the application write for each other. */
  Set<String> repartitions() {
    return internal.stream()
        .filter(topic -> topic.endsWith(REPARTITION))
        .collect(Collectors.toSet());
  }
}
