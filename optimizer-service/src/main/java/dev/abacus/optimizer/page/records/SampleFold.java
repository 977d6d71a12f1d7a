package dev.abacus.optimizer.page.records;

import dev.abacus.schemas.kafka.Json;
import dev.abacus.schemas.kafka.MalformedRecordException;
import dev.abacus.schemas.observation.Observation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Folds observations of samples into sums by operator and implementation. */
final class SampleFold {

  private final Map<String, Map<String, Race>> races = new HashMap<>();

  /** The samples of one operator. */
  private static final class Race {
    private final Map<String, Arm> arms = new LinkedHashMap<>();
    private int samples;
  }

  private static final class Arm {
    private int count;
    private int failures;
    private Moments quality = Moments.NONE;
    private Moments cost = Moments.NONE;
    private Moments latency = Moments.NONE;
    private int last;
  }

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
    Race race =
        races
            .computeIfAbsent(observation.program(), _ -> new LinkedHashMap<>())
            .computeIfAbsent(observation.operator(), _ -> new Race());
    Arm arm = race.arms.computeIfAbsent(observation.physical(), _ -> new Arm());
    race.samples++;
    arm.last = race.samples;
    arm.count++;
    if (observation.outcome() == Observation.Outcome.FAILED) {
      arm.failures++;
    }
    Double quality = observation.quality();
    if (quality != null) {
      arm.quality = arm.quality.with(quality);
    }
    arm.cost = arm.cost.with(observation.cost());
    arm.latency = arm.latency.with(observation.latency());
  }

  /** The samples of a program by operator, the implementations in order of their names. */
  Map<String, List<Cluster.ArmSamples>> samples(String program) {
    Map<String, List<Cluster.ArmSamples>> samples = new LinkedHashMap<>();
    races
        .getOrDefault(program, Map.of())
        .forEach((operator, race) -> {
          List<Cluster.ArmSamples> arms = new ArrayList<>();
          race.arms.forEach((physical, arm) ->
              arms.add(
                  new Cluster.ArmSamples(
                      physical,
                      arm.count,
                      arm.failures,
                      arm.quality,
                      arm.cost,
                      arm.latency,
                      race.samples - arm.last)));
          arms.sort(Comparator.comparing(Cluster.ArmSamples::physical));
          samples.put(operator, arms);
        });
    return samples;
  }
}
