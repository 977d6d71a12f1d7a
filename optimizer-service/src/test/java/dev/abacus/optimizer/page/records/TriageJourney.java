package dev.abacus.optimizer.page.records;

import static dev.abacus.optimizer.page.records.TriagePlans.MODELS;
import static dev.abacus.optimizer.page.records.TriagePlans.physical;

import dev.abacus.schemas.journey.Journey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** The way of a document through the program of {@link TriagePlans}. */
final class TriageJourney {

  private TriageJourney() {}

  /** The journey of the document at an offset of the source; a failure is at the last operator. */
  static Journey of(String key, int offset, Journey.Outcome outcome, Instant now) {
    boolean failed = outcome == Journey.Outcome.FAILED;
    List<Journey.Step> steps = new ArrayList<>();
    for (String operator : List.of("is-problem", "classify", "draft")) {
      boolean last = operator.equals("draft");
      steps.add(
          new Journey.Step(
              operator,
              physical(2).id(),
              failed && last ? Journey.Outcome.FAILED : Journey.Outcome.KEPT,
              failed && last ? 0 : 1,
              (failed && last) || operator.equals("is-problem")
                  ? ""
                  : operator.equals("classify")
                      ? "{\"intent\":\"refund\"}"
                      : "{\"reply\":\"We are sorry.\"}",
              failed && last ? "no valid answer in 3 attempts: missing field 'reply'" : "",
              0.0007,
              1.4,
              List.of(
                  new Journey.Call(
                      MODELS.get(2),
                      "You read one document and fill in fields about it.",
                      "<document>\n<field name=\"text\">My parcel has not come.</field>",
                      failed && last ? "" : "{\"intent\":\"refund\"}",
                      failed && last ? "the answer has no field 'reply'" : "",
                      0.0007,
                      1.4,
                      failed && last ? 3 : 1)),
              0));
    }
    return new Journey(
        ClusterFixture.NAME,
        "support.messages-0@" + offset,
        key,
        2,
        "worker-1",
        now,
        false,
        "{\"id\":\"%s\",\"text\":\"My parcel has not come.\"}".formatted(key),
        steps,
        new Journey.End(
            outcome,
            failed ? "draft" : "",
            failed ? "no valid answer in 3 attempts: missing field 'reply'" : "",
            0.0021,
            4.2));
  }
}
