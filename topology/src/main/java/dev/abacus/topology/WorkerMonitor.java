package dev.abacus.topology;

import dev.abacus.schemas.catalogue.TokenCounts;
import dev.abacus.schemas.control.AnswerReuse;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.control.InstanceStatus;
import dev.abacus.schemas.control.InstanceStatus.ModelHealth;
import dev.abacus.schemas.monitor.BrokerWatch;
import dev.abacus.schemas.monitor.Health;
import dev.abacus.schemas.monitor.Metric;
import dev.abacus.schemas.monitor.MetricSamples;
import dev.abacus.schemas.objective.Bound;
import dev.abacus.schemas.objective.Dimension;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.PlanStep;
import dev.abacus.schemas.plan.Range;
import dev.abacus.schemas.plan.StepEstimate;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.QualityMetric;
import dev.abacus.topology.control.ProgramPlans;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The metrics and the health of a worker. */
record WorkerMonitor(WorkerContext context, ProgramRunners programs, BrokerWatch broker) {

  private static final double DEVIATIONS_OF_95_PERCENT = 1.96;

  void addMetrics(MetricSamples samples) {
    samples.add(Metric.KAFKA_AVAILABLE, broker.outage() == null);
    context
        .models()
        .calls()
        .ended()
        .forEach((key, calls) -> samples.add(Metric.CALLS, calls, key.model(), key.outcome()));
    context
        .models()
        .calls()
        .inFlight()
        .forEach((model, calls) -> samples.add(Metric.CALLS_IN_FLIGHT, calls, model));
    context
        .models()
        .admission()
        .health()
        .forEach(model -> samples.add(Metric.MODEL_AVAILABLE, !model.open(), model.model()));
    for (ProgramRunner program : programs.all()) {
      InstanceStatus status = program.status();
      if (status != null) {
        addStatus(samples, status);
        addPlan(samples, status, program.plans().state());
        program
            .latencies()
            .forEach((operator, latencies) ->
                samples.add(Metric.OPERATOR_LATENCY, latencies, status.program(), operator));
      }
    }
  }

  private static void addStatus(MetricSamples samples, InstanceStatus status) {
    String program = status.program();
    Long groups = status.filteredGroups();
    samples.add(Metric.DOCUMENTS, status.results(), program, "result");
    samples.add(Metric.DOCUMENTS, status.filtered(), program, "filtered");
    samples.add(Metric.DOCUMENTS, groups == null ? 0 : groups, program, "filtered_group");
    samples.add(Metric.DOCUMENTS, status.deadLetters(), program, "dead_letter");
    samples.add(Metric.SAMPLES, status.samples(), program);
    samples.add(Metric.SPEND, status.costUsd(), program, "live");
    samples.add(Metric.SPEND, status.sampleCostUsd(), program, "sample");
    addTokens(samples, program, "live", status.tokens());
    addTokens(samples, program, "sample", status.sampleTokens());
    AnswerReuse reuse = status.reuse();
    if (reuse != null) {
      samples.add(Metric.REQUESTS, reuse.requests() - reuse.saved(), program, "call");
      samples.add(Metric.REQUESTS, reuse.saved(), program, "store");
      samples.add(Metric.SAVED, reuse.savedUsd(), program);
    }
    samples.add(Metric.PENDING_DOCUMENTS, status.pending(), program);
    samples.add(Metric.DOCUMENTS_IN_FLIGHT, status.inFlight(), program);
    samples.add(Metric.LAG, status.lag(), program);
    samples.add(Metric.PLAN_EPOCH, status.epoch(), program);
    samples.add(Metric.PROGRAM_STATE, 1, program, state(status));
    status
        .waits()
        .forEach(wait ->
            samples.add(
                Metric.WAITING_DOCUMENTS,
                wait.waitingCalls(),
                program,
                wait.cause().name().toLowerCase(Locale.ROOT),
                wait.model()));
  }

  private static void addTokens(
      MetricSamples samples, String program, String work, @Nullable TokenCounts tokens) {
    if (tokens != null) {
      long uncached = tokens.input() - tokens.cachedInput();
      samples.add(Metric.TOKENS, uncached, program, work, "input");
      samples.add(Metric.TOKENS, tokens.cachedInput(), program, work, "cached_input");
      samples.add(Metric.TOKENS, tokens.output() - tokens.reasoning(), program, work, "output");
      samples.add(Metric.TOKENS, tokens.reasoning(), program, work, "reasoning");
    }
  }

  /** The state without its reason, which would make a new series each time. */
  private static String state(InstanceStatus status) {
    int colon = status.state().indexOf(':');
    return colon < 0 ? status.state() : status.state().substring(0, colon);
  }

  private static void addPlan(
      MetricSamples samples, InstanceStatus status, ProgramPlans.State state) {
    ControlRecord.Activated active = state.active();
    PhysicalPlan plan = active == null ? null : state.plans().get(active.epoch());
    if (plan == null) {
      return;
    }
    String program = status.program();
    for (Dimension dimension : Dimension.values()) {
      samples.add(Metric.PLAN_ESTIMATE, plan.estimate().get(dimension), program, dimension.label());
    }
    for (Bound bound : plan.objective().bounds()) {
      samples.add(Metric.OBJECTIVE_BOUND, bound.limit(), program, bound.dimension().label());
    }
    for (PlanStep step : plan.steps()) {
      StepEstimate estimate = plan.basis(step);
      if (estimate != null) {
        Range quality = estimate.quality();
        addRange(samples, Metric.QUALITY_ESTIMATE, program, step.logical().id(), quality);
      }
    }
    status.quality().stream()
        .filter(counts -> counts.epoch() == plan.epoch() && counts.judged() > 0)
        .forEach(counts ->
            addRange(
                samples,
                Metric.QUALITY_MEASURED,
                program,
                counts.operator(),
                counts.measured(metric(state, counts.operator()), DEVIATIONS_OF_95_PERCENT)));
  }

  private static @Nullable QualityMetric metric(ProgramPlans.State state, String operator) {
    Program program = state.program();
    return program == null ? null : program.validation().metric(operator);
  }

  private static void addRange(
      MetricSamples samples, Metric metric, String program, String operator, Range range) {
    samples.add(metric, range.low(), program, operator, "low");
    samples.add(metric, range.mean(), program, operator, "mean");
    samples.add(metric, range.high(), program, operator, "high");
  }

  /** A thread that cannot continue makes the worker fail; what waits makes it degraded. */
  Health health() {
    Health.Builder health =
        new Health.Builder().kafka(broker).threads(context.streams().supervisor().threads());
    for (ModelHealth model : context.models().admission().health()) {
      if (model.open()) {
        health.add(
            "model " + model.model(),
            Health.State.DEGRADED,
            "most of the latest calls failed; documents wait");
      }
    }
    for (InstanceStatus status : programs.statuses()) {
      boolean waits = state(status).equals("WAITING") || state(status).equals("RESTARTING");
      health.add(
          "program " + status.program(),
          waits ? Health.State.DEGRADED : Health.State.UP,
          status.state());
    }
    return health.build();
  }
}
