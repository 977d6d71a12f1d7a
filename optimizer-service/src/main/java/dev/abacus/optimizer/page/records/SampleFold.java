package dev.abacus.optimizer.page.records;

import dev.abacus.optimizer.page.records.Cluster.ArmSamples;
import dev.abacus.schemas.kafka.Json;
import dev.abacus.schemas.kafka.MalformedRecordException;
import dev.abacus.schemas.observation.Observation;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Folds observations of samples into sums by operator and implementation. */
final class SampleFold {

  /** By program, operator and implementation. */
  private final Map<String, Map<String, SortedMap<String, ArmSamples>>> programs = new HashMap<>();

  /** Applies a record of an observations topic; an unreadable one is ignored. */
  void accept(byte @Nullable [] value) {
    if (value == null) {
      return;
    }
    Observation observation;
    try {
      observation = Json.read(value, Observation.class);
    } catch (MalformedRecordException e) {
      return;
    }
    switch (observation.outcome()) {
      case KEPT, DROPPED, FAILED -> add(observation);
      case EMBEDDED, UNAVAILABLE -> {
        // Says nothing about an implementation.
      }
    }
  }

  private void add(Observation observation) {
    SortedMap<String, ArmSamples> arms =
        programs
            .computeIfAbsent(observation.program(), _ -> new LinkedHashMap<>())
            .computeIfAbsent(observation.operator(), _ -> new TreeMap<>());
    int number = arms.values().stream().mapToInt(ArmSamples::count).sum() + 1;
    arms.compute(
        observation.physical(),
        (physical, known) ->
            (known == null ? ArmSamples.none(physical) : known).with(observation, number));
  }

  /** The samples of a program by operator, the implementations in order of their names. */
  Map<String, List<ArmSamples>> samples(String program) {
    Map<String, List<ArmSamples>> samples = new LinkedHashMap<>();
    programs
        .getOrDefault(program, Map.of())
        .forEach((operator, arms) -> samples.put(operator, List.copyOf(arms.values())));
    return samples;
  }
}
