package dev.abacus.optimizer.page.view;

import dev.abacus.optimizer.page.records.Cluster.ProgramRecords;
import dev.abacus.optimizer.page.records.Cluster.RecordedJourney;
import dev.abacus.schemas.journey.Journey;
import dev.abacus.schemas.objective.Dimension;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One document on its way through a program.
 *
 * @param name key of the document
 * @param parts one for each segment and each time that the document was processed
 */
public record JourneyView(String program, String name, String source, List<Part> parts) {

  /**
   * The way through one segment.
   *
   * @param resumed whether earlier steps ran in another task and are missing
   */
  public record Part(
      String when,
      String worker,
      String epoch,
      String outcome,
      String tone,
      String end,
      boolean resumed,
      String input,
      List<Step> steps) {}

  /**
   * One operator.
   *
   * @param figures cost, time and number of outputs
   * @param text what the operator wrote, or why it failed
   * @param further number of calls that are not shown, in words; empty for none
   */
  public record Step(
      String operator,
      String implementation,
      String outcome,
      String tone,
      String figures,
      String text,
      List<Call> calls,
      String further) {}

  /** One call of a model; {@code answer} is the failure if the call failed. */
  public record Call(
      String title, String instructions, String message, String answer, boolean failed) {}

  /**
   * Computes the page.
   *
   * @param id of a record
   * @return null if the journey is not kept any more
   */
  public static @Nullable JourneyView of(ProgramRecords records, String id) {
    RecordedJourney chosen =
        records.journeys().stream()
            .filter(recorded -> recorded.id().equals(id))
            .findFirst()
            .orElse(null);
    if (chosen == null) {
      return null;
    }
    return new JourneyView(
        records.program().name(),
        JourneysView.name(chosen.journey()),
        chosen.journey().source(),
        JourneysView.ofDocument(records, chosen).stream().map(JourneyView::part).toList());
  }

  private static Part part(Journey journey) {
    Journey.End end = journey.end();
    return new Part(
        Figures.time(journey.at()),
        journey.instance(),
        Long.toString(journey.epoch()),
        JourneysView.outcome(end.outcome()),
        JourneysView.tone(end.outcome()),
        "%s%s · %s · %s%s"
            .formatted(
                end.operator().isEmpty() ? "" : "at " + end.operator() + " · ",
                Figures.amount(Dimension.COST, end.costUsd()),
                Figures.amount(Dimension.LATENCY, end.seconds()),
                "epoch " + journey.epoch(),
                end.reason().isEmpty() ? "" : " · " + end.reason()),
        journey.resumed(),
        journey.input(),
        journey.steps().stream().map(JourneyView::step).toList());
  }

  private static Step step(Journey.Step step) {
    List<Call> calls = new ArrayList<>();
    for (Journey.Call call : step.calls()) {
      boolean failed = !call.failure().isEmpty();
      calls.add(
          new Call(
              "%s · %s · %s%s"
                  .formatted(
                      call.model(),
                      Figures.amount(Dimension.COST, call.costUsd()),
                      Figures.amount(Dimension.LATENCY, call.seconds()),
                      call.attempts() > 1 ? " · " + call.attempts() + " attempts" : ""),
              call.instructions(),
              call.message(),
              failed ? call.failure() : call.answer(),
              failed));
    }
    return new Step(
        step.operator(),
        step.implementation(),
        JourneysView.outcome(step.outcome()),
        JourneysView.tone(step.outcome()),
        "%s · %s%s"
            .formatted(
                Figures.amount(Dimension.COST, step.costUsd()),
                Figures.amount(Dimension.LATENCY, step.seconds()),
                step.outputs() > 1 ? " · " + step.outputs() + " outputs" : ""),
        step.reason().isEmpty() ? step.output() : step.reason(),
        calls,
        step.furtherCalls() == 0 ? "" : Figures.count(step.furtherCalls()) + " further calls");
  }
}
