package dev.abacus.optimizer.api;

import dev.abacus.optimizer.kafka.ControlPlane;
import dev.abacus.optimizer.kafka.ControlPlaneState;
import dev.abacus.optimizer.loop.LoopStatus;
import dev.abacus.schemas.monitor.BrokerWatch;
import dev.abacus.schemas.monitor.Health;
import dev.abacus.schemas.monitor.Metric;
import dev.abacus.schemas.monitor.MetricSamples;
import dev.abacus.schemas.plan.Standing;

/** The metrics and the health of an optimizer. */
record OptimizerMonitor(ControlPlane plane, BrokerWatch broker) {

  void addMetrics(MetricSamples samples) {
    ControlPlaneState state = plane.state();
    samples.add(Metric.KAFKA_AVAILABLE, broker.outage() == null);
    samples.add(Metric.OPTIMIZER_LEADS, state.leads());
    for (LoopStatus search : state.searches().values()) {
      String program = search.program();
      samples.add(Metric.SEARCH_PHASE, 1, program, search.phase().name());
      samples.add(Metric.SEARCH_SAMPLES, search.samplesObserved(), program, "observed");
      samples.add(Metric.SEARCH_SAMPLES, search.samplesOutstanding(), program, "outstanding");
      samples.add(Metric.SEARCH_SPEND, search.spentUsd(), program);
      Standing standing = search.standing();
      if (standing != null) {
        samples.add(Metric.SEARCH_PLAN_FEASIBLE, standing.holds(), program);
        if (standing.probability() != null) {
          samples.add(Metric.SEARCH_PLAN_PROBABILITY, standing.probability(), program);
        }
      }
    }
    state
        .backlogs()
        .forEach((program, backlog) -> {
          samples.add(Metric.BACKLOG, backlog.documents(), program);
          samples.add(Metric.ARRIVALS, backlog.arrivalsPerSecond(), program);
          samples.add(Metric.REQUIRED_IN_FLIGHT, backlog.requiredInFlight(), program);
        });
  }

  /**
   * A thread that cannot continue makes the optimizer fail; a search that waits makes it degraded.
   */
  Health health() {
    ControlPlaneState state = plane.state();
    Health.Builder health = new Health.Builder().kafka(broker).threads(plane.threads());
    if (plane.hasEnded()) {
      health.add("loop", Health.State.FAILED, "ended: " + plane.failure().getNow("closed"));
    } else if (!plane.isReady()) {
      health.add("loop", Health.State.DOWN, "reads the topics");
    } else {
      health.add("loop", Health.State.UP, state.leads() ? "leads" : "stands by");
    }
    for (String program : state.failedPrograms()) {
      health.add(
          "program " + program,
          Health.State.DEGRADED,
          "is ignored until a restart, after an internal error");
    }
    for (LoopStatus search : state.searches().values()) {
      switch (search.phase()) {
        case WAITING_FOR_MODELS, STUCK ->
            health.add("program " + search.program(), Health.State.DEGRADED, search.message());
        case WAITING_FOR_EXAMPLES, SAMPLING, PAUSED, FINISHED ->
            health.up("program " + search.program());
      }
    }
    return health.build();
  }
}
