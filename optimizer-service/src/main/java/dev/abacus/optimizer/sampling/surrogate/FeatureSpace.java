package dev.abacus.optimizer.sampling.surrogate;

import dev.abacus.optimizer.sampling.Arm;
import dev.abacus.schemas.catalogue.ServiceTier;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The arms of one operator as sparse vectors with one coordinate for every shared property. Within
 * each {@link Effect} a vector has at most length 1, so the variance of an effect is its share of
 * the variance of an arm. Arms that differ in nothing but the service tiers of their models differ
 * in the effect of these alone.
 *
 * @param index by arm: its non-zero coordinates in ascending order; not to be changed
 * @param value by arm: the values of these; not to be changed
 * @param answering by arm: the first one that gives its answers, at whatever service tiers
 * @param effects by coordinate
 * @param names by coordinate: the property that it stands for
 */
@SuppressWarnings({
  "ArrayRecordComponent", // never compared
  "EnumOrdinal" // rows and columns of matrices are in order of the effects
})
record FeatureSpace(
    int[][] index, double[][] value, int[] answering, List<Effect> effects, List<String> names) {

  static FeatureSpace of(List<Arm> arms) {
    return new Builder(arms).build();
  }

  /** Adds the scalar product of two arms within each effect to {@code byEffect}. */
  void addProducts(int a, int b, double[] byEffect) {
    int[] left = index[a];
    int[] right = index[b];
    int i = 0;
    int j = 0;
    while (i < left.length && j < right.length) {
      if (left[i] == right[j]) {
        byEffect[effects.get(left[i]).ordinal()] += value[a][i] * value[b][j];
        i++;
        j++;
      } else if (left[i] < right[j]) {
        i++;
      } else {
        j++;
      }
    }
  }

  private static final class Builder {

    private final List<Arm> arms;
    private final Map<String, Integer> coordinates = new HashMap<>();
    private final List<Effect> effects = new ArrayList<>();
    private final List<String> names = new ArrayList<>();
    private final Map<String, List<Double>> scales = new HashMap<>();

    Builder(List<Arm> arms) {
      this.arms = arms;
      Map<String, Set<Double>> values = new HashMap<>();
      arms.stream()
          .flatMap(arm -> arm.numbers().entrySet().stream())
          .forEach(one ->
              values.computeIfAbsent(one.getKey(), _ -> new TreeSet<>()).add(one.getValue()));
      values.forEach((key, numbers) -> scales.put(key, List.copyOf(numbers)));
    }

    FeatureSpace build() {
      int[][] index = new int[arms.size()][];
      double[][] value = new double[arms.size()][];
      int[] answering = new int[arms.size()];
      Map<String, Integer> first = new HashMap<>();
      for (int i = 0; i < arms.size(); i++) {
        Arm plain = arms.get(i).atStandardTier();
        int number = i;
        answering[i] = first.computeIfAbsent(plain.id(), _ -> number);
        Map<Integer, Double> vector = vector(plain);
        add(vector, Effect.TIER, tiers(arms.get(i)));
        index[i] = vector.keySet().stream().mapToInt(Integer::intValue).toArray();
        value[i] = vector.values().stream().mapToDouble(Double::doubleValue).toArray();
      }
      return new FeatureSpace(index, value, answering, List.copyOf(effects), List.copyOf(names));
    }

    private Map<Integer, Double> vector(Arm arm) {
      Map<Integer, Double> vector = new TreeMap<>();
      String technique = arm.technique();
      add(vector, Effect.COMMON, Map.of("", 1.0));
      add(vector, Effect.TECHNIQUE, Map.of(technique, 1.0));
      Map<String, Double> models = new HashMap<>();
      arm.models().forEach(model -> models.merge(model, 1.0 / arm.models().size(), Double::sum));
      add(vector, Effect.MODELS, models);
      String last = arm.models().isEmpty() ? "" : arm.models().getLast();
      if (!last.isEmpty()) {
        add(vector, Effect.FINAL_MODEL, Map.of(last, 1.0));
        add(vector, Effect.TECHNIQUE_AND_FINAL_MODEL, Map.of(technique + '|' + last, 1.0));
      }
      List<String> parts = new ArrayList<>();
      Map<String, Double> roles = new HashMap<>();
      roles(arm)
          .forEach((role, inRole) ->
              inRole.forEach(model -> {
                roles.merge(technique + '|' + role + '=' + model, 1.0 / inRole.size(), Double::sum);
                parts.add(role + '=' + model);
              }));
      add(vector, Effect.ROLE, unit(roles));
      add(vector, Effect.PARAMETER, unit(parameters(arm, parts)));
      add(vector, Effect.PAIR, unit(pairs(technique, parts)));
      add(vector, Effect.SAME_MODELS, Map.of(technique + '|' + roles(arm), 1.0));
      add(vector, Effect.OWN, Map.of(arm.id(), 1.0));
      return vector;
    }

    /** The share of the calls of each tier, and of each model at it. */
    private static Map<String, Double> tiers(Arm arm) {
      Map<String, Double> tiers = new HashMap<>();
      double each = Math.sqrt(0.5) / arm.models().size();
      for (String model : arm.models()) {
        ServiceTier tier = ServiceTier.named(model);
        if (tier != null) {
          tiers.merge(tier.text(), each, Double::sum);
          tiers.merge(model, each, Double::sum);
        }
      }
      return tiers;
    }

    /** Models by role; by position in the calls if the parameters do not name the role. */
    private static Map<String, List<String>> roles(Arm arm) {
      Map<String, List<String>> roles = new TreeMap<>(arm.roles());
      Set<String> named = new HashSet<>();
      arm.roles().values().forEach(named::addAll);
      if (!named.containsAll(arm.models())) {
        for (int i = 0; i < arm.models().size(); i++) {
          roles.put("call " + i, List.of(arm.models().get(i)));
        }
      }
      return roles;
    }

    private Map<String, Double> parameters(Arm arm, List<String> parts) {
      Map<String, Double> parameters = new HashMap<>();
      String technique = arm.technique();
      arm.numbers()
          .forEach((key, number) -> {
            List<Double> scale = scales.getOrDefault(key, List.of(number));
            if (scale.size() > 1) {
              parameters.put(technique + '|' + key + '=' + number, 0.7);
              parameters.put(
                  technique + "|trend of " + key,
                  2.0 * scale.indexOf(number) / (scale.size() - 1) - 1);
              parts.add(key + '=' + number);
            }
          });
      arm.labels()
          .forEach((key, label) -> {
            parameters.put(technique + '|' + key + '=' + label, 1.0);
          });
      if (arm.models().size() > 1) {
        parameters.put(technique + "|calls=" + arm.models().size(), 1.0);
      }
      return parameters;
    }

    private static Map<String, Double> pairs(String technique, List<String> parts) {
      Map<String, Double> pairs = new HashMap<>();
      for (int i = 0; i < parts.size(); i++) {
        for (int j = i + 1; j < parts.size(); j++) {
          pairs.put(technique + '|' + parts.get(i) + '|' + parts.get(j), 1.0);
        }
      }
      return pairs;
    }

    private static Map<String, Double> unit(Map<String, Double> vector) {
      double squares = vector.values().stream().mapToDouble(x -> x * x).sum();
      Map<String, Double> scaled = new HashMap<>();
      vector.forEach((key, x) -> scaled.put(key, x / Math.sqrt(squares)));
      return scaled;
    }

    private void add(Map<Integer, Double> vector, Effect effect, Map<String, Double> values) {
      new TreeMap<>(values)
          .forEach((key, x) -> {
            int coordinate =
                coordinates.computeIfAbsent(
                    effect + "|" + key,
                    name -> {
                      effects.add(effect);
                      names.add(name);
                      return effects.size() - 1;
                    });
            vector.put(coordinate, x);
          });
    }
  }
}
