package dev.abacus.deploy.evaluation.experiment;

import dev.abacus.deploy.cli.option.Output;
import dev.abacus.deploy.file.InvalidFileException;
import dev.abacus.optimizer.search.cost.OperatorEstimate;
import dev.abacus.optimizer.search.cost.Priors;
import dev.abacus.optimizer.search.cost.PriorsReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What is believed of the implementations of landscapes before the first sample. */
final class LandscapePriors {

  private LandscapePriors() {}

  /** The naive estimates of the landscapes' own files. */
  static Priors naive(List<Landscape> landscapes) {
    Map<String, Map<String, OperatorEstimate>> naive = new TreeMap<>();
    for (Landscape landscape : landscapes) {
      Map<String, OperatorEstimate> ofOperator = new TreeMap<>();
      for (LandscapeArm arm : landscape.arms()) {
        if (arm.naive() != null) {
          ofOperator.put(arm.arm().id(), arm.naive());
        }
      }
      naive.put(landscape.operator(), ofOperator);
    }
    return new Priors(naive);
  }

  /**
   * Those of a file.
   *
   * @throws InvalidFileException if it cannot be read or anything in it is wrong
   */
  static Priors read(Path file, List<Landscape> landscapes, Output output) {
    Map<String, List<String>> space = new HashMap<>();
    landscapes.forEach(landscape ->
        space.put(
            landscape.operator(), landscape.arms().stream().map(arm -> arm.arm().id()).toList()));
    try {
      PriorsReader.Result result = PriorsReader.read(Files.readString(file), space);
      if (!result.unknown().isEmpty()) {
        output.note(
            "%s: %d implementations that the landscapes do not hold are left out, %s among them"
                .formatted(file, result.unknown().size(), result.unknown().getFirst()));
      }
      return result.priors();
    } catch (IOException e) {
      throw InvalidFileException.of(file, "cannot be read", e);
    } catch (IllegalArgumentException e) {
      throw InvalidFileException.of(file, String.valueOf(e.getMessage()));
    }
  }
}
