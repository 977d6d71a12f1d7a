package dev.abacus.optimizer.loop.prompt;

import dev.abacus.optimizer.loop.event.DrawnSample;
import dev.abacus.optimizer.sampling.Sample;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.observation.Observation.ScoredBy;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.plan.GradedExample;
import dev.abacus.schemas.program.EntityResolution;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.SemanticFilter;
import dev.abacus.schemas.program.SemanticMap;
import dev.abacus.schemas.program.SemanticRank;
import dev.abacus.schemas.program.TopK;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Chooses the graded examples that the judge sees: outputs of samples that were scored by labels.
 *
 * <p>The scores of the chosen examples are spread evenly from the best to the worst, as far as
 * samples have such scores, and their inputs differ if possible. The choice is made among the first
 * samples of an operator, so that it does not change in the further course of a search.
 *
 * @param number of the examples that the judge sees
 * @param candidates outputs among which the choice is made, by operator id
 */
public record GradedExamples(int number, Map<String, List<GradedExample>> candidates) {

  /** Number of outputs of an operator among which the choice is made. */
  private static final int CANDIDATES = 48;

  /** What an equal input costs in the choice, as a difference of scores. */
  private static final double SAME_INPUT = 0.25;

  /**
   * The examples of a program.
   *
   * @param counting the samples that count, in order of issue
   */
  public static GradedExamples of(Program program, List<DrawnSample> counting) {
    Map<String, Set<GradedExample>> found = new HashMap<>();
    if (program.judgeExamples() > 0) {
      for (DrawnSample issued : counting) {
        Set<GradedExample> own =
            found.computeIfAbsent(issued.task().operator().id(), _ -> new LinkedHashSet<>());
        if (own.size() < CANDIDATES
            && !issued.stamp().alongPlan()
            && issued.sample() instanceof Sample.Observed(Observation observation)) {
          addTo(own, issued.task(), observation);
        }
      }
    }
    Map<String, List<GradedExample>> candidates = new HashMap<>();
    found.forEach((operator, examples) -> candidates.put(operator, List.copyOf(examples)));
    return new GradedExamples(program.judgeExamples(), candidates);
  }

  private static void addTo(Set<GradedExample> found, SampleTask task, Observation observation) {
    Double quality = observation.quality();
    LogicalOperator operator = task.operator();
    if (quality == null || observation.scoredBy() != ScoredBy.LABEL || !isShown(operator)) {
      return;
    }
    Document input = ExampleChooser.read(operator, task.input());
    List<Document> outputs =
        observation.outputs().stream()
            .map(output ->
                operator.decides() ? Document.empty() : output.only(operator.writtenFields()))
            .toList();
    int characters = outputs.stream().mapToInt(output -> output.toBytes().length).sum();
    if (ExampleChooser.isShowable(input, characters)
        && outputs.stream().noneMatch(ExampleChooser::hasImages)) {
      found.add(new GradedExample(task.exampleId(), input, outputs, quality));
    }
  }

  /** Whether the judge grades one output of the operator as a whole. */
  private static boolean isShown(LogicalOperator operator) {
    return switch (operator) {
      case SemanticFilter _, SemanticMap _, TopK _, SemanticRank _, EntityResolution _ -> true;
      case LogicalOperator _ -> false;
    };
  }

  /**
   * The examples for the judge of a sample, without the judged example and those with its input.
   *
   * @param input of the operator
   */
  public List<GradedExample> forSample(LogicalOperator operator, String exampleId, Document input) {
    Document read = ExampleChooser.read(operator, input);
    return chosen(
        candidates.getOrDefault(operator.id(), List.of()).stream()
            .filter(one -> !one.id().equals(exampleId) && !one.input().equals(read))
            .toList());
  }

  /** The examples for the judge of live outputs, by operator; operators without any are missing. */
  public Map<String, List<GradedExample>> forPlan() {
    Map<String, List<GradedExample>> shown = new TreeMap<>();
    candidates.forEach((operator, all) -> {
      if (!all.isEmpty()) {
        shown.put(operator, chosen(all));
      }
    });
    return shown;
  }

  private List<GradedExample> chosen(List<GradedExample> from) {
    List<GradedExample> left = new ArrayList<>(from);
    List<GradedExample> chosen = new ArrayList<>();
    Set<Document> inputs = new HashSet<>();
    while (chosen.size() < number && !left.isEmpty()) {
      double wanted = number == 1 ? 1 : 1 - chosen.size() / (number - 1.0);
      GradedExample next =
          left.stream()
              .min(
                  Comparator.comparingDouble(one ->
                      Math.abs(one.score() - wanted)
                          + (inputs.contains(one.input()) ? SAME_INPUT : 0)))
              .orElseThrow();
      left.remove(next);
      chosen.add(next);
      inputs.add(next.input());
    }
    return chosen;
  }
}
