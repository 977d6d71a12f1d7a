package dev.abacus.topology.scoring;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.plan.GradedExample;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.topology.model.ExecutionStats;
import dev.abacus.topology.operator.OperatorOutcome;
import dev.abacus.topology.operator.prompt.DocumentMessage;
import dev.abacus.topology.operator.prompt.PromptMarkup;
import dev.abacus.topology.operator.prompt.PromptTemplate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/**
 * The graded examples in a prompt of the judge. They are in the system message, behind the task, so
 * that endpoints with a prompt cache read them once. Leaves out the example that is judged,
 * examples with the same input, and those with images.
 */
final class JudgeExamples {

  private static final PromptTemplate INTRODUCTION =
      PromptTemplate.of(JudgeExamples.class, "judge-examples.txt");

  private JudgeExamples() {}

  /**
   * The examples of a task as text; empty if there are none.
   *
   * @param input what the judge sees of the judged document
   */
  static String of(SampleTask task, Document input) {
    List<String> shown = new ArrayList<>();
    for (GradedExample example :
        Objects.requireNonNullElse(task.judgeExamples(), List.<GradedExample>of())) {
      String document = DocumentMessage.text(example.input());
      JsonNode output = Scorer.output(task.operator(), outcome(task.operator(), example));
      if (!example.id().equals(task.exampleId())
          && !example.input().equals(input)
          && document != null
          && output != null) {
        shown.add(
            PromptMarkup.example(
                shown.size() + 1,
                document + "\n" + PromptMarkup.section("output", output.toString()),
                String.format(Locale.ROOT, "{\"score\": %.2f}", example.score())));
      }
    }
    return shown.isEmpty() ? "" : INTRODUCTION.text() + "\n" + String.join("\n", shown);
  }

  private static OperatorOutcome outcome(LogicalOperator operator, GradedExample example) {
    return operator.decides() && example.outputs().isEmpty()
        ? new OperatorOutcome.Dropped(ExecutionStats.NONE)
        : new OperatorOutcome.Kept(example.outputs(), ExecutionStats.NONE, null);
  }
}
