package dev.abacus.deploy.evaluation.chaos.judge;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.deploy.evaluation.chaos.judge.History.Activation;
import dev.abacus.deploy.evaluation.chaos.judge.History.Output;
import dev.abacus.deploy.evaluation.chaos.judge.History.Plan;
import dev.abacus.deploy.evaluation.chaos.judge.History.Sent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Judges that no result mixes plans or has the answer to another document, and that the epoch of a
 * result was active and had not ended before its document. Answers of the models contain {@code
 * plan=MARKER;model=MODEL;n=NUMBER} of the prompt that they answer.
 */
final class Epochs {

  private static final Pattern ANSWER = Pattern.compile("plan=(\\d+);model=([^;]+);n=(-?\\d+)");

  private final long staleMillis;
  private final Verdict.Count mixed = new Verdict.Count("no mix of epochs");
  private final Verdict.Count own = new Verdict.Count("own answers");
  private final Verdict.Count stale = new Verdict.Count("no stale epochs");

  Epochs(long staleMillis) {
    this.staleMillis = staleMillis;
  }

  List<Verdict> judge(History history) {
    Map<String, Plan> plans = new HashMap<>();
    history.plans().forEach(plan -> plans.put(plan.program() + "/" + plan.epoch(), plan));
    Map<String, List<Activation>> activations = new HashMap<>();
    history.activations().stream()
        .sorted((a, b) -> Long.compare(a.at(), b.at()))
        .forEach(it -> activations.computeIfAbsent(it.program(), _ -> new ArrayList<>()).add(it));
    Map<String, Sent> sent = new HashMap<>();
    history.sent().forEach(it -> sent.putIfAbsent(it.program() + "/" + it.number(), it));
    long latest = 0;
    for (Output output : history.outputs()) {
      Long epoch = output.epoch();
      List<Activation> ofProgram = activations.getOrDefault(output.program(), List.of());
      if (output.deadLetter() || ofProgram.isEmpty()) {
        continue;
      }
      Plan plan = plans.get(output.program() + "/" + epoch);
      if (epoch == null || plan == null) {
        mixed.violate("%s: epoch %s was never published".formatted(output.program(), epoch));
        continue;
      }
      judgeMix(output, epoch, plan);
      Sent document = sent.get(output.program() + "/" + output.number());
      if (document != null) {
        latest = Math.max(latest, judgeAge(output, epoch, document.at(), ofProgram));
      }
    }
    return List.of(
        mixed.verdict(""),
        own.verdict(""),
        stale.verdict("oldest stamped %d ms after its end".formatted(latest)));
  }

  private void judgeMix(Output output, long epoch, Plan plan) {
    for (Map.Entry<String, JsonNode> field : output.value().properties()) {
      Matcher answer = ANSWER.matcher(field.getValue().asText());
      Plan.Step step = plan.steps().get(field.getKey());
      if (!answer.find() || step == null) {
        continue;
      }
      mixed.check();
      int marker = Integer.parseInt(answer.group(1));
      String model = answer.group(2);
      if (step.marker() != marker || (step.model() != null && !step.model().equals(model))) {
        mixed.violate(
            "%s: document %d has epoch %d, but %s comes from plan %d with %s"
                .formatted(
                    output.program(), output.number(), epoch, field.getKey(), marker, model));
      }
      if (step.model() != null) { // a call for one document
        own.check();
        if (Integer.parseInt(answer.group(3)) != output.number()) {
          own.violate(
              "%s: document %d has %s of document %s"
                  .formatted(output.program(), output.number(), field.getKey(), answer.group(3)));
        }
      }
    }
  }

  /** Returns how long the epoch had ended when the document arrived; 0 if it had not. */
  private long judgeAge(Output output, long epoch, long arrived, List<Activation> activations) {
    long first = activations.getFirst().epoch();
    if (activations.stream().anyMatch(one -> one.epoch() != first && one.at() <= arrived)) {
      stale.check();
    }
    if (activations.stream().noneMatch(one -> one.epoch() == epoch && one.at() <= output.at())) {
      stale.violate(
          "%s: document %d has epoch %d, which was not active yet"
              .formatted(output.program(), output.number(), epoch));
    }
    // The epoch ends when the next other epoch is activated; it may be activated again later.
    long ended = Long.MIN_VALUE;
    boolean active = false;
    for (Activation activation : activations) {
      if (activation.epoch() == epoch) {
        active = true;
        if (activation.at() > arrived) {
          return 0;
        }
      } else if (active) {
        active = false;
        ended = activation.at();
      }
    }
    if (active || ended == Long.MIN_VALUE) {
      return 0;
    }
    long age = arrived - ended;
    if (age > staleMillis) {
      stale.violate(
          "%s: document %d arrived %d ms after the end of epoch %d"
              .formatted(output.program(), output.number(), age, epoch));
    }
    return Math.max(0, age);
  }
}
