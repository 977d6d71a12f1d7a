package dev.abacus.schemas.observation;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.plan.GradedExample;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.plan.PhysicalOperator.Learnable;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.QualityMetric;
import dev.abacus.schemas.program.Reasoning;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A request to run an implementation of an operator on one input and to score its output. It is
 * self-contained, so that any instance of the data plane can execute it.
 *
 * @param id equal for equal operator, implementation, example and input, to detect repeated
 *     requests
 * @param exampleId the validation example from which the input comes
 * @param input the document of the example with the outputs of upstream operators
 * @param label the right output; null if unknown
 * @param metrics as {@link dev.abacus.schemas.program.Validation#metrics}, those of this operator
 * @param judge the model that scores outputs without a label
 * @param judgeReasoning how the judge reasons; null as its card says
 * @param judgeExamples graded examples that the judge sees; null for none
 * @param evidenceOnly whether the task only computes the features of the labelled input, with the
 *     embedder or the proxy of the implementation, and neither calls another model nor scores
 * @param weight number of documents of the example that the input was drawn from, because an
 *     operator upstream has several outputs; null for 1
 * @param round the {@code reoptimize} token in force; answers of an earlier round are not used
 *     again, because the models may have changed. Null before the first token
 * @param batch the call for several documents that the input is a part of; null for a call of its
 *     own
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
@RecordBuilder
public record SampleTask(
    String id,
    String program,
    LogicalOperator operator,
    PhysicalOperator physical,
    String exampleId,
    Document input,
    @Nullable JsonNode label,
    Map<String, QualityMetric> metrics,
    String judge,
    @Nullable Reasoning judgeReasoning,
    @Nullable List<GradedExample> judgeExamples,
    @JsonInclude(JsonInclude.Include.NON_DEFAULT) Boolean evidenceOnly,
    @Nullable Double weight,
    @Nullable String round,
    @Nullable Batch batch) {

  /**
   * One call for the inputs of several tasks, as live documents share one.
   *
   * @param id equal for the tasks of one call
   * @param documents number of these tasks, at least 2
   * @param companion whether the task only fills the call: its output is not scored
   */
  public record Batch(String id, int documents, boolean companion) {
    public Batch {
      if (documents < 2) {
        throw new IllegalArgumentException("a batch of %d documents".formatted(documents));
      }
    }
  }

  public SampleTask {
    metrics = Collections.unmodifiableMap(new LinkedHashMap<>(metrics));
    // Absent in JSON if false.
    evidenceOnly = Boolean.TRUE.equals(evidenceOnly);
    judgeExamples =
        judgeExamples == null || judgeExamples.isEmpty() ? null : List.copyOf(judgeExamples);
    weight = weight == null || weight == 1 ? null : weight;
    round = round == null || round.isEmpty() ? null : round;
    if (weight != null && !(weight > 0 && weight < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException("weight " + weight + " is not a number > 0");
    }
  }

  /** This task as a part of a call for several documents, under another id. */
  public SampleTask inBatch(String taskId, Batch call) {
    return SampleTaskBuilder.builder(this).id(taskId).batch(call).build();
  }

  /** This task without its label, so that the judge scores the output, under another id. */
  public SampleTask forJudge(String taskId, List<GradedExample> examples, String inRound) {
    return SampleTaskBuilder.builder(this)
        .id(taskId)
        .label(null)
        .judgeExamples(examples)
        .round(inRound)
        .build();
  }

  /** Whether the task only fills a call, so that its output does not matter. */
  @JsonIgnore
  public boolean isCompanion() {
    return batch != null && batch.companion();
  }

  /** This task with a judge that sees no examples. */
  public SampleTask withoutJudgeExamples() {
    return SampleTaskBuilder.builder(this).judgeExamples(null).build();
  }

  /** Names of the chat models that the task calls, without the judge. */
  public List<String> chatModels() {
    if (!evidenceOnly) {
      return physical.chatModels();
    }
    return physical instanceof Learnable learnable ? learnable.featureModels() : List.of();
  }

  /** Whether the task collects evidence that a chat model is paid for. */
  public boolean paysForEvidence() {
    return evidenceOnly && !chatModels().isEmpty();
  }

  /** Whether the judge scores the output, because a label is missing or a metric asks for it. */
  public boolean needsJudge() {
    return !evidenceOnly && !isCompanion() && needsJudge(operator, label, metrics);
  }

  /**
   * Whether the judge scores the outputs of an operator.
   *
   * @param label null if unknown
   * @param metrics those of the operator
   */
  public static boolean needsJudge(
      LogicalOperator operator, @Nullable JsonNode label, Map<String, QualityMetric> metrics) {
    return metrics.values().stream().anyMatch(QualityMetric.Judge.class::isInstance)
        || label == null
        || label.isNull()
        || label.isMissingNode()
        || (label.isContainerNode() && !JudgedFields.of(operator, label, metrics).isEmpty());
  }

  /**
   * A builder of a task that has no label and no metrics. Operator, implementation, example, input
   * and judge are required.
   *
   * @param id the id of the task
   * @param program name of the program
   */
  public static SampleTaskBuilder builder(String id, String program) {
    return SampleTaskBuilder.builder()
        .id(id)
        .program(program)
        .metrics(Map.of())
        .evidenceOnly(false);
  }
}
