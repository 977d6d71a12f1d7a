package dev.abacus.optimizer.learned;

import dev.abacus.optimizer.learned.CrossValidation.Prediction;
import dev.abacus.schemas.plan.TrainedClassifier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;

/**
 * A classifier fitted to examples of an operator. The fit is expensive; {@link #at} then finds the
 * thresholds for a target precision at little cost.
 *
 * <p>Two examples in five (half of few) are not fitted on. They calibrate: they test which answers
 * of the classifier, exactly as it is deployed, may be accepted. Labelled examples calibrate if
 * there are enough, else all may.
 */
public final class FittedClassifier {

  /** Minimum number of examples for a fit. */
  public static final int MIN_EXAMPLES = 20;

  /** With fewer calibration examples than this, half of the examples calibrate. */
  private static final int FEW = 100;

  private final List<String> classes;
  private final int examples;
  private final @Nullable CrossValidation validation;
  private final SortedMap<String, Prediction> calibration;
  private final Map<Double, TrainingResult> results = new HashMap<>();

  private FittedClassifier(
      List<String> classes,
      int examples,
      @Nullable CrossValidation validation,
      SortedMap<String, Prediction> calibration) {
    this.classes = classes;
    this.examples = examples;
    this.validation = validation;
    this.calibration = calibration;
  }

  /**
   * Fits a classifier. Ignores examples with components that are not finite or with another
   * dimension than most.
   *
   * @param examples in any order, with unique ids
   * @param classes answers as JSON texts; the answers of the examples are indices into this list
   */
  public static FittedClassifier fit(Collection<LabelledVector> examples, List<String> classes) {
    List<LabelledVector> usable = usable(examples);
    List<Integer> seen = usable.stream().map(LabelledVector::answer).distinct().sorted().toList();
    List<String> names = seen.stream().map(classes::get).toList();
    if (usable.size() < MIN_EXAMPLES || names.size() < 2) {
      return new FittedClassifier(names, usable.size(), null, new TreeMap<>());
    }
    List<LabelledVector> renumbered =
        usable.stream()
            .map(example ->
                new LabelledVector(
                    example.id(),
                    example.vector(),
                    seen.indexOf(example.answer()),
                    example.labelled()))
            .toList();
    Set<String> held = calibrating(renumbered);
    CrossValidation validation =
        CrossValidation.of(
            renumbered.stream().filter(example -> !held.contains(example.id())).toList(),
            names.size());
    SortedMap<String, Prediction> calibration = new TreeMap<>();
    for (LabelledVector example : renumbered) {
      if (held.contains(example.id())) {
        calibration.put(example.id(), Prediction.of(example, validation.rows()));
      }
    }
    return new FittedClassifier(names, usable.size(), validation, calibration);
  }

  /** Ids of the calibration examples, spread evenly over the classes. */
  private static Set<String> calibrating(List<LabelledVector> examples) {
    List<LabelledVector> labelled = examples.stream().filter(LabelledVector::labelled).toList();
    List<LabelledVector> pool =
        new ArrayList<>(labelled.size() >= MIN_EXAMPLES ? labelled : examples);
    pool.sort(
        Comparator.comparingInt(LabelledVector::answer)
            .thenComparingInt(example -> LabelledVector.mixed(example.id()))
            .thenComparing(LabelledVector::id));
    int wanted = Math.max(2 * pool.size() / 5, Math.min((pool.size() + 1) / 2, FEW));
    Set<String> ids = new HashSet<>();
    for (int i = 0; i < pool.size(); i++) {
      if ((long) (i + 1) * wanted / pool.size() > (long) i * wanted / pool.size()) {
        ids.add(pool.get(i).id());
      }
    }
    return ids;
  }

  private static List<LabelledVector> usable(Collection<LabelledVector> examples) {
    List<LabelledVector> finite =
        examples.stream().filter(example -> LabelledVector.isFinite(example.vector())).toList();
    Map<Integer, Long> dimensions =
        finite.stream()
            .collect(
                Collectors.groupingBy(
                    example -> example.vector().length, TreeMap::new, Collectors.counting()));
    int usual =
        dimensions.entrySet().stream()
            .max(Map.Entry.comparingByValue())
            .map(Map.Entry::getKey)
            .orElse(0);
    return finite.stream().filter(example -> example.vector().length == usual).toList();
  }

  /**
   * Finds the thresholds for a target.
   *
   * @param target precision that the accepted answers must reach, in (0, 1)
   */
  public TrainingResult at(double target) {
    return validation == null
        ? TrainingResult.NONE
        : results.computeIfAbsent(target, wanted -> at(wanted, validation));
  }

  private TrainingResult at(double target, CrossValidation validation) {
    Collection<Prediction> checked = calibration.values();
    double[] thresholds =
        AcceptanceThresholds.of(validation.predictions().values(), checked, classes.size(), target);
    int alone = 0;
    int right = 0;
    for (Prediction prediction : checked) {
      if (prediction.probability() >= thresholds[prediction.answer()]) {
        alone++;
        right += prediction.isCorrect() ? 1 : 0;
      }
    }
    if (alone == 0) {
      return TrainingResult.NONE;
    }
    return new TrainingResult(
        new TrainedClassifier(
            classes,
            TrainedClassifier.encode(validation.rows()),
            DoubleStream.of(thresholds).boxed().toList(),
            BinomialBound.lowerBound(right, alone),
            examples),
        unseen(validation, thresholds));
  }

  private SortedMap<String, TrainingResult.Decision> unseen(
      CrossValidation validation, double[] thresholds) {
    SortedMap<String, TrainingResult.Decision> decisions = new TreeMap<>();
    SortedMap<String, Prediction> predictions = new TreeMap<>(validation.predictions());
    predictions.putAll(calibration);
    predictions.forEach((id, prediction) -> {
      boolean alone = prediction.probability() >= thresholds[prediction.answer()];
      decisions.put(
          id,
          new TrainingResult.Decision(
              alone ? classes.get(prediction.answer()) : null,
              classes.get(prediction.example().answer()),
              prediction.example().labelled()));
    });
    return decisions;
  }
}
