package dev.abacus.schemas.control;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.schemas.kafka.Json;
import dev.abacus.schemas.plan.Range;
import dev.abacus.schemas.program.AnswerClasses;
import dev.abacus.schemas.program.Program;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What was learnt from live documents of an operator with the implementation of the active plan.
 * Part of the optimizer's status record.
 *
 * @param target share of the classifier's answers that have to agree with the implementation
 * @param answers number of its answers that were learnt from
 * @param withoutCall share of the documents that a classifier answered without a call, of all that
 *     the operator has answered since the first of these, estimated from the audits; in [0, 1]
 * @param answering whether a classifier may answer
 * @param audits number of documents that a classifier could answer and that it answered all the
 *     same
 * @param agreement share of these in which both agreed, with its 95 % interval; null without one.
 *     Agreement is not correctness: it says nothing about how good the implementation is
 * @param withheld why no classifier of the plan may answer, whatever was learnt, as a clause; null
 *     if it may
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record LearningReport(
    String operator,
    double target,
    long answers,
    double withoutCall,
    boolean answering,
    long audits,
    @Nullable Range agreement,
    @Nullable String withheld) {

  /**
   * What live documents taught, by operator, or why they teach nothing.
   *
   * @param search the optimizer's status record; null if there is none
   * @return lines for a person; empty if nothing is learnt and nothing could be
   */
  public static List<String> describe(Program program, @Nullable JsonNode search) {
    boolean possible = program.operators().stream().anyMatch(AnswerClasses::areClosed);
    if (program.learning() == null) {
      return possible
          ? List.of(
              program.settings().learning() == null
                  ? nothing("the program, as applied, says neither 'learning' nor 'minimize cost'")
                  : nothing("learning is off"))
          : List.of();
    }
    List<LearningReport> reports = find(search);
    if (reports.isEmpty()) {
      return List.of(
          nothing(
              possible
                  ? "no answers yet"
                  : "there is no filter and no map with few possible answers"));
    }
    return reports.stream().map(report -> report.describe(program.learning().answers())).toList();
  }

  private static String nothing(String reason) {
    return "learnt nothing from documents: " + reason;
  }

  /** The reports of a status record; empty if another version wrote it. */
  private static List<LearningReport> find(@Nullable JsonNode search) {
    if (search == null || !search.path("learning").isArray()) {
      return List.of();
    }
    var reports = Json.find(Json.write(search.get("learning")), LearningReport[].class);
    return reports == null ? List.of() : List.of(reports);
  }

  private String describe(boolean mayAnswer) {
    return "learnt of '%s' from %,d answers: %s%.1f %% of the documents without a call%s%s"
        .formatted(
            operator,
            answers,
            answering || !mayAnswer
                ? ""
                : "no classifier answers, as %s; "
                    .formatted(
                        withheld == null
                            ? "none is shown to agree for %.3f".formatted(target)
                            : withheld),
            100 * withoutCall,
            answering ? ", which the promised cost does not count" : "",
            agreement == null
                ? ""
                : "; %d audits agree for %.3f (%.3f to %.3f), the target is %.3f"
                    .formatted(
                        audits, agreement.mean(), agreement.low(), agreement.high(), target));
  }
}
