package dev.abacus.topology.journey;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.journey.Journey;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.topology.model.CallDecorator;
import dev.abacus.topology.model.ModelAnswer;
import dev.abacus.topology.model.ModelRequest;
import dev.abacus.topology.operator.OperatorExecutor;
import dev.abacus.topology.operator.OperatorOutcome;
import java.util.ArrayList;
import java.util.List;

/**
 * Collects the steps of one document in one segment with their model calls. Techniques call models
 * on several threads.
 *
 * <p>Thread-safe.
 */
public final class JourneyRecorder {

  /** Steps, and calls of a step, that are kept. */
  private static final int MOST = 20;

  /** Characters of all calls that a journey shows, so that its record stays below 1 MB. */
  private static final int MOST_CHARACTERS = 150_000;

  /** Outputs of a step whose fields are shown. */
  private static final int MOST_OUTPUTS = 3;

  private final List<Step> steps = new ArrayList<>();

  /** A finished step. */
  private record Step(
      LogicalOperator operator,
      PhysicalOperator technique,
      Document input,
      OperatorOutcome outcome,
      Calls calls) {}

  /** An executor whose steps are recorded. */
  public OperatorExecutor around(OperatorExecutor next) {
    return (operator, technique, document, client) -> {
      Calls calls = new Calls();
      OperatorOutcome outcome =
          next.execute(
              operator, technique, document, CallDecorator.reporting(calls::add).around(client));
      synchronized (steps) {
        if (steps.size() < MOST) {
          steps.add(new Step(operator, technique, document, outcome, calls));
        }
      }
      return outcome;
    };
  }

  /** The finished steps. */
  List<Journey.Step> steps(JourneyTexts texts) {
    List<Step> finished;
    synchronized (steps) {
      finished = List.copyOf(steps);
    }
    List<Journey.Step> shown = new ArrayList<>();
    int left = MOST_CHARACTERS;
    for (Step step : finished) {
      List<Journey.Call> calls = new ArrayList<>();
      for (Journey.Call call : step.calls.shown(texts)) {
        left -= size(call);
        if (left >= 0) {
          calls.add(call);
        }
      }
      shown.add(step(step, calls, texts));
    }
    return shown;
  }

  private static int size(Journey.Call call) {
    return call.instructions().length()
        + call.message().length()
        + call.answer().length()
        + call.failure().length();
  }

  private static Journey.Step step(Step step, List<Journey.Call> calls, JourneyTexts texts) {
    OperatorOutcome outcome = step.outcome;
    List<Document> outputs =
        outcome instanceof OperatorOutcome.Kept kept ? kept.documents() : List.of();
    return new Journey.Step(
        step.operator.id(),
        step.technique.id(),
        switch (outcome) {
          case OperatorOutcome.Kept _ -> Journey.Outcome.KEPT;
          case OperatorOutcome.Dropped _ -> Journey.Outcome.DROPPED;
          case OperatorOutcome.Failed _ -> Journey.Outcome.FAILED;
        },
        outputs.size(),
        texts.recorded() ? texts.shown(written(step.input, outputs)) : "",
        outcome instanceof OperatorOutcome.Failed failed
            ? texts.shown(failed.failure().message())
            : "",
        outcome.stats().cost(),
        outcome.stats().latency(),
        calls,
        step.calls.count() - calls.size());
  }

  /** The fields of the first outputs that the input does not have with the same value. */
  private static String written(Document input, List<Document> outputs) {
    List<String> written = new ArrayList<>();
    for (Document output : outputs.subList(0, Math.min(MOST_OUTPUTS, outputs.size()))) {
      ObjectNode fields = JsonNodeFactory.instance.objectNode();
      for (String name : output.fieldNames()) {
        JsonNode value = output.get(name);
        if (!value.equals(input.get(name))) {
          fields.set(name, value);
        }
      }
      if (!fields.isEmpty()) {
        written.add(fields.toString());
      }
    }
    return String.join("\n", written);
  }

  /** The calls of one step, with the beginnings of their texts. */
  private static final class Calls {

    private final List<Journey.Call> calls = new ArrayList<>();
    private int count;

    synchronized void add(ModelRequest request, ModelAnswer answer) {
      count++;
      if (calls.size() >= MOST) {
        return;
      }
      calls.add(
          new Journey.Call(
              request.model(),
              JourneyTexts.captured(request.system()),
              JourneyTexts.captured(request.content()),
              answer instanceof ModelAnswer.Success success
                  ? JourneyTexts.captured(success.text())
                  : "",
              answer instanceof ModelAnswer.Failed failed
                  ? JourneyTexts.captured(failed.failure().message())
                  : "",
              answer.cost(),
              answer.latency(),
              answer.attempts()));
    }

    synchronized List<Journey.Call> shown(JourneyTexts texts) {
      return calls.stream()
          .map(call ->
              new Journey.Call(
                  call.model(),
                  texts.shown(call.instructions()),
                  texts.shown(call.message()),
                  texts.shown(call.answer()),
                  texts.shown(call.failure()),
                  call.costUsd(),
                  call.seconds(),
                  call.attempts()))
          .toList();
    }

    synchronized int count() {
      return count;
    }
  }
}
